"""Which method may be used on which data, as docs/metrics.md defines it: lines, cells, winners."""

import collections
import math
import pathlib
import re

from .rounding import plural, shown, shown_error
from .run import NAN, TROUBLES, most

LEVELS = [(0.5, "correctly rounded"), (1, "within 1 ulp"), (4, "within 4 ulp")]


TABLE = (pathlib.Path(__file__).resolve().parents[3] / "kernels/accumulators.def").read_text()
ADDITIONS = {name: [float(sum(float(part.split("/")[0]) / float(part.split("/")[1] if "/" in part else 1) for part in cell.split("+"))) for cell in cells]
             for name, *cells in re.findall(r"^ACCUMULATOR\((\w+), SUMS, ([^,]+), ([^,]+),", TABLE, re.M)}


def additions(method):
    """Per number: those of the accumulator, or of a merge in an order of merges alone."""
    accumulator, order = method.split("@")[0].split("/")
    return ADDITIONS[accumulator][order == "pairwise_1"] if accumulator in ADDITIONS else NAN


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


Choice = collections.namedtuple("Choice", "named count alike")


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

    def standing(self, view, method):
        """Additions per number, then the worst error, then the bound; NaN is the worst of each."""
        lines = [line for line in self.lines if line.view == view]
        errors, bounds = [line.sums[method].error() for line in lines], [line.proven(method, Limit("1ulp")) for line in lines]
        known = [additions(method)] + [NAN if any(map(math.isnan, values)) else max(values) for values in (errors, bounds)]
        return tuple((math.isnan(value), 0 if math.isnan(value) else value) for value in known)

    def choose(self, view, methods):
        """The first by what it costs and errs by, and how many are equal in all that."""
        if not methods:
            return Choice(None, 0, 0)
        standings = {method: self.standing(view, method) for method in methods}
        named = min(methods, key=lambda method: (standings[method], method))
        return Choice(named, len(methods), sum(standings[method] == standings[named] for method in methods) - 1)

    def choice(self, line, limit):
        return self.choose(line.view, [method for method in self.methods if line.holds(method, limit)])

    def choice_by_proof(self, line, limit):
        return self.choose(line.view, [method for method in self.methods if line.holds_by_proof(method, limit)])

    def overall(self, view, limit):
        return self.choose(view, [method for method in self.methods if self.held(view, method, limit) == self.count(view)])

    def proven(self, view, limit):
        """By proof on all lines but those where all is as IEEE."""
        return self.choose(view, [method for method in self.methods if all(
            line.view != view or line.sums[method].all_right or line.holds_by_proof(method, limit) for line in self.lines)]).named

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

    def view_name(self, view):
        return "%d x %d" % view[0] if len(self.views) > 1 else ""

    def nanoseconds(self, view, method):
        if (view[0], method) not in self.run.speeds:
            return "-"
        fastest, median = map(shown, self.run.speeds[view[0], method][:2])
        return f"{fastest} ns" if fastest == median else f"{fastest}..{median} ns"

    def limit_told(self):
        """The target, else the tightest limit that somebody meets, else the loosest."""
        if self.target:
            return next(limit for limit in self.limits if limit.is_ulp == self.target.is_ulp and limit.most == self.target.most)
        return self.limits[0] if any(self.overall(view, self.limits[0]).named for view in self.views) else self.limits[1]

    def by_views(self, methods):
        if len(set(methods)) == 1:
            return methods[0] or "no method"
        told = ", ".join(f"{method or 'no method'} ({self.view_name(view)})" for view, method in list(zip(self.views, methods))[:4])
        return told + (f"; {len(self.views) - 4} more are in the report" if len(self.views) > 4 else "")

    def evidence(self):
        count = sum(line.count for line in self.lines)
        text = f"{'' if count == 1 else 'all '}{count} sum{plural(count)}{' alone' if count == 1 else ''}"
        return text + (f" of {len(self.lines)} data sets" if len(self.views) == 1 and len(self.lines) > 1 else "")

    def closest_words(self, limit):
        view, (named, held, lines) = self.views[0], self.closest(self.views[0], limit)
        if named:
            return f"; {named} meets it for {held} of {lines} data sets"
        errors = {method: [line.sums[method].error("ulp_error" if limit.is_ulp else "relative_error") for line in self.lines] for method in self.methods}
        worst = {method: max(errors[method]) for method in self.methods if not any(map(math.isnan, errors[method]))}
        if not worst:
            return ""
        least = min(worst, key=lambda method: (worst[method], self.standing(view, method), method))
        size = shown_error(worst[least])
        return f"; closest is {least}, with {f'up to {size} ulp' if limit.is_ulp else f'a relative error of up to {size}'}"

    def proof(self, limit):
        if len(self.views) > 1:
            return f"Proven {limit.words()}: {self.by_views([self.proven(view, limit) for view in self.views])}."
        named, by_proof = self.overall(self.views[0], limit).named, self.proven(self.views[0], limit)
        bounds = [line.proven(named, limit) for line in self.lines if not line.sums[named].all_right]
        if not bounds:
            return "All are the NaN or infinity that IEEE 754 gives."
        if any(map(math.isnan, bounds)):
            text = "nothing that holds for all of them"
        elif math.isinf(max(bounds)):
            text = "a bound beyond the range of binary64"
        else:
            text = f"at most {shown_error(max(bounds))}{' ulp' if limit.is_ulp else ' as a relative error'}"
        return f"Proven for it: {text}" + ("." if by_proof == named else f"; {limit.words()} by proof: {by_proof or 'no method'}.")

    def sentences(self):
        if not self.lines:
            return ["Nothing was measured."]
        limit = self.limit_told()
        choices = [self.overall(view, limit) for view in self.views]
        if not any(choice.named for choice in choices):
            return [f"No method stays {limit.words()} on {self.evidence()}{self.closest_words(limit) if len(self.views) == 1 else ''}."]
        text = f"W{limit.words()[1:]} on {self.evidence()}: "
        if len(self.views) > 1:
            return [text + self.by_views([choice.named for choice in choices]) + ".", self.proof(limit)]
        choice, others = choices[0], choices[0].count - 1
        cost = additions(choice.named)
        text += f"{'' if others else 'only '}{choice.named}"
        text += "" if math.isnan(cost) else f", {cost:.3g} addition{'' if cost == 1 else 's'} per number"
        text += f"; {others} other{' qualifies' if others == 1 else 's qualify'}" if others else ""
        text += f", {choice.alike} of them equal in all that is counted" if choice.alike else ""
        return [text + ".", self.proof(limit)]
