"""Which method may be used on which data, as docs/metrics.md defines it: lines, cells, winners."""

import collections
import math

from .rounding import plural, shown, shown_error
from .run import NAN, TROUBLES, most

LEVELS = [(0.5, "correctly rounded"), (1, "within 1 ulp"), (4, "within 4 ulp")]


class Limit:
    def __init__(self, text):
        self.text, self.is_ulp = text, text.endswith("ulp")
        self.most = float(text.removesuffix("ulp"))

    def words(self):
        return f"within {self.text.removesuffix('ulp')} ulp" if self.is_ulp else f"within a relative error of {self.text}"

    def holds(self, sums):
        return sums.error("ulp_error" if self.is_ulp else "relative_error") <= self.most


class Line:
    """An entry, or one of its specs where the conditions differ, at one launch."""

    def __init__(self, group, data, whole):
        run = group.run
        self.group, self.data, self.whole, self.view = group, data, whole, (group.launch, group.backend, group.device)
        self.condition = group.any(data[0]).condition
        self.family = run.families[group.entry, run.specs[group.entry][0]]
        self.full = group.text if whole else data[0]
        self.sums = {method: group.sums(method) if whole else group.sums(method, data[0]) for method in run.methods}
        counts = {spec: max(group.at[spec, method].count for method in group.methods if (spec, method) in group.at) for spec in data}
        self.complete = {method: all((spec, method) in group.at and group.at[spec, method].count == counts[spec] for spec in data)
                         for method in run.methods}
        self.median = {method: most([group.at[spec, method].statistics["ulp_error"]["p50"] for spec in data if (spec, method) in group.at])
                       for method in run.methods}

        self.count = sum(counts.values())
        self.series = {method: [group.at[spec, method] for spec in data if (spec, method) in group.at] for method in run.methods}

    def proven(self, method, limit):
        """The largest bound of its sums; NaN where one lacks it."""
        bounds = [one.proven(limit.is_ulp) for one in self.series[method]]
        return max(bounds) if bounds and not any(map(math.isnan, bounds)) else NAN

    def holds_by_proof(self, method, limit):
        return self.complete[method] and self.proven(method, limit) <= limit.most

    def holds(self, method, limit):
        return self.complete[method] and limit.holds(self.sums[method])


def level(sums, target):
    """The word of a cell."""
    trouble = sums.worst_trouble()
    within = target is not None and target.holds(sums)
    if sums.count == 0:
        return "-"
    if sums.all_exact:
        return "as IEEE" if sums.all_right else "exact"
    if trouble is not None and not within:
        return TROUBLES[trouble][0]
    for limit, word in LEVELS:
        if within and target.is_ulp and target.most < limit:
            return "within target"
        if sums.error() <= limit:
            return word
    if within:
        return "within target"
    digits = sums.digits()
    return "under 1 digit" if digits == 0 else f"{digits} digit{plural(digits)}"


def vary(conditions):
    known = [value for value in conditions if not math.isnan(value)]
    return bool(known) and max(known) > 1.01 * min(known)


Choice = collections.namedtuple("Choice", "named next count alike")


class Verdict:
    def __init__(self, run, target=None):
        self.run, self.target = run, Limit(target) if target else None
        self.limits = [Limit("1ulp"), Limit("4ulp")]
        if self.target and not (self.target.is_ulp and self.target.most in (1, 4)):
            self.limits.append(self.target)
        self.methods = [method for method in run.methods if any(one.method == method for one in run.series)]
        self.lines = []
        for group in run.groups:
            apart = vary(group.conditions()) if len(group.data) > 0 else False
            self.lines += [Line(group, [data], len(group.data) == 1) for data in group.data] if apart else [Line(group, group.data, True)]
        self.views = list(dict.fromkeys(line.view for line in self.lines))
        self.has_speeds = any((view[0], method) in run.speeds for view in self.views for method in self.methods)

    def choose(self, view, methods):
        """The fastest, and how many are equally fast; methods that were not timed come last."""
        if not methods:
            return Choice(None, None, 0, 0)
        launch = view[0]
        by_cost = sorted(methods, key=lambda method: (self.run.cost(launch, method) is None, self.run.cost(launch, method) or 0))
        alike = [method for method in methods if method != by_cost[0] and self.run.equally_fast(launch, method, by_cost[0])]
        slower = [method for method in by_cost[1:] if method not in alike]
        return Choice(by_cost[0], slower[0] if slower else None, len(methods), len(alike))

    def choice(self, line, limit):
        return self.choose(line.view, [method for method in self.methods if line.holds(method, limit)])

    def choice_by_proof(self, line, limit):
        return self.choose(line.view, [method for method in self.methods if line.holds_by_proof(method, limit)])

    def overall(self, view, limit):
        return self.choose(view, [method for method in self.methods if self.held(view, method, limit) == self.count(view)])

    def held(self, view, method, limit):
        """On how many lines."""
        return sum(line.holds(method, limit) for line in self.lines if line.view == view)

    def count(self, view):
        return sum(line.view == view for line in self.lines)

    def closest(self, view, limit):
        """The method that holds on most lines, and on how many."""
        held = {method: self.held(view, method, limit) for method in self.methods}
        most_held = max(held.values(), default=0)
        best = self.choose(view, [method for method in self.methods if held[method] == most_held])
        return (best.named if most_held else None), most_held, self.count(view)

    # ---- words ----

    def view_words(self, view):
        (blocks, threads), backend, device = view
        return f"{backend} on {device}, {blocks} block{plural(blocks)} of {threads} thread{plural(threads)}"

    def view_name(self, view):
        return "%d x %d" % view[0] if len(self.views) > 1 else ""

    def nanoseconds(self, view, method):
        if (view[0], method) not in self.run.speeds:
            return "-"
        fastest, median = map(shown, self.run.speeds[view[0], method][:2])
        return f"{fastest} ns" if fastest == median else f"{fastest}..{median} ns"

    def sentence(self, view, limit):
        by = f" ({self.view_words(view)})" if limit is self.limits[0] or len(self.views) > 1 else ""
        choice = self.overall(view, limit)
        if choice.named is None:
            closest, held, lines = self.closest(view, limit)
            where = "any of these data" if closest is None else "everything measured here"
            rest = "" if closest is None else f"; {closest} meets it for {held} of {lines} data sets"
            return f"No method stays {limit.words()} on {where}{by}{rest}."
        others, timed = choice.count - 1, (view[0], choice.named) in self.run.speeds
        text = f"W{limit.words()[1:]} on everything measured here: {'' if others else 'only '}{choice.named}"
        if others and not timed:
            text += f" and {others} other{plural(others)}; none of them was timed"
        elif others:
            text += " is the cheapest"
        if timed:
            text += f", {self.nanoseconds(view, choice.named)} per element"
        text += by
        if others and timed:
            text += f"; {others} other{' qualifies' if others == 1 else 's qualify'}"
            text += f", {choice.alike} of them equally fast" if choice.alike else ""
            if choice.next:
                text += f"; {choice.next} is next"
                text += f", {self.nanoseconds(view, choice.next)}" if (view[0], choice.next) in self.run.speeds else ""
        return text + ". " + self.evidence(view, limit, choice.named)

    def evidence(self, view, limit, method):
        """On how many sums it stands, and what is proven of those that have an error."""
        lines = [line for line in self.lines if line.view == view]
        counts = [line.sums[method].count for line in lines]
        text = f"Measured on {sum(counts)} sum{plural(sum(counts))} of "
        if len(lines) == 1:
            text += lines[0].family + (" alone" if sum(counts) == 1 else "")
        else:
            each = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
            text += f"{len(lines)} data sets, {each} each"
        bounds = [line.proven(method, limit) for line in lines if not line.sums[method].all_right]
        if not bounds:
            return text + "; all are the NaN or infinity that IEEE 754 gives."
        if any(map(math.isnan, bounds)):
            return text + "; nothing is proven for all of them."
        if math.isinf(max(bounds)):
            return text + "; the proven bound is beyond the range of binary64."
        bound = shown_error(max(bounds))
        return text + (f"; proven: at most {bound} ulp." if limit.is_ulp else f"; proven: a relative error of at most {bound}.")

    def sentences(self):
        if not self.lines:
            return ["Nothing was measured."]
        told = [self.sentence(view, limit) for view in self.views[:4] for limit in self.limits]
        rest = len(self.views) - 4
        return told + ([f"{rest} more launches, backends and formats are in the table."] if rest > 0 else [])

    def cell(self, line, method):
        """(text, word)"""
        sums = line.sums[method]
        error, word = sums.error(), level(sums, self.target)
        if sums.count == 0 or error == 0 or not math.isfinite(error):
            return word, ""
        return f"{shown_error(error)} ({shown_error(line.median[method])})", word
