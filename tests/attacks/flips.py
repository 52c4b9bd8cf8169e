"""A run.db that is damaged, or was changed by another program, is never believed.

    flips.py PROGRAM [--minutes M] [--seed S]

Every damage is either harmless, so that each command says and writes what it does of the whole run, or refused with exit status 2
or 3 and a reason; none is silent.  Damages: single bits; files cut short, or longer; pages swapped, zeroed, doubled; rows changed,
deleted and added by SQL; tables, views and triggers that no run has; the log of a killed run.  And rows that are changed by somebody
who makes the seals anew: they may be believed, but nothing crashes or hangs.
"""

import concurrent.futures
import itertools
import pathlib
import shutil
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import store_seal
from attack import Attack, run

STUDY = ["-m", "plain/serial", "-m", "kahan/tree_two_pass", "-d", "uniform:n=8..16*2", "-d", "gensum:n=16,cond=1e4",
         "-d", "harmonic:n=9", "--permutations", "20", "--trials", "20", "--blocks", "2", "--threads", "32"]
LIMITS = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: bound_ratio, limit: auto}
  - {method: "kahan/*", data: "*", metric: ulp_error, limit: 2}
"""
SURROUNDINGS = {"PATH": "/nowhere", "SOURCE_DATE_EPOCH": "1"}  # no time goes into pictures
COMMANDS = {
    "report": ["report", "D", "--csv", "r.csv", "--json", "r.json"],
    "check": ["check", "D", "--limits", "limits.yaml"],
    "baseline save": ["baseline", "save", "b.json", "D"],
    "run --resume": ["-q", "run", "--resume", "-o", "D", *STUDY, "--speed", "0"],
}
KEPT = ("r.csv", "r.json", "b.json", "D/results.csv")
PAGE = 4096


class Flips(Attack):
    def __init__(self):
        super().__init__("flips", __doc__.splitlines()[0])
        made = run([self.program, "run", "-q", "-o", "D", *STUDY, "--speed", "1024"], cwd=self.folder, env=SURROUNDINGS)
        if made.code:
            self.fail("the run cannot be made", made)
            self.close()
        self.take((self.folder / "D/run.db").read_bytes())
        self.tables = [name for name, in sqlite3.connect(self.folder / "D/run.db").execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.pool = concurrent.futures.ThreadPoolExecutor(4)

    def take(self, whole):
        """What is damaged from now on."""
        self.whole = whole
        self.expected = {name: self.answer(name, whole)[1] for name in COMMANDS}

    def answer(self, name, database, beside={}):
        """What the command makes of these bytes: its outcome, and (exit status, output, files)."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            folder = pathlib.Path(folder)
            (folder / "D").mkdir()
            (folder / "limits.yaml").write_text(LIMITS)
            (folder / "D/run.db").write_bytes(database)
            for ending, content in beside.items():
                (folder / f"D/run.db{ending}").write_bytes(content)
            outcome = run([self.program, *COMMANDS[name]], cwd=folder, env=SURROUNDINGS)
            files = [(folder / kept).read_bytes() if (folder / kept).exists() else None for kept in KEPT]
            return outcome, (outcome.code, outcome.out, files)

    def judge(self, name, database, beside={}):
        outcome, answer = self.answer(name, database, beside)
        if outcome.crime():
            return "crime", outcome
        if answer == self.expected[name]:
            return "harmless", outcome
        return "refused" if outcome.code in (2, 3) else "silent", outcome

    def hold(self, kind, damages, names):
        """damages: (what, bytes) each, which one command after the other looks at, in turn."""
        jobs = [(what, name, self.pool.submit(self.judge, name, database))
                for (what, database), name in zip(damages, itertools.cycle(names))]
        for what, name, job in jobs:
            verdict, outcome = job.result()
            self.count(f"{kind}: {verdict}")
            if verdict in ("crime", "silent"):
                self.fail(f"{kind}, {what}, {name}: {outcome.crime() or 'silent'}", outcome)

    def some(self, sequence, number):
        """All of them; of a short attack, as many."""
        sequence = list(sequence)
        return self.random.sample(sequence, min(number, len(sequence))) if self.is_short else sequence

    # ---- damages ----

    def flips(self, number):
        for _ in range(number):
            at = self.random.randrange(8 * len(self.whole))
            yield self.flip(at)

    def flip(self, at):
        damaged = bytearray(self.whole)
        damaged[at // 8] ^= 1 << at % 8
        return f"bit {at % 8} of byte {at // 8}", bytes(damaged)

    def lengths(self):
        for less in self.some(range(1, 445), 4):
            yield f"{less} bytes less", self.whole[:-less]
        for length in self.some(range(PAGE, len(self.whole), PAGE), 2):
            yield f"the first {length} bytes", self.whole[:length]
        for more in (1, 100, PAGE):
            yield f"{more} bytes more", self.whole + bytes(more)
            yield f"{more} bytes of noise more", self.whole + self.random.randbytes(more)

    def pages(self):
        count = len(self.whole) // PAGE
        pages = [self.whole[PAGE * i:PAGE * (i + 1)] for i in range(count)]
        for i, j in self.some(itertools.product(range(count), repeat=2), 6):
            if i == j:
                yield f"page {i} zeroed", b"".join([*pages[:i], bytes(PAGE), *pages[i + 1:]])
                continue
            yield f"page {i} in the place of {j} too", b"".join([*pages[:j], pages[i], *pages[j + 1:]])
            if i < j:
                yield f"pages {i} and {j} swapped", b"".join(
                    [*pages[:i], pages[j], *pages[i + 1:j], pages[i], *pages[j + 1:]])

    def changed(self, sql, sealed=False):
        """The run after an edit; None where the tables themselves refuse it."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            pathlib.Path(file.name).write_bytes(self.whole)
            store = sqlite3.connect(file.name)
            try:
                store_seal.make_changeable(store)
                store.executescript(sql)
                if sealed:
                    store_seal.seal(store)
            except (sqlite3.Error, OverflowError):
                return None
            finally:
                store.close()
            return pathlib.Path(file.name).read_bytes()

    def edits(self):
        """SQL that changes each table, and what is among them."""
        store = sqlite3.connect(self.folder / "D/run.db")
        for table in self.tables:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            yield f"DELETE FROM {table}"
            one = " AND ".join(f"{column} IS (SELECT {column} FROM {table} LIMIT 1)" for column in columns)
            yield f"DELETE FROM {table} WHERE {one}"
            yield f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1"  # most are refused by SQLite
            for column in columns:
                for value in (f"{column} + 1", f"{column} || 'x'", "NULL", "0.5", "-1", "x'00'", "1 << 62"):
                    yield f"UPDATE {table} SET {column} = {value}"
        for method in ("plain/none", "kahan/serial"):
            yield f"UPDATE methods SET id = '{method}' WHERE method_index = 0"
        yield "DELETE FROM results WHERE method_index = 1"
        yield "DELETE FROM results WHERE case_index = 2; DELETE FROM cases WHERE case_index = 2"
        yield "UPDATE cases SET is_finished = 0 WHERE case_index = 3"
        yield "INSERT INTO cases SELECT 99, entry, spec, trial, n, exact, condition, is_finished, row_count, seal FROM cases LIMIT 1"
        yield "UPDATE results SET case_index = 99 WHERE case_index = 3"
        yield "CREATE TABLE mine(x)"
        yield "CREATE INDEX mine ON measured(computed)"
        yield "CREATE VIEW mine AS SELECT 1"
        yield "CREATE TRIGGER mine AFTER INSERT ON measured BEGIN UPDATE measured SET ulp_error = 0; END"
        yield "CREATE TABLE kept AS SELECT * FROM measured; DROP TABLE measured; CREATE VIEW measured AS SELECT * FROM kept"
        yield "DROP VIEW results; CREATE VIEW results AS SELECT * FROM measured"
        endless = "WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x) SELECT"
        yield f"DROP TABLE measured; CREATE VIEW measured AS {endless} i AS id FROM x"
        yield ("PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'view', rootpage = 0, sql ="
               f" 'CREATE VIEW run(key TEXT PRIMARY KEY, value) AS {endless} ''schema'', i FROM x' WHERE name = 'run'")
        yield "ALTER TABLE measured ADD COLUMN more"
        yield "PRAGMA user_version = 7"
        yield "ANALYZE"

    def by_sql(self, statements, sealed=False):
        for sql in statements:
            database = self.changed(sql, sealed)
            if database and database != self.whole:
                yield sql, database

    def hostile(self, number):
        """Random values of one column, in some rows."""
        store = sqlite3.connect(self.folder / "D/run.db")
        columns = [(table, row[1]) for table in self.tables if table != "seal" for row in store.execute(f"PRAGMA table_info({table})")]
        values = ["0", "-1", "1", "1 << 62", "-(1 << 62)", "9223372036854775807", "4294967296", "NULL", "1e308", "-1e308", "9e999", "5e-324",
                  "-9e999", "0.5", "''", "'x'", "x'00ff'", "'a' || char(0) || 'b'", "char(27) || '[31m'", "'nan'", "'-inf'", "'0x1p+99999'",
                  "'0x0p-99999'", "'0x.p+1'", "'exact'", "'overflow'", "printf('%.*c', 100000, 'y')", "{c} + 1", "{c} * 3", "-{c}", "{c} || {c}"]
        for _ in range(number):
            edits = []
            for _ in range(self.random.randint(1, 3)):
                table, column = self.random.choice(columns)
                value = self.random.choice(values).format(c=column)
                edits.append(f"UPDATE {table} SET {column} = {value}" + self.random.choice(["", " WHERE abs(random()) % 3 = 0"]))
            if self.random.random() < 0.2:
                edits.append(f"DELETE FROM {self.random.choice(self.tables)} WHERE abs(random()) % 2 = 0")
            yield "; ".join(edits)

    # ---- what is held ----

    def survive(self, number):
        jobs = [(sql, name, self.pool.submit(self.answer, name, database)) for (sql, database), name in
                zip(self.by_sql(self.hostile(number), sealed=True), itertools.cycle(COMMANDS))]
        for sql, name, job in jobs:
            outcome, _ = job.result()
            self.count("made seals: survived")
            if outcome.crime():
                self.fail(f"made seals, {sql}, {name}: {outcome.crime()}", outcome)

    def log(self):
        """A killed run: the database, and a log that is damaged.  SQLite leaves out what its own checksums do not fit."""
        path = self.folder / "killed.db"
        path.write_bytes(self.whole)
        keeper = sqlite3.connect(path)
        keeper.execute("PRAGMA journal_mode = WAL").fetchall()
        keeper.execute("SELECT count(*) FROM run").fetchall()
        writer = sqlite3.connect(path)
        for change in ("value || 'x'", "rtrim(value, 'x')"):  # there and back: its pages stand in the log
            writer.execute(f"UPDATE run SET value = {change} WHERE key = 'title'")
        store_seal.seal(writer)
        database, log = path.read_bytes(), pathlib.Path(f"{path}-wal").read_bytes()
        writer.close(), keeper.close()
        for at in self.some([self.random.randrange(8 * len(log)) for _ in range(200)], 6):
            damaged = bytearray(log)
            damaged[at // 8] ^= 1 << at % 8
            name = self.random.choice(["report", "run --resume"])
            verdict, outcome = self.judge(name, database, {"-wal": bytes(damaged)})
            self.count(f"log: {verdict}")
            if verdict in ("crime", "silent"):
                self.fail(f"log, bit {at}, {name}: {outcome.crime() or 'silent'}", outcome)

    def twin(self):
        """A change that nothing could notice, since its seals fit, is one that this attack notices."""
        forged = self.changed("UPDATE results SET ulp_error = 2 * ulp_error + 1", sealed=True)
        verdicts = {name: self.judge(name, forged)[0] for name in ("report", "check", "baseline save", "run --resume")}
        if set(verdicts.values()) != {"silent"}:
            self.fail(f"the twin is not noticed: {verdicts}")

    def attack(self):
        every = list(COMMANDS)
        self.twin()
        self.hold("bits", self.flips(16 if self.is_short else 1500), every)
        self.hold("bits of the header", map(self.flip, self.some(range(8 * 100), 4)), every)
        self.hold("lengths", self.lengths(), every)
        self.hold("pages", self.pages(), every)
        self.hold("sql", self.by_sql(self.some(self.edits(), 12)), every)
        self.log()
        self.survive(8 if self.is_short else 1000)
        self.take(self.changed("DELETE FROM results WHERE case_index % 3 = 0; DELETE FROM cases WHERE case_index % 3 = 0;"
                               "UPDATE cases SET is_finished = 0 WHERE case_index % 3 = 1", sealed=True))
        self.hold("bits of half a run", self.flips(8 if self.is_short else 500), ["run --resume", "report"])
        while not self.is_short and not self.is_over():
            self.hold("bits", self.flips(100), every)
            self.survive(100)


attack = Flips()
attack.attack()
attack.close()
