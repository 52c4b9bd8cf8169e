/* What a lesson's page has beside the style of reports (reports/page/page_style.h): boxes, drawings, a course's
 * contents.
 */
#pragma once

/* clang-format off: it would break the lines of the style sheet */
static const char sheet_style[] =
    ".box { border-left: 3px solid var(--line); background: var(--shade); padding: 0.6rem 0.9rem; margin: 1rem 0;\n"
    "  max-width: 50rem; border-radius: 0 4px 4px 0; } .box h3 { margin: 0 0 0.25rem; }\n"
    ".question, .theorem { border-color: var(--link); } .prediction { border-color: var(--bad); }\n"
    ".exercise { border-color: var(--good); } .question p { font-size: 1.1rem; }\n"
    "sup { line-height: 0; font-size: 0.75em; } .power { white-space: nowrap; }\n"
    "section > details { padding-left: 0.9rem; }\n"
    "pre { max-width: max-content; min-width: min(100%, 46rem); } .next { margin-top: 1.75rem; }\n"
    ".drawing { overflow-x: auto; } .drawing img { width: auto; min-width: 0; max-width: none; }\n"
    "nav ol { columns: 2 18rem; padding-left: 1.75rem; } nav li { break-inside: avoid; }\n"
    "@media (max-width: 40rem) { pre { font-size: 0.6875rem; padding: 0.6rem; } }\n"
    "@media print { .box { break-inside: avoid; } .drawing { overflow: visible; }\n"
    "  .drawing img { max-width: 100%; } .next { display: none; } }\n";
/* clang-format on */
