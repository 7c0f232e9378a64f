"""The sliders of the pages: in the notebooks, and in a browser that is offline.

A page of one slider alone is opened from disk; without Chromium or Chrome these tests
skip. What the built pages make of sliders `test_site.py` looks at.
"""

import json
import re
from pathlib import Path

import compared
import pytest
import yaml
from browse import BROWSERS, FLAGS, axe, find_browser, mild, violations

from nystheory import style
from nystheory.engine.report.slider import DARK_FRAMES, Frame, Slider

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "book" / "notebooks"
MOST = 200_000
SHORTEST = 20


def sliders(name):
    """Data and metadata of the sliders of a chapter."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    outputs = [x for cell in cells for x in cell.get("outputs", ())]
    return [x for x in outputs if DARK_FRAMES in x.get("metadata", {})]


def parts():
    """The numbered parts of the book, and their chapters."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    return {
        part["caption"]: [Path(page["file"]).name for page in part["chapters"]]
        for part in toc["parts"]
        if part.get("numbered")
    }


CHAPTERS = [name for names in parts().values() for name in names if sliders(name)]


@pytest.mark.parametrize("part", parts())
def test_each_part_has_a_slider(part):
    assert any(map(sliders, parts()[part]))


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_slider_is_small_and_has_words(name):
    for each in sliders(name):
        page, dark = "".join(each["data"]["text/html"]), each["metadata"][DARK_FRAMES]
        assert len(page) + len(dark) <= MOST
        light = re.findall(r'<img src="data:image/webp;[^"]+" alt="([^"]+)"', page)
        words = re.findall(r"</div><p>([^<]+)</p></details>", page)
        names = re.findall(r"<summary>([^<]+)</summary>", page)
        assert light == words and len(words) == len(names) == len(dark.split()) > 2
        assert len({*names}) == len(names)
        assert min(map(len, words)) >= SHORTEST and page.count("<details open>") == 1


def test_words_of_frames_are_compared_and_pictures_are_not():
    page = '<img src="data:image/webp;base64,{}" alt="It is {}.">'
    told = [
        compared.text_of([{"data": {"text/html": page.format(picture, words)}}])
        for picture, words in (("aa1", 7), ("bb2", 7), ("aa1", 9))
    ]
    assert told[0] == told[1] and "It is 7." in told[0]
    assert compared.strays(told[0], told[2])


# ---- in a browser ----


def slider():
    frames = []
    for count in range(4):
        figure, (axes,) = style.panels(1, width=3, height=2)
        axes.plot(range(count + 2))
        frames.append(Frame(f"{count} lines", f"A line up to {count}.", figure))
    return Slider("Lines", frames, 1)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page with two sliders, opened from disk."""
    page = "".join(slider()._repr_mimebundle_()[0]["text/html"] for _ in range(2))
    path = tmp_path_factory.mktemp("page") / "page.html"
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Two</title>'
    path.write_text(f"{head}<main><h1>Two sliders</h1>{page}</main>", "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser():
    if find_browser() is None:
        pytest.skip("no browser on this machine: looked for " + ", ".join(BROWSERS))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser, address, request):
    """The page, offline; what it asks for beyond itself or says wrong is an error."""
    told = []
    options = getattr(request, "param", {})
    with browser.new_context(offline=True, **options) as context:
        page = context.new_page()
        page.on("request", lambda asked: told.append(asked.url))
        page.on("pageerror", lambda error: told.append(f"error: {error}"))
        page.goto(address)
        yield page
    assert [x for x in told if not x.startswith(("data:", address))] == []


def shown(page):
    """The pictures of the first slider that are seen, by their words."""
    pictures = page.locator(".nys-slider").first.locator("img")
    return [x.get_attribute("alt") for x in pictures.all() if x.is_visible()]


def test_keys_move_it(page):
    control = page.locator("input[type=range]").first
    control.focus()
    for key, count in (
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowRight", 3),
        ("Home", 0),
        ("End", 3),
        ("ArrowLeft", 2),
    ):
        page.keyboard.press(key)
        assert shown(page) == [f"A line up to {count}."], key
        told = control.get_attribute("aria-valuetext")
        assert told == f"{count} lines: A line up to {count}."
    other = page.locator("input[type=range]").nth(1)
    assert other.get_attribute("aria-valuetext").startswith("1 lines")


def test_screen_readers_are_told_what_it_moves_and_where_it_stands(page):
    assert page.get_by_role("slider", name="Lines").count() == 2
    assert page.get_by_label("Lines").first.get_attribute("aria-valuetext")
    if axe() is None:
        pytest.skip("no axe-core: pip install axe-playwright-python")
    assert violations(page, axe(), mild(axe())) == []


def test_on_paper_the_frame_that_was_chosen_is_left(page):
    page.get_by_label("Lines").first.press("End")
    page.emulate_media(media="print")
    assert shown(page) == ["A line up to 3."]


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_its_script_the_frames_are_folds(page):
    """As in a notebook that is not trusted."""
    assert page.locator("input").count() == 0 and shown(page) == ["A line up to 1."]
    page.get_by_text("3 lines", exact=True).first.click()
    assert shown(page) == ["A line up to 1.", "A line up to 3."]
