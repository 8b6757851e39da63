"""The sub-commands of the command line, one module for each group; each is imported only when it is asked for.

Nothing here computes: a command reads its options, makes one public call, and prints what comes back. Libraries that
take long to import are imported inside the commands, so that ``--help`` answers at once.
"""
