"""Looks: no page is wider than its window, axe finds no serious fault, pictures to be looked at."""
from browser import axe_script, serious_faults
from pages import browser, equal, explore, open_lesson, open_mysum, options, press_check


def full_explore():
    explore("&data=family&n=16&brackets=" + "%2B".join(f"x{i}" for i in range(16)))
    browser.click("#tree-panel [role=treeitem]")
    browser.click("#spread")
    browser.wait("document.querySelectorAll('#spread-out figure').length > 5", "histograms")
    browser.click("#differ")
    browser.wait("document.querySelectorAll('#differ-out table').length", "a difference")


def many_orders():
    explore("&ask=shuffle&trials=20", "document.querySelectorAll('#spread-out figure').length > 5")


def answered():
    open_lesson("trees", 3)
    browser.click(".give-up")
    browser.wait("document.querySelectorAll('#exercises form').length >= 3", "exercises")
    browser.click("#exercises button[type=submit]")


def summed():
    open_mysum("&printed=0.5")
    browser.write("#numbers", "0.1 0.2 1e8")
    press_check()


# each page in states that show all of it
STATES = {"explore": full_explore, "orders": many_orders, "lesson-asks": lambda: open_lesson("kahan", 1), "lesson": answered, "mysum": summed,
          "refused": lambda: explore("&numbers=1+x&method=abc", "document.querySelector('#method-message')")}


def keep_picture(name):
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
        browser.picture(options.pictures / f"{name}.png")


def check_looks():
    """A few: each page at 390 dark and at 1280 light; all: more states, each at both widths, dark and light, through axe."""
    script = axe_script() if options.all else None
    if not script:
        print("  axe left out: " + ("it is not installed (pip install axe-core-python)" if options.all else "it runs with --all"))
    for name, put in (STATES if options.all else {page: STATES[page] for page in ("explore", "lesson", "mysum")}).items():
        for width in (390, 1280):
            browser.look(width, width == 390)
            put()
            for dark in (False, True) if options.all else [width == 390]:
                browser.look(width, dark)
                mode = "dark" if dark else "light"
                assert browser.overflow() <= 0, f"{name} at {width}, {mode}: {browser.overflow()} pixels too wide"
                if script:
                    equal(serious_faults(browser, script), [], f"axe: {name} at {width}, {mode}")
                keep_picture(f"{name}-{width}-{mode}")
        browser.look(718, False, "print")  # A4 less its margins
        assert browser.overflow() <= 0, f"{name} printed: {browser.overflow()} pixels too wide"
        keep_picture(f"{name}-print")
    browser.look(1280, False)
