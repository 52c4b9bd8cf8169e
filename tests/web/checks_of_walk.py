"""A teacher's walk (web/README.md): each of its links opens, and shows what is said of it."""
import re

import native_site
from pages import HOME, IDLE, browser, equal

WALK = (native_site.WEB / "README.md").read_text()


def steps():
    """[('index.html#...', ['no correct digit', ...]), ...]: what a link shows stands before the next link."""
    links = list(re.finditer(r"\]\(((?:index|lesson|mysum)\.html#[^)]*)\)", WALK))
    for link, after in zip(links, links[1:] + [None]):
        told = WALK[link.end():after.start() if after else len(WALK)]
        yield link[1], [" ".join(words.split()) for words in re.findall(r"shows?\s+`([^`]*)`|method\s+`([^`]*)`", told) for words in words if words]


def check_walk():
    done = list(steps())
    assert len(done) >= 9, "the links of the walk are found"
    for link, shown in done:
        browser.open(HOME + link, f"{IDLE} && (location.pathname.endsWith('mysum.html') || document.querySelector('#compared table, #lesson ol, #lesson .part'))")
        browser.wait(IDLE, link)
        text = " ".join(browser.text("body").split())
        for words in shown:
            assert words in text, f"{link} does not show {words!r}"
        said = browser.run("return [...document.querySelectorAll('.message')].filter(box => !box.hidden && box.getAttribute('role') === 'alert' || box.closest('#remarks')).map(box => box.textContent)")
        equal(said, [], f"{link}: messages")
        equal(browser.complaints(), [], f"{link}: complaints")
    assert sum(len(shown) for _, shown in done) >= 8, "what links show is read"
