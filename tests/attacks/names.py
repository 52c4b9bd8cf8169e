#!/usr/bin/env python3
"""Names that try to be more than names, in every place that takes one and in every form that shows one.

    names.py PROGRAM [--minutes M] [--seed S]

A data file of a hostile name is measured, reported, checked, explained; hostile texts are given as titles, reasons, globs, flags,
folders, environment.  Promised: the terminal gets valid UTF-8 without a control character but line feeds, and no line that a CI runner
takes for a command; JSON, XML, CSV and Markdown are well-formed and say the same name, from which the file is found again; no
field of a CSV is a formula; what is written lies in the folder that was named; the command that runs a sum again is read back by
sh and gives the same bits.
"""

import csv
import io
import json
import os
import re
import shlex
import sqlite3
import struct
import sys
import unicodedata
import xml.etree.ElementTree as tree

import attack

FIXED = [
    b"bad\xff.raw", b"a:b=c.raw", b"a:skip=4.raw", b"=1+1.raw", b"+1.raw", b"-x.raw", b"--help.raw", b"@SUM(1).raw", b"\t=1.raw", b'"q.raw',
    b'say "x".raw', b"it's.raw", b"a\nb.raw", b"a\\nb.raw", b"a\\.raw", b"a\rb.raw", b"\x1b[31mred.raw", b"\xc2\x9b31m.raw", b"\xe2\x80\xaegnp.raw",
    b"uniform:n=3.raw", b"a b .raw", b" .raw", b"*?[!].raw", b"::error::x.raw", b"a ::error::x.raw", b"x##[error]y.raw", b"%0A::error::.raw",
    b".raw", b"..raw", b"a|`<b>*_~[x](y).raw", b"<!--]]>&amp;.raw", b"$(x)`x`$x$.raw", b"CON.raw", b"a,b;c.raw", b"{a,b}.raw", b"*.raw",
    b"x" * 251 + b".raw", b"\xff" * 251 + b".raw", b'"' * 251 + b".raw", "\u00fc\U0001f600.raw".encode(), b"\xf3\xa0\x81\x81.raw", b"study.yaml.raw", b"!x.raw",
    b"[ab].raw",
]  # fmt: skip
PIECES = [b":", b"=", b",", b'"', b"'", b"\\", b"\n", b"\r", b"\t", b"\x1b[2J", b"\x07", b"\xff", b"\xc2\x85", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"::error::", b" ::", b"##[",
          b"%0A", b"skip=4", b"column=", b"order=reversed", b"uniform:n=3", b"*", b"?", b"[", b"!", b"-", b"+", b"@", b"|", b"<b>", b"]]>", b"&#0;", b"`", b"$(x)", b"~", b"#",
          b" ", b"..", b".", b"\\n", b"\\xff", b"\\u202e", b"{}", b"^{2}", "\u00e9\u4e2d\U0001f600".encode(), b"a", b"xyz"]  # fmt: skip


def hostile(chance, most=251):
    """Bytes that may be the name of a file, without its ending."""
    name = b""
    for _ in range(chance.choice((1, 2, 3, 5, 8, 40))):
        name += chance.choice(PIECES) if chance.random() < 0.85 else bytes([chance.randrange(1, 256)])
    return name.replace(b"/", b"").replace(b"\0", b"")[: chance.choice((most, most, 30))] or b"x"


def spec_of(name):
    """The name as a data spec may have it, written by rules of this script's own."""
    return '"' + "".join(chr(c) if chr(c).isalnum() and c < 128 else f"\\x{c:02x}" for c in name) + '"'


def name_in(spec):
    """The bytes of the file's name that a spec without options stands for."""
    if not spec.startswith('"'):
        return spec.encode().removeprefix(b"./")
    text, out, at = spec[1:-1].encode(), b"", 0
    while at < len(text):
        escape = re.compile(rb'\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\([tnr\\])|"(")').match(text, at)
        if escape and escape[1]:
            out += bytes([int(escape[1], 16)])
        elif escape and escape[2]:
            out += chr(int(escape[2], 16)).encode()
        elif escape and escape[3]:
            out += {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}[escape[3]]
        elif escape:
            out += b'"'
        else:
            out += text[at : at + 1]
        at = escape.end() if escape else at + 1
    return out


# ---- checkers: each returns what is wrong, or None ----


def terminal(data, commands=False):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    for c in text:
        if c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"):
            return f"U+{ord(c):04X} acts"
    for line in text.split("\n"):
        if "##[" in line or (line.strip().startswith("::") and not (commands and re.match(r"::(error|warning|notice) [^:]*::", line))):
            return f"a line is a command to a runner: {line[:80]!r}"
    return None


def is_number(text):
    try:
        float.fromhex(text) if "x" in text else float(text)
        return True
    except ValueError:
        return False


def table(text):
    """A CSV: as many fields in each row, none a formula."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    rows = [row for row in rows if row and not row[0].startswith("#")]
    for row in rows:
        if len(row) != len(rows[0]):
            return f"{len(row)} fields in a row of {len(rows[0])}"
        for field in row:
            if field[:1] and field[0] in "=+-@\t\r" and not is_number(field):
                return f"a formula: {field[:60]!r}"
    return None


def markdown(text):
    """As many cells in each line of a table."""
    cells = None
    for line in text.split("\n"):
        now = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) if line.startswith("|") else None
        if cells is not None and now is not None and now != cells:
            return f"{now - 1} cells in a table of {cells - 1}: {line[:80]!r}"
        cells = now
    if re.search(r"<(?!/?(details|summary|br)\b|!-- ulpscope)", re.sub(r"`[^`\n]*`", "", text)):
        return "a tag"
    return None


def well_formed(data):
    try:
        tree.fromstring(data)
    except tree.ParseError as error:
        return f"no XML: {error}"
    return None


def json_text(data):
    try:
        json.loads(data.decode())
    except ValueError as error:
        return f"no JSON: {error}"
    return None


CHECKERS = {".json": json_text, ".svg": well_formed, ".xml": well_formed, ".html": well_formed,
            ".csv": lambda data: terminal(data) or table(data.decode()), ".txt": terminal, ".md": lambda data: terminal(data) or markdown(data.decode())}  # fmt: skip


def the_checkers_see(attacked):
    """The twin: what must not pass."""
    planted = [terminal(b"a\x1b[1m"), terminal(b"a\rb"), terminal(b"\xff"), terminal("a\u202eb".encode()), terminal(b"x\n::error::y"), terminal(b"::x", True),
               terminal(b"a##[error]"), table("a,b\n=1+1,2\n"), table("a,b\n1\n"), markdown("|a|b|\n|--|--|\n|a|b|c|\n"), markdown("<script>"),
               well_formed(b"<a>\x01</a>"), json_text(b'{"a": "\xff"}')]  # fmt: skip
    fine = [terminal("\u00fc\n\ta::b".encode()), terminal(b"::error title=x::y", True), table('a,b\n-1e5,"x,y"\n-0x1p3,2\n'), markdown("|a|\n|--|\n|a\\|b|\n"),
            well_formed(b"<a>&lt;</a>"), json_text(b'{"a": "\\n"}')]  # fmt: skip
    attacked.count("planted texts", len(planted))
    for i, seen in enumerate(planted):
        if not seen:
            attacked.fail(f"planted text {i} was not seen")
    for i, seen in enumerate(fine):
        if seen:
            attacked.fail(f"what is fine, number {i}: {seen}")
    for name in FIXED:
        if name_in(spec_of(name)) != name:
            attacked.fail(f"this script reads its own spec of {name!r} as another")


# ---- one name ----


class Names:
    def __init__(self, attacked):
        self.attacked, self.folder, self.number = attacked, attacked.folder, 0
        self.env = {"ULPSCOPE_JOBS": "1", "HOME": str(self.folder), "TMPDIR": str(self.folder)}

    def run(self, kind, words, commands=False, env=None, codes=attack.CODES):
        """Runs the program and holds what it prints to the promise; the outcome."""
        done = attack.run([self.attacked.program, *words], cwd=self.folder, env={**self.env, **(env or {})})
        self.attacked.count(kind)
        wrong = done.crime() or terminal(done.err) or terminal(done.out, commands)
        if not wrong and done.code not in codes:
            wrong = f"exit status {done.code}, expected {sorted(codes)}"
        if wrong:
            self.attacked.fail(f"{kind}: {wrong}", done)
        return done

    def files(self, kind, folder):
        """Every file of the folder is what its ending says."""
        for path in sorted(folder.rglob("*")):
            wrong = path.is_file() and path.suffix in CHECKERS and CHECKERS[path.suffix](path.read_bytes())
            if wrong:
                self.attacked.fail(f"{kind}: {path.name}: {wrong}")

    def on_stdout(self, kind, words, ending, **more):
        done = self.run(kind, words, **more)
        wrong = done.out and CHECKERS[ending](done.out)
        if wrong:
            self.attacked.fail(f"{kind}: {wrong}", done)
        return done

    def again(self, command, bits, name):
        """The command is one of sh's, and gives the same bits."""
        out = self.folder / "again"
        line = command.replace("ulpscope ", shlex.quote(self.attacked.program) + " -q ", 1) + " --speed 0 -o again --overwrite"
        done = attack.run(["sh", "-c", line], cwd=self.folder, env=self.env)
        self.attacked.count("commands to run again")
        rows = list(csv.DictReader(open(out / "results.csv", newline=""))) if done.code == 0 else []
        if not rows or any(row["computed_bits"] != bits for row in rows):
            self.attacked.fail(f"{name!r}: {command!r} gives {[row['computed_bits'] for row in rows]}, expected {bits}", done)

    def measure(self, name):
        """A data file of that name, through the commands that take one."""
        self.number += 1
        chance = self.attacked.random
        (self.folder / os.fsdecode(name)).write_bytes(struct.pack("<9f", *(chance.uniform(-9, 9) * 10 ** chance.randrange(9) for _ in range(9))))
        before, spec, out = set(os.listdir(os.fsencode(self.folder))), spec_of(name), f"out{self.number}"
        self.run("exact of a raw name", ["exact", "--data", os.fsdecode(name)])
        done = self.run("run", ["-q", "run", "-m", "*/serial", "-d", spec, "-o", out, "--speed", "0", "--trials", "2"], codes={0})
        if done.code == 0:
            self.read_back(name, self.folder / out)
            self.report(out)
        self.other_commands(spec)
        self.files("run", self.folder / out)
        added = set(os.listdir(os.fsencode(self.folder))) - before - {out.encode(), b"again", b"made", b"baselines", b"limits.yaml"}
        if added:
            self.attacked.fail(f"{name!r}: beside what was named there is {sorted(added)}")
        attack.run(["rm", "-rf", out, "again", "made", "baselines", "--", "./" + os.fsdecode(name)], cwd=self.folder)

    def read_back(self, name, out):
        with open(out / "results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        report = json.loads((out / "run.json").read_text())
        texts = {row["data"] for row in rows} | {series["data"] for series in report["series"]}
        if len(texts) != 1 or name_in(texts.pop()) != name:
            self.attacked.fail(f"{name!r}: stands as {texts} in results.csv and run.json")
        with open(out / "summary.csv", newline="") as file:
            worst = next(csv.DictReader(file))
        self.again(worst["worst_command"], worst["worst_bits"], name)

    def report(self, out):
        self.on_stdout("report --csv", ["report", out, "--csv", "-"], ".csv", codes={0})
        self.run("report", ["report", out], codes={0})
        self.run("baseline save", ["baseline", "save", "main", out], codes={0})
        rules = "".join(f'  - {{method: "*", data: "*", metric: bits, same: {same}}}\n' for same in ("exact", "baseline"))
        (self.folder / "limits.yaml").write_text(f"schema: ulpscope-limits/1\nrules:\n{rules}")
        check = ["check", out, "--limits", "limits.yaml", "--baseline", "main"]
        self.run("check --github", [*check, "--github"], commands=True, codes={0, 1})
        self.run("check", [*check, "--junit", "made/j.xml", "--json", "made/c.json", "--markdown", "made/c.md"], codes={0, 1})
        self.files("check", self.folder / "made")

    def other_commands(self, spec):
        self.on_stdout("exact --json", ["exact", spec, "--json", "-"], ".json", codes={0})
        self.run("exact", ["exact", spec], codes={0})
        self.on_stdout("blame --json", ["blame", "plain/serial", spec, "--json", "-"], ".json", codes={0})
        self.run("blame", ["blame", "plain/serial", spec], codes={0})
        self.run("explain", ["explain", "plain/serial", "kahan/serial", spec, "--json", "made/e.json"], codes={0})
        self.run("tree", ["tree", "plain/serial", spec, "--json", "made/t.json", "--svg", "made/t.svg"], codes={0})
        for ending in ("csv", "f32"):
            self.run("gen", ["gen", spec, "-o", f"made/g.{ending}"], codes={0})
        self.run("exact of gen", ["exact", "made/g.csv"], codes={0})
        self.run("bench", ["bench", "-m", "plain/serial", "-n", "64", "--repeats", "1", "-d", spec, "--json", "made/b.json"], codes={0})
        self.files("commands", self.folder / "made")


def texts_elsewhere(names, text):
    """Hostile text where there is no file of that name."""
    word, run = os.fsdecode(text), names.run
    quoted = json.dumps(text.decode(errors="replace").replace("\ufffd", "?"))
    small = ["-q", "run", "--speed", "0", "--trials", "1", "--permutations", "0", "--blocks", "1", "--threads", "32"]
    one = [*small, "-m", "plain/serial"]
    for command in (["report"], ["check"], ["exact"], ["gen"], ["blame", "plain/serial"], ["tree"], ["explain", "kahan/serial"], ["lesson"], ["list"], ["doctor"],
                    ["bench", "-m", "plain/serial", "-n", "8"], ["baseline"], ["baseline", "save"], one, [*one, "-d"],
                    [*small, "-d", "uniform:n=8", "-m"], ["help"], [], [*one, "-d", "uniform:n=8", "--seed"], [*one, "-d", "uniform:n=8", "--trials"],
                    [*one, "-d", "uniform:n=8", "--device"], ["exact", "uniform:n=8", "--nonfinite"], ["gen", "uniform:n=8", "--format"]):  # fmt: skip
        run("words", [*command, word])
    run("words", [*one, "--" + word])
    run("words", [*one, "-q" + word])
    for setting in ("SEED", "DEVICE", "JOBS", "COLOR", "BLOCKS", "REPEATS"):
        run("environment", ["-q", "run", "-d", "uniform:n=8", "-m", "plain/serial", "--speed", "0"], env={f"ULPSCOPE_{setting}": word})
    run("environment", ["list", "config"], env={"ULPSCOPE_SEED": word, "ULPSCOPE_DEVICE": word})
    (names.folder / "study.yaml").write_text(
        f"schema: ulpscope-study/1\ntitle: {quoted}\nmethods: [plain/serial]\ndata:\n  - {{spec: \"uniform:n=8\", trials: 3}}\n")
    if run("titles", ["-q", "run", "study.yaml", "-o", "titled", "--speed", "0", "--overwrite"]).code == 0:
        names.files("titles", names.folder / "titled")
        names.on_stdout("titles", ["report", "titled"], ".txt")
    (names.folder / "limits.yaml").write_text(
        f"schema: ulpscope-limits/1\nrules:\n  - {{method: \"*\", data: \"*\", metric: bits, same: exact, why: {quoted}}}\n"
        f"allow:\n  - {{method: plain/serial, data: {quoted}, until: 2999-01-01, why: {quoted}}}\n")
    check = ["check", "titled", "--limits", "limits.yaml"]
    run("reasons", [*check, "--github"], commands=True)
    run("reasons", [*check, "--junit", "titled/j.xml", "--markdown", "titled/c.md", "--json", "titled/c.json"])
    names.files("reasons", names.folder / "titled")
    for key in ("rules", "x"):
        (names.folder / "bad.yaml").write_text(f"schema: ulpscope-limits/1\n{quoted}: 1\n{key}: [{{{quoted}: 1}}]\n")
        run("keys", ["check", "titled", "--limits", "bad.yaml"], commands=True)
        run("keys", ["run", "bad.yaml"])
    run("baselines", ["baseline", "save", word, "titled"])
    run("baselines", ["check", "titled", "--limits", "limits.yaml", "--baseline", word])
    attack.run(["rm", "-rf", "titled", "baselines", "study.yaml", "bad.yaml"], cwd=names.folder)


def in_run_db(names, text):
    """A run made elsewhere, with a hostile text in each place in turn: refused, or shown as what it is."""
    made = names.folder / "elsewhere"
    words = ["-q", "run", "-d", "uniform:n=8", "-m", "plain/serial", "--speed", "0", "--trials", "2", "-o", "elsewhere"]
    if names.run("run.db", words).code == 0:
        whole = (made / "run.db").read_bytes()
        for change in ("run value", "provenance value", "provenance name", "provenance topic", "methods id", "methods accumulator", "methods order_claim", "entries text",
                       "specs text", "specs family", "specs arguments", "results data", "results device", "results method"):  # fmt: skip
            (made / "run.db").write_bytes(whole)
            base = sqlite3.connect(made / "run.db")
            place, column = change.split()
            try:
                at = names.attacked.random.randrange(base.execute(f"SELECT count(*) FROM {place}").fetchone()[0])
                base.execute(f"UPDATE {place} SET {column} = ? WHERE {column} IN (SELECT {column} FROM {place} LIMIT 1 OFFSET {at})", (text.decode(errors="replace"),))
                base.commit()
            except sqlite3.Error:
                continue
            finally:
                base.close()
            for words in (["--csv", "-"], ["--json", "-"], ["--html", "shown/r.html", "--svg", "shown/svg"], []):
                names.run("run.db", ["report", "elsewhere", *words])
            names.files("run.db", names.folder / "shown")
    attack.run(["rm", "-rf", "elsewhere", "shown"], cwd=names.folder)


def as_folder(names, text):
    """A run in a folder of that name, and files of that name in a folder."""
    folder = "./f" + os.fsdecode(text)
    if names.run("folders", ["-q", "run", "-d", "uniform:n=8", "-m", "plain/serial", "--speed", "0", "-o", folder]).code == 0:
        names.files("folders", names.folder / folder)
        names.on_stdout("folders", ["report", folder], ".txt")
        names.run("folders", ["report", folder])
        names.run("folders", ["report", folder, folder])
        names.run("folders", ["gen", "uniform:n=3", "-o", folder + "/x" + os.fsdecode(text[:40]) + ".csv"])
    attack.run(["rm", "-rf", "--", folder], cwd=names.folder)


def main():
    attacked = attack.Attack("names", __doc__.split("\n", maxsplit=1)[0])
    names = Names(attacked)
    the_checkers_see(attacked)
    chosen = FIXED if not attacked.is_short else [*FIXED[:2], FIXED[12], FIXED[36]]
    for name in chosen:
        names.measure(name)
    for name in FIXED if attacked.is_short else ():  # the name alone
        (names.folder / os.fsdecode(name)).write_bytes(struct.pack("<2f", 1, 2))
        done = names.on_stdout("blame --json", ["blame", "plain/serial", spec_of(name), "--json", "-"], ".json", codes={0})
        if done.code == 0 and name_in(json.loads(done.out)["data"]) != name:
            attacked.fail(f"{name!r} stands as {json.loads(done.out)['data']!r}")
    for text in [b"k\n::error::x\x1b[1m\xff", *(FIXED if not attacked.is_short else ())]:
        texts_elsewhere(names, text[:-4] if text.endswith(b".raw") else text)
        as_folder(names, text)
        in_run_db(names, text)
    while not attacked.is_short and not attacked.is_over():
        names.measure(hostile(attacked.random) + b".raw")
        texts_elsewhere(names, hostile(attacked.random))
        as_folder(names, hostile(attacked.random, 200))
        in_run_db(names, hostile(attacked.random))
    attacked.close()


if __name__ == "__main__":
    sys.exit(main())
