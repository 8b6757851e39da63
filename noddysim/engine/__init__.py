"""Where plain data meet the kernels, and counts are kept."""
