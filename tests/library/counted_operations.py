"""The package with its products and factorizations counted.

`install` has the package imported anew with each ``A @ B`` and ``A.dot(B)`` counted,
and each routine of LAPACK and BLAS that it calls: for a product two operations a term,
for a factorization the leading term of its usual count.  Single entries are not.
"""

import ast
import importlib.util
import sys
from importlib.machinery import PathFinder, SourceFileLoader

import numpy as np
import scipy.linalg
from scipy import sparse

DONE = [0.0]


def product(A, B):
    """``A @ B``, counted where both are arrays."""
    if sparse.issparse(A) or sparse.issparse(B):
        first, other = (A, B) if sparse.issparse(A) else (B, A)
        DONE[0] += 2 * first.nnz * (other.size / max(other.shape[0], 1))
    elif isinstance(A, np.ndarray) and isinstance(B, np.ndarray):
        # Of A^T A half the entries tell the others, and NumPy knows it.
        twice = 1 if np.shares_memory(A, B) and A.shape == B.T.shape else 2
        DONE[0] += twice * A.size * B.size / max(A.shape[-1], 1)
    return A @ B


def _of_factorization(power):
    """Of a matrix with a long and a short side."""
    return lambda A, *_: power * max(np.shape(A)) * min(np.shape(A)) ** 2


def _solved(times):
    """Of right-hand sides, for a factor."""
    return lambda c, B, *_: times * len(np.atleast_1d(B)) * np.size(B)


def _symmetric_rank(alpha, A, *_):
    return A.size * min(A.shape)


COUNTS = {
    "cholesky": _of_factorization(1 / 3),
    "cho_factor": _of_factorization(1 / 3),
    "cho_solve": _solved(2),
    "solve_triangular": _solved(1),
    "eigh": _of_factorization(9),
    "eigvalsh": _of_factorization(4 / 3),
    "svd": _of_factorization(6),
    "svdvals": _of_factorization(2),
    "qr": _of_factorization(4),
    "lstsq": _of_factorization(6),
}
OF_BLAS = {
    "dsyrk": _symmetric_rank,
    "dsymm": lambda alpha, A, B, *_: 2 * A.shape[0] * B.size,
    "dtrsm": lambda alpha, A, B, *_: A.shape[0] * B.size,
}
OF_BLAS["strsm"] = OF_BLAS["dtrsm"]
OF_LAPACK = {"dpotri": _of_factorization(2 / 3), "dpstrf": _of_factorization(1 / 3)}


def _counted(function, count):
    def called(*args, **options):
        first = args or tuple(options.values())
        DONE[0] += float(count(*[x[0] if isinstance(x, tuple) else x for x in first]))
        return function(*args, **options)

    return called


class _Products(ast.NodeTransformer):
    """A module with its products counted."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        return _call(node, [node.left, node.right])

    def visit_Call(self, node):
        self.generic_visit(node)
        known = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if known == "matmul":
            return _call(node, node.args[:2], node)
        if known == "dot" and len(node.args) == 1:
            return _call(node, [node.func.value, node.args[0]])
        return node


def _call(old, args, into=None):
    """The call of `product` in place of an expression; `np.matmul` fills its `out`."""
    name = ast.Name("_product_that_counts", ast.Load())
    made = ast.Call(name, args, [])
    if into is not None and into.keywords:
        made = ast.Call(
            ast.Attribute(ast.Name("np", ast.Load()), "copyto", ast.Load()),
            [into.keywords[0].value, made],
            [],
        )
    return ast.fix_missing_locations(ast.copy_location(made, old))


class _Loader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        tree = _Products().visit(ast.parse(self.get_data(path)))
        return compile(tree, path, "exec")

    def exec_module(self, module):
        module._product_that_counts = product
        super().exec_module(module)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] != "nystheory":
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or not (spec.origin or "").endswith(".py"):
            return spec
        return importlib.util.spec_from_file_location(
            name,
            spec.origin,
            loader=_Loader(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations,
        )


def install():
    """Before the package is imported."""
    assert not [name for name in sys.modules if name.startswith("nystheory")]
    sys.meta_path.insert(0, _Finder)
    for module, counts in (
        (scipy.linalg, COUNTS),
        (np.linalg, {name: COUNTS[name] for name in ("qr", "eigh", "svd")}),
        (scipy.linalg.blas, OF_BLAS),
        (scipy.linalg.lapack, OF_LAPACK),
    ):
        for name, count in counts.items():
            setattr(module, name, _counted(getattr(module, name), count))
    np.einsum = _counted_sum(np.einsum)


def _counted_sum(einsum):
    def called(line, *args, **options):
        letters = {}
        for names, A in zip(line.partition("->")[0].split(","), args, strict=False):
            letters |= dict(zip(names.strip(), np.shape(A), strict=False))
        DONE[0] += 2 * float(np.prod([*letters.values()], dtype=float))
        return einsum(line, *args, **options)

    return called


def operations(function):
    """How many operations a call does."""
    DONE[0] = 0.0
    function()
    return DONE[0]
