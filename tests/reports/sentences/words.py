"""Sentences of a run that are neither in a caption nor in the verdict."""

import math

from .rounding import hexadecimal, plural, shown_error
from .run import number
from .tables import computed_cell, computed_of, exact_cell

ULP, OF_BOUND = "ulp: spacing at the exact sum, 0.50 is best", "of bound: share of the proven bound"
NO_DIGIT = "no digit: a relative error of 1 or more"
MORE = "More: -o DIR writes report.html, with all tables"
WORDS = [
    ("ulp", "the spacing of the format at the exact sum; 0.5 ulp is the best possible result"),
    ("u", "unit roundoff: the largest relative error of one rounding, 2^-24 for binary32"),
    ("no digit", "no correct digit: the error is as large as the exact sum, or larger"),
    ("condition", "sum of |x_i| over |s|: how much cancellation the data hold; 1 for data of one sign"),
    ("bound", "what is proven for the error of this method on these data; a larger error is a bug"),
    ("probabilistic bound", "what 1 sum of 1,000 would exceed were roundings random: a model, never a limit"),
    ("height", "the most additions and merges on any path from an element to the result"),
    ("spec, entry", "an entry is what the study names after -d; the specs are the data that it stands for, one for each n"),
    ("trial", "one of several data sets of the same spec, each with its own random stream"),
    ("repeat", "the same data set summed again on a device, to see whether the bits are the same"),
    ("launch", "blocks x threads in a block"),
    ("replay", "the order of a launch, summed by a sequential program on the host"),
    ("kernel", "the method on a GPU itself: backend cuda"),
    ("black box", "another library's sum, measured beside the methods"),
    ("order of arrival", "blocks are added as they finish: not deterministic, the same data may give other bits"),
    ("Ki, Mi", "1024 and 1024 x 1024: n = 64Ki is 65536"),
]


def legend(run):
    if not run.series:
        return []
    within, bounded = (sum(row.weight for row in run.rows if held(row)) for held in (lambda row: row.zero_is_within, lambda row: row.claims))
    kept = f", which a result of 0 keeps on {within} of {bounded} sums" if within else ""
    return [ULP, OF_BOUND + kept] + ([NO_DIGIT] if any(one.trouble[4] for one in run.series) else [])


def incomplete(run):
    """The first line of a partial run."""
    return [f"Incomplete: {run.measured_cases} of {run.cases} data sets were summed."] if run.measured_cases < run.cases else []


def run_sentence(run):
    measured = sum(any(one.method == method for one in run.series) for method in run.methods)
    specs, entries, sums = sum(map(len, run.specs)), len(run.entries), len(run.rows)
    text = f"{measured} of " if measured < len(run.methods) else ""
    text += f"{len(run.methods)} method{plural(len(run.methods))} on {entries} kind{plural(entries)} of data"
    text += f", {specs} specs in all" if specs != entries else ""
    text += f": {sums} sum{plural(sums)}"
    for index, (backend, device) in enumerate(dict.fromkeys((one.backend, one.device) for one in run.series)):
        text += f"{' and ' if index else ', by '}{backend} on {device}"
    return text + f", seed {run.seed}. Each is compared with the exact sum s."


def kind_of(text):
    value = number(text)
    return "NaN" if math.isnan(value) else "infinite" if math.isinf(value) else "finite"


def worst_lines(run, one):
    """What is said of the worst sum of a method, the command last."""
    row = one.worst
    where = f"{row.data}, trial {row.trial}, repeat {row.repeat}"
    if row.error == 0:
        head = f"every sum is right; one of them on {where}"
    elif math.isnan(row.error):
        head = f"returned {kind_of(row.cells['computed'])}; the exact sum is {kind_of(row.exact)}; on {where}"
    else:
        head = f"{shown_error(row.error)} ulp on {where}"
    is_long = len(row.exact) > 44
    exact = row.exact if not is_long else f"{row.exact[:28]}...{row.exact[-16:]}"
    note = f" (shortened: {len(row.exact)} characters, in full in run.json)" if is_long else ""
    return [head, ("computed ", computed_cell(row), f" = {hexadecimal(computed_of(row))} (bits {row.bits})"),
            ("exact ", exact_cell(row), f" rounded to 17 digits; it is {exact}{note}"), one.command(run)]


def paragraph(run):
    """How it was measured, for a paper."""
    fact = lambda topic, name: run.facts[topic, name]
    launches = ", ".join(f"{blocks} block{plural(blocks)} of {threads} thread{plural(threads)}" for blocks, threads in run.launches)
    data = "; ".join(f"{text}, {trials} {'order' if permuted else 'trial'}{plural(trials)}{' each' if len(specs) > 1 else ''}"
                     for (text, trials), permuted, specs in zip(run.entries, run.permuted, run.specs))
    data += "".join(f"; {name} has {value}" for (topic, name), value in run.facts.items() if topic == "data")
    sums = len(run.rows)
    by = f" {sums} sum{plural(sums)} w{'as' if sums == 1 else 'ere'} computed by the host, where replays keep the kernels' order of additions." if sums else ""
    missing = f" Incomplete: {run.measured_cases} of {run.cases} data sets were summed." if run.measured_cases < run.cases else ""
    return (f"Errors were measured with ulpscope {fact('program', 'version')} (commit {fact('program', 'commit')}) on {fact('run', 'date')}. "
            f"Method{plural(len(run.methods))}: {', '.join(run.methods)}. Data: {data}; seed {run.seed}. "
            f"Launch{'' if len(run.launches) == 1 else 'es'}: {launches}.{by} The host has {fact('host', 'processor')}, "
            f"{fact('host', 'system')} {fact('host', 'kernel')}; built with {fact('build', 'C compiler')}. Each was compared with the exact result, "
            f"which is added up in integers without a rounding (MPFR {fact('library', 'MPFR')}, GMP {fact('library', 'GMP')}); an error is rounded "
            f"once.{missing}")


def facts_of_study(run):
    facts = [("data sets summed", f"{run.measured_cases} of {run.cases}{': incomplete' if run.measured_cases < run.cases else ''}")]
    facts += [("data", f"{text}, {trials} {'order' if permuted else 'trial'}{plural(trials)}")
              for (text, trials), permuted in zip(run.entries, run.permuted)]
    launches = ", ".join(f"{blocks} block{plural(blocks)} of {threads} thread{plural(threads)}" for blocks, threads in run.launches)
    return facts + [("launch", launches), ("repeats on a device", str(run.repeats))]
