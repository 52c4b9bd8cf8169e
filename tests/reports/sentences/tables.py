"""The tables of a report, cell by cell, from the rows alone."""

import math
import struct
from fractions import Fraction

from .cell import Cell
from .rounding import dashed, percent, plural, shown, shown_error
from .run import NAN, TROUBLES, Sums, number, parameters, value_of
from .charts import launch_words
from .verdict import additions, level

ACROSS = 8  # more methods stand below each other


class Table:
    """Row 0 is the head; footers have one label in the place of all.  Of the rows `top` are seen at once, 0: all."""

    def __init__(self, labels, rows, footers=(), top=0):
        self.top = top
        self.labels, self.rows, self.footers = labels, [list(row) for row in rows], [list(row) for row in footers]
        self.columns = len(rows[0])
        if "condition" in rows[0]:
            at = rows[0].index("condition")
            for row, cell in zip(self.rows[1:], alike([row[at] for row in rows[1:]])):
                row[at] = cell


def alike(cells):
    """All with an exponent when one has it."""
    if not any("e" in cell for cell in cells):
        return cells
    return [cell if cell.value is None or not math.isfinite(cell.value) else Cell.of(f"{cell.value:.2e}", cell.value) for cell in cells]


def number_cell(value):
    return Cell.of(dashed(value), None if math.isnan(value) else value)


def additions_cell(method):
    count = additions(method)
    return Cell.of(dashed(count, lambda count: f"{count:.3g}"), None if math.isnan(count) else count)


def shown_error_cell(value):
    return Cell.of(dashed(value, shown_error), None if math.isnan(value) else value)


# ---- labels ----


def label_keys(specs):
    """The parameters in which specs of one family differ, in columns; ["data"] where that says too little, [] for a single spec."""
    if len(specs) < 2:
        return []
    shapes = {(spec.split(":")[0], tuple(key for key, _ in parameters(spec)), ":" in spec) for spec in specs}
    if len(shapes) > 1 or not next(iter(shapes))[2]:
        return ["data"]
    columns = list(zip(*[parameters(spec) for spec in specs]))
    keys = [column[0][0] for column in columns if len({value for _, value in column}) > 1]
    return keys if keys and len(keys) <= 8 else ["data"]


def briefly(text):
    """100000 as 1e5, 32768 as 32Ki; anything else stays as it is."""
    value = value_of(text)
    if isinstance(value, str) or text[-1] in "KMGTi" or not 100 <= value < 10**18:
        return text
    for exponent in range(2, 18):
        if value == 10**exponent:
            return f"1e{exponent}"
    for exponent in range(10, 50):
        if value == 2**exponent:
            return f"{2 ** (exponent % 10)}{['', 'Ki', 'Mi', 'Gi', 'Ti'][exponent // 10]}"
    return text


def label_of(spec, key):
    return spec if key == "data" else briefly(dict(parameters(spec))[key])


# ---- the table of an entry ----


def worst_result(sums, counted=False):
    if sums.count == 0:
        return "not run"
    if sums.largest("bound_ratio") > 1:
        return "ABOVE ITS BOUND"
    trouble = sums.worst_trouble()
    if trouble is not None:
        return TROUBLES[trouble][1] + (f": {sums.trouble[trouble]} of {sums.count}" if counted and sums.count > 1 else "")
    if sums.all_exact:
        return "as IEEE" if sums.all_right else "exact"
    if sums.largest("ulp_error") <= 0.5:
        return "correctly rounded"
    digits = sums.digits()
    return f"{digits} correct digit{plural(digits)}" if digits else "under 1 correct digit"


def share_cell(sums):
    ratio = sums.largest("bound_ratio")
    return ("no claim" if sums.count else "-") if math.isnan(ratio) else percent(ratio)


def error_cell(sums):
    """The largest in ulp, or the word that says more."""
    if sums.count == 0:
        return Cell.of("-")
    trouble = sums.worst_trouble()
    if trouble is not None:
        return Cell.of(TROUBLES[trouble][0])
    if sums.all_exact:
        return Cell.of("as IEEE" if sums.all_right else "exact")
    error = sums.largest("ulp_error")
    return Cell.of(shown_error(error), error)


class Overview:
    def __init__(self, group):
        self.group, self.run = group, group.run
        self.keys = label_keys(group.data)
        self.has_conditions = len({shown(value) for value in group.conditions()}) > 1
        self.distinct = any(one.distinct > 1 for one in group.at.values())
        self.is_sweep = len(group.data) > 1 and len(group.methods) > 1

    def context(self):
        group = self.group
        counts = [one.count for one in group.at.values()]
        sums = str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
        text = f"{'largest error in ulp of ' if self.is_sweep else ''}{sums} sum{plural(max(counts))}"
        text += ", permuted" if max(counts) > 1 and self.run.permuted[group.entry] else ""
        if len(group.data) == 1 and ":n=" not in group.text and ",n=" not in group.text:
            text += f"; n {group.any(group.data[0]).n}"
        text += "" if self.has_conditions else f"; condition {shown(group.any(group.data[0]).condition)}"
        return text + f"; {group.backend} %d x %d, seed {self.run.seed}" % group.launch

    def condition_cell(self, data):
        value = self.group.any(data).condition
        return Cell.of(shown(value), value)

    def sweep(self):
        group, methods = self.group, self.group.methods
        labels = len(self.keys) + self.has_conditions
        rows = [self.keys + ["condition"] * self.has_conditions + methods]
        for data in group.data:
            row = [label_of(data, key) for key in self.keys] + ([self.condition_cell(data)] if self.has_conditions else [])
            rows.append(row + [error_cell(group.sums(method, data)) for method in methods])
        sums = [group.sums(method) for method in methods]
        footers = [[name] + [f"{one.trouble[kind]} of {one.count}" for one in sums] for kind, (_, name) in enumerate(TROUBLES)
                   if any(one.trouble[kind] for one in sums)]
        if self.distinct:
            footers.append(["distinct bits"] + [f"{'up to ' if one.distinct > 1 else ''}{one.distinct}" for one in sums])
        footers.append(["of bound"] + [share_cell(one) for one in sums])
        footers.append(["worst result"] + [worst_result(one) for one in sums])
        return Table(labels, rows, footers)

    def turned(self):
        sweep, keys = self.sweep(), self.keys

        def head(index, row):
            if index == 0:
                return "method"
            if index >= len(sweep.rows):
                return row[sweep.labels - 1]
            data = self.group.data[index - 1]
            if keys == ["data"]:
                return data
            return ",".join(f"{key}={label_of(data, key)}" for key in keys)

        return Table(1, self.turned_rows(sweep, head))

    def turned_rows(self, sweep, head):
        columns = sweep.rows + [[""] * (sweep.labels - 1) + row for row in sweep.footers]
        rows = [[head(index, row) for index, row in enumerate(columns)]]
        for at in range(len(self.keys), sweep.columns):
            first = Cell.of("condition") if at < sweep.labels else columns[0][at]
            cells = [first] + [row[at] for row in sweep.rows[1:]]
            rows.append(cells + [Cell.of("-") if at < sweep.labels else row[at - sweep.labels + 1] for row in sweep.footers])
        return rows

    def series(self):
        group = self.group
        head = self.keys + ["method"] + ["condition"] * self.has_conditions + ["median ulp", "max ulp", "max relative", "of bound", "adds"]
        rows = [head + ["distinct bits"] * self.distinct + ["worst result"]]
        for data in group.data:
            for method in group.methods:
                one = group.at.get((data, method))
                if one is None:
                    continue
                row = [label_of(data, key) for key in self.keys] + [method] + ([number_cell(one.condition)] if self.has_conditions else [])
                row += [shown_error_cell(one.statistics["ulp_error"]["p50"]), error_cell(one), shown_error_cell(one.statistics["relative_error"]["max"]),
                        share_cell(one), additions_cell(method)]
                rows.append(row + ([str(one.distinct)] if self.distinct else []) + [worst_result(one, True)])
        return Table(len(self.keys) + 1, rows)

    def on_terminal(self, width):
        """A table of series loses columns before it is broken."""
        table = self.table()
        for head in ("max relative", "median ulp", "of bound", "adds") if not self.is_sweep else ():
            size = [max(len(row[at]) for row in table.rows) for at in range(table.columns)]
            if 2 + sum(size) + 2 * (len(size) - 1) <= width:
                break
            at = table.rows[0].index(head)
            table = Table(table.labels, [row[:at] + row[at + 1 :] for row in table.rows])
        return table

    def table(self):
        if not self.is_sweep:
            return self.series()
        return self.turned() if len(self.group.methods) > ACROSS else self.sweep()


# ---- the verdict ----


def labels_of(verdict):
    """As briefly as the lines stay apart; then as the user wrote them, or the whole spec."""
    short = {}
    for line in verdict.lines:
        specs = verdict.run.specs[line.group.entry]
        keys = [] if line.whole else label_keys(specs)
        short[line] = line.family + (" " if keys else "") + ",".join(f"{key}={label_of(line.data[0], key)}" for key in keys)
    same = lambda line, other: line.full == other.full and line.group.entry == other.group.entry
    return {line: line.full if any(short[other] == short[line] and not same(line, other) for other in verdict.lines) else short[line]
            for line in verdict.lines}


def line_cells(verdict, line):
    cells = [labels_of(verdict)[line]]
    if len(verdict.views) > 1:
        cells.append(verdict.view_name(line.view))
    return cells + [number_cell(line.condition)]


def line_heads(verdict):
    return ["data"] + ["measured by"] * (len(verdict.views) > 1) + ["condition"]


TOP = 12


def which_table(verdict):
    rows = [line_heads(verdict) + ["sums"] + [head for limit in verdict.limits for head in (limit.words(), limit.words() + ", by proof")]]
    for line in verdict.lines:
        row = line_cells(verdict, line) + [str(line.count)]
        for limit in verdict.limits:
            choice = verdict.choice(line, limit)
            cost = additions(choice.named) if choice.named else NAN
            word = ("" if math.isnan(cost) else f"{cost:.3g} per number") + (f", + {choice.alike}" if choice.alike else "")
            row += [Cell.of(choice.named or "none", word=word), verdict.choice_by_proof(line, limit).named or "none"]
        rows.append(row)
    return Table(len(line_heads(verdict)), rows, top=TOP)


def which_legend(verdict):
    return ("The method whose worst sum stays within the limit, as measured and by proof, with the fewest additions, then the least error; "
            'under it: the additions; "+ 3": three others are equal in all that is counted.')


# ---- the methods ranked ----


def ranked(verdict):
    """(view, method): by the share of the data within the target, or 1 ulp, then within 4 ulp, then by additions, error, bound, name."""
    main = verdict.target or verdict.limits[0]
    found = [(view, method) for view in verdict.views for method in verdict.methods
             if any(line.sums[method].count for line in verdict.lines if line.view == view)]
    share = lambda view, method, limit: Fraction(verdict.held(view, method, limit), verdict.count(view))
    return sorted(found, key=lambda one: (-share(*one, main), -share(*one, verdict.limits[1]), verdict.standing(*one), one[1],
                                      verdict.views.index(one[0])))


def worst_cell(verdict, lines, method):
    """Of all sums of the lines together."""
    sums = Sums([row for line in lines for row in line.sums[method].rows])
    error = sums.error()
    return Cell.of(f"{shown_error(error)} ulp", error) if 0 < error <= 4 else Cell.of(level(sums, verdict.target))


def broken_cell(verdict, lines, method):
    """Of the lines on which it does not stay within the limit, the one that most methods manage; of these, the least condition."""
    main = verdict.target or verdict.limits[0]
    broken = [line for line in lines if line.sums[method].count and not line.holds(method, main)]
    if not broken:
        return Cell.of("nowhere here")
    condition = lambda line: math.inf if math.isnan(line.condition) else line.condition
    managed = lambda line: sum(line.holds(one, main) for one in verdict.methods)
    first = min(broken, key=lambda line: (-managed(line), math.isnan(line.condition), condition(line)))
    return Cell.of(labels_of(verdict)[first], word=f"+ {len(broken) - 1} more" if len(broken) > 1 else "")


def ranking_table(verdict):
    several = len(verdict.views) > 1
    rows = [["method"] + ["measured by"] * several + [limit.words() for limit in verdict.limits] + ["worst sum", "additions"] +
            ["host time"] * verdict.has_speeds +
            ["breaks first on"]]
    for view, method in ranked(verdict):
        lines = [line for line in verdict.lines if line.view == view]
        row = [method] + ([verdict.view_name(view)] if several else [])
        row += [f"{verdict.held(view, method, limit)} of {len(lines)}" for limit in verdict.limits] + [worst_cell(verdict, lines, method)]
        row.append(additions_cell(method))
        rows.append(row + ([verdict.nanoseconds(view, method)] if verdict.has_speeds else []) + [broken_cell(verdict, lines, method)])
    return Table(1 + several, rows, top=TOP)


def ranking_legend(verdict):
    main = verdict.target or verdict.limits[0]
    speed = "; host time: of the replay, which says nothing of a GPU: time per element, fastest round..median" if verdict.has_speeds else ""
    return ("Within: on how many of the data the worst sum stays within the limit; worst sum: its error, or the "
            f"correct digits; additions: per number, those of merges aside{speed}; breaks first on: of the data on which its error exceeds {main.words().removeprefix('within ')}, those that most methods "
            "manage.")


# ---- the worst sums ----


def worst_of(run, method):
    worst = None
    for one in (one for one in run.series if one.method == method):
        if worst is None or (not math.isnan(worst.worst.error) and not one.worst.error <= worst.worst.error):
            worst = one
    return worst


def exact_decimal(row):
    """s as binary64, the shortest decimal that reads back."""
    value = number(row.exact)
    if not math.isfinite(value):
        return None if "x" in row.exact else shown(value)
    text = repr(value)
    return {"0.0": "0", "-0.0": "-0"}.get(text, text)


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def digits_of(text):
    return len(text.split("e")[0].replace("-", "").replace(".", "").strip("0"))


def same_number(value, read=float):
    """A decimal that reads back, with as few digits as it takes."""
    if not math.isfinite(value):
        return lambda text: text == shown(value)
    fewest = next(digits for digits in range(1, 18) if read(float(f"{value:.{digits}g}")) == value)
    return lambda text: read(float(text)) == value and math.copysign(1, float(text)) == math.copysign(1, value) and digits_of(text) <= fewest


def computed_of(row):
    """What the bits are worth."""
    kind, size = ("f", 4) if row.cells["format"] == "binary32" else ("d", 8)
    return struct.unpack(">" + kind, int(row.bits, 16).to_bytes(size, "big"))[0]


def computed_cell(row):
    value = computed_of(row)
    return Cell.of(f"<{value!r}>", fits=same_number(value, single if row.cells["format"] == "binary32" else float))


def exact_cell(row):
    if exact_decimal(row) is None:
        return Cell.of("-")
    return Cell.of(f"<{number(row.exact)!r}>", fits=same_number(number(row.exact)))


def worst_table(run):
    rows = [["method", "ulp", "computed", "exact", "run it again"]]
    for method in run.methods:
        one = worst_of(run, method)
        if one:
            rows.append([method, shown_error_cell(one.worst.error), computed_cell(one.worst), exact_cell(one.worst), one.command(run)])
    return Table(1, rows)


# ---- determinism ----


def spreads(run):
    """{method: {"repeats": [...], ...}}: how many different results each data set gave that was summed more than once."""
    found = {}
    several = {text for text in run.unordered.values() if list(run.unordered.values()).count(text) > 1}
    for one in run.series:
        kinds = found.setdefault(one.method, {"repeats": {}, "launches": {}, "permutations": {}})
        for row in one.rows:
            bits = "nan" if row.cells["computed"] == "nan" else row.bits
            kinds["repeats"].setdefault((one.entry, one.data, one.launch, row.trial), []).append(bits)
            kinds["launches"].setdefault((one.entry, one.data, row.trial), []).append((one.launch, bits))
            unordered = run.unordered[one.entry, one.data]
            permuted = run.permuted[one.entry]  # its trials are the same numbers
            if (permuted or unordered in several) and row.repeat == 0:
                kinds["permutations"].setdefault((one.launch, unordered, 0 if permuted else row.trial), []).append(bits)
    return {method: {"repeats": [len(set(bits)) for bits in kinds["repeats"].values() if len(bits) > 1],
                     "launches": [len({bits for _, bits in pairs}) for pairs in kinds["launches"].values()
                                  if len({launch for launch, _ in pairs}) > 1],
                     "permutations": [len(set(bits)) for bits in kinds["permutations"].values() if len(bits) > 1]}
            for method, kinds in found.items()}


def determinism_table(run):
    def words(method, kind):
        sets = found[method][kind]
        differing = sum(count > 1 for count in sets)
        if not sets:
            return "not tried"
        if not differing:
            return f"0 of {len(sets)} differ"
        broken = ": CLAIM BROKEN" if kind == "repeats" and run.deterministic[method] else ""
        return f"{differing} of {len(sets)} differ, up to {max(sets)} results{broken}"

    found = spreads(run)
    rows = [["method", "by", "claim at one launch", "repeats", "launches", "permutations"]]
    for method in run.methods:
        if method in found:
            rows.append([method, "replay", "same bits" if run.deterministic[method] else "order of arrival"] +
                        [words(method, kind) for kind in ("repeats", "launches", "permutations")])
    return Table(1, rows)


def determinism_sentences(run):
    found = spreads(run)
    claims = sum(run.deterministic[method] for method in found)
    said = [f"All {claims} methods are deterministic by design." if claims == len(found) else
            f"{claims} of {len(found)} methods are deterministic by design."]
    ways = [("repeats", "Run again at the same launch", "Repeats were not tried: on a GPU --repeats 100 runs each sum again. A replay on the host is a "
             "sequential program and is not repeated."),
            ("launches", "At other launches", "Other launches were not tried: --blocks 32..1024*2 or --threads 64..1024*2 sweeps them."),
            ("permutations", "In other orders", "Permutations were not tried: give the same data in other orders too, as in -d uniform:n=1Mi "
             "-d uniform:n=1Mi,order=shuffled:1.")]
    for kind, words, how_to_try in ways:
        tried = [method for method in found if found[method][kind]]
        differing = [method for method in tried if max(found[method][kind]) > 1]
        said.append(f"{words}, {len(differing)} of {len(tried)} line{plural(len(tried))} of the table gave different bits on equal data." if tried
                    else how_to_try)
    said.append("Nor was anything else varied that should change no bit: --across all does so, one thing at a time, with the launch and the batch, the "
                "alignment, zeros around the numbers, other work beside them.")
    return said, any(found[method][kind] for method in found for kind in found[method])
