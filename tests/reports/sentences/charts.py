"""What the pictures show, and what their captions say, from the rows alone.

A caption is a list of sentences, each made by a function of KINDS: a text that must be there, None where there is nothing to say,
or Maybe(text), which says how to read the picture and stands under the first picture of its kind only.
"""

import math
import re

from .cell import Cell
from .rounding import plural, shown, shown_error
from .run import NAN, interval, least, most
from .verdict import vary


class Maybe(str):
    pass


def accumulator(method):
    return method.split("/")[0]


def drawn(methods, room):
    """Of many methods, the first of each accumulator."""
    if len(methods) <= room:
        return list(methods)
    first = {}
    for method in methods:
        first.setdefault(accumulator(method), method)
    return list(first.values())[:room]


def say_drawn(methods, shown_methods):
    if len(methods) == len(shown_methods):
        return None
    accumulators = len({accumulator(method) for method in methods})
    few = f", as far as the first {len(shown_methods)} of {accumulators} accumulators" if len(shown_methods) < accumulators else ""
    return f"{len(shown_methods)} of {len(methods)} methods are drawn: the first of each accumulator{few}."


def launch_words(launch):
    return f"{launch[0]} block{plural(launch[0])} of {launch[1]} thread{plural(launch[1])}"


class Chart:
    missing = None
    kinds = ()

    def sentences(self):
        return [text for text in (kind(self) for kind in self.kinds) if text is not None]

    def finding(self):
        return " ".join(text for text in self.sentences() if not isinstance(text, Maybe))

    def caption(self):
        return " ".join(self.sentences())


class GroupChart(Chart):
    def __init__(self, group):
        self.group, self.run, self.title = group, group.run, group.text
        self.context = launch_words(group.launch) + "; " if group.other_launches else ""
        self.suffix = f"-{group.entry + 1}-{self.family()}" + ("-%dx%d" % group.launch if group.other_launches else "")

    def family(self):
        name = self.group.text.split(":")[0]
        return name if re.fullmatch("[a-z0-9_]+", name) else "file"


# ---- histograms ----


def histogram_reading(chart):
    return Maybe(
        "How often a relative error occurred; left is better. A bar is a binade; exact sums stand to the left of the axis, and sums "
        "with no correct digit, no finite value, or no defined error (s is 0) to its right, so that the bars of a panel add up to all "
        "its sums. The broken grey line is u, the largest relative error of one correct rounding. The orange lines mark the bars in "
        "which the median (p50) and the 99th percentile (p99) fall, exact sums counted below all others, and sums without a finite or "
        "defined error left out.")


def who_is_below_u(chart):
    below = [method for method, sums in chart.sums.items()
             if all(row.kind in ("exact", "finite") and row.metric["relative_error"] < 2.0**-chart.precision for row in sums.rows)]
    if not below:
        return "No method has all its sums below u."
    if len(below) == 1:
        return f"All sums of {below[0]} are below u."
    if len(below) == len(chart.sums):
        return "All sums of all methods are below u."
    return f"All sums of {below[0]} and {len(below) - 1} other{plural(len(below) - 1)} are below u."


def who_has_no_digit(chart):
    counts = {method: sums.histogram().get("no_digit", 0) for method, sums in chart.sums.items()}
    worst = max(counts, key=counts.get)
    return f"{worst} has no correct digit in {counts[worst]} of {chart.sums[worst].count}." if counts[worst] else None


def conditions_added_up(chart):
    known = [value for value in chart.group.conditions() if math.isfinite(value)]
    return f"The conditions from {shown(min(known))} to {shown(max(known))} are added up here." if vary(known) else None


class Histogram(GroupChart):
    kind, room = "histogram", 18
    kinds = (histogram_reading, who_is_below_u, who_has_no_digit, conditions_added_up, lambda chart: say_drawn(chart.group.methods, chart.drawn))

    def __init__(self, group):
        super().__init__(group)
        self.sums = {method: group.sums(method) for method in group.methods}
        self.precision = {"binary32": 24, "binary64": 53, "binary16": 11, "bfloat16": 8, "e4m3": 4, "e5m2": 3}[group.format]
        self.drawn = drawn(group.methods, self.room)
        some = f"; {len(self.drawn)} of {len(group.methods)} methods drawn" if len(self.drawn) < len(group.methods) else ""
        self.subtitle = f"{self.context}sums by relative error; one bar per binade{some}"
        self.name = "histogram" + self.suffix

    def table(self):
        counts = {method: self.sums[method].histogram() for method in self.drawn}
        for bins in counts.values():  # one bar for all below 2^-799
            bins[-800] = sum(bins.pop(place) for place in list(bins) if isinstance(place, int) and place <= -800)
        every = [max(place, -800) for sums in self.sums.values() for place in sums.histogram() if isinstance(place, int)]
        rows = [("exact", "exact")]
        if every:
            rows += [(f"{f'2^{k}' if k > -800 else '0'} up to 2^{k + 1}", k) for k in range(min(every), max(every) + 1)]
        rows += [("no correct digit", "no_digit"), ("not finite", "nonfinite"), ("undefined", "undefined")]
        body = [[label] + [Cell.of(str(counts[method].get(place, 0)), counts[method].get(place, 0)) for method in self.drawn] for label, place in rows]
        return [["relative error"] + self.drawn] + body + [["all"] + [str(self.sums[method].count) for method in self.drawn]]


# ---- error against n or condition ----


def error_reading(chart):
    probable = "; broken green is the probabilistic bound, where it is less: it grows as the square root of the height" if chart.probable() else ""
    if chart.has_interval():
        probable += (". The orange band is the 95 % confidence interval of the median, by order statistics, which assume no distribution. The "
                     "purple one is that of the 99th percentile, which takes 368 sums")
    others = " Grey lines are the largest errors of the other panels." if len(chart.drawn) > 1 else ""
    return Maybe(
        f"The relative error against {chart.words}; lower is better. The band reaches from the median, orange, to the largest error, and the "
        f"broken blue line in it is the 99th percentile. No data exceed the proven bound{probable}.{others} The broken grey line is u, the "
        "largest relative error of one correct rounding. p99 of fewer than 100 sums is their largest.")


def several_specs(chart):
    placed = sum(x is not None for x in chart.x_of.values())
    return f"Of several specs with the same {chart.what}, the largest of each number is drawn." if len(chart.xs) < placed else None


def specs_left_out(chart):
    count = sum(x is None for x in chart.x_of.values())
    if not count:
        return None
    if chart.what == "n":
        return f"{count} spec{plural(count)} of no numbers {'is' if count == 1 else 'are'} left out."
    return (f"{count} spec whose median condition is not finite is left out." if count == 1 else
            f"{count} specs whose median conditions are not finite are left out.")


def undefined_sums(chart):
    none, every = chart.undefined()
    return (f"{none} of {every} sums are left out: the exact sum is 0 or not finite, where no relative error is defined." if none else None)


def error_at(one, name):
    value = one.statistics["relative_error"][name]
    return math.inf if math.isnan(value) and sum(one.trouble[:4]) else value


class ErrorChart(GroupChart):
    room, kind, how = 12, "error-", "one panel per method"
    kinds = (error_reading, lambda chart: say_drawn(chart.group.methods, chart.drawn), several_specs, specs_left_out,
             undefined_sums)

    def __init__(self, group, against):
        super().__init__(group)
        self.what = against
        self.words = "n" if against == "n" else "the condition number"
        self.kind += against
        self.name = self.kind + self.suffix
        self.drawn = drawn(group.methods, self.room)
        self.is_random = not group.run.permuted[group.entry]
        self.repeats = 1 if group.backend == "replay" else group.run.repeats
        self.subtitle = f"{self.context}relative error against {self.words}; {self.how}"
        self.find_xs()
        self.at = {method: {x: self.values(method, x) for x in self.xs} for method in group.methods}
        none, every = self.undefined()
        if not any(value["max"] > 0 for values in self.at.values() for value in values.values()):
            self.missing = ("the exact sums are 0 or not finite in all data, where no relative error is defined" if none == every else
                            f"all sums that have a relative error are exact; of {none} of {every} sums none is defined, because the exact sum "
                            "is 0 or not finite" if none else "all sums are exact")

    def find_xs(self):
        found = {data: float(self.group.any(data).n) if self.what == "n" else self.group.any(data).condition for data in self.group.data}
        self.xs = []
        for x in sorted(x for x in found.values() if math.isfinite(x) and x > 0):
            if not self.xs or x > (1 if self.what == "n" else 1.01) * self.xs[-1]:
                self.xs.append(x)
        self.x_of = {data: max(at for at in self.xs if at <= x) if math.isfinite(x) and x > 0 else None for data, x in found.items()}

    def applies(self):
        return len(self.xs) > 1

    def members(self, method, x):
        return [self.group.at[data, method] for data in self.group.data if self.x_of[data] == x and (data, method) in self.group.at]

    def values(self, method, x):
        """Statistics of the relative error at x, of several specs the largest; infinite where a sum is no number."""
        found = {}
        for name in ("p50", "p99", "max"):
            values = []
            for one in self.members(method, x):
                values.append(error_at(one, name))
            found[name] = most(values)
        for name, percent in (("p50", 50), ("p99", 99)):
            members = [one for one in self.members(method, x) if error_at(one, name) == found[name]] if self.is_random else []
            ends = interval(members[0].values("relative_error"), self.repeats, percent) if members else (NAN, NAN)
            found[name + " interval"] = ends
        found["proven"] = most([one.relative_bound for one in self.members(method, x)])
        probable = most([one.relative_probable for one in self.members(method, x)])
        found["probable"] = probable if not probable >= least([found["proven"], 1]) else NAN
        return found

    def probable(self):
        return any(not math.isnan(self.at[method][x]["probable"]) for method in self.drawn for x in self.xs)

    def has_interval(self):
        return any(not math.isnan(self.at[method][x]["p50 interval"][1]) for method in self.drawn for x in self.xs)

    def undefined(self):
        rows = [row for method in self.group.methods for x in self.xs for one in self.members(method, x) for row in one.rows]
        return sum(row.kind == "zero_sum" or row.is_right for row in rows), len(rows)

    def x_words(self, x):
        return str(int(x)) if self.what == "n" and x == int(x) else shown(x)

    def table(self):
        place = lambda value: "exact" if value <= 0 else "no digit" if value >= 1 else Cell.of(shown_error(value), value)
        ends = lambda value: value if isinstance(value, tuple) else (value,)
        nothing = lambda value: any(map(math.isnan, ends(value)))
        words = lambda value: "-" if nothing(value) else place(value) if not isinstance(value, tuple) else Cell.of(
            f"{place(value[0])} to {place(value[1])}", getattr(place(value[0]), "value", None))
        columns = [("median", "p50"), ("p99", "p99"), ("max", "max"), ("95 % interval of p99", "p99 interval"),
                   ("95 % interval of the median", "p50 interval"), ("proven bound", "proven"), ("probabilistic bound", "probable")]
        columns = [(head, key) for head, key in columns if any(not nothing(self.at[method][x][key]) for method in self.drawn for x in self.xs)]
        rows = [[method, self.x_words(x) if self.what == "n" else shown(x)] + [words(self.at[method][x][key]) for _, key in columns]
                for method in self.drawn for x in self.xs if any(not nothing(self.at[method][x][key]) for _, key in columns)]
        head = ["", "n" if self.what == "n" else "condition number"] + [head for head, _ in columns]
        return [row[1:] for row in [head] + rows] if len(self.drawn) == 1 else [head] + rows


def overlay_reading(chart):
    band = " A band is the 95 % confidence interval of a method's median, by order statistics, which assume no distribution."
    return Maybe(f"The largest relative error of each method against {chart.words}; lower is better. The broken grey line is u, the largest "
                 f"relative error of one correct rounding.{band if chart.has_interval() else ''}")


class Overlay(ErrorChart):
    """All methods on one axis: at the top of the page, and in the folder of pictures."""

    room, kind, how = 7, "overlay-", "the largest of each method"
    kinds = (overlay_reading, *(kind for kind in ErrorChart.kinds if kind is not error_reading))

    def applies(self):
        return len(self.group.methods) > 1 and super().applies()


# ---- charts of a setting ----


def charts_of(run):
    """By kind, in the order of the report."""
    return {
        "histograms": [Histogram(group) for group in run.groups],
        "error_n": [chart for chart in (ErrorChart(group, "n") for group in run.groups) if chart.applies()],
        "error_condition": [chart for chart in (ErrorChart(group, "condition") for group in run.groups) if chart.applies()],
        "overlay_n": [chart for chart in (Overlay(group, "n") for group in run.groups) if chart.applies()],
        "overlay_condition": [chart for chart in (Overlay(group, "condition") for group in run.groups) if chart.applies()],
    }
