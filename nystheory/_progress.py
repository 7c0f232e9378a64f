"""Progress of what takes long, from one second on.

The environment variable ``TQDM_DISABLE=1`` turns all bars off.
"""

from __future__ import annotations

import warnings
from functools import cache

# Nobody wants to see a bar that is gone at once.
AFTER_SECONDS = 1.0


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
    return _bars()(desc=what, total=total, delay=AFTER_SECONDS, leave=False)
