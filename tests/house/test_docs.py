"""The commands of README.md, CONTRIBUTING.md, docs/ and datasets/ do what the pages say.

    test_docs.py SOURCE_DIRECTORY ULPSCOPE_FOLDER TESTS_FOLDER [--slow] [--write] [--only PAGE]

Each page has a folder of its own, with datasets/, tests/gate_example/ and tools/ in it, where its commands run from top to bottom.
What a page may hold:

    $ COMMAND                     is run; the lines up to the next $ are its output
    COMMAND   remark              in a block that begins with a command each line is one; three blanks begin a remark, and a
                                  block right behind it is the output of the last
    ```yaml, ```sh ...            is not run; it is written to the file NAME if "# NAME" is its first line, or the second of a script

    <!-- not run: REASON -->      above a block; REASON may end in ": BEGINNING", then only commands that begin so are meant
    <!-- slow: REASON -->         likewise: run with --slow alone
    <!-- exit 1 -->               likewise: the status, 0 unless it is said
    <!-- before: COMMAND -->      what is run, and not shown

A line "..." of an output stands for any lines.  Output is what the command writes to stdout, or else to stderr.  MASKS and
TIMING_COLUMNS below are not compared; all else has to be the same.  --write puts what comes now into the pages.  What a link names is
there, its section too.  README.md and docs/ are as short as README_LINES, PAGES and COLUMNS below say, and each page that sources name is
there.
Exit status: 0 fine, 1 a page is not true, 77 no python3 (in CMake).
"""

import collections
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

MASKS = (
    (r"(?<![\w.])\d[\d.,]*(e[+-]\d+)? (ns|us|ms|s|min|[MGT]B/s)\b", "TIME"),
    (r"commit [0-9a-f]{7,40}\S*", "COMMIT"),
    (r"-{3,}:?", "---"),  # the rule of a table is as wide as its numbers
    (r"\s+", " "),
)
TIMING_COLUMNS = {"ns/element", "median", "GB/s", "of CUB", "of copy", "x serial"}
COMMAND = re.compile(r"\$ |(ulpscope|(\./|build/\S*|)tools/\w+|build/\S+|cat|cmake|cp|ctest|export|git|head|jq|objdump|printf|python3|sed|sqlite3)\b(?! *[=:])")
NEEDS = re.compile(r"\b(git|jq|objdump|sqlite3)\b")
MARK = re.compile(r"<!-- (not run|slow|exit|before):? (.*?) -->$")
README_LINES, PAGES, COLUMNS = 160, 27, 100  # of README.md; in docs/, decisions and lessons aside; of prose
SECONDS = 600  # that a command may take, unless it is slow

Block = collections.namedtuple("Block", "start indent language lines marks")
Command = collections.namedtuple("Command", "line text marks output")  # output: (first line, indent, lines), or None


def blocks_of(lines):
    """Blocks, and lines of prose, with the marks above them."""
    marks, at = [], 0
    while at < len(lines):
        fence, mark = re.match(r"( *)```(\w*)", lines[at]), MARK.match(lines[at])
        if mark:
            marks.append(mark.groups())
        elif fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            yield Block(at + 1, len(fence[1]), fence[2] or "plain", lines[at + 1 : end], marks)
            marks, at = [], end
        elif lines[at].startswith("    ") and (not lines[at - 1].strip() or MARK.match(lines[at - 1])):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            yield Block(at, 4, "plain", lines[at:end], marks)
            marks, at = [], end - 1
        elif lines[at].strip():
            yield Block(at, 0, "prose", lines[at : at + 1], marks)
            marks = []
        at += 1


def excess(texts):
    """Of pages, {name: text}: what is longer, more or wider than it may be; tables, blocks, pictures and targets of links are as wide as they are."""
    pages = [name for name in texts if re.fullmatch(r"docs/[^/]+", name)]
    found = [f"docs/: expected at most {PAGES} pages; found {len(pages)}; merge one with its subject"] if len(pages) > PAGES else []
    if len(texts["README.md"].splitlines()) > README_LINES:
        found.append(f"README.md: expected at most {README_LINES} lines; found {len(texts['README.md'].splitlines())}; move some to docs/")
    for name in ("README.md", *pages):
        for block in blocks_of(texts[name].splitlines()):
            line = re.sub(r"(!\[.*|\]\([^)]*\))", "", block.lines[0])
            if block.language == "prose" and len(line) > COLUMNS and not line.startswith("|"):
                found.append(f"{name}:{block.start + 1}: expected at most {COLUMNS} columns; found {len(line)}")
    return found


def misnamed(source, texts):
    """Pages that a file's text names, {name: text}, and that are not there."""
    named = {(page, name) for name, text in texts.items() for page in re.findall(r"docs/[\w/-]+\.md", text)}
    return [f"{name}: expected the page {page}, found none; name another" for page, name in sorted(named) if not (source / page).exists()]


def sources_of(source):
    files = [path for folder in ("src", "kernels", "reports", "include", "python", "examples", "tools") for path in (source / folder).glob("**/*")]
    return {str(path.relative_to(source)): path.read_text(errors="replace") for path in (*files, source / "action.yml")
            if path.is_file() and "samples" not in path.parts and path.suffix not in (".so", ".o", ".pyc")}


def section_names(text):
    """The anchors of a page's headings and its own."""
    heads = [re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in re.findall(r"^#+ (.*)", text, re.M)]
    return {*heads, *re.findall(r'<a id="([^"]*)"', text)}


def without_remark(text):
    return re.sub(r"(?<=\S)   +\S.*$", "", text) if not text.endswith("\\") else text


def commands_of(block, output):
    """A line behind $ is a command and what follows its output; without $ each line is a command, and output that of the last.
    A line that ends in a backslash goes on."""
    texts = [line[block.indent :] for line in block.lines]
    in_session, found = texts[0].startswith("$ "), []  # [line, text, first line of output, its end]
    for i, text in enumerate(texts):
        if i and texts[i - 1].endswith("\\") and found[-1][2] == i:
            found[-1][1:] = [found[-1][1] + "\n" + without_remark(text), i + 1, i + 1]
        elif text.startswith("$ ") or not in_session and text.strip():
            found.append([block.start + i + 1, without_remark(text.removeprefix("$ ")), i + 1, i + 1])
        elif text.strip() and found:
            found[-1][3] = i + 1
    for line, text, start, end in found:
        shown = (block.start + start, block.indent, texts[start:end]) if end > start else None
        yield Command(line, text, block.marks, shown or (output if line == found[-1][0] else None))


def steps_of(lines):
    """What is to be done, in order: ("run", Command), ("write", name, text) or ("fail", line, words)."""
    blocks, taken = list(blocks_of(lines)), None
    for block, after in zip(blocks, blocks[1:] + [Block(0, 0, "prose", [""], [])]):
        yield from (("run", Command(block.start, what, [], None)) for kind, what in block.marks if kind == "before")
        name = re.match(r"(#!.*\n)?# ([\w./-]+\.\w+)\b", "\n".join(block.lines))
        commands = []
        if block is taken or block.language == "prose":
            pass
        elif block.language != "plain":
            if name:
                yield "write", name[2], "\n".join(block.lines) + "\n"
        elif not COMMAND.match(block.lines[0][block.indent :]):
            found = block.lines[0].strip()
            yield "fail", block.start + 1, f"expected a command, or a language behind ``` as in ```text; found {found}"
        else:
            taken = after if follows(lines, block, after) else None
            output = taken and (after.start, after.indent, [line[after.indent :] for line in after.lines])
            commands = list(commands_of(block, output))
            yield from (("run", command) for command in commands)
        for mark in block.marks:
            if mark[0] != "before" and not any(mark_of(command._replace(marks=[mark]), mark[0]) for command in commands):
                yield "fail", block.start + 1, f"expected a command that <!-- {mark[0]} {mark[1]} --> is about"


def follows(lines, block, after):
    """Whether nothing but blanks and the fence stands between, and what stands there is no command."""
    between = lines[block.start + len(block.lines) : after.start]
    return (after.language == "plain" and not COMMAND.match(after.lines[0][after.indent :])
            and all(line.strip() in ("", "```") for line in between))


def masked(lines):
    """The lines that are compared: without timings, and with one blank where there are several."""
    result, columns = [], set()
    for line in lines:
        cells = line.split("|")
        if len(cells) > 2:
            columns = columns or {i for i, cell in enumerate(cells) if cell.strip() in TIMING_COLUMNS}
            line = "|".join("TIME" if i in columns else cell for i, cell in enumerate(cells))
        else:
            columns = set()
        for pattern, instead in MASKS:
            line = re.sub(pattern, instead, line)
        result.append(line.strip())
    return result


def same(expected, found):
    """Whether found is expected, in which "..." stands for any lines."""
    if "..." not in expected:
        return expected == found
    at = expected.index("...")
    head, rest = expected[:at], expected[at + 1 :]
    return found[:at] == head and any(same(rest, found[i:]) for i in range(at, len(found) + 1))


def mark_of(command, kind):
    """What a mark of this kind says of the command, or None."""
    for mark, what in command.marks:
        words, colon, beginning = what.partition(": ")
        if mark == kind and (not colon or any(command.text.startswith(one) for one in beginning.split(", "))):
            return words
    return None


class Pages:
    """Runs pages in folders of their own, and counts."""

    def __init__(self, source, paths, slow):
        self.source, self.paths, self.slow = source, paths, slow
        self.not_run, self.run, self.compared, self.failures = collections.Counter(), [], 0, []
        self.new_outputs = []

    def folder(self, work, text):
        """What the page speaks of: 200 files for each page are a tenth of this test's time."""
        for name in ("datasets", "tests/gate_example", "tools"):
            if name in text:
                shutil.copytree(self.source / name, work / name)
        # tools/demo runs what it would have built
        (work / "tools").mkdir(exist_ok=True)
        (work / "tools/prepare.sh").write_text('root=$(realpath "$(dirname "$0")/..")\nprepare() { cd "$root"; }\n')
        (work / "build/default").mkdir(parents=True)
        (work / "build/default/ulpscope").symlink_to(shutil.which("ulpscope", path=self.paths))

    def page(self, name, text):
        for target, section in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
            path = (self.source / name).parent / target
            if "://" not in target and not path.exists():
                self.failures.append(f"{name}: expected a file or folder {target}; found none")
            elif section and "://" not in target and section not in section_names(path.read_text() if target else text):
                self.failures.append(f"{name}: expected a section {target}#{section}; found none")
        with tempfile.TemporaryDirectory(prefix="ulpscope_docs.") as work:
            work = pathlib.Path(work)
            self.folder(work, text)
            for kind, *what in steps_of(text.splitlines()):
                if kind == "write":
                    (work / what[0]).parent.mkdir(parents=True, exist_ok=True)
                    (work / what[0]).write_text(what[1])
                elif kind == "fail":
                    self.failures.append(f"{name}:{what[0]}: {what[1]}")
                else:
                    self.command(name, what[0], work)

    def reason_not_to_run(self, command):
        missing = [tool for tool in NEEDS.findall(command.text) if not shutil.which(tool)]
        slow = mark_of(command, "slow")
        return mark_of(command, "not run") or (slow and not self.slow and slow) or (missing and f"no {missing[0]} here")

    def command(self, name, command, work):
        reason = self.reason_not_to_run(command)
        if reason:
            self.not_run[reason] += 1
            return
        environment = {"PATH": self.paths, "HOME": str(work), "LC_ALL": "C.UTF-8", "ULPSCOPE_DEVICE": "host"}
        began = time.monotonic()
        try:
            done = subprocess.run(["sh", "-c", command.text], cwd=work, env=environment, capture_output=True, text=True,
                                  timeout=SECONDS * (5 if self.slow else 1), stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as late:
            self.failures.append(f"{name}:{command.line}: {late}; expected an end, or a mark <!-- slow: ... -->")
            return
        self.run.append((time.monotonic() - began, f"{name}:{command.line}"))
        expected = int(mark_of(command, "exit") or 0)
        if done.returncode != expected:
            self.failures.append(f"{name}:{command.line}: {command.text}\n"
                                 f"expected exit status {expected}, found {done.returncode}\n{done.stderr}")
        elif command.output:
            self.compare(name, command, (done.stdout or done.stderr).rstrip().splitlines())

    def compare(self, name, command, found):
        start, indent, shown = command.output
        self.compared += 1
        if same(masked(shown), masked(found)):
            return
        difference = "\n".join(difflib.unified_diff(masked(shown), masked(found), "the page", "now", n=0, lineterm=""))
        self.failures.append(f"{name}:{command.line}: {command.text}\n{difference}")
        if "..." not in shown:
            self.new_outputs.append((name, start, len(shown), [" " * indent + line if line else "" for line in found]))

    def write(self):
        for name, start, count, found in reversed(self.new_outputs):
            lines = (self.source / name).read_text().splitlines()
            lines[start : start + count] = found
            (self.source / name).write_text("\n".join(lines) + "\n")


TWIN = """
    $ ulpscope tree plain/serial -n 3 | head -5
    plain/serial, n = 3, 120 x 256

               height
    x0 --.
    x1 --+     2

<!-- exit 2 -->
    ulpscope tree

Three numbers:

    ulpscope tree plain/serial -n 3     some words
"""
FAULTS = (  # a page that is not true, and how often
    (TWIN, 0),
    (TWIN.replace("n = 3,", "n = 4,"), 1),
    (TWIN.replace("x0 --.\n", "x0 --.\n    c\n"), 1),
    (TWIN.replace("<!-- exit 2 -->\n", ""), 1),
    (TWIN.replace("exit 2", "exit 1"), 1),
    (TWIN.replace("-n 3     some", "-n x     some"), 1),
    ("```\nwhat is this?\n```\n", 1),
    ("<!-- not run: needs a GPU -->\n    ulpscope tree\n", 0),
    ("<!-- not run: needs a GPU: ulpscope run -->\n    ulpscope tree\n", 2),
    ("<!-- exit 2 -->\nWords.\n", 1),
    ("[one](README.md#install), [other](nowhere.md), [mine](#here)\n# Here\n", 1),
    ("[one](README.md#uninstall), [mine](#there)\n# Here\n", 2),
)
FEW = {"README.md": "one\n" * README_LINES, **{f"docs/{i}.md": "a" * COLUMNS for i in range(PAGES)}}
SHAPES = (  # pages, and what is too much
    ({}, ""),
    ({"README.md": "one\n" * (README_LINES + 1)}, "README.md: expected at most"),
    ({"docs/decisions/one.md": "a" * (COLUMNS + 1)}, ""),
    ({"docs/more.md": "one"}, "docs/: expected at most"),
    ({"docs/0.md": "one\n" + "a" * (COLUMNS + 1)}, "docs/0.md:2: expected at most"),
    ({"docs/0.md": f"| {'a' * COLUMNS} |\n\n    {'a' * COLUMNS}\n\n[one]({'a' * COLUMNS})\n"}, ""),
)


def twins_fail(source, paths):
    failures = 0
    for text, faults in FAULTS:
        pages = Pages(source, paths, False)
        pages.page("twin", text)
        if len(pages.failures) != faults:
            print(f"FAIL  expected {faults} faults, found {len(pages.failures)} in\n{text}", *pages.failures, sep="\n")
            failures += 1
    for change, said in SHAPES:
        found = excess({**FEW, **change})
        if len(found) != bool(said) or said not in "".join(found):
            print(f"FAIL  expected {said or 'nothing'}, found {found}")
            failures += 1
    if len(misnamed(source, {"src/a.c": "see docs/ci.md", "src/b.c": "docs/pudding.md has more"})) != 1:
        print("FAIL  expected one page that is not there")
        failures += 1
    for line, changed in (("0.33 ns", "0.34 ns"), ("| GB/s |\n| 1.0 |", "| GB/s |\n| 1.1 |")):
        failures += masked(line.splitlines()) != masked(changed.splitlines())
    for line, changed in (("4.38 ulp", "4.39 ulp"), ("| ulp |\n| 1.0 |", "| ulp |\n| 1.1 |"), ("8 sums", "9 sums")):
        failures += masked(line.splitlines()) == masked(changed.splitlines())
    print("FAIL " if failures else "ok   ", "wrong outputs, statuses and blocks are found")
    return failures


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    source = pathlib.Path(arguments[0]).resolve()
    folders = [str(pathlib.Path(argument).resolve()) for argument in arguments[1:3]]
    pages = Pages(source, os.pathsep.join([*folders, os.environ["PATH"]]), "--slow" in sys.argv)
    failures = twins_fail(source, pages.paths)
    below = [page for folder in ("docs", "datasets") for page in sorted((source / folder).glob("**/*.md"))]
    names = arguments[3:] or ["README.md", "CONTRIBUTING.md", *(str(page.relative_to(source)) for page in below)]
    for name in names:
        pages.page(name, (source / name).read_text())
    pages.failures += misnamed(source, sources_of(source))
    pages.failures += excess({str(page.relative_to(source)): page.read_text() for page in (source / "README.md", *below)})
    print(*pages.failures, sep="\n")
    print(f"{len(pages.run)} commands run, {pages.compared} outputs compared, {pages.not_run.total()} not run:",
          ", ".join(f"{count} {reason}" for reason, count in pages.not_run.most_common()))
    print("the slowest:", ", ".join(f"{where} {seconds:.1f} s" for seconds, where in sorted(pages.run, reverse=True)[:4]))
    if "--write" in sys.argv:
        pages.write()
    sys.exit(1 if failures or pages.failures else 0)


if __name__ == "__main__":
    main()
