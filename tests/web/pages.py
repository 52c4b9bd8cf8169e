"""What the checks of the pages share: the program, the browser, the pages opened in a state, and how much is checked."""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import native_site
from browser import Browser

parser = argparse.ArgumentParser(description="The pages of web/ in headless Chromium.")
parser.add_argument("program", help="the native program")
parser.add_argument("--all", action="store_true", help="each lesson, text and fault, not a few of each (minutes)")
parser.add_argument("--site", default=native_site.WEB, type=pathlib.Path, help="a built site; without it the native program behind web/")
parser.add_argument("--file", action="store_true", help="open the built site as files, without a server; no faults are put in then")
parser.add_argument("--pictures", type=pathlib.Path, help="screenshots go there")
parser.add_argument("--only", default="", help="checks whose name has this in it")
options = parser.parse_args()

WORK = pathlib.Path(tempfile.mkdtemp())
SERVER = native_site.serve(options.program, options.site)
HOME = f"{options.site.resolve().as_uri()}/" if options.file else f"http://127.0.0.1:{SERVER.server_port}/"
browser = Browser(WORK)


def some(things, few):
    """All of them with --all, else a few from everywhere among them."""
    things = list(things)
    return things if options.all else [things[i * len(things) // few] for i in range(min(few, len(things)))]


def program(*args, files=()):
    """What the native program prints, in a folder with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files:
            (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run([native_site.Site.program, *args], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.stdout


def program_json(*args, files=()):
    return json.loads(program(*args, files=files))


def equal(found, expected, what):
    assert found == expected, f"{what}: expected {expected!r}; found {found!r}"


IDLE = "typeof at_work !== 'undefined' && at_work === 0"


def explore(state="", ready="document.querySelector('#compared table')"):
    """Explore in a state: by its address alone where it is open already, a quarter of the work of loading it; see load_explore."""
    if browser.run("return location.pathname.split('/').pop()") == "index.html" and browser.faults is native_site.Site.faults:
        browser.complaints()
        browser.run("history.replaceState(null, '', '#v=1' + arguments[0]); open_address()", state)
        browser.wait(f"{IDLE} && {ready}", f"{state} is ready")
    else:
        load_explore(state, ready)


def load_explore(state, ready="document.querySelector('#compared table')"):
    browser.open(f"{HOME}index.html#v=1{state}", f"{IDLE} && {ready}")
    browser.faults = native_site.Site.faults


def open_lesson(lesson, seed):
    browser.open(f"{HOME}lesson.html#v=1&lesson={lesson}&seed={seed}", "document.querySelector('#lesson .prediction') && at_work === 0")


def open_mysum(state=""):
    browser.open(f"{HOME}mysum.html#v=1{state}", "document.querySelector('#version').textContent.includes('ready')")


def settle():
    """What was changed has been answered: the page waits a quarter of a second for the next key."""
    time.sleep(0.27)
    browser.wait("at_work === 0", "an answer")


def message_beside(field):
    return browser.run("const box = document.getElementById(arguments[0] + '-message'); return box && !box.hidden ? box.textContent : ''", field)


def press_check():
    """The button of `is my sum right?`"""
    browser.click("#check")
    browser.wait("!document.querySelector('#check').disabled", "an answer")
