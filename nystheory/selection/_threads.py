"""A few tasks at the same time: in threads, with one thread of linear algebra each."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock

from joblib import effective_n_jobs
from threadpoolctl import threadpool_limits


class _Limited:
    """Who wants one thread of BLAS now, of all threads of this process."""

    lock = Lock()
    inside = 0
    limits = None


@contextmanager
def _one_thread_of_blas() -> Iterator[None]:
    """Linear algebra in one thread for as long as anybody is inside.

    Limits belong to the process: the first who comes sets them, and the last who goes
    takes them back.
    """
    with _Limited.lock:
        if not _Limited.inside:
            _Limited.limits = threadpool_limits(1, "blas")
        _Limited.inside += 1
    try:
        yield
    finally:
        with _Limited.lock:
            _Limited.inside -= 1
            if not _Limited.inside:
                _Limited.limits.restore_original_limits()


@contextmanager
def together(n_jobs: int | None, most: int) -> Iterator[Callable]:
    """A function that does the tasks of a list, at most so many at the same time.

    Threads, whatever backend of joblib is at work: tasks share what they change.  Each
    sees the context of who asks, such as `numpy.errstate`.

    >>> done = []
    >>> with together(2, most=4) as run:
    ...     run([lambda: done.append(1), lambda: done.append(2)])
    >>> sorted(done)
    [1, 2]
    """
    jobs = min(effective_n_jobs(n_jobs), most)
    if jobs == 1:
        yield _in_turn
        return
    with _one_thread_of_blas(), ThreadPoolExecutor(jobs) as pool:

        def run(tasks):
            started = [
                pool.submit(contextvars.copy_context().run, task) for task in tasks
            ]
            for each in started:
                each.result()

        yield run


def _in_turn(tasks):
    for task in tasks:
        task()
