"""What a run measured: rows of results.csv, and what is computed from them here alone.

The order of methods, entries and launches, and the speeds, come from the tables of run.db; all that is said of sums comes from the rows.
"""

import csv
import hashlib
import math
import pathlib
import re
import sqlite3
from fractions import Fraction

CLASSES = ["exact", "finite", "zero_sum", "overflow", "out_of_range", "nan", "inf", "negative"]
METRICS = ["relative_error", "ulp_error", "backward_error", "bound_ratio"]
STATISTICS = ["min", "p50", "p90", "p99", "max", "mean"]
TROUBLES = [("nan", "not a number"), ("overflow", "overflow"), ("s too big", "s beyond the format"),
            ("not inf", "not infinite"), ("no digit", "no digit"), ("s is 0", "not 0, s is 0")]
NAN = math.nan


def number(text):
    """A hex-float or a decimal, rounded once."""
    if "x" not in text:
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.copysign(math.inf, -1 if text.startswith("-") else 1)


def most(values):
    """The largest; NaN is passed over."""
    known = [value for value in values if not math.isnan(value)]
    return max(known) if known else NAN


def least(values):
    known = [value for value in values if not math.isnan(value)]
    return min(known) if known else NAN


def quantile(ordered, percent):
    """The smallest that at least so many percent are not above."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def interval(values, repeats, percent):
    """Order statistics around a quantile whose ranks are too low, or too high, with at most 2.5 % each: in whole numbers."""
    values = sorted(math.inf if math.isnan(value) else value for value in values)
    n = len(values) // repeats
    chances = [math.comb(n, k) * percent**k * (100 - percent) ** (n - k) for k in range(n + 1)]  # of k values below it
    allowed = 100**n // 40
    low = next(k for k in range(n + 1) if sum(chances[: k + 1]) > allowed)
    high = next(k for k in range(n, -1, -1) if sum(chances[k:]) > allowed) + 1
    return values[(low - 1) * repeats] if low else NAN, values[high * repeats - 1] if high <= n else NAN


def mean(values):
    if any(math.isnan(value) for value in values):
        return NAN
    infinities = {value for value in values if math.isinf(value)}
    if infinities:
        return infinities.pop() if len(infinities) == 1 else NAN
    try:
        return float(sum(map(Fraction, values)) / len(values))
    except OverflowError:
        return math.inf


def statistics(values):
    if not values:
        return dict.fromkeys(STATISTICS, NAN)
    ordered = sorted(values, key=lambda value: (math.isnan(value), 0 if math.isnan(value) else value))
    return {"min": ordered[0], "p50": quantile(ordered, 50), "p90": quantile(ordered, 90), "p99": quantile(ordered, 99),
            "max": ordered[-1], "mean": mean(values)}


def ulp_of(row):
    """The spacing of the format at s, from the exponent of its hex-float."""
    precision, least_exponent = {"binary32": (24, -149), "binary64": (53, -1074)}[row.cells["format"]]
    mantissa, _, exponent = row.exact.partition("p")
    if not exponent:
        return NAN
    is_zero = mantissa.endswith("0x0")
    return math.ldexp(1, least_exponent if is_zero else max(int(exponent) - precision + 1, least_exponent))


class Row:
    def __init__(self, cells):
        self.cells = cells
        self.method, self.data, self.kind = cells["method"], cells["data"], cells["class"]
        self.n, self.trial, self.repeat, self.weight = (int(cells[key]) for key in ("n", "trial", "repeat", "weight"))
        self.launch = (int(cells["blocks"]), int(cells["threads"]))
        self.backend, self.device = cells["backend"], cells["device"]
        self.bits, self.exact = cells["computed_bits"], cells["exact"]
        self.metric = {metric: float(cells[metric]) for metric in METRICS}
        self.condition, self.bound = float(cells["condition"]), float(cells["bound"])
        self.probable, self.height = float(cells["probable_bound"]), int(cells["height"])
        computed = cells["computed"]
        self.is_right = (self.kind == "nan" and computed == "nan" and self.exact == "nan") or (
            self.kind == "inf" and self.bits == cells["nearest_bits"])
        self.trouble = (None if self.is_right else
                        {"nan": 0, "overflow": 1, "out_of_range": 2, "inf": 3, "zero_sum": 5}.get(
                            self.kind, 4 if self.metric["relative_error"] >= 1 else None))
        self.error = 0.0 if self.is_right else self.metric["ulp_error"]
        s = abs(number(self.exact))
        share = self.metric["bound_ratio"]
        self.claims = not math.isinf(self.bound) and not math.isnan(share)  # a bound above sum |x_i| does not, unless it is broken
        if 0 < s < math.inf and not math.isinf(self.bound) and self.claims == (self.bound > s * self.condition * (1 + 1e-12) and not share > 1):
            raise ValueError(f"{self.method} on {self.data}, trial {self.trial}: a bound of {self.bound} of {s * self.condition}")
        self.claimed = self.bound if self.claims else math.inf
        self.zero_is_within = self.claims and 0 < s < math.inf and self.bound >= s

    def defines(self, metric):
        if self.kind == "nan" and self.is_right:
            return False
        if metric == "relative_error":
            return self.kind != "zero_sum"
        return metric != "bound_ratio" or self.claims


class Sums:
    """Some rows of one method, and what became of them."""

    def __init__(self, rows):
        self.rows = rows
        self.count = len(rows)
        self.trouble = [sum(row.trouble == kind for row in rows) for kind in range(len(TROUBLES))]
        self.right = sum(row.is_right for row in rows)
        self.all_exact = self.count > 0 and all(row.is_right or row.kind == "exact" for row in rows)
        self.all_right = self.count > 0 and self.right == self.count
        self.distinct = self.find_distinct()

    def values(self, metric):
        return [row.metric[metric] for row in self.rows if row.defines(metric)]

    def largest(self, metric):
        return most(self.values(metric))

    def classes(self):
        return {kind: sum(row.kind == kind for row in self.rows) for kind in CLASSES}

    def find_distinct(self):
        found = {}
        for row in self.rows:
            found.setdefault((row.data, row.launch, row.backend, row.trial), set()).add(
                "nan" if row.cells["computed"] == "nan" else row.bits)
        return max(map(len, found.values()), default=0)

    def worst_trouble(self):
        return next((kind for kind, count in enumerate(self.trouble) if count), None)

    def error(self, metric="ulp_error"):
        """The worst, as limits are held to it: NaN where a sum has none."""
        if self.count == 0 or sum(self.trouble[:4]):
            return NAN
        if self.all_exact:
            return 0.0
        return NAN if metric == "relative_error" and self.trouble[5] else self.largest(metric)

    def digits(self):
        error = self.largest("relative_error")
        return sum(error <= float(f"1e-{digits}") for digits in range(1, 17))

    def histogram(self):
        """Counts by "exact", "no_digit", "nonfinite", "undefined" and binades."""
        found = {}
        for row in self.rows:
            error = row.metric["relative_error"]
            place = ("undefined" if row.kind == "zero_sum" else
                     "nonfinite" if row.kind in ("overflow", "out_of_range", "nan", "inf") or math.isnan(error) else
                     "exact" if error == 0 else "no_digit" if error >= 1 else math.frexp(error)[1] - 1)
            found[place] = found.get(place, 0) + 1
        return found


class Series(Sums):
    """All rows of one method, spec, launch and backend."""

    def __init__(self, entry, rows):
        super().__init__(rows)
        first = rows[0]
        self.entry, self.method, self.data, self.n = entry, first.method, first.data, first.n
        self.launch, self.backend, self.device, self.height = first.launch, first.backend, first.device, first.height
        self.format, self.operation = first.cells["format"], first.cells["operation"]
        self.statistics = {metric: statistics(self.values(metric)) for metric in METRICS}
        self.condition = statistics([row.condition for row in rows])["p50"]
        self.relative_bound = self.share_of_sum("claimed")
        self.relative_probable = self.share_of_sum("probable")
        self.worst = self.find_worst()

    def share_of_sum(self, bound):
        exact = [(getattr(row, bound), abs(number(row.exact))) for row in self.rows]
        return most([b / s for b, s in exact if not math.isinf(b) and math.isfinite(s) and s >= 2**-1022])

    def proven(self, is_ulp):
        """What no error of these sums may exceed, in ulps or as a share of |s|; NaN where that is not known of all that have an error, or one exceeds it."""
        if self.statistics["bound_ratio"]["max"] > 1:
            return NAN
        bounds = []
        for row in self.rows:
            if row.is_right:
                continue
            s = abs(number(row.exact))
            if math.isinf(row.claimed) or (not is_ulp and not (s >= 2**-1022 and math.isfinite(s))):
                return NAN
            bounds.append(row.bound / (ulp_of(row) if is_ulp else s))
        return most(bounds)

    def find_worst(self):
        worst = self.rows[0]
        for row in self.rows[1:]:
            if (not math.isnan(worst.error)) if math.isnan(row.error) else row.error > worst.error:
                worst = row
        return worst

    def bits_hash(self):
        """Of the lines "trial repeat bits", and the weight where it is not 1."""
        text = "".join("%d %d %s%s\n" % (row.trial, row.repeat,
                                         ("7fc00000" if self.format == "binary32" else "7ff8000000000000")
                                         if row.cells["computed"] == "nan" else row.bits[2:],
                                         "" if row.weight == 1 else f" {row.weight}") for row in self.rows)
        return hashlib.sha256(text.encode()).hexdigest()

    def command(self, run):
        row = self.worst
        return (f"ulpscope run -m {self.method} {run.arguments[self.entry, self.data]} --seed {run.seed} --trial {row.trial} "
                f"--blocks {self.launch[0]} --threads {self.launch[1]} --device host")


class Group:
    """The series of one entry, launch and backend."""

    def __init__(self, run, entry, series):
        first = series[0]
        self.run, self.entry, self.launch = run, entry, first.launch
        self.backend, self.device, self.format = first.backend, first.device, first.format
        self.text = run.entries[entry][0]
        self.data = list(dict.fromkeys(one.data for one in series))
        self.methods = [method for method in run.methods if any(one.method == method for one in series)]
        self.at = {(one.data, one.method): one for one in series}
        self.others = [one for one in run.series if one.entry == entry]
        self.other_launches = any(one.launch != self.launch for one in self.others)

    def any(self, data):
        return next(self.at[data, method] for method in self.methods if (data, method) in self.at)

    def sums(self, method, data=None):
        return Sums([row for one in self.data if data in (None, one) and (one, method) in self.at
                     for row in self.at[one, method].rows])

    def conditions(self):
        return [self.any(data).condition for data in self.data]


class Run:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        store = sqlite3.connect(f"file:{self.folder / 'run.db'}?mode=ro", uri=True)
        facts = dict(store.execute("SELECT key, value FROM run"))
        self.seed, self.cases, self.title, self.repeats = (int(facts["seed"]), int(facts["cases"]), facts["title"],
                                                           int(facts["repeats"]))
        self.study = facts["study"]
        self.measured_cases = store.execute("SELECT count(*) FROM cases WHERE is_finished").fetchone()[0]
        self.facts = {(topic, name): value for topic, name, value in store.execute("SELECT topic, name, value FROM provenance ORDER BY topic, name")}
        self.methods, self.claims, self.deterministic = [], {}, {}
        for method, accumulator, order, determinism in store.execute(
                "SELECT id, accumulator_claim, order_claim, determinism FROM methods ORDER BY method_index"):
            self.methods.append(method)
            self.claims[method] = f"{accumulator}; {order}"
            self.deterministic[method] = determinism == 0
        self.launches = list(store.execute("SELECT blocks, threads FROM launches ORDER BY launch_index"))
        self.entries = list(store.execute("SELECT text, trials FROM entries ORDER BY entry"))
        self.permuted = [bool(permuted) for permuted, in store.execute("SELECT permuted FROM entries ORDER BY entry")]
        self.specs, self.arguments, self.families = [[] for _ in self.entries], {}, {}
        for entry, text, family, arguments in store.execute("SELECT entry, text, family, arguments FROM specs ORDER BY entry, spec"):
            self.specs[entry].append(text)
            self.arguments[entry, text] = arguments
            self.families[entry, text] = family
        self.unordered = dict(((entry, text), unordered) for entry, text, unordered in store.execute(
            "SELECT entry, text, unordered FROM specs"))
        self.speeds = {}
        for launch, method, n, rounds, fastest, median in store.execute(
                "SELECT launch_index, method_index, n, rounds, microseconds, median FROM speeds"):
            self.speeds[self.launches[launch], self.methods[method]] = (1000 * fastest / n, 1000 * median / n, n, rounds)
        store.close()
        self.read_rows()
        self.groups = [Group(self, *key, members) for key, members in self.grouped()]

    def read_rows(self):
        with open(self.folder / "results.csv", newline="") as file:
            self.rows = [Row(cells) for cells in csv.DictReader(file)]
        entries, seen, found = {}, {}, {}
        for entry, texts in enumerate(self.specs):
            for text in texts:
                entries.setdefault(text, []).append(entry)
        for row in self.rows:  # equal specs of two entries come one after the other
            sum_of = (row.data, row.launch, row.backend, row.method, row.trial, row.repeat)
            entry = entries[row.data][min(seen.get(sum_of, 0), len(entries[row.data]) - 1)]
            seen[sum_of] = seen.get(sum_of, 0) + 1
            found.setdefault((entry, self.specs[entry].index(row.data), self.launches.index(row.launch), row.backend,
                              self.methods.index(row.method)), []).append(row)
        self.series = [Series(key[0], found[key]) for key in sorted(found)]

    def grouped(self):
        found = {}
        for one in self.series:
            found.setdefault((one.entry, one.launch, one.backend), []).append(one)
        return [((key[0],), members) for key, members in found.items()]

    def cost(self, launch, method):
        """Nanoseconds an element in the fastest round, or None."""
        return self.speeds.get((launch, method), (None,))[0]


def parameters(spec):
    """[("cond", "1e8"), ...]"""
    if ":" not in spec:
        return []
    return [tuple((part + "=").split("=")[:2]) for part in spec.split(":", 1)[1].split(",")]


SIZES = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def value_of(text):
    """Of a parameter; a text that is no number stays one."""
    match = re.fullmatch(r"([+-]?[\d.]+(?:e[+-]?\d+)?)([KMGT]i?)?", text)
    return Fraction(match[1]) * SIZES.get(match[2], 1) if match else text
