"""The pages of web/ in headless Chromium: every lesson, every exercise right and wrong, every control, texts of all kinds in every
field, 390 and 1280 pixels, dark and light.  What pages show is compared with what the program says.  Each check is run once more
on a page with a fault in it (FAULTS), which it must find.

    python3 tests/web/test_pages_of_web.py build/host/ulpscope [--site FOLDER] [--pictures FOLDER] [--only CHECK]
"""
import argparse
import functools
import http.server
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, axe_script, serious_faults  # noqa: E402
import native_site  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--site", default=native_site.WEB, type=pathlib.Path, help="a built site; without it the native program behind web/")
parser.add_argument("--pictures", type=pathlib.Path, help="screenshots go there")
parser.add_argument("--only", default="", help="checks whose name has this in it")
options = parser.parse_args()

WORK = pathlib.Path(tempfile.mkdtemp())
SERVER = native_site.serve(options.program, options.site)
HOME = f"http://127.0.0.1:{SERVER.server_port}/"
browser = Browser(WORK)


def program(*args, files=()):
    """What the native program prints, in a folder with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files:
            (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run([native_site.Site.program, *args], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.stdout


def program_json(*args, files=()):
    return json.loads(program(*args, files=files))


READY = "typeof at_work !== 'undefined' && at_work === 0 && document.querySelector('#compared table')"  # Explore has answered all


def explore(state=""):
    browser.open(f"{HOME}index.html#v=1{state}", READY)


def settle():
    """What was changed has been answered."""
    time.sleep(0.3)
    browser.wait("at_work === 0", "an answer")


def equal(found, expected, what):
    assert found == expected, f"{what}: expected {expected!r}; found {found!r}"


# ---- Explore ----

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


def check_own_additions_round_correctly():
    """brackets.js against `triple`: both additions of three numbers, in each format."""
    explore()
    draw = random.Random(49)
    for form, digits, spread in (("binary32", 24, 28), ("binary64", 53, 56), ("bfloat16", 8, 10), ("binary16", 11, 9), ("tf32", 11, 14)):
        for _ in range(25):
            scale = (lambda: draw.choice([0, draw.randrange(-spread, spread)])) if form != "binary16" else (lambda: draw.randrange(-14, 4))
            numbers = [draw.choice([-1, 1]) * draw.randrange(1, 1 << digits) * 2.0 ** (scale() - (digits if form == "binary16" else 0)) for _ in range(3)]
            if form == "binary16" and draw.random() < 0.3:  # subnormals, and a tie
                numbers = [draw.randrange(1, 1 << 11) * 2.0 ** -24 for _ in range(3)]
            answer = program_json("triple", "--json=-", f"--format={form}", "--", *[number.hex() for number in numbers])
            steps = [[float.fromhex(step["computed_hex"]).hex(), float.fromhex(step["local_error"]).hex()] for step in answer["sums"][0]["steps"]]
            page = browser.run("""const [format, ...texts] = arguments, [a, b, c] = texts.map(number_of);
                const one = added(a, b, format), two = added(one.value, c, format);
                return [one, two].map(({value, error}) => [hex_text(value), hex_text(error)])""", form, *[number.hex() for number in numbers])
            found = [[float.fromhex(text).hex() for text in pair] for pair in page]
            if "inf" not in str(steps):
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
    for state in states:
        explore(state)
        before = browser.text("#sum") + browser.text("#compared")
        hash_before = browser.run("keep_state(state, EXPLORE_DEFAULTS); return location.hash")
        browser.open(f"{HOME}index.html{hash_before}", READY)
        equal(browser.text("#sum") + browser.text("#compared"), before, f"the same address again: {state}")
        for key, value in browser.run("return Object.fromEntries(new URLSearchParams(arguments[0].slice(1)))", hash_before).items():
            if key not in ("v", "data"):
                equal(browser.run("return document.getElementById(arguments[0]).value", key), value, f"field {key}")
    explore("&numbers=1+2&colour=red")
    assert "colour" in browser.text("#remarks"), "an unknown key is named"
    assert "3 = 0x1.8p+1" in browser.text("#sum"), "and the rest is shown"
    browser.open(f"{HOME}index.html#v=0&numbers=1+2", READY)
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
    equal(len(browser.all("#differ-out table")), 2, "three numbers in every way, too")
    browser.run("document.querySelector('#differ-out button').click()")
    settle()
    equal(browser.run("return [state.data, numbers_file(state.numbers).trim().split('\\n').length]"), ["numbers", 3], "put into the field")
    picture = browser.run("return svg_file(document.querySelector('#tree-panel svg'))")
    xml.dom.minidom.parseString(picture)
    browser.click("#tree-tools button:nth-of-type(3)")
    browser.wait(lambda: (WORK / "tree.svg").exists(), "tree.svg is saved")
    equal(browser.complaints(), [], "complaints")


def check_tree_of_64_is_drawn():
    explore("&data=family&family=uniform&n=64&method=plain/pairwise_1")
    equal(len(browser.all("#tree-panel [role=treeitem]")), 127, "64 leaves, 63 sums")
    times = [browser.run("tree_panel.redraw(); document.body.offsetWidth; return Number(tree_panel.panel.dataset.milliseconds)") for _ in range(9)]
    print(f"  a tree of 64 leaves is drawn in {sorted(times)[4]} ms (median of 9: {times})")


# ---- lessons ----

def open_lesson(lesson, seed):
    browser.open(f"{HOME}lesson.html#v=1&lesson={lesson}&seed={seed}", "document.querySelector('#lesson .prediction')")


def right_text(ask):
    return ask["answer"]


def wrong_text(ask):
    if ask["kind"] == "choice":
        return next(choice for choice in ask["choices"] if choice != ask["answer"])
    return repr(float(ask["most"]) * 2 + 1e6)


def answer_ask(ask, text):
    place = f'[data-ask="{ask["id"]}"]'
    if ask["kind"] == "choice":
        browser.run("[...document.querySelectorAll(arguments[0] + ' input')].find(input => input.value === arguments[1]).click()", place, text)
    else:
        browser.write(f"{place} input", text)
    return place


def asks_of(answer):
    return [ask for part in answer["lessons"][0]["parts"] for ask in part.get("asks", [])]


def walk(lesson, right):
    """A student who has all right, or all wrong."""
    answer = program_json("lesson", "--json=-", "--", lesson)
    exercises = program_json("lesson", "--json=-", "--exercises=5", "--", lesson)
    asks, drawn = asks_of(answer), asks_of(exercises)
    assert len(asks) >= 1 and len(drawn) >= 3, f"{lesson}: {len(asks)} predictions, {len(drawn)} exercises"
    open_lesson(lesson, 5)
    held_back = len(browser.all("#lesson .part"))
    kinds = [part["kind"] for part in answer["lessons"][0]["parts"]]
    equal(held_back, kinds.index("prediction") + 1, f"{lesson}: parts that are shown before the answer")
    for box in browser.all(".asks .check-all"):
        box.click()  # without an answer: a message, nothing shown
    equal(len(browser.all("#lesson .part")), held_back, f"{lesson}: parts that an empty answer shows")
    assert browser.run("return [...document.querySelectorAll('.asks .message')].some(box => !box.hidden)"), f"{lesson}: a message for an empty answer"
    places = [answer_ask(ask, right_text(ask) if right else wrong_text(ask)) for ask in asks]
    browser.click(".asks .check-all")
    browser.wait("!document.querySelector('#drawn').hidden && document.querySelectorAll('#exercises form').length >= 3", f"{lesson}: the run")
    for ask, place in zip(asks, places):
        equal(browser.text(f"{place} strong").strip(), "Right." if right else "Not right.", f"{lesson}: {ask['id']}")
        assert ask["answer"] in browser.text(place), f"{ask['id']}: the answer is shown"
    assert len(browser.all("#lesson .part")) > held_back, f"{lesson}: the run is shown"
    for ask in drawn:
        place = answer_ask(ask, right_text(ask) if right else wrong_text(ask))
        browser.click(f"{place} button[type=submit]")
        equal(browser.text(f"{place} strong").strip(), "Right." if right else "Not right.", f"{lesson}: {ask['id']}")
        if not right:
            if ask["hint"]:
                browser.run("[...document.querySelectorAll(arguments[0] + ' button')].find(button => button.textContent === 'Hint').click()", place)
                assert not browser.run("return document.querySelector(arguments[0] + ' > .context').hidden", place), f"{ask['id']}: the hint"
            browser.run("[...document.querySelectorAll(arguments[0] + ' button')].find(button => button.textContent === 'Show the answer').click()", place)
            assert ask["answer"] in browser.text(place), f"{ask['id']}: the answer is shown on demand"
    total = len(asks) + len(drawn)
    equal(browser.text("#score"), f"{total if right else 0} of {total} right, {total} done.", f"{lesson}: score")
    equal(browser.complaints(), [], f"{lesson}: complaints")
    return total


def lessons():
    return [line.split()[0] for line in program("list", "lessons").split("\n") if line]


def check_lessons():
    names = lessons()
    asked = sum(walk(name, right) for name in names for right in (True, False))
    print(f"  {len(names)} lessons, {asked} answers given, right and wrong")


def check_answers_are_read():
    browser.open(f"{HOME}lesson.html", "document.querySelectorAll('#choose option').length > 5")
    for text, value in (("16,777,216", 2 ** 24), ("2^24", 2 ** 24), ("0x1p24", 2 ** 24), ("1.6777216e7", 2 ** 24), ("-1/4", -0.25), (" .5 ", 0.5), ("\u22123", -3), ("1/-2", -0.5)):
        equal(browser.run("const f = read_fraction(arguments[0]); return f && Number(f.over) / Number(f.under)", text), value, text)
    for text in ("", "abc", "1e999999", "2^99999", "1/0", "--1", "1.2.3", "0x", "NaN", "inf"):
        assert browser.run("return read_fraction(arguments[0])", text) is None, f"{text!r} is no number"
    exactly = {"kind": "number", "least": "16777216", "most": "16777216"}
    equal([browser.run("return judge(arguments[0], arguments[1]).right", exactly, text) for text in ("16777216", "16777217", "16777216.0000000000000001")], [True, False, False], "exact comparison")


def check_hand_in():
    open_lesson("kahan", 8)
    browser.click(".give-up")
    browser.wait("document.querySelectorAll('#exercises form').length >= 3", "exercises")
    drawn = asks_of(program_json("lesson", "--json=-", "--exercises=8", "--", "kahan"))
    for i, ask in enumerate(drawn):
        browser.click(f"{answer_ask(ask, right_text(ask) if i else wrong_text(ask))} button[type=submit]")
    browser.write("#student", "Ada <b>")
    browser.click("#save-answers")
    path = WORK / "kahan-8-answers.json"
    browser.wait(path.exists, "the file")
    time.sleep(0.2)
    file = json.loads(path.read_text())
    equal([file["lesson"], file["seed"], file["student"], file["right"]], ["kahan", "8", "Ada <b>", len(drawn) - 1], "the file")
    assert file["program"].startswith("ulpscope "), "the program's version"
    file["answers"][2]["right"] = not file["answers"][2]["right"]  # a student who writes into the file
    path.write_text(json.dumps(file))
    browser.get("#handed-in").send_keys(str(path))
    browser.wait("document.querySelector('#checked table')", "the teacher's table")
    text = browser.text("#checked")
    assert f"Ada <b>: {len(drawn) - 1} of {len(file['answers'])} right" in text and "says something else" in text, text
    (WORK / "no.json").write_text("[1, 2")
    browser.get("#handed-in").send_keys(str(WORK / "no.json"))
    browser.wait("document.querySelector('#handed-in-message')?.textContent.includes('no file of answers')", "a refusal")
    browser.run("document.querySelector('#lesson figure button').click()")
    browser.wait(lambda: list(WORK.glob("kahan-*.svg")), "a figure as SVG")
    time.sleep(0.2)
    xml.dom.minidom.parse(str(next(WORK.glob("kahan-*.svg"))))


# ---- is my sum right? ----

def open_mysum(state=""):
    browser.open(f"{HOME}mysum.html#v=1{state}", "document.querySelector('#version').textContent.includes('ready')")


def press_check():
    browser.click("#check")
    browser.wait("!document.querySelector('#check').disabled", "an answer")


def check_mysum():
    open_mysum()
    browser.write("#numbers", "0.1, 0.2;0.3\n1e16 -1e16")
    browser.write("#printed", "0.6")
    press_check()
    answer = program_json("exact", "--json=-", "--compare=0.6", "--", "data.txt", files=[("data.txt", "0.1\n0.2\n0.3\n1e16\n-1e16\n")])
    text = browser.text("#exact")
    for word in (answer["exact"], answer["exact_decimal"], answer["nearest"]["binary32"], answer["sha256"], "Right: 0.6"):
        assert word in text, f"{word} is not in {text}"
    assert "superacc/serial" in browser.text("#compared"), "methods are compared"
    browser.write("#printed", "0.5")
    press_check()
    assert "Not the nearest number" in browser.text("#exact"), "a wrong sum is said to be wrong"
    (WORK / "co2.csv").write_text("year,co2\n1990,354.45\n1991,\n1992,356.54\n")
    browser.get("#file").send_keys(str(WORK / "co2.csv"))
    browser.wait("document.querySelector('#file-message')?.textContent.includes('which column')", "which column is asked for")
    browser.write("#column", "co2")
    browser.write("#nonfinite", "skip")
    press_check()
    assert "7.1099" in browser.text("#exact"), browser.text("#exact")
    program("gen", "uniform:n=1000", "-o", str(WORK / "x.npy"))
    browser.write("#column", "")
    browser.get("#file").send_keys(str(WORK / "x.npy"))
    expected = program_json("exact", "--json=-", "--", str(WORK / "x.npy"))
    browser.wait(lambda: expected["exact"] in browser.text("#exact"), "the sum of a .npy")
    browser.click("#forget")
    browser.run("""const data = new DataTransfer(); data.items.add(new File(['1\\n2\\n4\\n'], 'dropped.txt'));
        document.querySelector('#drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));""")
    browser.wait("document.querySelector('#exact').textContent.includes('0x1.cp+2')", "the sum of a dropped file")


def check_nothing_leaves():
    """A script in the page cannot reach another server, nor send a form, nor load a picture from it."""
    reached = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            reached.append(self.path)
            self.send_response(204)
            self.end_headers()
        do_POST = do_GET

        def log_message(self, *arguments):
            pass
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    open_mysum()
    browser.driver.execute_async_script("""const url = arguments[0], done = arguments[1];
        new Image().src = url + 'image'; navigator.sendBeacon(url + 'beacon', 'x');
        const script = document.createElement('script'); script.src = url + 'script'; document.head.append(script);
        fetch(url + 'fetch', {method: 'POST', body: 'x', mode: 'no-cors'}).catch(() => 0).finally(() => setTimeout(done, 300));""",
        f"http://127.0.0.1:{other.server_port}/")
    other.shutdown()
    equal(reached, [], "what another server was asked for")
    assert "Nothing leaves this machine" in browser.text("main, header")
    assert browser.run("return location.hash").find("numbers") < 0, "no number in the address"


# ---- any text in any field ----

TEXTS = ["", " ", "abc", "-1", "0", "--help", "-", "1e999", "99999999999999999999", "<img src=x onerror=alert(1)>", "'\"`$(x)", "\u0660\u0661", "\U0001f600",
         "a" * 3000, "1,foo=3", "nan inf -inf", "../../x", "*", "x0+x0", "((((", "0x1p99999", "%s%n", "\u0000\u0007", "1;2|3\\", "e4m3"]


def check_any_text_in_any_field():
    fields = {"index.html": ["numbers", "family", "n", "cond", "offset", "seed", "more", "method", "format", "blocks", "threads", "compare", "trials", "brackets", "one", "other"],
              "mysum.html": ["numbers", "column", "delimiter", "nonfinite", "format", "printed", "methods"], "lesson.html": ["seed"]}
    texts = 0
    explore("&data=family")
    for field in fields["index.html"]:
        for text in TEXTS:
            browser.run("""const [field, text] = arguments; clearTimeout(window.slow); state = {...EXPLORE_DEFAULTS, data: field === 'numbers' || field === 'brackets' ? 'numbers' : 'family', compare: 'plain/serial', [field]: text};
                keep_state(state, EXPLORE_DEFAULTS); fill_fields(); update();""", field, text)
            browser.wait("at_work === 0", f"an answer to {field} {text[:40]!r}")
            if field in ("trials", "one", "other"):
                button = "#spread" if field == "trials" else "#differ"
                browser.click(button)
                browser.wait(f"!document.querySelector('{button}').disabled", f"an answer to {field} {text[:40]!r}")
            said = browser.run("return [...document.querySelectorAll('.message')].filter(box => !box.hidden).map(box => box.textContent).join(' ')")
            fine = browser.run("return Boolean(document.querySelector('#sum dl') && document.querySelector('#compared table'))")
            assert said or fine, f"{field} {text[:40]!r}: neither an answer nor a message"
            if text in ("abc", "x0+x0", "((((") and field not in ("more",):
                assert said, f"{field} {text!r}: no message"
                beside = "differ" if field in ("one", "other") else field
                assert browser.run("return document.querySelectorAll('.message[role=alert]:not([hidden])').length"), f"{field} {text!r}: {said}"
                assert field in ("offset",) or browser.run("return Boolean(document.getElementById(arguments[0] + '-message')?.textContent)", "one" if beside == "differ" else field), f"{field} {text!r}: the message is not beside it: {said}"
            texts += 1
        equal([line for line in browser.complaints() if "onerror" not in line], [], f"{field}: complaints")
    equal(browser.run("return document.querySelectorAll('main img').length"), 0, "pictures that a text made")
    browser.run("state = {...EXPLORE_DEFAULTS}; fill_fields(); update()")
    browser.wait("at_work === 0 && document.querySelector('#sum')?.textContent.includes('0x1.2p+2')", "the page is alive afterwards")
    open_mysum()
    for field in fields["mysum.html"]:
        for text in TEXTS:
            browser.run("""for (const name of ['column', 'printed']) { by_id(name).value = ''; by_id(name).dispatchEvent(new Event('input')); }
                state = {...MYSUM_DEFAULTS}; by_id('numbers').value = '1 2 3';""")
            browser.write(f"#{field}", text)
            press_check()
            said = browser.run("return [...document.querySelectorAll('.message')].some(box => !box.hidden)")
            assert said or browser.run("return Boolean(document.querySelector('#compared table'))"), f"mysum {field} {text[:40]!r}: neither an answer nor a message"
            texts += 1
        equal(browser.complaints(), [], f"mysum {field}: complaints")
    open_lesson("rounding", 1)
    browser.click(".give-up")
    browser.wait("document.querySelectorAll('#exercises form').length >= 3", "exercises")
    for text in TEXTS:
        browser.write("#seed", text)
        browser.run("return draw_exercises()")
        time.sleep(0.05)
        assert browser.run("return Boolean(document.querySelector('#seed-message')?.textContent || document.querySelector('#exercises form'))"), f"seed {text[:40]!r}"
        texts += 1
    browser.write("#seed", "2")
    browser.wait("document.querySelectorAll('#exercises form').length >= 3 && !document.querySelector('#seed-message')?.textContent", "exercises again")
    for text in TEXTS:
        browser.open(f"{HOME}lesson.html#v=1&lesson=" + browser.run("return encodeURIComponent(arguments[0])", text), "document.querySelectorAll('#choose option').length > 5")
        texts += 1
    equal(browser.complaints(), [], "lesson: complaints")
    print(f"  {texts} texts in fields")


# ---- looks ----

def pages():
    """Each page in a state that shows all of it."""
    def full_explore():
        explore("&data=family&n=16&brackets=" + "%2B".join(f"x{i}" for i in range(16)))
        browser.click("#tree-panel [role=treeitem]")
        browser.click("#spread")
        browser.wait("document.querySelectorAll('#spread-out figure').length > 5", "histograms")
        browser.click("#differ")
        browser.wait("document.querySelectorAll('#differ-out table').length", "a difference")
    def answered():
        open_lesson("trees", 3)
        browser.click(".give-up")
        browser.wait("document.querySelectorAll('#exercises form').length >= 3", "exercises")
        browser.click("#exercises button[type=submit]")
    def summed():
        open_mysum("&printed=0.5")
        browser.write("#numbers", "0.1 0.2 1e8")
        press_check()
    def refused():
        explore("&numbers=1+2+x")
    return {"explore": full_explore, "lesson-asks": lambda: open_lesson("kahan", 1), "lesson": answered, "mysum": summed,
            "refused": lambda: browser.open(f"{HOME}index.html#v=1&numbers=1+x&method=abc", "at_work === 0 && document.querySelector('.message')")}


def check_looks():
    """No page is wider than its window; axe finds no serious fault; pictures to be looked at."""
    script = axe_script()
    if not script:
        print("  axe-core is not installed (pip install axe-core-python): its part is left out")
    for width in (1280, 390):
        for dark in (False, True):
            browser.look(width, dark)
            for name, put in pages().items():
                put()
                assert browser.overflow() <= 0, f"{name} at {width}: {browser.overflow()} pixels too wide"
                if options.pictures:
                    options.pictures.mkdir(parents=True, exist_ok=True)
                    browser.picture(options.pictures / f"{name}-{width}-{'dark' if dark else 'light'}.png")
                if script:
                    equal(serious_faults(browser, script), [], f"axe: {name} at {width}, {'dark' if dark else 'light'}")
    if options.pictures:
        browser.look(794, False, "print")
        for name, put in pages().items():
            put()
            browser.picture(options.pictures / f"{name}-print.png")
    browser.look(1280, False)


# ---- each check finds the fault that it is there for ----

FAULTS = [
    ("check_sum_is_the_programs", "methods.js", "Number(row.abs_error) === 0", "Number(row.abs_error) > 0"),
    ("check_tree_is_the_programs", "tree.js", "value: number_of(node.value_hex), value_hex", "value: number_of(node.value_hex) * (1 + 2 ** -20), value_hex"),
    ("check_tree_is_the_programs", "tree.js", "level.get(node.id) + 1", "level.get(node.id)"),
    ("check_tree_by_keyboard", "tree.js", "view.folded.add(id), id", "id"),
    ("check_bits_line_up", "bits.js", "cut = Math.max((sum.digits ? top_bit(sum) : highest) - precision + 1", "cut = Math.max((sum.digits ? top_bit(sum) : highest) - precision"),
    ("check_own_additions_round_correctly", "numbers.js", "(rest === 0.5 && down % 2 === 0)", "rest === 0.5"),
    ("check_own_additions_round_correctly", "numbers.js", "return Math.fround(x);", "return x;"),
    ("check_own_brackets_move", "brackets.js", "return holds(leaner, target) ? put(leaner) : leaner;", "return put(brackets);"),
    ("check_own_brackets_move", "explore_brackets.js", "if (this.dragged && target", "if (this.held && target"),
    ("check_url_reproduces", "state.js", "unknown.push", "[].push"),
    ("check_url_reproduces", "state.js", "key, value]) => value !== defaults[key]", "key, value]) => key !== 'seed' && value !== defaults[key]"),
    ("check_every_control_answers", "explore.js", "by_id(name).value = to(Number(event.target.value));", ""),
    ("check_lessons", "answers.js", "return {right: at_most(", "return {right: true || at_most("),
    ("check_lessons", "answers.js", "{right: given === ask.answer}", "{right: given !== ask.answer}"),
    ("check_lessons", "lesson.js", "return place.append(prediction(", "place.append(prediction("),
    ("check_answers_are_read", "answers.js", "a.over * b.under <= b.over * a.under", "Number(a.over) / Number(a.under) <= Number(b.over) / Number(b.under)"),
    ("check_hand_in", "hand_in.js", "judge(ask, given).right === true", "answer.right"),
    ("check_mysum", "mysum.js", "right = steps === 0", "right = true"),
    ("check_nothing_leaves", "mysum.html", "<meta http-equiv=\"Content-Security-Policy\"", "<meta name=\"policy\""),
    ("check_any_text_in_any_field", "explore.js", "say_beside(field || field_about(error.message, state), error.message);", "return;"),
    ("check_any_text_in_any_field", "elements.js", "    box.textContent = text;\n    box.hidden", "    box.innerHTML = text;\n    box.hidden"),
    ("check_looks", "index.html", "<label for=\"n\">How many (n)</label>", "How many (n)"),
    ("check_looks", "style.css", ".wide, .panel { overflow-x: auto;", ".wide, .panel { overflow-x: visible;"),
]


def finds(check, name, fault):
    native_site.Site.faults = {fault[0]: fault[1:]}
    try:
        check()
    except Exception:  # whichever way it noticed
        return True
    finally:
        native_site.Site.faults = {}
        browser.look(1280, False)
    print(f"FAIL  {name} does not see {fault[0]}: {fault[2] or 'left out'}")
    return False


def main():
    checks = {name: check for name, check in globals().items() if name.startswith("check_") and options.only in name}
    failed = 0
    for name, check in checks.items():
        begin = time.monotonic()
        try:
            check()
            print(f"ok    {name} ({time.monotonic() - begin:.1f} s)", flush=True)
        except Exception as error:  # the next checks still say something
            failed += 1
            print(f"FAIL  {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
            browser.look(1280, False)
    faults = [fault for fault in FAULTS if fault[0] in checks]
    unseen = 0
    for name, *fault in faults:
        unseen += not finds(checks[name], name, fault)
    print(f"{len(faults)} faults put into the pages, {len(faults) - unseen} seen")
    browser.quit()
    print(f"{len(checks) - failed} passed, {failed + unseen} failed")
    return 1 if failed or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
