"""What a scope found, as text and as a page of its own."""

import html
import math
import typing

import torch

from ulpscope.torch import places

if typing.TYPE_CHECKING:
    from ulpscope.torch.entries import Entry
    from ulpscope.torch.looking import Scope

HEAD = ("operation", "format", "calls", "looked at", "ulp", "of its bound", "bias", "digits")
STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --quiet: #666 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --quiet: #aaa } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child, td:first-child { text-align: left } td.why { white-space: normal; min-width: 16rem; text-align: left }
.bad { color: var(--bad) } .quiet { color: var(--quiet) } @media print { .wide { overflow: visible } body { font-size: 10px } }
"""


def number(value: float) -> str:
    return "-" if math.isnan(value) else "inf" if math.isinf(value) else f"{value:.3g}"


def cells(entry: "Entry") -> typing.Tuple[str, ...]:
    """In the order of HEAD.  The bias has a mark where chance hardly makes it."""
    bias = number(entry.bias) + (" *" if entry.is_biased else "")
    return (str(entry.key), entry.format, str(entry.calls), f"{entry.results}{f' +{entry.undefined} undefined' if entry.undefined else ''}", number(entry.ulp_error) if entry.results else "-", number(entry.share), bias,
            number(entry.digits) if entry.results else "-")


def answer(scope: "Scope") -> str:
    """One sentence."""
    entries, findings = scope.entries(), scope.findings
    if not entries:
        return "No operation was looked at."
    looked = sum(entry.results for entry in entries)
    undefined = [entry for entry in entries if entry.undefined]
    if not findings:
        return f"Nothing is wrong in {looked} results of {len(entries)} operations that were looked at" + (
            f"; {sum(entry.undefined for entry in undefined)} more are not defined, of operands that hold NaN or infinities, first of {min(undefined, key=lambda one: one.order).key}." if undefined else ".")
    first = findings[0]
    return f"{len(findings)} of {len(entries)} operations {'has a finding' if len(findings) == 1 else 'have findings'}, first {first.key}: {first.finding}."


def unseen() -> typing.List[str]:
    """What this PyTorch does not show."""
    return (["The backward pass has no modules: this PyTorch does not say which operation a gradient is of."] if places.current_node is None else []) + [
        "Inside a compiled graph, a fused module (as of MultiheadAttention in eval mode) and a kernel of one's own that is no operator of PyTorch nothing is seen.",
        "Softmax, log_softmax, logsumexp and attention have no bound here; attention is held to the exact composition of scores, softmax and product."]


def left_out(scope: "Scope") -> typing.List[typing.Tuple[str, str, int]]:
    rows = [(kind, reason, count) for (kind, reason), count in scope.left_out.most_common() if count]
    return rows + [(name, "of no kind that is looked at", count) for name, count in scope.others.most_common()]


def text(scope: "Scope", most: int = 20) -> str:
    """The answer and a table of the worst."""
    entries = scope.entries()
    rows = [HEAD, *(cells(entry) for entry in entries[:most])]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    more = [f"and {len(entries) - most} more: entries()"] if len(entries) > most else []
    out = [f"{count} calls are {what}" for what, count in (("left out: left_out", sum(scope.left_out.values())), ("of no kind that is looked at: others", sum(scope.others.values()))) if count]
    return "\n".join([answer(scope), "", *lines, *more, *out])


def table(head: typing.Sequence[str], rows: typing.Iterable[typing.Sequence[str]]) -> str:
    def line(tag: str, row: typing.Sequence[str], kind: str = "") -> str:
        return f"<tr{kind}>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

    return '<div class="wide"><table><thead>' + line("th", head) + "</thead><tbody>" + "\n".join(line("td", row) for row in rows) + "</tbody></table></div>"


def body(scope: "Scope", most: typing.Optional[int] = None) -> str:
    entries = scope.entries()[:most]
    findings = "".join(f'<li><strong>{html.escape(str(entry.key))}</strong>: {html.escape(entry.finding)}</li>' for entry in scope.findings[:most])
    return (f'<p class="{"bad" if scope.findings else "fine"}"><strong>{html.escape(answer(scope))}</strong></p>'
            + (f"<ol>{findings}</ol>" if findings else "") + table(HEAD, map(cells, entries)))


def page(scope: "Scope") -> str:
    """Of its own: nothing is loaded."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "the processor"
    rows = [(kind, reason, str(count)) for kind, reason, count in left_out(scope)]
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A look into a model</title><style>{STYLE}</style>
<h1>A look into a model</h1>
{body(scope)}
<p class="quiet">{'Every row' if scope.sample == 1 else f'A row of {1 / scope.sample:.0f}' if scope.sample else 'No row'}, drawn by seed {scope.seed}, on {html.escape(device)} by PyTorch {torch.__version__}.
ulp: the largest error in units of the last place of the format. Of its bound: the largest share of what plain additions in any order, in binary32 or binary64, may have; above 1 no such order has it.
Bias: the mean of computed less exact, in ulps; with * where chance hardly makes it. Digits: the fewest that are right of sum |x|. A number that many others cancel to has few of its own right, and many ulps.</p>
<h2>Left out</h2>
{table(("operation", "why", "calls"), rows) if rows else "<p>Nothing.</p>"}
<h2>Not seen</h2>
<ul>{"".join(f"<li>{html.escape(one)}</li>" for one in unseen())}</ul>
</html>
"""
