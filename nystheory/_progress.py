"""Progress of what takes long, from one second on, at a terminal or in a notebook.

``nystheory.progress(False)`` turns all bars off, and so does ``TQDM_DISABLE=1`` in the
environment; ``nystheory.progress(True)`` shows them in a file or a pipe, too.
"""

from __future__ import annotations

import os
import warnings
from functools import cache

# Nobody wants to see a bar that is gone at once.
AFTER_SECONDS = 1.0

# What `progress` was told last; None until then.
_SHOW: bool | None = None


def progress(show: bool | None = True) -> None:
    """Show progress bars, or none, from now on.

    Parameters
    ----------
    show : bool or None
        True: wherever the error stream goes.  False: never.  None: at a terminal and in
        a notebook, as before the first call.

    Raises
    ------
    TypeError
        If it is none of these.

    Notes
    -----
    A bar appears after a second.  ``TQDM_DISABLE=1`` in the environment switches all of
    them off, whatever is said here.

    Examples
    --------
    >>> import nystheory
    >>> nystheory.progress(False)
    >>> nystheory.progress(None)
    """
    global _SHOW  # noqa: PLW0603 - a switch of the whole package
    if not (show is None or isinstance(show, bool)):
        raise TypeError(f"show: expected True, False or None, got {show!r}")
    _SHOW = show


def _disabled() -> bool | None:
    """Whether bars are off, as tqdm takes it: None where the stream decides."""
    if _SHOW is False or os.environ.get("TQDM_DISABLE"):
        return True
    return False if _SHOW else None


@cache
def _bars():
    with warnings.catch_warnings():
        # In a notebook without widgets it warns, and prints bars of text.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    return tqdm


def counter(what: str, total: int):
    """A bar that is told of progress by ``update``, on the error stream.

    Examples
    --------
    >>> with counter("columns", 3) as columns:
    ...     columns.update(3)
    """
    how = {"delay": AFTER_SECONDS, "leave": False, "disable": _disabled()}
    return _bars()(desc=what, total=total, **how)
