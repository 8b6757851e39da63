"""From counts to something a person can read: numbers with intervals, tables, pictures and pages.

Everything below this layer is whole numbers. ``stats`` turns counts into estimates, ``verdicts`` says in a
word what they come to and ``numbers`` prints them; tables, plots and the report are built on these three.
"""
