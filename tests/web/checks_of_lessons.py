"""Lessons: each prediction and exercise, right and wrong; answers read; the file to hand in."""
import json
import time
import xml.dom.minidom

from pages import HOME, WORK, browser, equal, open_lesson, program, program_json, some


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
    names = some(lessons(), 1)
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
