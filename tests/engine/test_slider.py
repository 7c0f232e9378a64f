"""Sliders: frames that were drawn before, and a control without a kernel."""

import base64
import io
import re
from importlib.resources import files

import numpy as np
import pytest
from PIL import Image

from nystheory import style
from nystheory.engine.report import slider
from nystheory.engine.report.slider import DARK_FRAMES, MOST, Frame, Slider

SCRIPT = files(slider.__package__).joinpath("slider.js").read_text("utf-8")
PICTURES = r'<img src="data:image/webp;base64,([^"]+)"'


def lines(count):
    figure, (axes,) = style.panels(1, width=3, height=2)
    axes.plot(np.arange(count + 2))
    return figure


def three(first=1):
    names = ("one", "two & a half", "three")
    frames = [Frame(x, f"It is <{x}>.", lines(k)) for k, x in enumerate(names)]
    return Slider("How many", frames, first)


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB"))


def test_each_frame_has_its_picture_and_its_sentence():
    data, metadata = three()._repr_mimebundle_()
    page = data["text/html"]
    folds = re.findall(r"<details.*?</details>", page, re.S)
    assert [fold.startswith("<details open>") for fold in folds] == [False, True, False]
    for fold, name in zip(folds, ("one", "two &amp; a half", "three"), strict=True):
        words = f"It is &lt;{name}&gt;."
        assert f"<summary>{name}</summary>" in fold
        assert f'alt="{words}"' in fold and f"<p>{words}</p>" in fold
    light, dark = re.findall(PICTURES, page), metadata[DARK_FRAMES].split()
    assert len(light) == len(dark) == len({*light, *dark}) / 2 == 3
    for one, other in zip(light, dark, strict=True):
        assert pixels(one).shape == pixels(other).shape
        assert pixels(one).mean() > 200 and pixels(other).mean() < 60


def test_where_no_html_is_shown_the_first_frame_is_a_figure():
    data, metadata = three()._repr_mimebundle_()
    picture, known = lines(1)._repr_mimebundle_()
    assert data["image/png"] == picture["image/png"]
    assert metadata[style.DARK] == known[style.DARK]
    assert metadata["image/png"] == known["image/png"]
    told = "How many\none: It is <one>.\ntwo & a half: It is <two & a half>.\n"
    assert data["text/plain"] == f"{told}three: It is <three>."


def test_drawn_twice_the_bytes_are_the_same():
    assert three()._repr_mimebundle_() == three()._repr_mimebundle_()


def noise(count, seed=0):
    """Pictures that cannot be made small."""
    rng, frames = np.random.default_rng(seed), []
    for k in range(count):
        figure, (axes,) = style.panels(1, width=4, height=3)
        axes.imshow(rng.random((300, 400)), cmap=style.COLOUR_MAP)
        frames.append(Frame(f"{k}", "Noise.", figure))
    return Slider("Noise", frames)


def test_too_large_a_slider_is_refused():
    with pytest.raises(ValueError, match="frames: expected at most .*draw fewer"):
        noise(3)._repr_mimebundle_()


def size_and_colours():
    """Of all frames of a slider, and the most of one of them."""
    data, metadata = noise(1)._repr_mimebundle_()
    light, dark = re.findall(PICTURES, data["text/html"]), metadata[DARK_FRAMES].split()
    colours = [len(np.unique(pixels(x).reshape(-1, 3), axis=0)) for x in light]
    return sum(map(len, [*light, *dark])), max(colours)


def test_colours_are_given_up_for_size_and_no_more_than_needed(monkeypatch):
    monkeypatch.setattr(slider, "MOST", 10**6)
    size, colours = size_and_colours()
    assert 200 < colours <= slider.COLOURS[0]
    monkeypatch.setattr(slider, "MOST", size - 1)
    less, fewer = size_and_colours()
    assert less < size and slider.COLOURS[2] < fewer <= slider.COLOURS[1]


def test_the_script_is_short_and_asks_for_nothing():
    assert len(SCRIPT.splitlines()) < 60 and len(SCRIPT) < 3000 and MOST < 200_000
    assert not re.search(r"https?:|\bimport\b|\bfetch\b|\brequire\b|</script", SCRIPT)
    assert SCRIPT in three()._repr_mimebundle_()[0]["text/html"]


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        (dict(frames=[]), ValueError, "frames: expected one frame or more, got []"),
        (dict(frames=None), TypeError, "frames: expected a list of frames, got None"),
        (dict(frames="ab"), TypeError, "frames: expected a list of frames, got 'ab'"),
        (dict(frames=["a"]), TypeError, "frames: expected a list of frames, got ['a']"),
        (dict(label=3), TypeError, "label: expected a string, got 3"),
        (dict(first=1), ValueError, "first: expected an integer from 0 to 0, got 1"),
        (dict(first=-1), ValueError, "first: expected an integer from 0 to 0, got -1"),
        (dict(first=0.0), TypeError, "first: expected an integer from 0 to 0, got 0.0"),
    ],
)
def test_what_is_no_slider_is_told(given, kind, says):
    good = dict(label="Columns", frames=[Frame("one", "It is one.", None)], first=0)
    with pytest.raises(kind, match=f"^{re.escape(says)}$"):
        Slider(**good | given)
