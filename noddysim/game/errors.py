"""The one kind of error a user can cause."""


class InputError(ValueError):
    """Input that cannot be accepted.

    The message is one line that names what is at fault (a file, line, key or card) and what would be right.
    The command line prints it and exits with 2.
    """
