"""Run a function in a process of its own, which can be stopped and reaches nothing.

On Linux such a process gets namespaces of its own: no network, the files of the machine
for reading alone and some folders not at all, one small folder to write in, no other
process to signal. All that it starts ends with it. What it prints is lost. Another
process of the same user could still be read through /proc, and the memory and the
cores of the machine are shared.
"""

import ctypes
import os
import resource
import select
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

NAMESPACES = 0x10000000 | 0x00020000 | 0x40000000 | 0x20000000 | 0x08000000
RECURSIVE, PRIVATE = 0x4000, 0x40000  # of mount
MOUNT_SETATTR, BELOW, READ_ONLY = 442, 0x8000, 1
NO_NEW_PRIVILEGES, CAPABILITIES = 38, 0x20080522
INSIDE = 1000  # the user there
MOST = 2**26  # bytes of an answer, and of a file
MEMORY = 2**33
PROCESSES, FILES = 64, 2**12


@dataclass(frozen=True)
class Ended:
    """What came of a process: its bytes, or the reason why there are none."""

    said: bytes = b""
    reason: str = ""


def run(work, seconds, folder=None, hidden=(), confined=True):
    """What a function returns that runs in another process.

    Parameters
    ----------
    work : callable () -> bytes
    seconds : float
        After that it is stopped.
    folder : path, optional
        Where it works, with limits; without one the function is trusted.
    hidden : iterable of path
        Folders that it does not see.
    confined : bool
        Whether it gets namespaces of its own, and writes nowhere else.

    Returns
    -------
    Ended
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _child(work, seconds, folder, hidden if confined else None, writing)
    os.close(writing)
    try:
        said, reason = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        _kill(pid)
    if reason:
        return Ended(reason=reason)
    if not said:
        return Ended(reason="it ended its process")
    failed, said = said[:1] == b"-", said[1:]
    return Ended(reason=said.decode("utf-8", "replace")) if failed else Ended(said)


def possible(folder):
    """Why nothing can be confined on this machine; empty where it can."""
    return run(lambda: b"yes", 10, folder).reason


def _read(reading, deadline):
    """All bytes until the other end is closed, or why there are no more."""
    said = bytearray()
    while True:
        ready, _, _ = select.select([reading], [], [], deadline - time.monotonic())
        if not ready:
            return b"", "it was stopped: too long"
        some = os.read(reading, 2**16)
        if not some:
            return bytes(said), ""
        said += some
        if len(said) > MOST:
            return b"", "it was stopped: an answer is too long"
        if time.monotonic() > deadline:
            return b"", "it was stopped: too long"


def _kill(pid):
    """End a process; one that is confined first ends all that is inside."""
    for kill, patience in ((signal.SIGTERM, 2), (signal.SIGKILL, 60)):
        with suppress(OSError):
            os.kill(pid, kill)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if os.waitpid(pid, os.WNOHANG) != (0, 0):
                return
            time.sleep(0.005)


def _child(work, seconds, folder, hidden, writing):
    """Never returns."""
    try:
        os.setsid()
        os.closerange(3, writing)  # no other pipe is within reach
        os.closerange(writing + 1, FILES)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1) if folder is None else (0, 1, 2):
            os.dup2(nowhere, stream)
        if folder is not None and hidden is not None:
            _confine(folder, hidden, seconds)
        if folder is not None:
            os.chdir(folder)
            os.environ["TMPDIR"] = os.environ["HOME"] = str(folder)
            _limit(seconds)
        said = b"+" + work()
    except BaseException as error:
        said = f"-{type(error).__name__}: {error}".encode("utf-8", "replace")
    try:
        while said:
            said = said[os.write(writing, said) :]
    finally:
        os._exit(0)


def _limit(seconds):
    for what, most in {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(seconds) + 5,
        resource.RLIMIT_FSIZE: MOST,
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_NPROC: PROCESSES,
    }.items():
        resource.setrlimit(what, (most, most))


def _confine(folder, hidden, seconds):
    """Take everything away, and go on as the first process of a world of its own."""
    libc = ctypes.CDLL(None, use_errno=True)

    def call(name, *arguments):
        if getattr(libc, name)(*arguments) != 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")

    user, group = os.getuid(), os.getgid()
    call("unshare", NAMESPACES)
    for file, line in {
        "setgroups": "deny",
        "uid_map": f"{INSIDE} {user} 1",
        "gid_map": f"{INSIDE} {group} 1",
    }.items():
        with open(f"/proc/self/{file}", "w") as told:
            told.write(line)
    call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    asked = (ctypes.c_uint64 * 4)(READ_ONLY, 0, 0, 0)
    size = ctypes.c_size_t(32)
    call("syscall", MOUNT_SETATTR, -100, b"/", BELOW, ctypes.byref(asked), size)
    for place in (*hidden, folder):
        if not os.path.exists(place):  # one of them is inside another
            continue
        room = f"size={MOST}".encode()
        call("mount", b"none", os.fsencode(place), b"tmpfs", 0, room)
    _first_of_its_world(seconds)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES, 0)
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def _first_of_its_world(seconds):
    """Fork: the outer process ends the inner one in time, and all that it started.

    The inner one can neither see nor signal the outer one.
    """
    inner = os.fork()
    if inner == 0:
        os.setsid()
        return
    os.closerange(3, FILES)
    for alarm in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(alarm, lambda *_: os.kill(inner, signal.SIGKILL))
    signal.alarm(int(seconds) + 2)
    os.waitpid(inner, 0)
    os._exit(0)
