"""docs/tutorial.ipynb runs, and what its cells show is what its text claims.

    test_notebook.py SOURCE_DIRECTORY    ULPSCOPE_PROGRAM and ULPSCOPE_LIBRARY name what is built

Exit status 77: nbclient, ipykernel or NumPy is missing, here and in the system's Python.
"""

import copy
import importlib.util
import os
import pathlib
import re
import sys
import tempfile

NEEDED = ("nbclient", "nbformat", "ipykernel", "numpy")
missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
if missing and sys.argv[2:] != ["--again"] and os.path.exists("/usr/bin/python3"):
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv[:2], "--again"])
if missing:
    print(f"skipped: there is no {missing[0]}; install it to run the notebook")
    sys.exit(77)

import nbclient  # noqa: E402
import nbformat  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve()
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # of which ipykernel else says something
os.environ["PYTHONPATH"] = str(SOURCE / "python")
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found, flush=True)


def executed(notebook):
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return notebook


def shown(cell):
    """What a cell prints, and the HTML of its result."""
    return "".join(one.get("text", "") or one.get("data", {}).get("text/html", "") for one in cell.get("outputs", []))


def ulps(text):
    """Errors by the name before them."""
    return {name: float(error) for name, error in re.findall(r"(\S+):? +([\d.e+-]+) ulp", text)}


def three_sums(text):
    found = ulps(text)
    return found["fsum"] <= 0.5 < min(found["sum"], found["numpy"]) and float(re.search(r"condition (\S+)", text)[1]) > 1e8


def four_methods(text):
    found = ulps(text)
    plain, kahan, halves, fsum = (found[name + "@binary64"] for name in ("plain/serial", "kahan/serial", "here/by_halves", "here/fsum"))
    return fsum <= 0.5 and 1 < kahan < min(plain, halves) and text.count("of 21 sums") == 4 and "by_halves: 21 sums" in text


def bars(text):
    """The histogram: a panel for each method."""
    return text.count("<svg ") == 1 and all(name in text for name in ("plain/serial", "kahan/serial", "here/by_halves", "here/fsum", "21 sums"))


def fewest(text):
    """Three numbers on which the two sums differ, and what they make of them."""
    made = re.findall(r"makes (\S+) of them", text)
    return len(re.search(r"fewest numbers: \[(.*)\]", text)[1].split(",")) == 3 and len(set(made)) == 2 and "bug" in text


def lost(text):
    few, all_of = map(int, re.search(r"(\d+) of (\d+) additions", text).groups())
    return 0 < few <= all_of == 7 and text.count("<svg ") == 1


def attacked(text):
    share, calls = re.search(r"(\S+) of the proven bound, after (\d+) sums", text).groups()
    return 0.1 < float(share) <= 1 and 0 < int(calls) <= 3000


def one_keeps(text):
    return text.startswith("passed: False") and len(re.findall("^FAIL ", text, re.M)) == 3 and re.findall(r"^ok +(\S+):", text, re.M) == ["here/fsum@binary64"]


# Words of the text; code of the cell that shows it; whether it does.
CLAIMS = (
    ("the 1 is gone", "print((a + b) + c", lambda text: text == "1.0 but 0.0 and exactly 1.0\n"),
    ("Three functions, three results", 'print("fsum   "', lambda text: len({line.split()[1] for line in text.splitlines()}) == 3),
    ("half an ulp is the best that any sum can do, and `math.fsum` does it", "compare=[", three_sums),
    ("which the package has", "\nrun\n", lambda text: "<table" in text and "by_halves" in text),
    ("only `fsum` is right", "run.table()", four_methods),
    ("each bar has errors twice as large", "run.plot()", bars),
    ("which are the fewest numbers that show it", "ulpscope.explain(", fewest),
    ("which additions of a sum lost most", "ulpscope.blame(", lost),
    ("closest to its proven bound", "ulpscope.attack(", attacked),
    ("which faults a test would still let pass", "ulpscope.tolerance(", lambda text: "numpy.testing.assert_allclose" in text and "It would still pass results" in text),
    ("somebody forgets the last number", "forgetful(y)", lambda text: "passed: False" in text and "the last element is left out" in text),
    ("Only one of the four methods keeps this one, 1 ulp", "run.check(limits)", one_keeps),
)


def broken_claims(notebook, claims=CLAIMS):
    """The words that are not there, or that no cell shows."""
    words = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    broken = []
    for claim, code, holds in claims:
        cells = [cell for cell in notebook.cells if cell.cell_type == "code" and code in cell.source + "\n"]
        if claim not in words or len(cells) != 1 or not holds(shown(cells[0])):
            broken.append((claim, "".join(map(shown, cells))[:500]))
    return broken


stored = nbformat.read(SOURCE / "docs/tutorial.ipynb", 4)
nbformat.validate(stored)
say(15 <= len(stored.cells) <= 25, f"{len(stored.cells)} cells", len(stored.cells))
say(not any(cell.get("outputs") or cell.get("execution_count") for cell in stored.cells), "no output is stored, which would grow old")
say(not re.search(r"(^|\n) *[!%]|\$ ulpscope|[Tt]erminal|command line", "\n".join(cell.source for cell in stored.cells)), "no terminal is needed")
of_text = [path for cell in stored.cells for path in re.findall(r"\]\((\w+\.md)\)", cell.source)]
say(of_text and all((SOURCE / "docs" / path).exists() for path in of_text), "its links are there", of_text)
notebook = executed(copy.deepcopy(stored))
say(not broken_claims(notebook), f"its cells show the {len(CLAIMS)} claims of its text", broken_claims(notebook))
for cell in notebook.cells:
    named = [one.text for one in cell.get("outputs", []) if one.get("name") == "stderr"]
    say(not named, "a cell warns of nothing", named) if named else None
say(not re.search(r"/tmp/|Traceback", "".join(map(shown, notebook.cells))), "no folder that goes away is shown")

# ---- a false claim ----
other = copy.deepcopy(notebook)
for cell in other.cells:
    cell.source = cell.source.replace("only `fsum` is right", "only `sum` is right")
say([claim for claim, _ in broken_claims(other)] == ["only `fsum` is right"], "another claim than the one that is checked is noticed")
other = copy.deepcopy(stored)
other.cells = other.cells[:4]
for cell in other.cells:
    cell.source = cell.source.replace("1e16, -1e16", "1e15, -1e15")  # whose neighbours are 0.125 apart
say([claim for claim, _ in broken_claims(executed(other), CLAIMS[:1])] == ["the 1 is gone"], "so is a claim that the cell does not show")
for i, (claim, _, holds) in enumerate(CLAIMS[1:], 1):
    try:
        fooled = holds(shown(next(cell for cell in notebook.cells if CLAIMS[i - 1][1] in cell.source + "\n")))
    except (AttributeError, KeyError, IndexError, TypeError):
        fooled = False
    say(not fooled, f"what another cell shows is not taken for: {claim}")

print(failures, "failures")
sys.exit(failures > 0)
