"""`ulpscope run` and other commands, from Python, and what they answer: objects that show themselves in a notebook and a terminal.

    run = ulpscope.run([my_sum, "kahan/serial"], numpy.random.rand(4096), trials=20)
    run.table(), run.to_pandas(), run.histogram("kahan/serial"), run.plot(), run.check("limits.yaml").passed
    ulpscope.exact([0.1] * 10).nearest.binary32

Everything is what the program wrote: nothing is computed here.
"""

import collections
import csv
import html
import importlib
import json
import keyword
import os
import re
import shutil
import typing

import ulpscope
from ulpscope import asking, families, fields, typed
from ulpscope.typed import Fields

BEYOND = ("no_digit", "nonfinite", "undefined")  # of a histogram, behind its bins
LESSON, PROBE = "lesson", "tree --probe"  # which print nothing where --json is asked for

# Columns of texts; all others are numbers.
TEXTS = {"method", "data", "format", "operation", "backend", "device", "computed_bits", "exact", "nearest_bits", "class", "stored", "added", "digest", "worst_bits",
         "worst_command", "bits_sha256"}


# What the first screen of a report needs where its style sheet is not.
STYLE = ("<style>.ulpscope th, .ulpscope td { text-align: left !important; padding: 0.2em 0.8em 0.2em 0; vertical-align: top } "
         ".ulpscope small { display: block }</style>")


class Svg(str):
    """A picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """As wide as there is room, down to where its words can be read; then it scrolls."""
        return '<div style="overflow-x:auto">' + self.replace("<svg ", '<svg style="max-width:100%;min-width:640px;height:auto" ', 1) + "</div>"


class Histogram(typing.NamedTuple):
    """Relative errors of a method on one set of data."""

    edges: typing.List[float]  # of the bins, powers of two, one more than counts
    counts: typing.List[int]
    exact: int  # error 0
    no_digit: int  # relative error 1 and more
    nonfinite: int
    undefined: int  # the exact sum alone is 0


class Answer:
    """What a command printed and wrote: `text`, `json`, whose fields are attributes as well (None: not there), and `status`, the exit status.

    status       0; 1: a limit or a bound is broken, see `ulpscope help COMMAND`; 3: something could not be measured; 130: interrupted
    notes        what was said on standard error, also of a function that failed
    interrupted  whether it was, and this is what was known by then
    """

    def __init__(self, question: asking.Question, status: int, text: str) -> None:
        self._question, self.status, self.text, self.notes = question, status, text, "".join(question.said)
        self.interrupted = status == asking.INTERRUPTED

    @property
    def json(self) -> Fields:
        """What --json has, as it is written: "inf" is a text here, a number as an attribute.  Nothing where there is none: of `probe`
        and of a softmax."""
        if "_json" not in vars(self):
            text = "{}"
            if self._question.command == LESSON:
                text = self._question.again("--json")
            elif self._question.command != PROBE and os.path.exists(self._question.path(self._json_name())):
                with open(self._question.path(self._json_name()), encoding="utf-8") as file:
                    text = file.read()
            self._json = json.loads(text, object_hook=Fields)
        return typing.cast(Fields, self._json)

    def _json_name(self) -> str:
        return "answer.json"

    if not typing.TYPE_CHECKING:  # which knows the fields of each answer from fields.py
        def __getattr__(self, name: str) -> typing.Any:
            if name.startswith("_"):
                raise AttributeError(name)
            kind = typed.declared(typing.cast(typing.Any, type(self))).get(name)
            if name in self.json or type(None) in typing.get_args(kind):
                return typed.value(kind, self.json.get(name))
            return getattr(self.json, name)  # which says what there is

    def __dir__(self) -> typing.List[str]:
        return [*super().__dir__(), *typed.declared(typing.cast(typing.Any, type(self))), *self.json]

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        if self._question.command == LESSON:
            page = self._question.again("--html")
            return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="600" style="border:0"></iframe>'
        return families.as_written(self.text)

    def plot(self) -> Svg:
        """The tree of `probe` and `blame`, of up to 512 elements.  Throws ValueError for more, and for other commands."""
        if not self._question.command.startswith(("tree", "blame")):
            raise ValueError(f"expected an answer of probe or blame, found one of {self._question.command}, which draws nothing")
        return Svg(self._question.again("--svg"))


class Check(fields.Check, Answer):
    """`ulpscope check`."""

    @property
    def passed(self) -> bool:
        """Whether the run keeps all limits."""
        return self.status == 0


def parsed(name: str, values: typing.Sequence[str]) -> typing.Sequence[typing.Any]:
    """A column: integers if all are, else floats if all are, an empty one as nan."""
    for kind in (int, float) if name not in TEXTS else ():
        try:
            return [kind(value) if value or kind is int else float("nan") for value in values]
        except ValueError:
            pass
    return values


def package_of(name: str, instead: str) -> typing.Any:
    """A package that is not needed for anything else.  Throws ImportError."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"expected {name}, found none ({error}); install it, or take {instead}") from None


class Run(fields.Run, Answer):
    """What `ulpscope run` measured.  Its folder goes away with it: save() keeps a copy."""

    def _json_name(self) -> str:
        return os.path.join("run", "run.json")

    def _columns(self, name: str) -> typing.Dict[str, typing.Sequence[typing.Any]]:
        with open(self._question.path(f"run/{name}.csv"), newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        return {column: parsed(column, [row[i] for row in rows]) for i, column in enumerate(head)}

    def _rows(self, name: str, kind: str) -> typing.List[typing.Any]:
        columns = self._columns(name)
        made = collections.namedtuple(kind, [name + "_" * keyword.iskeyword(name) for name in columns])  # type: ignore[misc]
        return [made(*row) for row in zip(*columns.values())]

    def table(self) -> typing.List[typing.Any]:
        """A named tuple for each method on each set of data, of the columns of summary.csv: method, data, n, ulp_error_max ..."""
        return self._rows("summary", "Series")

    def rows(self) -> typing.List[typing.Any]:
        """A named tuple for each sum, of the columns of results.csv: method, data, trial, computed, exact, ulp_error, bound, class_ ..."""
        return self._rows("results", "Sum")

    def _frame(self, package: str, make: str, rows: bool) -> typing.Any:
        return getattr(package_of(package, "table() or rows()"), make)({name: list(column) for name, column in self._columns("results" if rows else "summary").items()})

    def to_pandas(self, rows: bool = False) -> typing.Any:
        """table(), or rows(), as a DataFrame of pandas.  Throws ImportError."""
        return self._frame("pandas", "DataFrame", rows)

    def to_polars(self, rows: bool = False) -> typing.Any:
        """table(), or rows(), as a DataFrame of polars.  Throws ImportError."""
        return self._frame("polars", "DataFrame", rows)

    def to_arrow(self, rows: bool = False) -> typing.Any:
        """table(), or rows(), as a Table of pyarrow.  Throws ImportError."""
        return self._frame("pyarrow", "table", rows)

    def histogram(self, method: str, data: typing.Optional[str] = None) -> Histogram:
        """How often relative errors of a method occurred, by binade.  `data` is needed where it has several.  Throws ValueError."""
        found = [one for one in self.json["series"] if one["method"] == method and data in (None, one["data"])]
        if len(found) != 1:
            known = ", ".join(sorted({f"{one['method']} on {one['data']}" for one in found or self.json["series"]}))
            raise ValueError(f"expected a method and data of {known}, found {method}" + (f" on {data}" if data else ""))
        of = found[0]["histogram"]
        counts = {one["binade"]: one["count"] for one in of["bins"]}
        binades = range(min(counts), max(counts) + 1) if counts else range(0)
        edges = [2.0**binade for binade in (*binades, binades[-1] + 1)] if counts else []
        return Histogram(edges, [counts.get(binade, 0) for binade in binades], of["exact"], of["no_digit"], of["nonfinite"], of["undefined"])

    def chart(self, method: typing.Optional[str] = None, data: typing.Optional[str] = None) -> typing.Any:
        """What histogram() has, of one method or of each, on one set of data or each, as a chart of Altair.  Throws ImportError and ValueError."""
        altair = package_of("altair", "plot()")
        chosen = [one for one in self.series if method in (None, one.method) and data in (None, one.data)]
        if not chosen:
            self.histogram(method or "", data)  # which says what there is
        binades = [one.binade for series in chosen for one in series.histogram.bins]
        names = [f"2^{binade}" for binade in range(min(binades), max(binades) + 1)] if binades else []
        values = []
        for one in chosen:
            counts = {f"2^{of.binade}": of.count for of in one.histogram.bins}
            counts.update({"exact": one.histogram.exact, **{name.replace("_", " "): one.histogram[name] for name in BEYOND}})
            values += [{"method": one.method, "data": one.data, "error": name, "sums": count} for name, count in counts.items() if count]
        order = ["exact", *names, *(name.replace("_", " ") for name in BEYOND)]
        x = altair.X("error:N", sort=order, scale=altair.Scale(domain=order), title="relative error, from 2^k up to its double")
        return altair.Chart(altair.Data(values=values)).mark_bar().encode(x=x, y="sums:Q", row="method:N", column="data:N", tooltip=["sums:Q", "error:N"])

    @property
    def pictures(self) -> typing.List[str]:
        """Names for plot(): those of the report."""
        folder = self._question.path("run/svg")
        names = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".svg")) if os.path.isdir(folder) else []
        return sorted(names, key=lambda name: not name.startswith("histogram"))

    def plot(self, name: typing.Optional[str] = None) -> Svg:
        """A picture of the report, the first of `pictures` without a name.  Throws ValueError."""
        names = self.pictures
        if not names or name not in (None, *names):
            raise ValueError(f"expected a picture of {', '.join(names) or 'the report, which has none'}, found {name}")
        with open(self._question.path(f"run/svg/{name or names[0]}.svg"), encoding="utf-8") as file:
            return Svg(file.read())

    def _repr_html_(self) -> str:
        """The answer, the ranking of methods and what is proven, of the report."""
        with open(self._question.path("run/report.html"), encoding="utf-8") as file:
            page = file.read()
        first = page[page.find("<h1>"):].partition('<details class="part"')[0]
        parts = re.findall(r'<h1>.*?</h1>|<p class="answer">.*?</p>|<table .*?</table>|<ul class="verdict">.*?</ul>', first, re.S)[:5]
        return STYLE + '<div class="ulpscope" style="overflow-x:auto">' + "".join(parts).replace("<h1>", "<p><strong>").replace("</h1>", "</strong></p>") + "</div>"

    def save(self, folder: typing.Union[str, "os.PathLike[str]"]) -> str:
        """Copies run.db and all reports there, with the arrays and functions that were measured.  Throws FileExistsError."""
        shutil.copytree(self._question.path("run"), folder)
        for entry in os.scandir(self._question.folder):
            if entry.name.endswith((".npy", ".py")):
                shutil.copy(entry.path, folder)
        return os.fspath(folder)

    def check(self, limits: typing.Any = None, throw: bool = False, **options: typing.Any) -> Check:
        """Holds the run to limits: a file of `ulpscope check`, or its rules, [{"method": "*", "data": "*", "metric": "ulp_error", "limit":
        "2ulp"}]; options are those of `ulpscope check`.  Throws ValueError for what are none and, with `throw`, AssertionError where one is broken."""
        question = asking.Question("check", options)
        words = asking.words_of("check", options)
        if isinstance(limits, (list, tuple, dict)):
            rules = limits if isinstance(limits, dict) else {"schema": "ulpscope-limits/1", "rules": list(limits)}
            limits = question.path("limits.yaml")
            with open(limits, "w", encoding="utf-8") as file:
                json.dump(rules, file)
        words += [f"--limits={os.path.abspath(limits)}"] if limits is not None else []
        question.cwd = None if options else self._question.cwd  # where causes are looked for in arrays; options may name files
        status, text = question.ask("check", *words, f"--json={question.path('answer.json')}", "--", self._question.path("run"))
        result = Check(question, status, text.replace(question.folder + os.sep, ""))
        if throw and not result.passed:
            raise AssertionError(result.text)
        return result


def run(methods: typing.Any = None, data: typing.Any = None, *, quiet: bool = False, isolate: bool = True, **options: typing.Any) -> Run:
    """Measures methods on data, as `ulpscope run` does, and returns what it measured.

    methods  ids and globs of `ulpscope list methods`, functions, or a list of both: the classic four without any.  A function is given
             an array of one dimension and returns a number, or is what `ulpscope.method` declares it to be; it runs in another process
    data     a spec of `ulpscope list generators`, a file, an array of binary64, binary32, binary16, bfloat16 or fp8 in whatever kind of
             array (docs/python.md), numbers; a tuple of two for dot products; or a list of these
    quiet    without notes and progress on standard error
    isolate  False: functions run in this process, on this thread, and may be closures over what is here; rounding, FTZ and DAZ are checked
             around every call.  One that crashes ends this process, and one that takes too long is given up, but runs on.  What it keeps of
             its array has to be a copy
    options  flags of `ulpscope run`: trials=20, seed=1, format="bfloat16", operation="dot", permutations=0, speed=0, study="study.yaml" ...

    An interrupt ends it with what was measured, `.interrupted`.  So are the others where a function fails,
    `.status` 3; a broken bound is `.status` 1.  Throws ValueError and TypeError for what is none of these, RuntimeError where nothing could
    be measured, and ProgramMissing.
    """
    words = asking.words_of("run", options, (*asking.OURS, *asking.OURS_OF_RUN))
    question = asking.Question("run", options, isolate)
    given = [] if data is None else data if asking.is_several(data) else [data]
    if given and not any(isinstance(one, (str, os.PathLike)) for one in given) and not {"study", *asking.FILES} & set(options):
        question.cwd = question.folder  # whose files have short names then
    specs = [question.data(one) for one in given]
    chosen = [] if methods is None else list(methods) if isinstance(methods, (list, tuple)) else [methods]
    ids = question.functions(chosen)
    if not any(isinstance(one, str) for one in given):
        words += question.format_of(chosen)
    folder = question.path("run")
    command = ["run", *words, *question.words, *(f"--method={one}" for one in ids), *(f"--data={spec}" for spec in specs)]
    status, text = question.ask(*command, f"--output={folder}", quiet=quiet, partly=True)
    answer = Run(question, status, text)
    if status in (asking.NOT_MEASURED, asking.INTERRUPTED):
        failure = KeyboardInterrupt() if answer.interrupted else RuntimeError(question.why())
        if not os.path.exists(os.path.join(folder, "run.db")):
            raise failure
        answer.text = question.ask("report", folder, f"--output={folder}", "--overwrite", quiet=True)[1]
        if not answer.json.get("series"):
            raise failure
    return answer


class Exact(fields.Exact, Answer):
    """An exact sum, and its correct rounding to each format."""


class Attack(fields.Attack, Answer):
    """The numbers on which a method is least accurate, as far as a search found them."""


class Determinism(fields.Run, Answer):
    """What changed the bits of a sum: `variations`."""


class Probe(Answer):
    """The tree that a sum adds in, as its results show it; `text` has it, and plot()."""


class Explain(fields.Explain, Answer):
    """Why two methods differ, and the fewest numbers that show it."""


class Blame(fields.Blame, Answer):
    """The additions that lost most."""


class Lesson(fields.Lesson, Answer):
    """A lesson, with its questions and their answers."""


Kind = typing.TypeVar("Kind", bound=Answer)
ENDS = """
    x is an array of one dimension of binary64, binary32, binary16, bfloat16 or fp8, a list of numbers, a file or a spec of `ulpscope list
    generators`; (x, y) is a dot product.  quiet=True: no notes on standard error; isolate=False: functions run in this
    process.  All other options are flags of `ulpscope help {command}`, in
    which a hyphen is an underscore.

    Throws TypeError for a name that is no flag and for what is no array, ValueError for what the program does not take, RuntimeError where it
    fails, ProgramMissing where there is none.
    """


def asker(kind: typing.Type[Kind], command: str, does: str) -> typing.Callable[..., Kind]:
    """The function of a command."""

    def ask(*words: typing.Any, quiet: bool = False, isolate: bool = True, **options: typing.Any) -> Kind:
        flags = asking.words_of(command, options)
        question = asking.Question(command, options, isolate)
        specs = [one if isinstance(one, str) or callable(one) else question.data(one) for one in words]
        ids = question.functions([one for one in specs if not isinstance(one, str)])
        found = iter(ids)
        positional = [one if isinstance(one, str) else next(found) for one in specs]
        written = [] if command in (LESSON, PROBE) else [f"--json={question.path('answer.json')}"]
        flags += question.format_of(words) if command in ("explain", "blame") else []
        question.words = [*command.split(), *flags, *question.words, "--", *positional]
        try:
            status, text = question.ask(*question.with_flags(*written), quiet=quiet)
        except ValueError:
            if not written:
                raise
            status, text = question.ask(*question.words, quiet=quiet)  # a few, as a softmax, have text alone, and others are refused again
        return kind(question, status, text.replace(question.folder + os.sep, ""))  # which goes away with the answer

    ask.__name__ = ask.__qualname__ = kind.__name__.lower()
    ask.__doc__ = does + "\n" + ENDS.format(command=command.split()[0])
    ask.__annotations__["return"] = kind
    return ask


exact = asker(Exact, "exact", """The exact sum of x: exact(x), exact((x, y)), exact(x, operation="variance"), exact(x, compare=sum(x)).

    `exact` and `sum_abs` (hexadecimal, in full), `nearest_number` (rounded once to each format), `condition` (a ratio: sum |x| / |sum|), and of
    each compare= `ulp_error` (in units of the last place at the exact sum), `abs_error` (in the unit of x), `relative_error`.""")
attack = asker(Attack, "attack", """The numbers on which a method is least accurate: attack("kahan/serial", n=64), attack(my_sum, budget=1e4).

    `attacks`, one of each method and n: `value` (a share of the bound, or in ulp), `numbers` and the smaller `witness.numbers` (hexadecimal).""")
determinism = asker(Determinism, "determinism", """What changes the bits of a sum: determinism(my_sum, x, across="repeat").

    `variations`, one of each axis: `results` (how many different ones), `spread_ulp` (from the least to the largest, in ulp), `first`, `why`.""")
probe = asker(Probe, PROBE, """The tree in which a sum adds n numbers, found by sums of chosen ones: probe(my_sum, n=16).  There is no x; plot() draws it.""")
explain = asker(Explain, "explain", """Why two methods differ on x: explain("naive", "tree", x), explain("naive", my_sum, x).

    `verdict` and `cause` (sentences), `difference_ulp` (in ulp), `methods`, and the fewest numbers that show it, `witness`.""")
blame = asker(Blame, "blame", """The additions of a method that lost most: blame("naive", x, top=5).

    `top_additions`: `error` (in the unit of x) and `share` (of all that was lost, 0 to 1); `inexact`, how many lost anything; plot() draws them.""")
lesson = asker(Lesson, LESSON, """A lesson, "rounding" or a number from 1, or without one their list: lesson(), lesson("rounding", answers=True).""")
