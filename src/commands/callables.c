#include "project.h"
#include "src/base/list.h"

#include <ctype.h>
#include <sys/stat.h>

enum { FILE_MOST = 4 << 20, TEXT_MOST = 400, DEPTH_MOST = 16 };

/* All of a file of text, allocated; NULL: it is none, or too large. */
static char *text_of(const char *folder, const char *file)
{
    char *path = text_made("%s/%s", folder, file), *text = NULL;
    struct stat facts;
    FILE *from =
        stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= FILE_MOST ? fopen(path, "re") : NULL;
    if (from) {
        text = memory_cleared((size_t)facts.st_size + 1, 1);
        text[fread(text, 1, (size_t)facts.st_size, from)] = '\0';
        fclose(from);
    }
    free(path);
    return text;
}

static struct callable *add(struct callables *to, enum language language, const char *file, size_t line,
                            const char *text, size_t length)
{
    struct text collapsed = {0};
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]))
            text_append(&collapsed, "%c", text[i]);
        else if (i + 1 < length && !isspace((unsigned char)text[i + 1]) && collapsed.length > 0)
            text_append(&collapsed, " ");
    OWNED char *raw = text_take(&collapsed);
    to->list = list_short(to->list, to->count, &to->capacity, sizeof *to->list);
    struct callable *callable = &to->list[to->count++];
    *callable = (struct callable){
        .language = language, .file = memory_copy(file), .line = line, .text = clean_text(raw), .arrays = "list"};
    return callable;
}

/* ---- C, C++ and CUDA ---- */

static const char *directive(const char *at)
{
    return at + 1 + strspn(at + 1, " \t");
}

/* Of an #else or #elif, to before its #endif. */
static const char *end_of_branches(const char *at)
{
    int nested = 0;
    for (at = strchr(at, '\n'); at; at = strchr(at + 1, '\n')) {
        const char *line = at + 1 + strspn(at + 1, " \t");
        const char *word = *line == '#' ? directive(line) : "";
        if (strncmp(word, "endif", 5) == 0 && nested-- == 0)
            return at;
        nested += strncmp(word, "if", 2) == 0;
    }
    return NULL;
}

/* Whether a ' begins a character, L'{' too, and stands in no number: 1'000. */
static bool begins_character(const char *text, const char *at)
{
    while (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
        at--;
    return !isdigit((unsigned char)*at);
}

/* Comments, directives and what stands in quotes become blanks, and so do further branches of an #if whose first one
 * leaves a brace open, as each then does; lines stay. */
static void blank_out(char *text)
{
    enum { IFS_MOST = 64 };
    int braces = 0, ifs = 0, before[IFS_MOST];
    bool at_line_start = true;
    for (char *at = text; *at;) {
        const char *end = at;
        const char *word = *at == '#' && at_line_start ? directive(at) : NULL;
        if (word && strncmp(word, "if", 2) == 0 && ifs++ < IFS_MOST)
            before[ifs - 1] = braces;
        else if (word && strncmp(word, "endif", 5) == 0 && ifs > 0)
            ifs--;
        if (word && strncmp(word, "el", 2) == 0 && ifs > 0 && ifs <= IFS_MOST && before[ifs - 1] != braces &&
            end_of_branches(at)) {
            end = end_of_branches(at);
        } else if (strncmp(at, "//", 2) == 0 || word) {
            for (end += strcspn(end, "\n"); *end && end[-1] == '\\'; end += strcspn(end, "\n"))
                end++; /* goes on in the next line */
        } else if (strncmp(at, "/*", 2) == 0) {
            const char *close = strstr(at + 2, "*/");
            end = close ? close + 2 : at + strlen(at);
        } else if (*at == '"' || (*at == '\'' && begins_character(text, at))) {
            for (end++; *end && *end != *at && *end != '\n'; end++)
                end += *end == '\\' && end[1];
            end += *end == *at;
        }
        if (end == at) {
            braces += (*at == '{') - (*at == '}');
            at_line_start = *at == '\n' || (at_line_start && isspace((unsigned char)*at));
            at++;
        }
        for (; at < end; at++)
            *at = *at == '\n' ? '\n' : ' ';
    }
}

static size_t lines_in(const char *from, const char *to)
{
    size_t lines = 0;
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

static bool begins_with(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) && text[length] != '_';
}

/* A namespace, or extern "C", whose quotes are blanks: what stands in its braces is of the file.  name: of a namespace
 * that has one; else "". */
static bool is_transparent(const char *head, const char *brace, char name[PROTOTYPE_NAME + 1])
{
    head += strspn(head, " \t\r\n");
    *name = '\0';
    if (begins_with(head, "inline"))
        head += strlen("inline") + strspn(head + strlen("inline"), " \t\r\n");
    if (begins_with(head, "namespace")) {
        sscanf(head + strlen("namespace"), " %200[A-Za-z0-9_:]", name);
        return true;
    }
    return begins_with(head, "extern") && !memchr(head, '(', (size_t)(brace - head));
}

struct reading {
    struct callables *to;
    const char *file, *text;
    enum language language;
    struct {
        bool is_transparent;
        char name[PROTOTYPE_NAME + 1];
    } scopes[DEPTH_MOST];
    int depth, inside; /* braces that are open, and those that begin in a body */
};

/* A definition's head, to before its "{". */
static void read_head(struct reading *reading, const char *head, size_t length)
{
    struct prototype of;
    struct text qualified = {0};
    while (length > 0 && isspace((unsigned char)*head))
        head++, length--;
    if (length == 0 || length > TEXT_MOST || !memchr(head, '(', length) || begins_with(head, "template"))
        return;
    OWNED char *text = text_made("%.*s", (int)length, head);
    const char *wrong = prototype_read(text, &of);
    if (!*of.name || strstr(of.name, "::"))
        return; /* no function, or a member of a class */
    struct callable *callable =
        add(reading->to, reading->language, reading->file, 1 + lines_in(reading->text, head), head, length);
    for (int d = 0; d < reading->depth; d++)
        if (*reading->scopes[d].name)
            text_append(&qualified, "%s::", reading->scopes[d].name);
    text_append(&qualified, "%s", of.name);
    OWNED char *name = text_take(&qualified);
    const bool is_long = strlen(name) > PROTOTYPE_NAME;
    callable->why = wrong ? memory_copy(wrong) : is_long ? memory_copy("a name longer than 200 letters") : NULL;
    callable->of = of;
    if (!is_long)
        memcpy(callable->of.name, name, strlen(name) + 1);
}

static void open_brace(struct reading *reading, const char *head, const char *brace)
{
    char name[PROTOTYPE_NAME + 1];
    if (reading->inside > 0 || reading->depth == DEPTH_MOST) {
        reading->inside++;
    } else if (is_transparent(head, brace, name)) {
        reading->scopes[reading->depth].is_transparent = true;
        strcpy(reading->scopes[reading->depth++].name, name);
    } else {
        read_head(reading, head, (size_t)(brace - head));
        reading->inside++;
    }
}

static void read_definitions(struct reading *reading)
{
    const char *head = reading->text;
    for (const char *at = reading->text; *at; at++) {
        if (*at == '{')
            open_brace(reading, head, at);
        else if (*at == '}' && reading->inside > 0)
            reading->inside--;
        else if (*at == '}' && reading->depth > 0)
            reading->depth--;
        if (strchr("{};", *at))
            head = at + 1;
    }
}

static void read_c(struct callables *to, const char *file, enum language language, char *text)
{
    const size_t before = to->count;
    const bool is_atomic = strstr(text, "atomicAdd") != NULL;
    blank_out(text);
    struct reading reading = {.to = to, .file = file, .text = text, .language = language};
    const bool on_host = strstr(text, "cudaMemcpyHostToDevice") != NULL || strstr(text, "cudaMallocManaged") != NULL;
    read_definitions(&reading);
    for (size_t i = before; i < to->count; i++) {
        to->list[i].on_host = on_host;
        to->list[i].is_atomic = is_atomic;
    }
}

/* ---- Python ---- */

static bool speaks_of_a_sum(const char *name)
{
    static const char *const parts[] = {"sum", "add", "total", "reduc", "accum", "dot", "inner"};
    bool speaks = false;
    char lower[PROTOTYPE_NAME + 1] = "";
    for (size_t i = 0; name[i] && i < PROTOTYPE_NAME; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        speaks |= strstr(lower, parts[i]) != NULL;
    return speaks;
}

/* "def total(x, start=0.0):" at the beginning of a line: parameters without a default, up to a "*", are what a call
 * must give. */
static void read_def(struct callables *to, const char *file, const char *all, const char *at)
{
    const char *open = strchr(at, '('), *close = open;
    int depth = 0, must = 0;
    bool is_word = false, has_default = false, is_star = false;
    for (; close && *close; close++) {
        depth += strchr("([{", *close) != NULL;
        depth -= strchr(")]}", *close) != NULL;
        is_star |= depth == 1 && *close == '*' && !is_word;
        has_default |= depth == 1 && *close == '=';
        is_word |= depth == 1 && (isalpha((unsigned char)*close) || *close == '_');
        if ((depth == 1 && *close == ',') || depth == 0) {
            must += is_word && !has_default && !is_star;
            is_word = has_default = false;
        }
        if (depth == 0)
            break;
    }
    if (!close || !*close)
        return;
    struct callable *callable = add(to, LANGUAGE_PYTHON, file, 1 + lines_in(all, at), at, (size_t)(close + 1 - at));
    sscanf(at, "def %200[A-Za-z0-9_]", callable->of.name);
    callable->of.is_dot = must == 2;
    callable->is_likely = speaks_of_a_sum(callable->of.name);
    if (must < 1 || must > 2 || !*callable->of.name)
        callable->why = text_made("%d parameters that a call must give", must);
    static const char *const frameworks[] = {"torch", "jax", "cupy", "numpy"};
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        OWNED char *import = text_made("import %s", frameworks[i]), *from = text_made("from %s", frameworks[i]);
        if (strcmp(callable->arrays, "list") == 0 && (strstr(all, import) || strstr(all, from)))
            callable->arrays = frameworks[i];
    }
}

static void read_python(struct callables *to, const char *file, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, "def ", 4) == 0)
            read_def(to, file, text, line);
}

void callables_read(struct callables *to, const char *folder, const char *file, enum language language)
{
    OWNED char *text = text_of(folder, file);
    if (text && language == LANGUAGE_PYTHON)
        read_python(to, file, text);
    else if (text)
        read_c(to, file, language, text);
}

bool callable_is_fit(const struct callable *callable)
{
    return !callable->why && (callable->language != LANGUAGE_PYTHON || callable->is_likely);
}

void callables_free(struct callables *callables)
{
    for (size_t i = 0; i < callables->count; i++)
        free_all(callables->list[i].file, callables->list[i].text, callables->list[i].why);
    free(callables->list);
    *callables = (struct callables){0};
}
