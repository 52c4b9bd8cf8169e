"""Every output of a run, taken apart and held to what the rows say.  Each function returns a list of what is wrong."""

import base64
import csv
import io
import json
import math
import re
import xml.etree.ElementTree as tree

from . import tables, words
from .charts import charts_of
from .rounding import hexadecimal, plural, shown
from .run import CLASSES, METRICS, STATISTICS, number
from .verdict import Verdict


class Held:
    """A run and what must be said of it."""

    def __init__(self, run, target=None):
        self.run, self.verdict = run, Verdict(run, target)
        self.overviews = [tables.Overview(group) for group in run.groups]
        self.charts = charts_of(run)
        self.sentences = self.verdict.sentences()
        self.ranking = tables.ranking_table(self.verdict)
        self.which = tables.which_table(self.verdict)
        self.legend = words.legend(run)
        self.sentence = words.run_sentence(run)


def cut(text):
    return text if len(text) <= 300 else text[:297] + "..."


def differs(where, found, expected):
    """Where two texts part."""
    at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    start = max(0, at - 60)
    return f"{where}: says {cut(found[start:])!r} where the rows say {cut(expected[start:])!r}"


def held_texts(where, found, expected):
    """Texts in their order."""
    wrong = [differs(where, a, b) for a, b in zip(found, expected) if a != b]
    wrong += [f"{where}: {cut(text)!r} is of no known kind" for text in found[len(expected):]]
    return wrong + [f"{where}: nothing says {cut(text)!r}" for text in expected[len(found):]]


# ---- tables ----


def fits(found, cell, joined):
    """`found`: text, word, value."""
    text, word, value = found
    expected, below = str(cell), getattr(cell, "word", "")
    if joined:
        expected, below = expected + (f", {below}" if below else ""), ""
    judge = getattr(cell, "fits", None)
    if not (judge(text) if judge else text == expected) or word != below:
        return False
    whole = getattr(cell, "value", None)
    return value is None or (float(value) == whole if whole is not None else text.split()[0] == shown(float(value)))


def held_table(where, slices, table, joined=True):
    """`slices`: tables of some of the columns each, all with the labels; of a long table the first rows, then, on a page, the others."""
    hidden = len(table.rows) - 1 - table.top if table.top else 0
    if hidden <= 0:
        return held_rows(where, slices, table, joined)
    seen, slices = tables.Table(table.labels, table.rows[: 1 + table.top], table.footers), list(slices)
    notes = [rows[-1][0][0] for rows in slices if len(rows[-1]) == 1]
    if notes:  # on a terminal they are counted
        slices = [rows[:-1] if len(rows[-1]) == 1 else rows for rows in slices]
        return held_texts(where, notes, [f"({hidden} more; --top 0 prints all)"]) + held_rows(where, slices, seen, joined)
    first, columns = [], table.labels  # as many as have all columns
    while slices and columns < table.columns:
        columns += len(slices[0][0]) - table.labels
        first.append(slices.pop(0))
    rest = tables.Table(table.labels, table.rows[:1] + table.rows[1 + table.top :])
    return held_rows(where, first, seen, joined) + held_rows(where, slices, rest, joined)


def held_rows(where, slices, table, joined):
    wrong, column = [], table.labels
    for rows in slices:
        count = len(rows[0]) - table.labels
        if len(rows) != len(table.rows) + len(table.footers):
            return wrong + [f"{where}: {len(rows)} lines, expected {len(table.rows) + len(table.footers)}"]
        for index, row in enumerate(rows):
            body = index < len(table.rows)
            expected = table.rows[index] if body else table.footers[index - len(table.rows)]
            labels = table.labels if body else 1
            if not body and len(row) == table.labels + count:  # Markdown has no cell across several columns
                row = row[:1] + [cell for cell in row[1 : table.labels] if cell[0]] + row[table.labels :]
            expected = expected[:labels] + expected[labels + column - table.labels : labels + column - table.labels + count]
            if len(row) != len(expected):
                wrong.append(f"{where}, line {index}: {len(row)} cells, expected {len(expected)}: {[cell[0] for cell in row]}")
                continue
            wrong += [f"{where}, line {index} ({cut(row[0][0])}), column {cut(rows[0][at][0]) if len(rows[0]) > at else at}: says {found[0]!r}"
                      f"{' ' + repr(found[1]) if found[1] else ''}{' value ' + found[2] if found[2] else ''} where the rows say "
                      f"{str(cell)!r} {getattr(cell, 'word', '')!r} {getattr(cell, 'value', None)}"
                      for at, (found, cell) in enumerate(zip(row, expected)) if not fits(found, cell, joined)]
        column += count
    if column != table.columns:
        wrong.append(f"{where}: {column} columns, expected {table.columns}")
    return wrong


# ---- the terminal ----


def blocks_of(text):
    """What a terminal shows: ("table", rows) or ("text", lines), long lines joined again."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        parts = []
        for line in block.split("\n"):
            kind, content = parts[-1] if parts else (None, None)
            is_row = line.startswith("  ") and (kind != "text" or re.search(r"\S {2,}\S", line))
            if is_row and kind != "table":
                parts.append(("table", []))
            elif not is_row and kind != "text":
                parts.append(("text", []))
            content = parts[-1][1]
            if is_row:
                content.append([(cell, "", None) for cell in re.split(r" {2,}", line.strip())])
            elif content and line.startswith("  "):
                content[-1] += " " + line.strip()
            elif content and content[-1].endswith(";") and len(content[-1]) > 20:
                content[-1] += " " + line
            else:
                content.append(line)
        yield from parts


WIDTH = 100


def heading(overview):
    """The data and what was done with them, on one line where they fit."""
    text, context = overview.group.text, overview.context()
    return [f"{text}: {context}"] if len(text) + 2 + len(context) <= WIDTH else [text, context]


def expected_terminal(held):
    """The same blocks as they must be; of a table the Table."""
    blocks = []
    for overview in held.overviews:
        blocks += [("text", heading(overview)), ("table", overview.on_terminal(WIDTH))]
    shown = {str(row[0]) for _, table in blocks[1::2] for row in table.footers} | {head for _, table in blocks[1::2] for head in table.rows[0]}
    legend = [line for line in held.legend if not line.startswith("of bound") or "of bound" in shown]
    return blocks + ([("text", ["; ".join(legend)])] if legend else [])


def held_blocks(where, found, expected):
    wrong, at = [], 0
    for kind, content in expected:
        if kind == "text":
            if at == len(found) or found[at][0] != "text":
                return wrong + [f"{where}: nothing says {cut(content[0])!r}"]
            wrong += held_texts(where, found[at][1], content)
            at += 1
        else:
            first = at
            while at < len(found) and found[at][0] == "table":
                at += 1
            wrong += held_table(f"{where}, table {cut(' '.join(map(str, content.rows[0])))}", [rows for _, rows in found[first:at]], content)
    return wrong + [f"{where}: {cut(str(block))} is of no known kind" for block in found[at:]]


def terminal(text, held):
    found, before, tail = list(blocks_of(text)), words.incomplete(held.run), [("text", [" ".join(held.sentences), words.MORE])]
    before = [("text", before)] if before else []
    lines = lines_of_overviews(held)
    if lines <= 150:
        return held_blocks("terminal", found, before + expected_terminal(held) + tail)
    note = f"({lines} lines of tables are not shown; -o DIR or --html FILE writes them as a page)"
    return held_blocks("terminal", found, before + [("text", [tables.ranking_legend(held.verdict)]), ("table", held.ranking), ("text", [note])] + tail)


def lines_of(table, width=100):
    """How many lines a table takes on paper of that width: parts of its columns stand below each other."""
    size = lambda cell: len(cell) + (2 + len(cell.word) if getattr(cell, "word", "") else 0)
    every = table.rows + [[row[0]] + [""] * (table.labels - 1) + row[1:] for row in table.footers]
    real = [max(size(row[c]) for row in (table.rows if c < table.labels else every)) for c in range(table.columns)]
    labels = max([sum(real[: table.labels]) + 2 * (table.labels - 1)] + [size(row[0]) for row in table.footers])
    parts, at = 0, table.labels
    while at < table.columns:
        used, first = 2 + labels, at
        while at < table.columns and (at == first or used + 2 + real[at] <= width):
            used += 2 + real[at]
            at += 1
        parts += 1
    return parts * (1 + len(table.rows) + len(table.footers))


def lines_of_text(text, width=100):
    """A long line is broken at "; ", where there is one in reach."""
    count = 1
    while len(text) > width and text.rfind("; ", 1, width + 2) > 0:
        text, count = text[text.rfind("; ", 1, width + 2) + 2 :], count + 1
    return count


def lines_of_overviews(held):
    lines = [sum(map(lines_of_text, heading(overview))) + lines_of(overview.on_terminal(WIDTH)) for overview in held.overviews]
    return sum(lines) - bool(lines)


# ---- Markdown ----


def folded(table):
    """The rows after the first."""
    hidden = len(table.rows) - 1 - table.top
    return [f"<details><summary>{hidden} more</summary>", None, "</details>"] if table.top and hidden > 0 else []


# ---- the page ----

XHTML = "{http://www.w3.org/1999/xhtml}"
TITLES = {"histograms": "Histograms", "error_n": "Error against n", "error_condition": "Error against condition",
          "worst-cases": "Worst cases", "determinism": "Determinism", "made": "How this was made"}
TEXTS = {"p", "li", "figcaption", "dt", "dd", "h1", "h2", "h3", "h4", "summary", "pre", "td", "th"}


def name_of(element):
    return element.tag.removeprefix(XHTML)


def text_of(element):
    return "".join(element.itertext())


class Page:
    """A page whose texts are taken one by one: what nobody took is of no known kind."""

    def __init__(self, text):
        self.root = tree.fromstring(text.replace("<!DOCTYPE html>", "", 1))
        self.body = self.root.find(XHTML + "body").find(XHTML + "main")
        self.taken = set()

    def all(self, element, *names):
        return [one for one in element.iter() if name_of(one) in names]

    def take(self, element):
        self.taken.update(one for one in element.iter())
        return text_of(element).strip("\n")

    def left(self, element):
        return [f"page: <{name_of(one)}> {cut(text_of(one))!r} is of no known kind" for one in element.iter()
                if name_of(one) in TEXTS and one not in self.taken and text_of(one).strip()]

    def table(self, element):
        rows = []
        for line in self.all(element, "tr"):
            row = []
            for cell in line:
                small = [one for one in cell if name_of(one) == "small"]
                data = [one for one in cell if name_of(one) == "data"]
                word = text_of(small[0]) if small else ""
                row.append((text_of(cell).removesuffix(word) if word else text_of(cell), word, data[0].get("value") if data else None))
            rows.append(row)
        self.take(element)
        return rows

    def tables(self, element, name):
        """Those of a name, which are parts of one."""
        return [self.table(one) for one in self.all(element, "table") if one not in self.taken and (
            one.get("aria-label") == name or one.get("aria-label", "").startswith(name + ": ") or re.sub(r" \(\d+\)", "", one.get("aria-label", "")) == name)]


def page(text, held):
    wrong, this, run = [], Page(text), held.run
    heads = [one for one in this.body if name_of(one) in ("h1", "p")]
    wrong += held_texts("page", [this.take(one) for one in heads], words.incomplete(run) + [run.title])
    sections = {next(one.get("id") for one in part.iter() if one.get("id")): part for part in this.body if name_of(part) == "section"}
    due = ["verdict", "histograms", "worst-cases", "determinism", "made"] + [key for key in held.charts if held.charts[key] and not key.startswith("overlay")]
    if sorted(sections) != sorted(set(due)):
        wrong.append(f"page: sections {sorted(sections)}, expected {sorted(set(due))}")
    for key, section in sections.items():
        if key != "verdict":
            wrong += held_texts("page, " + key, [this.take(one) for one in this.all(section, "h2")], [TITLES.get(key, "?")])
            this.take(this.all(section, "summary")[0])
        maker = SECTIONS.get(key)
        wrong += maker(this, section, held, key) if maker else []
        wrong += this.left(section)
    return wrong


def first_picture(this, section, held):
    """The first that there is to draw, of the first kind that has one."""
    kinds = ("overlay_condition", "error_condition", "overlay_n", "error_n", "histograms")
    chart = next((chart for kind in kinds for chart in held.charts[kind] if not chart.missing), None)
    figures = this.all(section, "figure")
    if not chart or len(figures) != 1:
        return [f"page, verdict: {len(figures)} pictures"] if chart or figures else []
    source, image = this.all(figures[0], "source", "img")
    finding = chart.finding()
    wrong = held_texts("page, verdict", [image.get("alt")], [
        f"{chart.title}: {chart.subtitle}. {finding}{' ' if finding else ''}The table in its section holds the numbers."])
    wrong += held_texts("page, verdict", [this.take(one) for one in this.all(figures[0], "figcaption")], [finding or chart.subtitle + "."])
    return wrong + picture("page, verdict", image, chart) + svg("page, verdict", drawing_of(source.get("srcset")), chart)


def verdict_section(this, section, held, key):
    wrong, verdict = [], held.verdict
    wrong += first_picture(this, section, held)
    wrong += held_texts("page, verdict", [this.take(one) for one in this.all(section, "p") if one.get("class") == "answer"], held.sentences[:1])
    wrong += held_texts("page, verdict", [this.take(one) for one in this.all(section, "li")], held.sentences[1:])
    if not verdict.lines:
        return wrong + held_texts("page, verdict", [this.take(one) for one in this.all(section, "p") if one not in this.taken], [held.sentence])
    notes = [this.take(one) for one in this.all(section, "p") if one not in this.taken]
    wrong += held_texts("page, verdict", notes, [tables.ranking_legend(verdict), held.sentence, tables.which_legend(verdict)])
    wrong += held_texts("page, verdict", [this.take(one) for one in this.all(section, "h2", "h3")],
                        ["Methods ranked", "Which method on which data?"])
    more = [text for table in (held.ranking, held.which) for text in folded(table)[:1]]
    summaries = [this.take(one) for one in this.all(section, "summary") if one not in this.taken]
    wrong += held_texts("page, verdict", summaries, [text[18:-10] for text in more])
    for name, table in (("Methods ranked", held.ranking), ("Which method on which data?", held.which)):
        wrong += held_table(f"page, {name}", this.tables(section, name), table, joined=False)
    return wrong


def say_omitted(pictures, names, missing_tables):
    """Of what a section has no room for."""
    if not pictures and not missing_tables:
        return []
    text = f"{len(names)} more picture{plural(len(names))}" if names else ""
    text += " and " if names and missing_tables else ""
    text += f"{missing_tables} more table{plural(missing_tables)}" if missing_tables and names else f"{missing_tables} table{plural(missing_tables)}" if missing_tables else ""
    text += " was omitted" if len(names) + missing_tables == 1 else " were omitted"
    text += "; summary.csv, which -o DIR writes, has the numbers" if missing_tables else ""
    if not names:
        return [text + "."]
    said = ", ".join(f"{name}.svg" for name in names[:5])
    return [text + f"; the folder that --svg writes has the pictures: {said}{', ...' if len(names) > 5 else '.'}"]


def figures(this, section, held, key, charts):
    """The pictures of a section and the tables of their numbers."""
    wrong, readings, omitted, tables_omitted = [], set(), [], 0
    images = {}
    for figure in this.all(section, "figure"):
        image, caption = this.all(figure, "img")[0], this.all(figure, "figcaption")[0]
        images[image.get("alt", "").split("; one ")[0].split(": ", 1)[0] + "|" + image.get("alt", "")] = (image, caption, figure)
    left = dict(images)
    for chart in charts:
        where = f"page, {chart.name}"
        if chart.missing:
            lines = [one for one in this.all(section, "p") if one not in this.taken and text_of(one).startswith(chart.title + ": there is nothing")]
            wrong += held_texts(where, [this.take(lines[0])] if lines else [], [f"{chart.title}: there is nothing to draw; {chart.missing}."])
            continue
        begin = f"{chart.title}: {chart.subtitle}."
        match = next((name for name, (image, _, _) in left.items() if image.get("alt", "").startswith(begin)), None)
        if match is None:
            omitted.append(chart.name)
        else:
            image, caption, figure = left.pop(match)
            finding = chart.finding()
            wrong += held_texts(where, [image.get("alt")], [f"{begin} {finding}{' ' if finding else ''}The table below holds the numbers."])
            reading = str(next(iter(chart.sentences()), ""))
            expected = chart.caption() if reading not in readings else finding or chart.subtitle + "."
            readings.add(reading)
            wrong += held_texts(where, [this.take(caption)], [expected])
            wrong += picture(where, image, chart)
            this.taken.update(one for one in figure.iter())
        slices = this.tables(section, f"The numbers of {chart.title}, {chart.subtitle}")
        if slices:
            wrong += held_table(where + ", numbers", slices, numbers_of(chart), joined=True)
        else:
            tables_omitted += 1
    wrong += [f"page: a picture {cut(name)!r} of no known kind" for name in left]
    notes = [one for one in this.all(section, "p") if one.get("class") == "missing"]
    wrong += held_texts(f"page, {key}", [this.take(one) for one in notes], say_omitted(bool(omitted), omitted, tables_omitted))
    more = [one for one in this.all(section, "summary") if re.fullmatch(r"\d+ more pictures?", text_of(one))]
    wrong += held_texts(f"page, {key}", [this.take(one) for one in more],
                        [f"{len(charts) - 8} more picture{plural(len(charts) - 8)}"] if len(charts) > 8 and key != "histograms" and not omitted else
                        [text_of(one) for one in more] if omitted else [])
    for one in this.all(section, "summary"):
        if text_of(one) == "The numbers of this picture":
            this.take(one)
    return wrong


def numbers_of(chart):
    rows = chart.table()
    labels = sum(1 for head in rows[0] if head in ("", "relative error", "n", "condition number")) or 1
    footers = [rows.pop()] if chart.kind == "histogram" else []
    return tables.Table(labels, rows, footers)


def picture(where, image, chart):
    """Title and description of the drawing itself."""
    return svg(where, drawing_of(image.get("src", ",")), chart)


def drawing_of(address):
    return base64.b64decode(address.split(",", 1)[1]).decode()


def svg(where, drawing, chart):
    root = tree.fromstring(drawing)
    space = "{http://www.w3.org/2000/svg}"
    return held_texts(where, [root.findtext(space + "title", ""), root.findtext(space + "desc", "")], [chart.title, chart.subtitle])


def histograms_section(this, section, held, key):
    wrong = held_texts("page, histograms", [this.take(one) for one in this.all(section, "p") if one.get("class") == "legend"], held.legend)
    run = held.run
    parts = this.all(section, "section")[1:]
    wrong += held_texts("page, histograms", [this.take(this.all(one, "h3")[0]) for one in parts], [text for text, _ in run.entries])
    tables_omitted = 0
    for entry, part in enumerate(parts):
        members = [overview for overview in held.overviews if overview.group.entry == entry]
        contexts = [overview.context() for overview in members]
        wrong += held_texts("page, histograms", [this.take(one) for one in this.all(part, "p") if one.get("class") == "context"],
                            contexts or [])
        for overview in members:
            wrong += held_table(f"page, {overview.group.text}", this.tables(part, overview.context()), overview.table(), joined=False)
        if not members:
            wrong += held_texts("page, histograms", [this.take(one) for one in this.all(part, "p")], ["Nothing was measured on these data."])
        for one in this.all(part, "summary"):
            if text_of(one) == "The errors in numbers" and (len(run.methods) > 24 or len(run.entries) > 12):
                this.take(one)
    return wrong + figures(this, section, held, key, held.charts["histograms"])


def chart_section(this, section, held, key):
    return figures(this, section, held, key, held.charts[key])


def worst_section(this, section, held, key):
    wrong, run = [], held.run
    found = [(name_of(one), this.take(one)) for one in this.all(section, "dt", "dd")]
    expected = []
    for method in run.methods:
        one = tables.worst_of(run, method)
        if one is None:
            continue
        expected += [("dt", method)] + [("dd", line) for line in words.worst_lines(run, one)]
        if not run.deterministic[method]:
            expected.append(("dd", "Its order is that of arrival: the command may give another sum."))
    for (kind, text), (due, content) in zip(found, expected):
        if isinstance(content, str):
            wrong += held_texts("page, worst cases", [f"{kind} {text}"], [f"{due} {content}"])
            continue
        before, cell, after = content
        if not text.startswith(before) or not text.endswith(after) or not fits((text[len(before) : -len(after)], "", None), cell, True):
            wrong.append(f"page, worst cases: says {text!r} where the rows say {before}{cell}{after}")
    if len(found) != len(expected):
        wrong.append(f"page, worst cases: {len(found)} lines, expected {len(expected)}")
    count = sum(tables.worst_of(run, method) is not None for method in run.methods)
    more = [this.take(one) for one in this.all(section, "summary") if one not in this.taken]
    return wrong + held_texts("page, worst cases", more, [f"{count - 24} more methods"] if count > 24 else [])


def determinism_section(this, section, held, key):
    said, tried = tables.determinism_sentences(held.run)
    wrong = held_texts("page, determinism", [this.take(one) for one in this.all(section, "li")], said)
    slices = this.tables(section, "Different results of equal data")
    table = tables.determinism_table(held.run)
    wrong += held_table("page, determinism", slices, table, joined=False) if tried else []
    count = len(table.rows) - 1
    return wrong + held_texts("page, determinism", [this.take(one) for one in this.all(section, "summary") if one not in this.taken],
                              [f"All {count} methods"] if tried and count > 24 else [])


def made_section(this, section, held, key):
    run = held.run
    wrong = []
    heads = {"run": "Run", "host": "Machine", "device": "Device", "program": "Program", "build": "Build", "library": "Libraries"}
    topic, name = None, None
    known = {(heads.get(topic, topic), name): value or "-" for (topic, name), value in run.facts.items()}
    study = words.facts_of_study(run)
    seen = []
    for one in section.iter():
        if name_of(one) == "h3":
            topic = this.take(one)
        elif name_of(one) == "dt":
            name = this.take(one)
        elif name_of(one) == "dd":
            text = this.take(one)
            if topic == "Study" and name in run.claims:
                wrong += held_texts("page, made", [text], [run.claims[name]])
            elif topic == "Study":
                seen.append((name, text))
            else:
                wrong += held_texts("page, made", [f"{name}: {text}"], [f"{name}: {known.get((topic, name))}"])
        elif name_of(one) == "summary" and one not in this.taken:
            text = this.take(one)
            if text not in ("The study, whole", f"What the {len(run.methods)} method{plural(len(run.methods))} claim{'s' if len(run.methods) == 1 else ''}"):
                wrong.append(f"page, made: {text!r} is of no known kind")
        elif name_of(one) == "pre":
            wrong += held_texts("page, made", [this.take(one).rstrip("\n")], [run.study.rstrip("\n")])
    return wrong + held_texts("page, made", [f"{a}: {b}" for a, b in seen], [f"{a}: {b}" for a, b in study])


SECTIONS = {"verdict": verdict_section, "histograms": histograms_section, "error_n": chart_section, "error_condition": chart_section,
            "worst-cases": worst_section, "determinism": determinism_section, "made": made_section}


# ---- pictures ----


def pictures(files, held):
    """`files`: {name: text} of the folder of pictures."""
    wrong, due = [], [chart for charts in held.charts.values() for chart in charts]
    names = sorted(chart.name + ending for chart in due for ending in (".svg", ".csv"))
    if sorted(files) != names:
        wrong.append(f"pictures: {sorted(set(files) ^ set(names))}")
    for chart in due:
        if chart.name + ".svg" in files:
            wrong += svg(chart.name, files[chart.name + ".svg"], chart)
    return wrong


# ---- JSON, summary.csv ----


def same(found, expected):
    if isinstance(expected, float):
        if isinstance(found, str):
            found = float(found) if found in ("nan", "inf", "-inf") else None
        return isinstance(found, (int, float)) and (found == expected or (math.isnan(found) and math.isnan(expected)))
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same, found, expected))
    return type(found) is type(expected) and found == expected


def with_hex(key, value):
    return {key: value, key + "_hex": hexadecimal(value)}


def histogram_json(one):
    counts = one.histogram()
    bins = [{"binade": k, "count": counts[k], "low": f"0x1p{k:+d}"} for k in sorted(k for k in counts if isinstance(k, int))]
    return {"bins": bins, "total": one.count, **{key: counts.get(key, 0) for key in ("exact", "no_digit", "nonfinite", "undefined")}}


def statistics_json(values):
    return {**values, "hex": {name: hexadecimal(value) for name, value in values.items()}}


def series_json(run, one):
    row = one.worst
    return {
        "entry": one.entry, "method": one.method, "format": one.format, "operation": one.operation, "data": one.data, "n": one.n,
        "backend": one.backend, "device": one.device, "launch": {"blocks": one.launch[0], "threads": one.launch[1]}, "count": one.count,
        "classes": one.classes(), "statistics": {metric: statistics_json(one.statistics[metric]) for metric in METRICS},
        "histogram": histogram_json(one), "distinct_bits": one.distinct, **with_hex("median_condition", one.condition),
        "right_nonfinite": one.right, "height": one.height, **with_hex("relative_bound", one.relative_bound),
        **with_hex("relative_probable_bound", one.relative_probable), "bits_sha256": one.bits_hash(),
        "witness": {"trial": row.trial, "repeat": row.repeat, "bits": row.bits, "exact": row.exact, **with_hex("ulp_error", row.error),
                    "command": one.command(run)}}


def spread_json(counts):
    return {"sets": len(counts), "differing": sum(count > 1 for count in counts), "most": max(counts, default=0)}


def run_json(text, held):
    """The whole of run.json but the meaning of its metrics."""
    run, found = held.run, json.loads(text)
    spreads = tables.spreads(run)
    expected = {
        "schema": "ulpscope-run/2", "all_measured": run.measured_cases >= run.cases, "title": run.title, "cases": {"measured": run.measured_cases, "asked": run.cases},
        "series": [series_json(run, one) for one in run.series],
        "speeds": [{"method": method, "backend": "replay", "launch": {"blocks": launch[0], "threads": launch[1]}, "n": n, "rounds": rounds,
                    **with_hex("nanoseconds_per_element", fastest), **with_hex("nanoseconds_per_element_median", median)}
                   for (launch, method), (fastest, median, n, rounds) in run.speeds.items()],
        "reproducibility": [{"method": method, "backend": "replay", **{kind: spread_json(spreads[method][kind]) for kind in spreads[method]}}
                            for method in run.methods if method in spreads and any(spreads[method].values())]}
    wrong = [f"run.json: {key} is {cut(str(found.get(key)))} where the rows say {cut(str(expected[key]))}"
             for key in ("schema", "all_measured", "title", "cases", "reproducibility") if not same(found.get(key), expected[key])]
    for kind in ("series", "speeds"):
        if len(found[kind]) != len(expected[kind]):
            wrong.append(f"run.json: {len(found[kind])} {kind}, expected {len(expected[kind])}")
        for a, b in zip(found[kind], expected[kind]):
            for key in sorted(a.keys() | b.keys()):
                if not key.startswith("gigabytes") and not same(a.get(key), b.get(key)):  # of bytes no row speaks
                    wrong.append(f"run.json, {kind} {b.get('method')} {b.get('data')}: {key} is {cut(str(a.get(key)))} where the rows say {cut(str(b.get(key)))}")
    study = found["study"]
    for key, value in (("methods", run.methods), ("seed", run.seed), ("repeats", run.repeats),
                       ("launches", [{"blocks": blocks, "threads": threads} for blocks, threads in run.launches]),
                       ("data", [{"text": text, "trials": trials, "specs": specs, "permuted": permuted, "attacked": False} for (text, trials), specs, permuted in
                                 zip(run.entries, run.specs, run.permuted)])):
        if not same(study[key], value):
            wrong.append(f"run.json: study {key} is {cut(str(study[key]))}, expected {cut(str(value))}")
    return wrong


def summary(text, held):
    run, lines = held.run, list(csv.reader(io.StringIO(text)))
    head = ["method", "data", "n", "backend", "device", "blocks", "threads", "count"] + [f"count_{kind}" for kind in CLASSES]
    head += [f"{metric}_{name}" for metric in METRICS for name in STATISTICS]
    head += ["distinct_bits", "worst_trial", "worst_repeat", "worst_bits", "worst_command", "right_nonfinite", "median_condition", "height",
             "relative_bound", "relative_probable_bound", "bits_sha256", "worst_i", "worst_j"]
    partial = [f"{run.measured_cases} of {run.cases}"] if run.measured_cases < run.cases else []
    head += ["incomplete"] * len(partial)
    wrong = held_texts("summary.csv", lines[0], head)
    if len(lines) - 1 != len(run.series):
        wrong.append(f"summary.csv: {len(lines) - 1} lines, expected {len(run.series)}")
    for line, one in zip(lines[1:], run.series):
        row, classes = one.worst, one.classes()
        expected = [one.method, one.data, one.n, one.backend, one.device, *one.launch, one.count] + [classes[kind] for kind in CLASSES]
        expected += [one.statistics[metric][name] for metric in METRICS for name in STATISTICS]
        expected += [one.distinct, row.trial, row.repeat, row.bits, one.command(run), one.right, one.condition, one.height, one.relative_bound,
                     one.relative_probable, one.bits_hash(), 0, 0] + partial
        for name, found, value in zip(head, line, expected):
            if not (same(float(found), value) if isinstance(value, float) else found == str(value)):
                wrong.append(f"summary.csv, {one.method} {one.data}: {name} is {found} where the rows say {value}")
    return wrong
