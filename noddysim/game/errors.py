"""The errors that are told in one line: those a user can cause, and those that befall a run midway."""


class InputError(ValueError):
    """Input that cannot be accepted.

    The message is one line that names what is at fault (a file, line, key or card) and what would be right.
    The command line prints it and exits with 2.
    """


class Failure(RuntimeError):
    """Something that went wrong midway and is no fault of the program: a full disk, a lost connection.

    The message is one line that says what happened, what is kept, and what to do. The command line prints it and exits
    with 1.
    """
