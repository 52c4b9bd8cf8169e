"""Any text in any field: an answer or a message beside the field, never a lost page."""
import itertools

from pages import HOME, IDLE, browser, equal, explore, message_beside, open_lesson, open_mysum, options, press_check, settle, some

TEXTS = ["", " ", "abc", "-1", "0", "--help", "-", "1e999", "99999999999999999999", "<img src=x onerror=alert(1)>", "'\"`$(x)", "\u0660\u0661", "\U0001f600",
         "a" * 3000, "1,foo=3", "nan inf -inf", "../../x", "*", "x0+x0", "((((", "0x1p99999", "%s%n", "\u0000\u0007", "1;2|3\\", "e4m3"]
NONSENSE = "abc"  # is refused in every field but those that take any text

taken = itertools.count()


def texts():
    """All of them, or nonsense and the next one."""
    return TEXTS if options.all else [NONSENSE, TEXTS[next(taken) % len(TEXTS)]]


def fields_are(fields):
    """No field of the page is left out."""
    found = browser.run("return [...document.querySelectorAll('main input[id]:not([type=range]):not([type=file]):not([type=checkbox]), main select, main textarea')].map(field => field.id)")
    equal(sorted(found), sorted(fields), "the fields of the page")


def nothing_was_made():
    equal(browser.run("return document.querySelectorAll('main img[src=x]').length"), 0, "pictures that a text made")


def check_any_text_in_explore():
    explore("&data=family")
    family = {"offset": {"family": "bias"}}  # gensum has none
    state = {"numbers": {"data": "numbers"}, "brackets": {"data": "numbers"}, **{field: {"data": "family", **family.get(field, {})} for field in
             ("family", "n", "cond", "offset", "seed", "more", "method", "format", "blocks", "threads", "compare", "trials", "one", "other")}}
    button = {"trials": "spread", "one": "differ", "other": "differ"}
    fields_are(state)
    count = 0
    for field, others in state.items():
        for text in texts():
            browser.run("change({...EXPLORE_DEFAULTS, compare: 'plain/serial', ...arguments[0]}, () => open_state())", {**others, field: text})
            browser.wait(IDLE, f"an answer to {field} {text[:40]!r}")
            if field in button:
                browser.click(f"#{button[field]}")
                browser.wait(IDLE, f"an answer to {field} {text[:40]!r}")
            said = browser.run("return [...document.querySelectorAll('.message')].filter(box => !box.hidden).map(box => box.textContent).join(' ')")
            assert said or browser.run("return Boolean(document.querySelector('#sum dl') && document.querySelector('#compared table'))"), f"{field} {text[:40]!r}: neither an answer nor a message"
            if text == NONSENSE:
                assert message_beside(field), f"{field} {text!r}: no message beside it, but: {said!r}"
            count += 1
        equal(browser.complaints(), [], f"{field}: complaints")
    nothing_was_made()
    browser.run("change({...EXPLORE_DEFAULTS}, () => open_state())")
    browser.wait(f"{IDLE} && document.querySelector('#sum')?.textContent.includes('0x1.2p+2')", "the page is alive afterwards")
    print(f"  {count} texts in {len(state)} fields")


def check_two_wrong_fields_have_two_messages():
    explore("&numbers=1+x&method=abc&compare=zz", "document.querySelector('#compare-message')")
    for field, word in (("numbers", '"x" is not a number'), ("method", '"abc" matches no method'), ("compare", '"zz" matches no method')):
        assert word in message_beside(field), f"{field}: {message_beside(field)!r}"
    assert "a message stands beside a field" in browser.text("#sum"), "why there is no sum"
    browser.write("#numbers", "1 2")
    settle()
    equal(message_beside("numbers"), "", "a field that is right again")
    assert message_beside("method") and "3 = 0x1.8p+1" in browser.text("#sum"), "the exact sum needs no method"
    open_mysum("&methods=zz")
    browser.write("#numbers", "1 x")
    press_check()
    assert message_beside("numbers") and message_beside("methods"), "is my sum right?"


def check_any_text_in_mysum():
    open_mysum()
    fields = ["numbers", "column", "delimiter", "nonfinite", "format", "printed", "methods"]
    fields_are(fields)
    count = 0
    for field in fields:
        for text in texts():
            browser.run("""Object.assign(state, MYSUM_DEFAULTS); by_id('numbers').value = '1 2 3';
                for (const name of ['column', 'delimiter', 'nonfinite', 'format', 'printed', 'methods']) by_id(name).value = state[name];""")
            browser.write(f"#{field}", text)
            press_check()
            said = browser.run("return [...document.querySelectorAll('.message')].some(box => !box.hidden)")
            assert said or browser.run("return Boolean(document.querySelector('#compared table'))"), f"mysum {field} {text[:40]!r}: neither an answer nor a message"
            if text == NONSENSE and field not in ("delimiter", "nonfinite", "format"):  # which take only what they offer
                assert message_beside(field), f"mysum {field}: no message beside it"
            count += 1
        equal(browser.complaints(), [], f"mysum {field}: complaints")
    nothing_was_made()
    print(f"  {count} texts in {len(fields)} fields")


def check_any_text_in_lessons():
    open_lesson("rounding", 1)
    for text in texts():
        browser.write("#lesson .ask input:not([type=radio])", text)
        browser.run("document.querySelector('#lesson .check-all').click()")
        if text == NONSENSE:
            assert browser.run("return [...document.querySelectorAll('#lesson .ask .message')].some(box => !box.hidden && box.textContent.includes('is no number'))"), "nonsense is no number"
        open_lesson("rounding", 1)
    browser.click(".give-up")
    browser.wait("document.querySelectorAll('#exercises form').length >= 3", "exercises")
    fields_are(["choose", "seed", "student"] + browser.run("return [...document.querySelectorAll('.ask input[id]')].map(field => field.id)"))
    for text in texts():
        browser.write("#seed", text)
        browser.run("return other_exercises()")
        assert message_beside("seed") or browser.all("#exercises form"), f"seed {text[:40]!r}: neither exercises nor a message"
        if text == NONSENSE:
            assert message_beside("seed"), "seed: no message beside it"
        browser.write("#student", text)
        browser.run("document.querySelector('#save-answers').click()")
    browser.write("#seed", "2")
    settle()
    browser.wait("document.querySelectorAll('#exercises form').length >= 3 && !document.querySelector('#seed-message:not([hidden])')", "exercises again")
    for text in some(TEXTS, 3):
        browser.open(f"{HOME}lesson.html#v=1&lesson=" + browser.run("return encodeURIComponent(arguments[0])", text), f"document.querySelectorAll('#choose option').length > 5 && {IDLE}")
    nothing_was_made()
    equal(browser.complaints(), [], "lesson: complaints")
