#include "formula.h"

#include <ctype.h>

static const struct sign {
    const char *word, *set;
} signs[] = {{"<=", "≤"},   {">=", "≥"},   {"...", "…"}, {"||", "‖"}, {"-", "−"},     {"*", "×"},
             {"<", "&lt;"}, {">", "&gt;"}, {"sum", "∑"}, {"mu", "μ"}, {"kappa", "κ"}, {"lam", "λ"}};
static const char math[] = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">";

/* One thing as MathML, and without the parentheses around it: as what is raised or divided. */
struct piece {
    char *whole, *bare;
};

static void piece_free(struct piece *piece)
{
    free_all(piece->whole, piece->bare);
}

static char *row(const char **at, const char *closes, bool breaks);

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '|';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Behind the first digit of a number. */
static bool goes_on(const char *at)
{
    return is_digit(*at) || *at == '!' || ((*at == '.' || *at == ',') && is_digit(at[1]));
}

/* As the word is set, where there is another way. */
static char *element(const char *name, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].word) == length && strncmp(signs[i].word, word, length) == 0)
            return text_made("<%s>%s</%s>", name, signs[i].set, name);
    return text_made("<%s>%.*s</%s>", name, (int)length, word, name);
}

/* From the bracket, or bars, on. */
static struct piece group(const char **at)
{
    const size_t width = strncmp(*at, "||", 2) == 0 ? 2 : 1;
    OWNED char *open = element("mo", *at, width);
    *at += width;
    char *inside = row(at, open[4] == '(' ? ")" : open[4] == '[' ? "]" : "|", false);
    OWNED char *close = element("mo", *at, strnlen(*at, width));
    *at += strnlen(*at, width);
    return (struct piece){text_made("<mrow>%s%s%s</mrow>", open, inside, close), inside};
}

/* "u", "h1", "computed", or "RN(..)", "E[..]", "sqrt(..)". */
static struct piece name(const char **at)
{
    const char *word = *at;
    size_t letters = 0;
    while (isalpha((unsigned char)word[letters]))
        letters++;
    const size_t digits = strspn(word + letters, "0123456789");
    char *set = element(strncmp(word, "sum", 3) == 0 ? "mo" : "mi", word, letters);
    if (digits > 0) {
        OWNED char *plain = set;
        set = text_made("<msub>%s<mn>%.*s</mn></msub>", plain, (int)digits, word + letters);
    }
    *at += letters + digits;
    if (**at == '(' || **at == '[') {
        FREED_BY(piece_free) struct piece of = group(at);
        OWNED char *plain = set;
        set = strncmp(word, "sqrt(", 5) == 0 ? text_made("<msqrt>%s</msqrt>", of.bare)
                                             : text_made("<mrow>%s%s</mrow>", plain, of.whole);
    }
    return (struct piece){set, memory_copy(set)};
}

/* A number, a name, a group; or a sign. */
static struct piece atom(const char **at)
{
    size_t length = is_digit(**at);
    if (opens(**at)) {
        const bool is_round = **at == '(';
        struct piece of = group(at);
        if (!is_round) {
            free(of.bare);
            of.bare = memory_copy(of.whole);
        }
        return of;
    }
    if (isalpha((unsigned char)**at))
        return name(at);
    while (length > 0 && goes_on(*at + length))
        length++;
    for (size_t i = 0; length == 0 && i < sizeof signs / sizeof *signs; i++)
        if (strncmp(*at, signs[i].word, strlen(signs[i].word)) == 0)
            length = strlen(signs[i].word);
    length += length == 0 && **at;
    char *set = element(is_digit(**at) ? "mn" : "mo", *at, length);
    *at += length;
    return (struct piece){set, memory_copy(set)};
}

/* What stands behind a ^ or _: "-24", "ik", "(e-p)". */
static char *script(const char **at)
{
    const bool minus = *++*at == '-';
    *at += minus;
    FREED_BY(piece_free) struct piece of = atom(at);
    return text_made("<mrow>%s%s</mrow>", minus ? "<mo>−</mo>" : "", of.bare);
}

static struct piece scripted(const char **at)
{
    struct piece of = atom(at);
    while (**at == '_' || **at == '^') {
        const char *element_name = **at == '_' ? "msub" : "msup";
        FREED_BY(piece_free) struct piece base = of;
        OWNED char *raised = script(at);
        of.whole = text_made("<%s>%s%s</%s>", element_name, base.whole, raised, element_name);
        of.bare = memory_copy(of.whole);
    }
    return of;
}

/* Up to what closes it; where it breaks, a line may end before a relation, a + or a -.  Factors that a blank parts are
 * parted by a thin one. */
static char *row(const char **at, const char *closes, bool breaks)
{
    struct text text = {0};
    for (bool operand = false, first = true; (*at += strspn(*at, " ")), **at && !strchr(closes, **at); first = false) {
        if (breaks && !first && strchr("<>=+-", **at))
            text_append(&text, "</math><wbr/>%s<mrow></mrow>", math); /* so that a + at the beginning is no sign */
        else if (operand && (*at)[-1] == ' ' && (isalnum((unsigned char)**at) || opens(**at)))
            text_append(&text, "<mspace width=\"0.17em\"></mspace>");
        operand = isalnum((unsigned char)**at) || opens(**at);
        FREED_BY(piece_free) struct piece over = scripted(at);
        const size_t blanks = strspn(*at, " ");
        if ((*at)[blanks] == '/') {
            *at += blanks + 1;
            *at += strspn(*at, " ");
            FREED_BY(piece_free) struct piece under = scripted(at);
            text_append(&text, "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>", over.bare, under.bare);
        } else
            text_append(&text, "%s", over.whole);
    }
    return text_take(&text);
}

void formula_write(struct page *page, const char *formula, size_t length)
{
    OWNED char *copy = text_made("%.*s", (int)length, formula);
    const char *at = copy;
    OWNED char *set = row(&at, "", true);
    OWNED char *whole = text_made("%s%s</math>", math, set);
    xml_raw(&page->xml, whole);
}
