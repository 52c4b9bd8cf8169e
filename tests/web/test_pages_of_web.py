"""The pages of web/ in headless Chromium: lessons, exercises right and wrong, every control, texts of all kinds in every field, 390
and 1280 pixels, dark and light, printed.  What pages show is compared with what the program says.  Each check is run once more on
a page with a fault in it (FAULTS), which it must find.

    python3 tests/web/test_pages_of_web.py build/host/ulpscope [--all] [--site FOLDER [--file]] [--pictures FOLDER] [--only CHECK]
"""
import sys
import time

import checks_of_explore
import checks_of_lessons
import checks_of_looks
import checks_of_mysum
import checks_of_texts
import checks_of_walk
import native_site
from browser import axe_script
from pages import browser, options

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
    ("check_every_control_answers", "explore.js", "written(name, to(Number(event.target.value)))", "written(name, '3')"),
    ("check_many_orders", "methods.js", "${most} different sums", "${most + 1} different sums"),
    ("check_many_orders", "explore.js", "        show('spread-out');\n        show('differ-out');", ""),
    ("check_many_orders", "explore.js", "    if (Object.hasOwn(BUTTONS, state.ask))\n        await press(state.ask);", ""),
    ("check_stop", "program.js", "        by_hand = true;\n        stop_commands();", "        by_hand = true;"),
    ("check_stop", "explore.js", "function update() {\n    stop_commands();", "function update() {"),
    ("check_tree_of_64_is_drawn", "tree.js", "const LEAVES_AT_FIRST = 64;", "const LEAVES_AT_FIRST = 60;"),
    ("check_lessons", "answers.js", "return {right: at_most(", "return {right: true || at_most("),
    ("check_lessons", "answers.js", "{right: given === ask.answer}", "{right: given !== ask.answer}"),
    ("check_lessons", "lesson.js", "return place.append(prediction(", "place.append(prediction("),
    ("check_answers_are_read", "answers.js", "a.over * b.under <= b.over * a.under", "Number(a.over) / Number(a.under) <= Number(b.over) / Number(b.under)"),
    ("check_hand_in", "hand_in.js", "judge(ask, given).right === true", "answer.right"),
    ("check_mysum", "mysum.js", "right = steps === 0", "right = true"),
    ("check_nothing_leaves", "page.js", "http-equiv=\"Content-Security-Policy\"", "name=\"policy\""),
    ("check_any_text_in_explore", "program.js", "say_beside(typeof field === 'string' ? field : field(error.message), error.message);", ""),
    ("check_any_text_in_explore", "elements.js", "    box.textContent = text;\n    box.hidden", "    box.innerHTML = text;\n    box.hidden"),
    ("check_two_wrong_fields_have_two_messages", "explore.js", "['method', 'blocks', 'threads'].includes(refused_about)", "false"),
    ("check_any_text_in_mysum", "mysum.js", "return 'printed';", "return 'numbers';"),
    ("check_any_text_in_lessons", "lesson.js", "unless_refused('seed'", "unless_refused('choose'"),
    ("check_walk", "explore_data.js", "ask: '',", ""),  # addresses with an older or a younger key
    ("check_looks", "style.css", ".wide, .panel { overflow-x: auto;", ".wide, .panel { overflow-x: visible;"),
    ("check_looks", "index.html", "<label for=\"n\">How many (n)</label>", "How many (n)"),  # axe alone sees it
]


def finds(check, name, fault):
    native_site.Site.faults = {fault[0]: fault[1:]}
    browser.patience = 4
    try:
        check()
    except Exception as error:
        if "is ready" not in str(error):  # a page that does not even open shows nothing of the fault
            return True
    finally:
        native_site.Site.faults = {}
        browser.patience = 30
        browser.look(1280, False)
    print(f"FAIL  {name} does not see {fault[0]}: {fault[2] or 'left out: ' + fault[1]}")
    return False


def checks():
    rooms = (checks_of_explore, checks_of_lessons, checks_of_mysum, checks_of_texts, checks_of_looks, checks_of_walk)
    return {name: check for room in rooms for name, check in vars(room).items() if name.startswith("check_") and options.only in name}


def passes(name, check):
    begin = time.monotonic()
    try:
        check()
    except Exception as error:  # the next checks still say something
        print(f"FAIL  {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
        browser.look(1280, False)
        return False
    print(f"ok    {name} ({time.monotonic() - begin:.1f} s)", flush=True)
    return True


def faults_to_put(names):
    """The first of each check, or all; those of files that are opened without the server cannot be put in."""
    axe = options.all and axe_script() is not None
    faults = [fault for fault in FAULTS if fault[0] in names and not options.file and (axe or not fault[1].startswith("index"))]
    return faults if options.all else [fault for i, fault in enumerate(faults) if fault[0] not in [before[0] for before in faults[:i]]]


def main():
    chosen = checks()
    without = set(chosen) - {fault[0] for fault in FAULTS}
    failed = sum(not passes(name, check) for name, check in chosen.items())
    faults = faults_to_put(chosen)
    unseen = sum(not finds(chosen[name], name, fault) for name, *fault in faults)
    for name in without:
        print(f"FAIL  {name} has no fault to find")
    print(f"{len(faults)} faults put into the pages, {len(faults) - unseen} seen")
    browser.quit()
    print(f"{len(chosen) - failed} passed, {failed + unseen + len(without)} failed")
    return 1 if failed or unseen or without else 0


if __name__ == "__main__":
    sys.exit(main())
