"""Two runs held against each other, from their rows alone: what became of each series, and how that is said."""

import json
import math

from .outputs import blocks_of, cut, held_blocks, held_table, held_texts, same
from .rounding import shown, shown_error
from .run import NAN
from .tables import Table

ALWAYS_DIFFER = {("run", name) for name in ("date", "command", "resumed on", "resumed by")}
MOST = {"terminal": 20}


def is_more(a, b):
    """The order of errors: a NaN is more than any number."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) - math.isnan(b)
    return (a > b) - (a < b)


class Pair:
    def __init__(self, first, other, seeds):
        self.first, self.other = first, other
        key = lambda row: (row.trial, row.repeat)
        bits = lambda row: "nan" if row.cells["computed"] == "nan" else row.bits
        rows = {key(row): row for row in other.rows}
        together = [(row, rows[key(row)]) for row in first.rows if key(row) in rows] if seeds[0] == seeds[1] else []
        self.other_data = any(a.exact != b.exact for a, b in together)
        together = [(a, b) for a, b in together if a.exact == b.exact]
        self.common, self.differ = len(together), sum(bits(a) != bits(b) for a, b in together)
        self.same_bits = first.bits_hash() == other.bits_hash()
        self.judge(seeds)

    def judge(self, seeds):
        first, other = self.first, self.other
        error = lambda one: one.statistics["ulp_error"]
        wrong = lambda one: sum(one.trouble[:4])
        facts = [("", first.format, other.format), ("", first.operation, other.operation), ("seed ", *seeds), ("n ", first.n, other.n),
                 ("sums ", first.count, other.count)]
        self.became, self.decider, self.why, self.then, self.now = "same", "", "", error(first)["max"], error(other)["max"]
        unlike = [f"{name}{a} against {b}" for name, a, b in facts if a != b]
        if unlike or self.other_data:
            self.became, self.why = "not comparable", unlike[0] if unlike else "other data of the same spec"
        elif not self.same_bits:
            for name, a, b in (("nonfinite", float(wrong(first)), float(wrong(other))), ("max", error(first)["max"], error(other)["max"]),
                               ("p99", error(first)["p99"], error(other)["p99"]), ("p50", error(first)["p50"], error(other)["p50"])):
                if is_more(b, a):
                    self.became, self.decider, self.then, self.now = "worse" if is_more(b, a) > 0 else "better", name, a, b
                    break

    def factor(self):
        if self.other_data:
            return 1.0
        if self.then == self.now or (math.isnan(self.then) and math.isnan(self.now)):
            return 1.0
        if self.then == 0:
            return math.inf if self.now > 0 else NAN
        return self.now / self.then

    def changed(self):
        return self.differ > 0 or self.became in ("worse", "better")

    def harm(self):
        """Worse by how much; then other bits, by how many; then better, the best last."""
        rank = {"worse": 0, "not comparable": 1, "same": 2, "better": 3}[self.became]
        factor = self.factor()
        factor = factor if not math.isnan(factor) else -1 if self.became == "better" else math.inf
        return rank, -factor, -(self.differ / self.common if self.common else 0)


class Comparison:
    def __init__(self, first, other, names):
        self.first, self.other, self.names = first, other, names
        seeds = (first.seed, other.seed)
        left = {}
        for one in other.series:
            left.setdefault((one.method, one.data, one.launch), []).append(one)
        self.pairs, missing = [], []
        for one in first.series:
            partners = left.get((one.method, one.data, one.launch))
            if partners:
                self.pairs.append(Pair(one, partners.pop(0), seeds))
            else:
                missing.append(one)
        new = [one for one in other.series if any(one is rest for rest in left.get((one.method, one.data, one.launch), []))]
        self.missing, self.new = self.absences(missing, other), self.absences(new, first)
        self.changed = sorted((index for index, pair in enumerate(self.pairs) if pair.changed()), key=lambda index: self.pairs[index].harm() + (index,))

    def absences(self, series, lacking):
        """{(what, name): how many series}, by what the other run lacks."""
        found = {}
        for one in series:
            if one.method not in lacking.methods:
                key = ("method", one.method)
            elif not any(one.data in texts for texts in lacking.specs):
                key = ("data", one.data)
            elif one.launch not in lacking.launches:
                key = ("launch", "%d x %d" % one.launch)
            else:
                key = ("series", f"{one.method} on {one.data}")
            found[key] = found.get(key, 0) + 1
        return found

    def count(self, became):
        return sum(pair.became == became for pair in self.pairs)

    def sentence(self):
        compared = sum(pair.common > 0 for pair in self.pairs)
        differing = sum(pair.differ > 0 for pair in self.pairs)
        if not self.pairs:
            text = "B and A have no series in common"
        elif not compared:
            text = f"B and A have no sum of the same data in common: {self.pairs[0].why}"
        elif differing:
            text = f"B differs from A in the bits of {differing} of {compared} series"
        else:
            text = "B has the bits of A in " + ("the one series" if compared == 1 else f"all {compared} series")
        if self.count("worse") + self.count("better"):
            text += f"; worse in {self.count('worse')}, better in {self.count('better')}"
        if self.count("not comparable") and compared:
            text += f"; the errors of {self.count('not comparable')} are not comparable"
        lone = [f"{sum(found.values())} {word}" for found, word in ((self.new, "new"), (self.missing, "missing")) if found]
        return text + ("; " + ", ".join(lone) if lone else "") + "."

    # ---- tables ----

    def runs(self):
        facts = [("device", ("device", "name")), ("driver", ("device", "driver")), ("toolkit", ("build", "CUDA compiler")),
                 ("compiler", ("build", "C compiler")), ("commit", ("program", "commit")), ("date", ("run", "date"))]
        words = lambda run, key: "-" if run.facts.get(key, "") in ("", "none") else run.facts[key]
        facts = [(title, key) for title, key in facts if any(words(run, key) != "-" for run in (self.first, self.other))]
        return Table(1, [["run", "name"] + [title for title, _ in facts]] + [
            [letter, name] + [words(run, key) for _, key in facts]
            for letter, name, run in zip("AB", self.names, (self.first, self.other))])

    def facts_part(self, most):
        rows = [["fact", "A", "B"]]
        keys = list(dict.fromkeys(list(self.first.facts) + list(self.other.facts)))
        for key in keys:
            a, b = self.first.facts.get(key, ""), self.other.facts.get(key, "")
            if key not in ALWAYS_DIFFER and a != b:
                rows.append([": ".join(key), a or "-", b or "-"])
        return "What differs in the making", "What the runs state of themselves, as far as it differs.", Table(1, rows)

    def changed_part(self, most):
        with_launch = len({pair.first.launch for pair in self.pairs}) > 1
        rows = [["method", "data"] + ["launch"] * with_launch + ["error", "other bits", "ulp, A | B"]]
        for index in self.changed[:most]:
            pair = self.pairs[index]
            factor = pair.factor()
            change = (f"{pair.became}: {pair.why}" if pair.why else pair.became if factor == 1 or not math.isfinite(factor) else
                      f"{pair.became}, x {shown(factor)}")
            a, b = (pair.then, pair.now) if pair.decider else (pair.first.worst.error, pair.other.worst.error)
            errors = f"{pair.decider or 'max'} {shown_error(a)}" + ("" if shown_error(a) == shown_error(b) else f" | {shown_error(b)}")
            rows.append([pair.first.method, pair.first.data] + (["%d x %d" % pair.first.launch] if with_launch else []) +
                        [change, f"{pair.differ} of {pair.common}" if pair.common else "-", errors])
        rest = f"; the first {most} of {len(self.changed)}, all of which --json lists" if len(self.changed) > most else ""
        return ("Changed series", "Series with other errors (the first that differs decides; wrong NaN and infinities, the largest in ulp, p99, p50) "
                f"or other bits, worst first{rest}.", Table(2, rows))

    def absences_part(self, most):
        rows = [["change", "what", "name", "series"]]
        rows += [[word, what, name, str(count)] for word, found in (("missing", self.missing), ("new", self.new))
                 for (what, name), count in found.items()]
        return "New and missing", "Missing: only A has it. New: only B has it.", Table(2, rows)

    def speeds_part(self, most):
        def words(speed):
            fastest, median = map(shown, speed[:2])
            return f"{fastest} ns" if fastest == median else f"{fastest}..{median} ns"

        rows = [["method", "backend", "launch", "A", "B", "B / A"]]
        for (launch, method), a in self.first.speeds.items():
            b = self.other.speeds.get((launch, method))
            if b is None:
                continue
            ratio = b[0] / a[0]
            alike = (a[0] <= b[1] and b[0] <= a[1]) or 1 / 1.1 < ratio < 1.1
            rows.append([method, "replay", "%d x %d" % launch, words(a), words(b), shown(ratio) + ("" if alike else " slower" if ratio > 1 else " faster")])
        return ("Speeds", "Speed: time per element, fastest round..median; B / A is of times; slower, faster: by more than 10 %, and the spreads "
                "do not overlap.", Table(1, rows))

    def parts(self, most):
        made = (self.facts_part(most), self.changed_part(most), self.absences_part(most), self.speeds_part(most))
        return [part for part in made if len(part[2].rows) > 1]


def incomplete(comparison):
    partial = [(letter, run) for letter, run in (("A", comparison.first), ("B", comparison.other)) if run.measured_cases < run.cases]
    text = " ".join(f"Incomplete: {run.measured_cases} of {run.cases} data sets of {letter} were summed." for letter, run in partial)
    return [text] if text else []


def terminal(text, comparison):
    expected = [("text", [line]) for line in incomplete(comparison)] + [("table", comparison.runs()), ("text", [comparison.sentence()])]
    for title, note, table in comparison.parts(MOST["terminal"]):
        expected += [("text", [title, note]), ("table", table)]
    return held_blocks("comparison", list(blocks_of(text)), expected)


def as_json(text, comparison):
    found = json.loads(text)["comparisons"][0]
    wrong = []
    pairs = comparison.pairs
    counts = {"series": len(pairs), "bits_compared": sum(pair.common > 0 for pair in pairs), "bits_differ": sum(pair.differ > 0 for pair in pairs),
              "worse": comparison.count("worse"), "better": comparison.count("better"), "same": comparison.count("same"),
              "not_comparable": comparison.count("not comparable"), "across_backends": 0, "new": sum(comparison.new.values()),
              "missing": sum(comparison.missing.values())}
    absences = lambda found: [{"kind": kind, "name": name, "series": count} for (kind, name), count in found.items()]
    for key, value in (("counts", counts), ("changed", comparison.changed), ("new", absences(comparison.new)), ("missing", absences(comparison.missing))):
        if not same(found[key], value):
            wrong.append(f"comparison.json: {key} is {cut(str(found[key]))} where the rows say {cut(str(value))}")
    for one, pair in zip(found["series"], pairs):
        expected = {"method": pair.first.method, "data": pair.first.data, "sums_compared": pair.common, "sums_differ": pair.differ,
                    "bits": "not compared" if not pair.common else "differ" if pair.differ else "same", "error": pair.became,
                    "error_of": pair.decider or None, "why": pair.why or None, "factor": float(pair.factor())}
        wrong += [f"comparison.json, {pair.first.method} {pair.first.data}: {key} is {one[key]} where the rows say {value}"
                  for key, value in expected.items() if not same(one[key], value)]
    return wrong
