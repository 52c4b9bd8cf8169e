#include "prototype.h"
#include "src/base/base.h"

#include <ctype.h>

/* ---- words ---- */

struct word {
    const char *at; /* NULL: the end */
    size_t length;
};

/* Of a name; what is not ASCII is one, of which prototype_read() says so. */
static bool begins_name(char letter)
{
    return isalpha((unsigned char)letter) || letter == '_' || (unsigned char)letter >= 0x80;
}

/* A name, of C++ with its namespaces; or one character; of "..." the first. */
static struct word next(const char **text)
{
    const char *at = *text + strspn(*text, " \t\r\n");
    size_t length = *at != '\0';
    if (begins_name(*at))
        while (begins_name(at[length]) || isdigit((unsigned char)at[length]) ||
               (at[length] == ':' && (at[length - 1] == ':' || at[length + 1] == ':')))
            length++;
    *text = at + length;
    return (struct word){*at ? at : NULL, length};
}

static bool is(struct word word, const char *text)
{
    return word.at && word.length == strlen(text) && strncmp(word.at, text, word.length) == 0;
}

static bool is_one_of(struct word word, const char *const *list)
{
    while (*list && !is(word, *list))
        list++;
    return *list != NULL;
}

static bool is_name(struct word word)
{
    return word.at && begins_name(*word.at);
}

static const char *const qualifiers[] = {
    "const",     "volatile", "restrict",   "__restrict", "__restrict__", "static",   "inline",          "extern",
    "constexpr", "__inline", "__inline__", "__host__",   "__device__",   "register", "__forceinline__", NULL};
/* Types of which none is a length here, and no names either. */
static const char *const other_types[] = {"short", "char", "bool", "_Bool", NULL};
/* Whose parentheses belong to them. */
static const char *const with_arguments[] = {"__attribute__", "__launch_bounds__", "noexcept", "alignas", NULL};

/* Behind "(", to behind the ")" that closes it. */
static void skip_group(const char **text)
{
    int depth = 0;
    do {
        const struct word word = next(text);
        depth += is(word, "(") - is(word, ")");
        if (!word.at)
            return;
    } while (depth > 0);
}

/* ---- types ---- */

/* What a parameter, or a result, is made of: "const unsigned long n", "float x[]". */
struct declared {
    struct word name;
    int pointers;
    bool is_const, is_float, is_double, is_void, is_unsigned, is_foreign;
    int longs, ints; /* ints: int, signed, unsigned, which may stand alone */
    char sized;      /* the letter that C++ mangles size_t and others to; 0: it is none of them */
};

static const struct {
    const char *name;
    char mangled;
} sized_types[] = {{"size_t", 'm'},  {"ssize_t", 'l'},  {"ptrdiff_t", 'l'}, {"int64_t", 'l'},  {"uint64_t", 'm'},
                   {"int32_t", 'i'}, {"uint32_t", 'j'}, {"intptr_t", 'l'},  {"uintptr_t", 'm'}};

static char sized_type(struct word word)
{
    if (word.length > 5 && strncmp(word.at, "std::", 5) == 0)
        word = (struct word){word.at + 5, word.length - 5};
    for (size_t i = 0; i < sizeof sized_types / sizeof *sized_types; i++)
        if (is(word, sized_types[i].name))
            return sized_types[i].mangled;
    return 0;
}

static bool has_type(const struct declared *of)
{
    return of->is_float || of->is_double || of->is_void || of->longs + of->ints > 0 || of->sized;
}

static void add_word(struct declared *of, struct word word)
{
    const char sized = sized_type(word);
    if (is(word, "*") || is(word, "["))
        of->pointers++;
    else if (is(word, "const") && of->pointers == 0)
        of->is_const = true;
    else if (is_one_of(word, qualifiers))
        return;
    else if (is(word, "float"))
        of->is_float = true;
    else if (is(word, "double"))
        of->is_double = true;
    else if (is(word, "void"))
        of->is_void = true;
    else if (is(word, "long"))
        of->longs++;
    else if (is(word, "int") || is(word, "signed") || is(word, "unsigned")) {
        of->ints++;
        of->is_unsigned |= is(word, "unsigned");
    } else if (sized && !has_type(of))
        of->sized = sized;
    else if (is_name(word) && has_type(of) && !of->name.at && !is_one_of(word, other_types))
        of->name = word;
    else
        of->is_foreign = true;
}

/* To the "," or ")" behind it, which it returns. */
static struct word read_parameter(const char **text, struct declared *of)
{
    *of = (struct declared){0};
    for (;;) {
        const struct word word = next(text);
        if (!word.at || is(word, ",") || is(word, ")"))
            return word;
        add_word(of, word);
        if (is(word, "[")) {
            *text += strcspn(*text, "],)");
            *text += **text == ']';
        }
    }
}

/* The letter of C++ for a count: 'i', 'j', 'l', 'm', 'x', 'y'; 0: it is none. */
static char count_of(const struct declared *of)
{
    if (of->is_foreign || of->pointers > 0 || of->is_float || of->is_double || of->is_void || of->longs > 2)
        return 0;
    if (of->sized)
        return of->longs + of->ints == 0 ? of->sized : 0;
    return of->longs + of->ints > 0 ? "ijlmxy"[2 * of->longs + of->is_unsigned] : 0;
}

static bool is_array(const struct declared *of)
{
    return of->pointers == 1 && of->is_float != of->is_double && !of->is_foreign && !of->is_void &&
           of->longs + of->ints == 0;
}

/* ---- the symbol of C++ ---- */

struct mangling {
    char *to;
    int next;        /* that is substituted: namespaces, then types as they come */
    int first[2][2]; /* where a pointer to float came first, and one to double; of [1] it is const; 0: nowhere */
};

static void put(struct mangling *mangling, const char *text, size_t length)
{
    const size_t used = strlen(mangling->to);
    snprintf(mangling->to + used, PROTOTYPE_SYMBOL - used, "%.*s", (int)length, text);
}

static void put_name(struct mangling *mangling, const char *name)
{
    char length[16];
    const bool is_nested = strstr(name, "::") != NULL;
    put(mangling, is_nested ? "_ZN" : "_Z", 3);
    for (const char *part = name; part; part = strstr(part, "::") ? strstr(part, "::") + 2 : NULL) {
        const char *end = strstr(part, "::");
        const size_t letters = end ? (size_t)(end - part) : strlen(part);
        snprintf(length, sizeof length, "%zu", letters);
        put(mangling, length, strlen(length));
        put(mangling, part, letters);
        mangling->next += end != NULL;
    }
    put(mangling, "E", is_nested);
}

static void put_pointer(struct mangling *mangling, const struct declared *of)
{
    int *const first = &mangling->first[of->is_const][of->is_double];
    char text[16];
    if (*first == 0) {
        mangling->next += of->is_const; /* const float is a type of its own */
        *first = ++mangling->next;
        put(mangling, of->is_const ? "PK" : "P", 2);
        put(mangling, of->is_float ? "f" : "d", 1);
        return;
    }
    snprintf(text, sizeof text, *first > 1 ? "S%d_" : "S_", *first - 2);
    put(mangling, text, strlen(text));
}

static char wrong[240];

static const char *found(const char *what, struct word word)
{
    snprintf(wrong, sizeof wrong, "%s%s%.*s%s", what, word.at ? " \"" : "", word.at ? (int)word.length : 0,
             word.at ? word.at : "", word.at ? "\"" : "");
    return wrong;
}

/* The result's type and the name, to behind "(". */
static const char *read_head(const char **text, struct prototype *of, struct declared *result)
{
    for (;;) {
        const struct word word = next(text);
        if (is(word, "__global__")) {
            of->is_kernel = true;
        } else if (is_one_of(word, with_arguments)) {
            skip_group(text);
        } else if (is(word, "(")) {
            break;
        } else if (is(word, "\"")) { /* extern "C" */
            *text += strcspn(*text, "\"");
            *text += **text == '"';
        } else if (is(word, "[") && **text == '[') { /* an attribute of C++ */
            const char *end = strstr(*text, "]]");
            *text = end ? end + 2 : *text + strlen(*text);
        } else if (!word.at) {
            return found("no \"(\"", word);
        } else {
            add_word(result, word);
        }
    }
    if (!result->name.at || result->name.length > PROTOTYPE_NAME)
        return found(result->name.at ? "a name longer than 200 letters" : "no name before \"(\"", result->name);
    snprintf(of->name, sizeof of->name, "%.*s", (int)result->name.length, result->name.at);
    for (const char *letter = of->name; *letter; letter++)
        if ((unsigned char)*letter >= 0x80)
            return found("letters beyond ASCII in the name", result->name);
    if (result->is_foreign || result->pointers > 0 || result->longs + result->ints > 0 || result->sized ||
        result->is_const || result->is_float + result->is_double + result->is_void != 1)
        return found("a result that is neither float, double nor void of", result->name);
    return NULL;
}

static const char *read_parameters(const char **text, struct declared list[PROTOTYPE_PARAMETERS], int *count)
{
    struct word end;
    *count = 0;
    do {
        if (*count == PROTOTYPE_PARAMETERS)
            return found("more than 4 parameters", (struct word){0});
        const char *from = *text;
        end = read_parameter(text, &list[*count]);
        if (!end.at)
            return found("no \")\"", end);
        const struct declared *of = &list[(*count)++];
        from += strspn(from, " \t\r\n");
        if (!is_array(of) && !count_of(of))
            return found("the parameter", (struct word){from, (size_t)(end.at - from)});
    } while (is(end, ","));
    for (struct word word; (word = next(text)).at;)
        if (!is(word, ";") && !is(word, "noexcept") && !is(word, "{"))
            return found("behind \")\" the word", word);
    return NULL;
}

/* Which parameter is what. */
static const char *sort_out(const struct declared *list, int count, const struct declared *result, struct prototype *of)
{
    int arrays = 0, lengths = 0, last = -1;
    struct mangling mangling = {.to = of->mangled};
    char *to = of->signature + 2;
    of->returns = !result->is_void;
    for (int p = 0; p < count; p++)
        last = is_array(&list[p]) ? p : last;
    put_name(&mangling, of->name);
    for (int p = 0; p < count; p++) {
        const char is_count = count_of(&list[p]);
        if (is_count) {
            lengths++;
            *to++ = strchr("ij", is_count) ? 'i' : 'n';
            put(&mangling, &is_count, 1);
            continue;
        }
        const bool is_result = !of->returns && p == last;
        if (is_result && list[p].is_const)
            return found("no pointer to write the result to", (struct word){0});
        if (!of->returns && !is_result && !list[p].is_const)
            return found("several pointers without const, of which any may be that of the result,", (struct word){0});
        of->gives_double |= is_result && list[p].is_double;
        if (!is_result && arrays > 0 && of->is_double != list[p].is_double)
            return found("arrays of two types", (struct word){0});
        of->is_double |= !is_result && list[p].is_double;
        *to++ = is_result ? 'r' : arrays++ == 0 ? 'x' : 'y';
        put_pointer(&mangling, &list[p]);
    }
    of->gives_double |= result->is_double;
    of->is_dot = arrays == 2;
    of->signature[0] = of->is_double ? 'd' : 'f';
    of->signature[1] = of->gives_double ? 'd' : 'f';
    if (lengths != 1 || arrays < 1 || arrays > 2) {
        snprintf(wrong, sizeof wrong, "%d array%s and %d length%s", arrays, arrays == 1 ? "" : "s", lengths,
                 lengths == 1 ? "" : "s");
        return wrong;
    }
    return of->is_double && !of->gives_double ? found("a float of arrays of double", (struct word){0}) : NULL;
}

const char *prototype_read(const char *text, struct prototype *of)
{
    struct declared result = {0}, list[PROTOTYPE_PARAMETERS];
    int count;
    *of = (struct prototype){0};
    const char *failure = read_head(&text, of, &result);
    if (!failure)
        failure = read_parameters(&text, list, &count);
    return failure ? failure : sort_out(list, count, &result, of);
}

const char *prototype_own_name(const struct prototype *of)
{
    const char *last = strrchr(of->name, ':');
    return last ? last + 1 : of->name;
}

const char *prototype_format(const struct prototype *of)
{
    return of->is_double ? "binary64" : of->gives_double ? "binary32_to_binary64" : "binary32";
}
