"""A figure with a slider: frames that were drawn when the page was made.

No kernel and no network is needed to move it: the frames stand in the output as folds,
each with its picture and a sentence, and a few lines of script (`slider.js`, inlined)
put a control of the browser in place of their lines.  So it works on the site from
disk, in JupyterLab where the notebook is trusted or was run, and with the keys.  In a
notebook that is not trusted JupyterLab takes scripts and controls away; then the folds
are left, each of which opens.  On paper the frame that is open is printed, and where no
HTML is shown the first picture is a figure as any other.

A widget (`anywidget`, `ipywidgets`) would do less: on the site it needs a manager of
widgets, which comes from the network, and in JupyterLab an extension and a kernel, or a
state that was saved and is trusted.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from PIL import Image

from nystheory import _checks, style

# The metadata of an output that hold its frames for dark pages, a space between two.
DARK_FRAMES = f"{style.DARK}.frames"
# All frames together, light and dark, have at most so many bytes; of these numbers of
# colours the first is taken that makes them so small.
MOST, COLOURS = 195_000, (256, 192, 128, 96, 64, 48, 32)


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of a slider, and what it shows.

    Attributes
    ----------
    name : str
        Where the slider stands: "8 columns".
    words : str
        What is seen there, as a sentence.
    figure : BookFigure
    """

    name: str
    words: str
    figure: style.BookFigure


@dataclass(frozen=True, eq=False)
class Slider:
    """Frames, of which a slider shows one.

    Attributes
    ----------
    label : str
        What the slider moves: "Number of columns".
    frames : sequence of Frame
    first : int
        The frame that is shown at first, and on paper.

    Raises
    ------
    TypeError
        If the label is no string, the frames are no list or tuple of `Frame`, or
        `first` is no integer.
    ValueError
        If there is no frame, or `first` is the place of none.

    Examples
    --------
    >>> Slider("Columns", [])
    Traceback (most recent call last):
    ValueError: frames: expected one frame or more, got []
    >>> figures = [style.panels(1)[0] for _ in range(2)]
    >>> Slider("Columns", [Frame(f"{k}", f"{k} seen.", figures[k]) for k in (0, 1)])
    Columns
    0: 0 seen.
    1: 1 seen.
    """

    label: str
    frames: Sequence[Frame]
    first: int = 0

    def __post_init__(self):
        label, frames = _checks.shown(self.label), _checks.shown(self.frames)
        if not isinstance(self.label, str):
            raise TypeError(f"label: expected a string, got {label}")
        if not isinstance(self.frames, (list, tuple)):
            raise TypeError(f"frames: expected a list of frames, got {frames}")
        if not self.frames:
            raise ValueError(f"frames: expected one frame or more, got {frames}")
        if not all(isinstance(frame, Frame) for frame in self.frames):
            raise TypeError(f"frames: expected a list of frames, got {frames}")
        _checks.integer(self.first, "first", low=0, high=len(self.frames) - 1)

    @property
    def axes(self) -> list:
        """Those of the frame that is shown at first."""
        return self.frames[self.first].figure.axes

    @property
    def legends(self) -> list:
        """Those of the frame that is shown at first, beside its axes."""
        return self.frames[self.first].figure.legends

    def __repr__(self) -> str:
        told = (f"{frame.name}: {frame.words}" for frame in self.frames)
        return "\n".join([self.label, *told])

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        """All frames as HTML, and the first one as a picture, with their dark twins.

        Raises
        ------
        ValueError
            If the frames are too large even with few colours.
        """
        drawn = [frame.figure._repr_mimebundle_() for frame in self.frames]
        light = [data["image/png"] for data, _ in drawn]
        dark = [base64.b64decode(known[style.DARK]) for _, known in drawn]
        for colours in COLOURS:
            small = [smaller(png, colours) for png in light + dark]
            size = sum(map(len, small))
            if size <= MOST:
                break
        else:
            told = f"expected at most {MOST} bytes, got {size}; draw fewer or smaller"
            raise ValueError(f"frames: {told} ones")
        folds = [
            _fold(frame, picture, known["image/png"]["width"], place == self.first)
            for place, (frame, picture, (_, known)) in enumerate(
                zip(self.frames, small[: len(light)], drawn, strict=True)
            )
        ]
        script = files(__package__).joinpath("slider.js").read_text("utf-8")
        page = (
            f'<div class="nys-slider"><p>{html.escape(self.label)}</p>\n'
            f"{''.join(folds)}</div>\n<script>\n{script}</script>"
        )
        data, metadata = drawn[self.first]
        data = {**data, "text/html": page, "text/plain": repr(self)}
        return data, {**metadata, DARK_FRAMES: " ".join(small[len(light) :])}


def smaller(png: bytes, colours: int) -> str:
    """The same picture of fewer colours, as WebP in base64: a third less."""
    with io.BytesIO() as file:
        full = Image.open(io.BytesIO(png)).convert("RGB")
        few = full.quantize(colours, dither=Image.Dither.NONE)
        few.convert("RGB").save(file, "webp", lossless=True)
        return base64.b64encode(file.getvalue()).decode()


def _fold(frame, picture, width, is_open):
    words = html.escape(frame.words)
    return (
        f"<details{' open' if is_open else ''}>"
        f"<summary>{html.escape(frame.name)}</summary>"
        f'<div class="nys-figure" style="--width: {width}px">'
        f'<img src="data:image/webp;base64,{picture}" alt="{words}" width="{width}">'
        f"</div><p>{words}</p></details>\n"
    )
