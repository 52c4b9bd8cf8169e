/* The style sheet of the HTML report: light and dark, from a telephone to paper.
 *
 * v1 to v7 are the levels of a verdict, from exact to no digit; their text is --ink.  A test holds every pair of text
 * and ground to a contrast of 4.5:1. */
#ifndef ULPSCOPE_PAGE_STYLE_H
#define ULPSCOPE_PAGE_STYLE_H

/* clang-format off: it would break the lines of the style sheet */
static const char *const page_style[] = {
    /* the page */
    "\n"
    ":root { --ink: #1d2329; --soft: #57606a; --line: #d5dae0; --paper: #ffffff; --shade: #f5f7f9;\n"
    "  --good: #1f6f3d; --bad: #a5301c; --link: #33658a;\n"
    "  --v1: #b5e0c1; --v2: #cfebcf; --v3: #e6f2cd; --v4: #f7efbf; --v5: #d3e5f6; --v6: #fadfc3; --v7: #f6cdc4;\n"
    "  color-scheme: light dark; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --ink: #e4e8ec; --soft: #9aa5b1; --line: #38414b; --paper: #14181c; --shade: #1d2329;\n"
    "    --good: #7ccf98; --bad: #ff9480; --link: #8bbbe0;\n"
    "    --v1: #14512f; --v2: #22492f; --v3: #394a1e; --v4: #514711; --v5: #1d4666; --v6: #5e3a15; --v7: #6b2a21; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0; background: var(--paper); color: var(--ink);\n"
    "  font: 16px/1.5 system-ui, -apple-system, sans-serif; -webkit-text-size-adjust: 100%; }\n"
    "main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }\n"
    "h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.5rem 0; }\n"
    "h2 { font-size: 1.2rem; margin: 1.25rem 0 0.25rem; }\n"
    "h3 { font-size: 1rem; margin: 1.75rem 0 0.5rem; }\n"
    "h1, h2, h3, h4, p, dt, dd, li, summary, figcaption { overflow-wrap: anywhere; }\n"
    "p { margin: 0.5rem 0; max-width: 60rem; }\n"
    ".context, figcaption, .legend { color: var(--soft); font-size: 0.875rem; }\n"
    ".legend { margin: 0.1rem 0; }\n"
    ".verdict { list-style: none; padding: 0.5rem 0.9rem; margin: 0.9rem 0; background: var(--shade);\n"
    "  border-left: 3px solid var(--link); } .verdict li { margin: 0.25rem 0; }\n"
    "details + .context { margin-top: 2.5rem; } a { color: var(--link); }\n"
    "code { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 0.875em; }\n",
    /* tables, pictures and lists: a string each, because C promises 4095 characters of one */
    ".wide { overflow-x: auto; margin: 0.75rem 0; }\n"
    "table { border-collapse: separate; border-spacing: 0; font-size: 0.875rem; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 0.3rem 0.75rem 0.3rem 0; text-align: right; white-space: nowrap; vertical-align: baseline; }\n"
    "th { font-weight: 600; } tbody th, tfoot th { font-weight: 400; color: var(--soft); }\n"
    "th.left, td.left { text-align: left; }\n"
    "th + th, th + td, td + td { padding-left: 0.75rem; }\n"
    "thead th { border-bottom: 1px solid var(--ink); white-space: normal; vertical-align: bottom; }\n"
    ".long th:first-child { min-width: 17rem; max-width: 20rem; white-space: normal; overflow-wrap: anywhere; }\n"
    "tfoot tr:first-child > * { border-top: 1px solid var(--ink); }\n"
    "tbody tr + tr > *, tfoot tr + tr > * { border-top: 1px solid var(--line); }\n"
    "th:first-child { position: sticky; left: 0; background: var(--paper); }\n"
    "details th:first-child { border-right: 1px solid var(--line); }\n"
    ".wide .v1 { background: var(--v1); } .wide .v2 { background: var(--v2); } .wide .v3 { background: var(--v3); }\n"
    ".wide .v4 { background: var(--v4); } .wide .v5 { background: var(--v5); } .wide .v6 { background: var(--v6); }\n"
    ".wide .v7 { background: var(--v7); } tbody th.v1, tbody th.v2, tbody th.v3, tbody th.v4, tbody th.v5, tbody "
    "th.v6,\n"
    "tbody th.v7 { color: var(--ink); } td + td[class^='v'] { padding-left: 0.6rem; padding-right: 0.6rem; }\n"
    "th small, td small { display: block; font-size: 0.8em; line-height: 1.25; }\n"
    "pre { overflow-x: auto; background: var(--shade); padding: 0.75rem 0.9rem; font-size: 0.8125rem;\n"
    "  border-radius: 4px; font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }\n"
    ".good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }\n"
    "figure { margin: 1.25rem 0 0.5rem; }\n"
    ".panel { border: 1px solid var(--line); border-radius: 4px; overflow-x: auto; }\n"
    "img { display: block; width: 100%; min-width: 42rem; height: auto; }\n"
    ".pair { display: grid; gap: 0.75rem 1.25rem; } .pair > div { min-width: 0; } .pair p { margin: 0 0 0.3rem; }\n"
    "@media screen and (min-width: 80rem) { .pair { grid-template-columns: 1fr 1fr; width: min(96vw, 122rem);\n"
    "  margin-left: calc(50% - min(48vw, 61rem)); } .pair img { min-width: 0; } }\n"
    "figcaption { margin-top: 0.5rem; max-width: 60rem; }\n"
    "details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--link); font-size: 0.875rem; }\n"
    ".part { border-top: 1px solid var(--line); padding-top: 0.4rem; } .part[open] { padding-bottom: 2rem; }\n"
    ".part > summary { font-size: 1rem; } .part > summary > * { display: inline; margin: 0; }\n"
    ".missing { border-left: 3px solid var(--bad); padding: 0.5rem 0.75rem; background: var(--shade); }\n"
    "dl.worst { margin: 0.5rem 0; } dl.worst dt { font-weight: 600; margin-top: 0.9rem; }\n"
    "dl.worst dd { margin: 0.1rem 0; font-size: 0.875rem; }\n"
    "dl.worst dd.command { margin-top: 0.3rem; } dd.command > div { background: var(--shade); overflow-x: auto;\n"
    "  padding: 0.35rem 0.6rem; border-radius: 4px; white-space: nowrap; }\n"
    "dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.15rem 1.25rem;\n"
    "  font-size: 0.875rem; margin: 0.25rem 0; }\n"
    "dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; }\n"
    "@media (max-width: 40rem) { dl.facts { grid-template-columns: 1fr; gap: 0; }\n"
    "  dl.facts dd { margin-bottom: 0.5rem; } h1 { font-size: 1.4rem; } table { font-size: 0.8125rem; }\n"
    "  .wide th, .wide td { padding-left: 0.25rem; padding-right: 0.4rem; } .wide th:first-child { padding-left: 0; }\n"

    "  th:first-child { border-right: 1px solid var(--line); }\n"
    "  .wide th:first-child { min-width: 32vw; white-space: normal; overflow-wrap: anywhere; } }\n",
    /* paper */
    "@media print { :root { --ink: #000000; --soft: #444444; --paper: #ffffff; --shade: #ffffff; --line: #cccccc;\n"
    "    --good: #1f6f3d; --bad: #a5301c; --link: #000000;\n"
    "    --v1: #b5e0c1; --v2: #cfebcf; --v3: #e6f2cd; --v4: #f7efbf; --v5: #d3e5f6; --v6: #fadfc3; --v7: #f6cdc4; }\n"
    "  body { font-size: 10pt; } main { max-width: none; padding: 0; } h2, h3, h4, .context { break-after: avoid; }\n"
    "  details:not([open]) > summary::after { content: ' (folded: open it to print it)'; color: var(--soft); }\n"
    "  details details:not([open]) { display: none; } pre { white-space: pre-wrap; overflow-wrap: anywhere; border: "
    "1px "
    "solid var(--line); }\n"
    "  .v1, .v2, .v3, .v4, .v5, .v6, .wide .v7 { print-color-adjust: exact; -webkit-print-color-adjust: exact; }\n"
    "  figure, tr, dl.worst dd { break-inside: avoid; } dl.worst dt, dl.facts dt { break-after: avoid; }\n"
    "  thead, tr:nth-child(-n+2) { break-after: avoid; } tr:nth-last-child(-n+2) { break-before: avoid; }\n"
    "  .wide, .panel { overflow: visible; }\n"
    "  .panel { border: 0; } img { min-width: 0; width: auto; max-width: 100%; max-height: 20cm; }\n"
    "  dd.command > div { white-space: normal; overflow: visible; overflow-wrap: anywhere; }\n"
    "  th:first-child { position: static; border-right: 0; background: none; }\n"
    "  table { font-size: 7.5pt; } thead { display: table-header-group; }\n"
    "  th, td, th + td, th + th, td + td { padding-left: 0.3rem; padding-right: 0.3rem; }\n"
    "  html { font-size: 10pt; } }\n",
};
/* clang-format on */

#endif
