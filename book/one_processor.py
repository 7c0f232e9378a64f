"""Processors with wider registers compute as the others do, to the last digit.

A page shows numbers of iterations and last digits of sums, which depend on how many
numbers a processor adds at once. Where it knows AVX-512, OpenBLAS and NumPy are told to
do without: then pages that were made on one machine are found again on another. Import
this before NumPy.
"""

import os
from pathlib import Path

INFO = Path("/proc/cpuinfo")
NARROW = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
}


def variables(info: str) -> dict[str, str]:
    """What the environment has to say on a machine of which this is told.

    >>> variables("flags : fpu avx2")
    {}
    >>> variables("flags : fpu avx2 avx512f")["OPENBLAS_CORETYPE"]
    'Haswell'
    """
    return dict(NARROW) if "avx512f" in info.split() else {}


FIXED = variables(INFO.read_text("utf-8") if INFO.exists() else "")
for name, value in FIXED.items():
    os.environ.setdefault(name, value)
