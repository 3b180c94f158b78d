"""Errors of tintype that are also those which Python has for the same thing: `except FileNotFoundError` and `except tintype.Error`
both catch the one of a file that is not there."""

from __future__ import annotations

import builtins
import errno as numbers

from ._tintype import Error


class OSError(Error, builtins.OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return Error.__str__(self)


class FileNotFoundError(OSError, builtins.FileNotFoundError):
    """There is no such file or folder."""

    errno = numbers.ENOENT


class FileExistsError(OSError, builtins.FileExistsError):
    """There is a file of this name already."""

    errno = numbers.EEXIST


class PermissionError(OSError, builtins.PermissionError):
    """The file may not be read or written."""

    errno = numbers.EACCES


class IsADirectoryError(OSError, builtins.IsADirectoryError):
    """A folder stands where a file is expected."""

    errno = numbers.EISDIR


class NotADirectoryError(OSError, builtins.NotADirectoryError):
    """A file stands where a folder is expected."""

    errno = numbers.ENOTDIR


class ValueError(Error, builtins.ValueError):
    """A value, a scene or the content of a file is refused."""


class TypeError(Error, builtins.TypeError):
    """A value is of a type that is not expected."""
