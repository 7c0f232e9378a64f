"""Pictures of heads that turn, in light that moves: drawn by arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import _checks
from nystheory.datasets._base import Dataset, made

# The thirteen poses: degrees to the side, and up.
POSES = np.array(
    [(20.0 * k, 0.0) for k in range(-4, 5)]
    + [(0.0, 25.0), (0.0, -25.0), (-50.0, 20.0), (50.0, 20.0)]
)
# Where the balls of a head are, with the face towards z, their radii, and how light
# they are: skull, hair, nose, two ears, two eyes, chin.
CENTRES = np.array(
    [
        (0.0, 0.0, 0.0),
        (0.0, 0.28, -0.22),
        (0.0, -0.08, 0.98),
        (-0.98, 0.0, -0.05),
        (0.98, 0.0, -0.05),
        (-0.36, 0.22, 0.82),
        (0.36, 0.22, 0.82),
        (0.0, -0.62, 0.5),
    ]
)
RADII = np.array([1.0, 1.0, 0.2, 0.24, 0.24, 0.17, 0.17, 0.5])
SHADES = np.array([0.85, 0.25, 0.9, 0.75, 0.75, 0.05, 0.05, 0.8])
# Numbers that tell one person from another: nose, ears, eyes, chin, hair and skin.
TRAITS = 6
AMBIENT, HALF_WIDTH = 0.25, 1.35
# Numbers of one block of pixels: balls times pictures times pixels.
A_BLOCK = 2**22


@dataclass(frozen=True, eq=False)
class Scenes:
    """What is in each picture.

    Attributes
    ----------
    angles : ndarray (n, 2)
        How far the head is turned to the side, and up: degrees.
    light : ndarray (n, 2)
        Where the light is, to the side and up: degrees.
    traits : ndarray (n, 6)
        What the person looks like: standard normal numbers.
    pose : ndarray (n,)
        The nearest of the 13 poses, 0 to 12, as it was drawn.

    Examples
    --------
    >>> scenes(3, np.random.default_rng(0)).angles.shape
    (3, 2)
    """

    angles: np.ndarray
    light: np.ndarray
    traits: np.ndarray
    pose: np.ndarray

    def __len__(self):
        return len(self.pose)

    def __getitem__(self, rows):
        """Some of them: a slice or indices."""
        parts = (self.angles, self.light, self.traits, self.pose)
        return Scenes(*(part[rows] for part in parts))


def scenes(
    n: int, rng: np.random.Generator, n_people: int = 68, jitter: float = 5.0
) -> Scenes:
    """What is to be drawn: poses, light and people.

    Parameters
    ----------
    n : int
        Number of pictures.
    rng : numpy.random.Generator
    n_people : int, default 68
        How many people there are.
    jitter : float, default 5
        Standard deviation in degrees of each angle about that of the pose.

    Returns
    -------
    Scenes
        Poses and people are drawn uniformly; the light from 60 degrees left to 60 right
        and from 20 below to 60 above.

    Raises
    ------
    ValueError, TypeError
        If a number is not an integer of at least 1, the jitter is negative, or `rng` is
        not a generator.

    Notes
    -----
    The book's own, in place of the CMU PIE faces, which may not be shipped: 68
    people, 13 poses and changing light as there ([1]_, section 3.1.3).  Costs O(n).

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.

    Examples
    --------
    >>> scenes(1000, np.random.default_rng(0)).pose.max()
    np.int64(12)
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    people = _checks.integer(n_people, "n_people")
    jitter = _checks.not_below_zero(jitter, "jitter")
    pose = rng.integers(len(POSES), size=n)
    traits = rng.standard_normal((people, TRAITS))[rng.integers(people, size=n)]
    angles = POSES[pose] + jitter * rng.standard_normal((n, 2))
    light = rng.uniform((-60.0, -20.0), (60.0, 60.0), (n, 2))
    return Scenes(angles, light, traits, pose)


def rendered(shown: Scenes, size: int = 32, dtype: type = np.float64) -> np.ndarray:
    """Draw pictures: shaded balls, seen from afar.

    Parameters
    ----------
    shown : Scenes
        What is in each of the n pictures.
    size : int, default 32
        Pixels of a side.
    dtype : type
        float64 or float32.

    Returns
    -------
    ndarray (n, size^2)
        Grey values from 0 to 1, row by row from the top.

    Raises
    ------
    ValueError, TypeError
        If `shown` is not made of scenes, or the size is not an integer of at least 2.

    Notes
    -----
    The book's own.  In each pixel the ball that is nearest is seen, and is as light as
    Lambert's law has it, plus a quarter.  Costs 8 n size^2 evaluations, in float32.

    Examples
    --------
    >>> pictures = rendered(scenes(2, np.random.default_rng(0)), 8)
    >>> pictures.shape, bool(pictures.max() <= 1)
    ((2, 64), True)
    """
    if not isinstance(shown, Scenes):
        raise TypeError(f"shown: expected Scenes, got {_checks.shown(shown)}")
    size = _checks.integer(size, "size", low=2)
    pictures = np.empty((len(shown), size**2), _checks.float_type(dtype, "dtype"))
    step = max(1, A_BLOCK // (len(RADII) * size**2))
    for start in range(0, len(shown), step):
        rows = slice(start, start + step)
        pictures[rows] = _drawn(shown[rows], size)
    return pictures


def poses(
    n: int,
    rng: np.random.Generator,
    size: int = 32,
    n_people: int = 68,
    jitter: float = 5.0,
) -> Dataset:
    """Pictures of heads in 13 poses, in changing light.

    Parameters
    ----------
    n : int
        Number of pictures.
    rng : numpy.random.Generator
    size : int, default 32
        Pixels of a side.
    n_people : int, default 68
    jitter : float, default 5
        As for `scenes`.

    Returns
    -------
    Dataset
        X (n, size^2), grey values from 0 to 1; y the pose, 0 to 12.

    Raises
    ------
    ValueError, TypeError
        As `scenes` and `rendered`.

    Notes
    -----
    The book's own; `rendered` of `scenes`.  Costs 8 n size^2 evaluations.

    Examples
    --------
    >>> poses(100, np.random.default_rng(0))
    Dataset(poses, X (100, 1024), y (100,))
    """
    shown = scenes(n, rng, n_people, jitter)
    return made("poses", rendered(shown, size), shown.pose)


def _drawn(shown, size):
    """One block of pictures, (b, size^2), in float32."""
    centres, radii, shades = _heads(shown.traits)
    centres = np.einsum("nij,nbj->nbi", _turned(*np.radians(shown.angles.T)), centres)
    ticks = (np.arange(size) + 0.5) * (2 * HALF_WIDTH / size) - HALF_WIDTH
    x, y = (part.ravel().astype(np.float32) for part in np.meshgrid(ticks, -ticks))
    centres, radii, shades = (
        part.astype(np.float32) for part in (centres, radii, shades)
    )
    light = _directions(*np.radians(shown.light.T)).astype(np.float32)
    nearest = np.full((len(shown), size**2), -np.inf, np.float32)
    picture = np.zeros_like(nearest)
    for b in range(centres.shape[1]):
        across = x - centres[:, b, 0, None]
        up = y - centres[:, b, 1, None]
        deep = np.sqrt(np.maximum(radii[:, b, None] ** 2 - across**2 - up**2, 0))
        depth = np.where(deep > 0, centres[:, b, 2, None] + deep, -np.inf)
        facing = across * light[:, 0, None] + up * light[:, 1, None]
        facing = (facing + deep * light[:, 2, None]) / radii[:, b, None]
        grey = AMBIENT + (1 - AMBIENT) * np.maximum(facing, 0)
        in_front = depth > nearest
        np.copyto(picture, shades[:, b, None] * grey, where=in_front)
        np.copyto(nearest, depth, where=in_front)
    return picture


def _heads(traits):
    """Balls of each person: centres (n, 8, 3), radii (n, 8), shades (n, 8)."""
    n = len(traits)
    nose, ears, eyes, chin, hair, skin = np.clip(traits, -2, 2).T
    centres = np.repeat(CENTRES[None], n, axis=0)
    radii, shades = np.tile(RADII, (n, 1)), np.tile(SHADES, (n, 1))
    radii[:, 2] += 0.05 * nose
    radii[:, 3:5] += 0.06 * ears[:, None]
    centres[:, 5, 0] -= 0.05 * eyes
    centres[:, 6, 0] += 0.05 * eyes
    centres[:, 7, 1] -= 0.1 * chin
    centres[:, 1, 1] += 0.08 * hair
    shades[:, 1] += 0.08 * hair
    shades *= (1 + 0.05 * skin)[:, None]
    return centres, radii, shades


def _turned(side, up):
    """Rotations (n, 3, 3): first up, then to the side."""
    zero, one = np.zeros_like(side), np.ones_like(side)
    about_x = np.array(
        [
            [one, zero, zero],
            [zero, np.cos(up), np.sin(up)],
            [zero, -np.sin(up), np.cos(up)],
        ]
    )
    about_y = np.array(
        [
            [np.cos(side), zero, np.sin(side)],
            [zero, one, zero],
            [-np.sin(side), zero, np.cos(side)],
        ]
    )
    return np.einsum("ijn,jkn->nik", about_y, about_x)


def _directions(side, up):
    """Unit vectors (n, 3) to the light."""
    return np.stack(
        [np.sin(side) * np.cos(up), np.sin(up), np.cos(side) * np.cos(up)], axis=1
    )
