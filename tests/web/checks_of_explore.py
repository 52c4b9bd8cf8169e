"""Explore: sum, tree, bits, brackets, addresses, controls: what is shown is what the program says."""
import fractions
import functools
import math
import random
import time
import xml.dom.minidom

from pages import HOME, IDLE, WORK, browser, equal, explore, load_explore, program, program_json, settle, some

NUMBERS = [("numbers.txt", "1\n2e8\n3\n-2e8\n0.5\n")]


def check_sum_is_the_programs():
    explore()
    text = browser.text("#sum")
    for word in ("0.5 = 0x1p-1", "no correct digit", "4.5 = 0x1.2p+2", "8.39e6 ulp of binary32", "8.89e7"):
        assert word in text, f"{word!r} is not in {text!r}"
    lines = program("run", "--csv=-", "--trials=1", "--permutations=0", "--speed=0", "--blocks=2", "--threads=32", "--format=binary32",
                    "--method=*/serial", "--", "numbers.txt", files=NUMBERS).strip().split("\n")[1:]
    rows = [[row.split(",")[0], float(row.split(",")[12])] for row in lines]
    shown = browser.run("return [...document.querySelectorAll('#compared tbody tr')].map(row => [row.cells[0].textContent.replace(' (chosen)', ''), Number(row.cells[1].textContent)])")
    equal(shown, rows, "the table of methods")
    verdicts = browser.run("return [...document.querySelectorAll('#compared tbody tr')].map(row => row.cells[4].textContent)")
    equal(verdicts, ["exact" if value == 4.5 else "no correct digit" for _, value in rows], "the verdicts")


def check_tree_is_the_programs():
    for method, spec in (("plain/pairwise_1", "family=uniform&n=37"), ("kahan/tree_two_pass", "family=gensum&n=64&cond=1e6"), ("plain/serial", "family=normal&n=20")):
        explore(f"&data=family&{spec}&method={method}&threads=4")
        state = dict(part.split("=") for part in spec.split("&"))
        data = f"{state['family']}:n={state['n']}" + (f",cond={state['cond']}" if "cond" in state else "") + (",mean=1" if state["family"] == "normal" else "")
        answer = program_json("tree", "--json=-", "--blocks=2", "--threads=4", "--format=binary32", "--seed=1", "--", method, data)
        shown = dict(browser.run("""return [...document.querySelectorAll('#tree-panel [role=treeitem]')].map(item =>
            [item.dataset.node, number_of(hex_text(tree_panel.tree.nodes.get(Number(item.dataset.node)).value)) + '|' + item.querySelector('text').textContent])"""))
        equal(len(shown), len(answer["nodes"]), f"nodes of {method}")
        for node in answer["nodes"]:
            value, text = shown[str(node["node"])].split("|")
            assert float(value) == node["value"] and abs(float(text) - node["value"]) <= 1e-2 * abs(node["value"]), f"{method} node {node['node']}: {value} {text} {node['value']}"
    levels = browser.run("return [...document.querySelectorAll('#tree-panel [role=treeitem]')].map(item => Number(item.getAttribute('aria-level')))")
    equal(max(levels), 20, "a loop of 20 is 20 deep")


def check_tree_by_keyboard():
    explore("&data=family&family=uniform&n=300&method=plain/pairwise_1")
    count = len(browser.all("#tree-panel [role=treeitem]"))
    assert count < 200, "300 leaves are folded at first"
    press = functools.partial(browser.run, """const item = document.activeElement.closest('[role=treeitem]') || document.querySelector('#tree-panel [tabindex="0"]');
        item.focus(); item.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}));
        const now = document.activeElement; return [now.dataset.node, now.getAttribute('aria-expanded')]""")
    root, expanded = press("Home")
    equal(expanded, "true", "the root is open")
    equal(press("ArrowLeft"), [root, "false"], "left folds")
    equal(len(browser.all("#tree-panel [role=treeitem]")), 1, "items of a folded root")
    equal(press("ArrowRight"), [root, "true"], "right unfolds")
    operand = press("ArrowRight")[0]
    assert operand != root, "right goes to an operand"
    equal(press("ArrowLeft")[1], "false", "left folds the operand")
    equal(press("ArrowLeft")[0], root, "left goes back to the sum")
    press("Enter")
    assert "stored" in browser.text("#tree-bits") or "too wide" in browser.text("#tree-bits"), "Enter shows bits"
    browser.click("#tree-tools button:nth-of-type(1)")
    equal(len(browser.all("#tree-panel [role=treeitem]")), 599, "all unfolded")


def check_bits_line_up():
    explore()
    browser.click("#tree-panel [data-node='5']")
    lines = browser.text("#tree-bits pre").split("\n")
    equal(lines[2].split()[-1], "101111101011110000100000|0011", "the exact 200000003, its 24 bits and the rest")
    stored = lines[3].split("|")[0].split()[-1]
    equal(int(stored, 2) * 16, 200000000, "what is stored, 2^4 times")
    assert "0x1.8p+1" in browser.text("#tree-bits"), "what was lost is said"


def rounded(value, digits, least):
    """To so many digits, but none below 2^least; ties go to even."""
    if value == 0:
        return value
    exponent = math.frexp(float(value))[1]  # |value| < 2^exponent, if binary64 did not round it up
    exponent -= abs(value) < fractions.Fraction(2) ** (exponent - 1)
    quantum = fractions.Fraction(2) ** max(exponent - digits, least)
    return round(value / quantum) * quantum


def check_own_additions_round_correctly():
    """brackets.js against fractions: both additions of three numbers, in each format."""
    explore()
    draw = random.Random(49)
    for form, digits, least, spread in (("binary32", 24, -149, 28), ("binary64", 53, -1074, 56), ("bfloat16", 8, -133, 10), ("binary16", 11, -24, 9), ("tf32", 11, -136, 14)):
        for _ in some(range(25), 4):
            scale = (lambda: draw.choice([0, draw.randrange(-spread, spread)])) if form != "binary16" else (lambda: draw.randrange(-14, 4))
            numbers = [draw.choice([-1, 1]) * draw.randrange(1, 1 << digits) * 2.0 ** (scale() - (digits if form == "binary16" else 0)) for _ in range(3)]
            if form == "binary16" and draw.random() < 0.3:  # subnormals, and a tie
                numbers = [draw.randrange(1, 1 << 11) * 2.0 ** -24 for _ in range(3)]
            one = rounded(fractions.Fraction(numbers[0]) + fractions.Fraction(numbers[1]), digits, least)
            two = rounded(one + fractions.Fraction(numbers[2]), digits, least)
            steps = [[float(one).hex(), float(one - fractions.Fraction(numbers[0]) - fractions.Fraction(numbers[1])).hex()],
                     [float(two).hex(), float(two - one - fractions.Fraction(numbers[2])).hex()]]
            page = browser.run("""const [format, ...texts] = arguments, [a, b, c] = texts.map(number_of);
                const one = added(a, b, format), two = added(one.value, c, format);
                return [one, two].map(({value, error}) => [hex_text(value), hex_text(error)])""", form, *[number.hex() for number in numbers])
            found = [[float.fromhex(text).hex() for text in pair] for pair in page]
            equal([[value, error.replace("-0x0.0p+0", "0x0.0p+0")] for value, error in found], steps, f"{form} {numbers}")


def check_own_brackets_move():
    explore("&brackets=((x0%2Bx1)%2Bx2)%2Bx3%2Bx4")
    sum_of = functools.partial(browser.text, "#own-sum strong")
    equal(sum_of(), "0.5", "as the loop adds")
    focus_and_press = functools.partial(browser.run, """const item = [...document.querySelectorAll('#own-panel [role=treeitem]')].find(item => item.getAttribute('aria-label').startsWith(arguments[0]));
        item.focus(); item.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[1], bubbles: true}));""")
    focus_and_press("x3:", "m")
    focus_and_press("x1:", "M")
    settle()
    equal(browser.run("return state.brackets"), "((x0+(x1+x3))+x2)+x4", "x3 moved to x1 by keyboard")
    browser.wait(lambda: sum_of() == "4.5", "the sum is exact then")
    assert "brackets=" in browser.run("return location.hash"), "brackets stand in the address"
    focus_and_press("sum of 4", "r")
    settle()
    equal(browser.run("return state.brackets"), "(x0+((x1+x3)+x2))+x4", "the bracket moved to the right")
    focus_and_press("sum of 4", "l")
    settle()
    equal(browser.run("return state.brackets"), "((x0+(x1+x3))+x2)+x4", "and back")
    from selenium.webdriver import ActionChains
    browser.run("document.querySelector('#own-panel').scrollIntoView({block: 'center'})")
    item = lambda name: next(one for one in browser.all("#own-panel [role=treeitem]") if one.get_attribute("aria-label").startswith(name))
    ActionChains(browser.driver).drag_and_drop(item("x4:"), item("x0:")).perform()
    settle()
    equal(browser.run("return state.brackets"), "((x0+x4)+(x1+x3))+x2", "x4 moved to x0 by pointer")
    browser.write("#brackets", "(x0+x1")
    settle()
    assert "expected" in browser.text("#brackets-message"), "a bracket that is open is said"
    browser.click("#take")
    settle()
    equal(browser.run("return state.brackets"), "(((x0+x1)+x2)+x3)+x4", "the method's brackets")


def check_url_reproduces():
    states = ["&numbers=1+2+3&method=neumaier/serial&format=binary64", "&data=family&family=gensum&n=8&seed=7&compare=plain/*",
              "&data=family&family=bias&offset=-3&n=33&blocks=1&threads=8&more=order%3Dreversed", "&format=bfloat16_in_bfloat16&numbers=1+256+1"]
    for state in some(states, 2):
        explore(state)
        before = browser.text("#sum") + browser.text("#compared")
        hash_before = browser.run("keep_state(state, EXPLORE_DEFAULTS); return location.hash")
        load_explore(hash_before.removeprefix("#v=1"))
        equal(browser.text("#sum") + browser.text("#compared"), before, f"the same address again: {state}")
        for key, value in browser.run("return Object.fromEntries(new URLSearchParams(arguments[0].slice(1)))", hash_before).items():
            if key not in ("v", "data"):
                equal(browser.run("return document.getElementById(arguments[0]).value", key), value, f"field {key}")
    explore("&numbers=1+2&colour=red")
    assert "colour" in browser.text("#remarks"), "an unknown key is named"
    assert "3 = 0x1.8p+1" in browser.text("#sum"), "and the rest is shown"
    browser.open(f"{HOME}index.html#v=0&numbers=1+2", f"{IDLE} && document.querySelector('#compared table')")
    assert "version" in browser.text("#remarks") and "3 = 0x1.8p+1" in browser.text("#sum"), "another version opens"


def check_every_control_answers():
    explore()
    def changes(act, what):
        before = browser.text("main")
        act()
        settle()
        assert browser.text("main") != before, f"{what} changed nothing"
    changes(lambda: browser.click("[name=data][value=family]"), "a family")
    for slider, value in (("n", 5), ("cond", 9), ("seed", 12)):
        changes(lambda: browser.write(f"#{slider}-slider", value), f"slider {slider}")
    equal(browser.run("return [state.n, state.cond, state.seed]"), ["32", "1e9", "12"], "what sliders say")
    changes(lambda: browser.write("#family", "bias"), "the family")
    changes(lambda: browser.write("#offset-slider", "50"), "slider offset")
    for field, value in (("format", "binary64"), ("method", "plain/pairwise_1"), ("method", "kahan/tree_two_pass"), ("blocks", "1"), ("threads", "64"), ("compare", "plain/*"), ("more", "order=reversed")):
        changes(lambda: browser.write(f"#{field}", value), f"{field} {value}")
    browser.write("#trials", "20")
    settle()
    browser.click("#spread")
    browser.wait("document.querySelectorAll('#spread-out figure').length > 5", "histograms")
    assert "20 sums" in browser.text("#spread-out"), "of 20 sums"
    browser.click("#differ")
    browser.wait("document.querySelectorAll('#differ-out table').length", "numbers on which they differ")
    browser.write("#format", "binary32")
    settle()
    browser.click("#attack")
    browser.wait("document.querySelector('#differ-out').textContent.includes('does worst')", "the worst numbers")
    equal(len(browser.all("#differ-out table")), 1, "what the method makes of them")
    browser.run("document.querySelector('#differ-out button').click()")
    settle()
    equal(browser.run("return [state.data, numbers_file(state.numbers).trim().split('\\n').length]"), ["numbers", 3], "put into the field")
    picture = browser.run("return svg_file(document.querySelector('#tree-panel svg'))")
    xml.dom.minidom.parseString(picture)
    browser.click("#tree-tools button:nth-of-type(3)")
    browser.wait(lambda: (WORK / "tree.svg").exists(), "tree.svg is saved")
    equal(browser.complaints(), [], "complaints")


def check_many_orders():
    explore("&trials=60&compare=plain/serial,neumaier/serial")
    browser.click("#shuffle")
    browser.wait("document.querySelectorAll('#spread-out figure').length === 2", "a figure for each method")
    answer = program_json("run", "--json=-", "--speed=0", "--permutations=60", "--blocks=2", "--threads=32", "--method=plain/serial", "--", "numbers.txt", files=NUMBERS)
    words = browser.text("#spread-out figure")
    assert f"{answer['reproducibility'][0]['permutations']['most']} different sums of 61" in words, words
    assert "the same sum 61 times" in browser.text("#spread-out figure:nth-of-type(2)"), "neumaier loses nothing in any order"
    bars = browser.run("return [...document.querySelectorAll('#spread-out figure:first-child title')].map(title => Number(title.textContent.split(': ')[1]))")
    histogram = answer["series"][0]["histogram"]
    equal(sorted(bars), sorted(count for count in (histogram["exact"], histogram["no_digit"], *(bar["count"] for bar in histogram["bins"])) if count), "the bars")
    here = browser.run("return location.hash")
    assert "ask=shuffle" in here, here
    load_explore(here.removeprefix("#v=1"))
    browser.wait("document.querySelectorAll('#spread-out figure').length === 2", "the answer without a press")
    equal(browser.text("#spread-out figure"), words, "the address has the answer again")
    browser.write("#numbers", "1 2")
    settle()
    equal([browser.text("#spread-out"), browser.run("return state.ask")], ["", ""], "an answer goes with the numbers that it is about")


SLOW = "&data=family&family=uniform&n=4096&trials=1000000&compare=plain/serial"  # seconds


def check_stop():
    """The button ends what goes on, and so does a change of a field; the page goes on."""
    explore(SLOW)
    browser.click("#spread")
    browser.wait("document.querySelector('#busy button')", "a button that stops")
    begin = time.monotonic()
    browser.click("#busy button")
    browser.wait("at_work === 0", "the end")
    assert time.monotonic() - begin < 1, f"stopped after {time.monotonic() - begin:.1f} s"
    equal([browser.text("#busy"), browser.text("#spread-out"), browser.run("return document.querySelector('#spread').disabled")], ["Stopped.", "", False], "after the stop")
    browser.click("#spread")
    browser.wait("document.querySelector('#busy button')", "asked again")
    begin = time.monotonic()
    browser.write("#n", "8")
    browser.wait("at_work === 0 && state.n === '8' && document.querySelector('#sum')?.textContent.includes('7, ')", "the sum of eight numbers")
    assert time.monotonic() - begin < 3, f"answered after {time.monotonic() - begin:.1f} s"
    equal(browser.text("#spread-out"), "", "what was asked before")
    equal(browser.complaints(), [], "complaints")


def check_tree_of_64_is_drawn():
    """Until the frame after the one in which it is painted: layout and paint count, and the wait for the screen, which is up to 17 ms a frame."""
    explore("&data=family&family=uniform&n=64&method=plain/pairwise_1")
    equal(len(browser.all("#tree-panel [role=treeitem]")), 127, "64 leaves, 63 sums")
    painted = functools.partial(browser.driver.execute_async_script, """const done = arguments[1], begin = performance.now();
        if (arguments[0]) tree_panel.redraw();
        const scripted = performance.now() - begin;
        requestAnimationFrame(() => requestAnimationFrame(() => done([scripted, performance.now() - begin])));""")
    times, idle = sorted(painted(True) for _ in range(9)), sorted(painted(False)[1] for _ in range(9))
    frames = sorted(time[1] for time in times)
    print(f"  a tree of 64 leaves: script {times[4][0]:.1f} ms, painted after {frames[4]:.1f} ms (median of 9; {frames[0]:.1f} to {frames[-1]:.1f}); two frames of a still page {idle[4]:.1f} ms")
