#include "formula.h"

#include <ctype.h>

/* A part of the text, from and up to. */
struct span {
    const char *at, *end;
};

static const struct sign {
    const char *word, *set;
} signs[] = {{"<=", "≤"}, {">=", "≥"}, {"...", "…"}, {"-", "−"},   {"*", "×"},     {"+", "+"},  {"=", "="},
             {"<", "<"},  {">", ">"},  {"||", "‖"},  {"sum", "∑"}, {"kappa", "κ"}, {"mu", "μ"}, {"lam", "λ"}};
enum { SIGNS = sizeof signs / sizeof *signs, BREAKS = 9 };

/* NULL: none stands there. */
static const struct sign *sign_at(struct span span)
{
    for (size_t i = 0; i < SIGNS; i++) {
        const size_t length = strlen(signs[i].word);
        const bool word = isalpha((unsigned char)signs[i].word[0]);
        if ((size_t)(span.end - span.at) >= length && strncmp(span.at, signs[i].word, length) == 0 &&
            (!word || (size_t)(span.end - span.at) == length))
            return &signs[i];
    }
    return NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

/* ---- where things end ---- */

static bool is_at(const char *at, const char *end, const char *any)
{
    return at < end && strchr(any, *at);
}

/* Behind the bracket that closes the one here. */
static const char *group_end(const char *at, const char *end)
{
    int depth = 0;
    do {
        depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        at++;
    } while (depth > 0 && at < end);
    return at;
}

/* |x|, ||x||: behind the bar that closes it. */
static const char *bars_end(const char *at, const char *end)
{
    const int bars = 1 + is_at(at + 1, end, "|");
    at += bars;
    while (at < end && *at != '|')
        at++;
    return at + bars < end ? at + bars : end;
}

/* A number, a word with the brackets that it is applied to, a bracket, bars, a sign. */
static const char *atom_end(const char *at, const char *end)
{
    const struct sign *sign = sign_at((struct span){at, end});
    const char *const start = at;
    if (is_at(at, end, "(["))
        return group_end(at, end);
    if (*at == '|')
        return bars_end(at, end);
    if (isalpha((unsigned char)*at))
        while (at < end && isalnum((unsigned char)*at))
            at++;
    else
        while (at < end && (isdigit((unsigned char)*at) ||
                            (at > start && (*at == '!' || (is_at(at, end, ".,") && isdigit((unsigned char)at[1]))))))
            at++;
    if (at == start)
        return start + (sign ? strlen(sign->word) : 1);
    return isalpha((unsigned char)*start) && is_at(at, end, "([") ? group_end(at, end) : at;
}

/* Of ^-24, _ik, ^(e-p): the text behind the ^ or _. */
static const char *script_end(const char *at, const char *end)
{
    at += *at == '-';
    return is_at(at, end, "([") ? group_end(at, end) : atom_end(at, end);
}

static const char *scripted_end(const char *at, const char *end)
{
    at = atom_end(at, end);
    while (is_at(at, end, "^_"))
        at = script_end(at + 1, end);
    return at;
}

/* ---- what is written ---- */

static void write_row(struct page *page, struct span row);

static void element(struct page *page, const char *name, struct span of)
{
    const struct sign *sign = sign_at(of);
    page_open(page, name);
    page_text(page, "%.*s", sign ? (int)strlen(sign->set) : (int)(of.end - of.at), sign ? sign->set : of.at);
    page_close_inline(page);
}

/* Without the parentheses around it, where they are the whole. */
static void write_bare(struct page *page, struct span of)
{
    const bool group = *of.at == '(' && group_end(of.at, of.end) == of.end;
    page_open(page, "mrow");
    write_row(page, group ? (struct span){of.at + 1, of.end - 1} : of);
    page_close_inline(page);
}

/* "u", "h1", "computed". */
static void write_name(struct page *page, struct span of)
{
    const char *digits = of.at;
    while (digits < of.end && isalpha((unsigned char)*digits))
        digits++;
    if (digits < of.end)
        page_open(page, "msub");
    element(page, strncmp(of.at, "sum", 3) == 0 ? "mo" : "mi", (struct span){of.at, digits});
    if (digits < of.end) {
        element(page, "mn", (struct span){digits, of.end});
        page_close_inline(page);
    }
}

/* (..), [..], |..|, ||..|| */
static void write_fenced(struct page *page, struct span of)
{
    const int width = 1 + (of.at[0] == '|' && of.at[1] == '|');
    page_open(page, "mrow");
    element(page, "mo", (struct span){of.at, of.at + width});
    write_row(page, (struct span){of.at + width, of.end - width});
    element(page, "mo", (struct span){of.end - width, of.end});
    page_close_inline(page);
}

/* sqrt(..), or any word with its brackets. */
static void write_applied(struct page *page, struct span of, const char *bracket)
{
    const bool root = strncmp(of.at, "sqrt(", 5) == 0;
    page_open(page, root ? "msqrt" : "mrow");
    if (root)
        write_row(page, (struct span){bracket + 1, of.end - 1});
    else {
        write_name(page, (struct span){of.at, bracket});
        write_fenced(page, (struct span){bracket, of.end});
    }
    page_close_inline(page);
}

static void write_atom(struct page *page, struct span of)
{
    const char *bracket = of.at + strcspn(of.at, "([");
    if (isdigit((unsigned char)*of.at))
        element(page, "mn", of);
    else if (is_at(of.at, of.end, "([|"))
        write_fenced(page, of);
    else if (isalpha((unsigned char)*of.at) && bracket < of.end)
        write_applied(page, of, bracket);
    else if (isalpha((unsigned char)*of.at))
        write_name(page, of);
    else
        element(page, "mo", of);
}

static void write_scripted(struct page *page, struct span of)
{
    const char *const end = atom_end(of.at, of.end), *const second = end < of.end ? script_end(end + 1, of.end) : end;
    const bool below = is_at(end, of.end, "_");
    if (end < of.end)
        page_open(page, !below ? "msup" : second < of.end ? "msubsup" : "msub");
    write_atom(page, (struct span){of.at, end});
    if (end < of.end)
        write_bare(page, (struct span){end + 1, second});
    if (second < of.end)
        write_bare(page, (struct span){second + 1, of.end});
    if (end < of.end)
        page_close_inline(page);
}

/* What is over, the /, what is under; or one thing with its scripts.  Its end. */
static const char *write_item(struct page *page, struct span row)
{
    const struct span over = {row.at, scripted_end(row.at, row.end)};
    const char *slash = skip_blanks(over.end, row.end);
    if (!is_at(slash, row.end, "/")) {
        write_scripted(page, over);
        return over.end;
    }
    const char *under = skip_blanks(slash + 1, row.end), *const end = scripted_end(under, row.end);
    page_open(page, "mfrac");
    write_bare(page, over);
    write_bare(page, (struct span){under, end});
    page_close_inline(page);
    return end;
}

static bool is_operand(const char *at, const char *end)
{
    return at < end && (isalnum((unsigned char)*at) || is_at(at, end, "([|"));
}

/* Factors that a blank parts are parted by a thin one. */
static void write_row(struct page *page, struct span row)
{
    bool operand = false;
    for (const char *at = row.at, *next; (next = skip_blanks(at, row.end)) < row.end;) {
        if (next > at && operand && is_operand(next, row.end)) {
            page_open(page, "mspace");
            page_attribute(page, "width", "0.17em");
            page_close_inline(page);
        }
        operand = is_operand(next, row.end);
        at = write_item(page, (struct span){next, row.end});
    }
}

/* The end of what stays in one line. */
static const char *piece_end(const char *at, const char *end)
{
    const char *next = at;
    for (bool first = true;; first = false) {
        at = skip_blanks(next, end);
        if (at >= end || (!first && at > next && sign_at((struct span){at, end}) &&
                          sign_at((struct span){at, end}) < signs + BREAKS && *at != '.'))
            return next;
        next = *at == '/' ? at + 1 : scripted_end(at, end);
    }
}

void formula_write(struct page *page, const char *formula, size_t length)
{
    const char *const end = formula + length;
    for (const char *at = formula; (at = skip_blanks(at, end)) < end;) {
        const char *const next = piece_end(at, end);
        if (at > formula) {
            page_open(page, "wbr");
            xml_close(&page->xml);
        }
        page_open(page, "math");
        page_attribute(page, "xmlns", "http://www.w3.org/1998/Math/MathML");
        page_open(page, "mrow"); /* before it, so that a + at the beginning is no sign */
        page_close_inline(page);
        write_row(page, (struct span){at, next});
        page_close_inline(page);
        at = next;
    }
}
