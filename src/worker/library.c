#include "kernels/sum_format.h"
#include "worker.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- A function of a library that knows nothing of plugin.h, as a plug-in of one method ---- */

static void *function;
static const char *signature; /* src/plugins/prototype.h */

/* Both ABIs that ulpscope runs on, x86-64's and AArch64's, pass pointers and integers of any width alike, in registers;
 * registers beyond the parameters are not looked at.  So one call serves for every order and every type of a length. */
#define CALL(type) ((type(*)(intptr_t, intptr_t, intptr_t, intptr_t))at)(words[0], words[1], words[2], words[3])

static int run(void *state, const struct ulpscope_call *call)
{
    const int64_t n = call->inputs[0].shape[0];
    void *const to = ulpscope_data(&call->outputs[0]);
    intptr_t words[4] = {0};
    void (*at)(void);
    (void)state;
    memcpy(&at, &function, sizeof at);
    for (int p = 0; signature[2 + p]; p++)
        switch (signature[2 + p]) {
        case 'x':
        case 'y':
            words[p] = (intptr_t)ulpscope_data(&call->inputs[signature[2 + p] - 'x']);
            break;
        case 'r':
            words[p] = (intptr_t)to;
            break;
        default:
            words[p] = (intptr_t)n;
        }
    if (strchr(signature, 'i') && n > INT32_MAX)
        return 1;
    if (strchr(signature, 'r'))
        CALL(void);
    else if (signature[1] == 'd')
        *(double *)to = CALL(double);
    else
        *(float *)to = CALL(float);
    return 0;
}

static const char *meaning(int status)
{
    (void)status;
    return "its length is a number of 32 bits";
}

/* The symbol is that of C or, mangled, that of C++, which is checked then: *is_checked.  NULL: neither is there. */
static const struct ulpscope_plugin *bare_plugin(void *handle, char *const words[BARE_WORDS], int *is_checked)
{
    static struct ulpscope_method method;
    static struct ulpscope_plugin plugin;
    function = dlsym(handle, words[BARE_METHOD]);
    *is_checked = !function;
    function = function ? function : dlsym(handle, words[BARE_MANGLED]);
    signature = words[BARE_SIGNATURE];
    static char own[PLUGIN_NAME_MOST + 1];
    const char *name = strrchr(words[BARE_METHOD], ':');
    strncpy(own, name ? name + 1 : words[BARE_METHOD], PLUGIN_NAME_MOST);
    method = (struct ulpscope_method){.size = sizeof method,
                                      .name = own,
                                      .operation = strchr(signature, 'y') ? "dot" : "sum",
                                      .format = words[BARE_FORMAT],
                                      .run = run,
                                      .claim = words[BARE_PROTOTYPE]};
    plugin = (struct ulpscope_plugin){
        .size = sizeof plugin, .name = words[BARE_PLUGIN], .methods = &method, .method_count = 1, .error = meaning};
    return function ? &plugin : NULL;
}

/* ---- refusals ---- */

static const char *method_name = ""; /* what is refused; "": the plug-in */

static _Noreturn void refuse(const char *expected, const char *found, const char *advice)
{
    if (method_name[0]) {
        say("method ");
        say_foreign(method_name);
        say(": ");
    }
    say("expected ");
    say(expected);
    say(", found ");
    say_foreign(found ? found : "none");
    say("; ");
    say(advice);
    give_up();
}

static const char *quoted(const char *text)
{
    static char quotes[300];
    snprintf(quotes, sizeof quotes, "\"%s\"", text ? text : "");
    return text ? quotes : NULL;
}

static void check_size(const char *of, size_t size, size_t least, size_t most)
{
    char expected[100], found[32];
    snprintf(expected, sizeof expected, "struct %s of %zu to %zu bytes", of, least, most);
    snprintf(found, sizeof found, "%zu", size);
    if (size < least)
        refuse(expected, found, "begin the struct with its size");
    if (size > most)
        refuse(expected, found, "begin the struct with its size, and compile it with the plugin.h of this ulpscope");
}

static void check_name(const char *what, const char *name)
{
    const char *at = name ? name : "";
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    if (!name || at == name || *at)
        refuse(what, quoted(name), "names are letters, digits and _");
}

/* ---- the entry ---- */

#define TEXT_OF(macro) TEXT_OF_IT(macro)
#define TEXT_OF_IT(text) #text
static const char entry_name[] = TEXT_OF(ULPSCOPE_ENTRY);

static _Noreturn void refuse_entry(void *handle)
{
    enum { NUMBERS_MOST = 100 };
    char other[64];
    const size_t stem = strcspn(entry_name, "0123456789");
    for (int number = 0; number < NUMBERS_MOST; number++) {
        snprintf(other, sizeof other, "%.*s%d", (int)stem, entry_name, number);
        if (dlsym(handle, other))
            refuse(
                entry_name, other,
                "compile it with the plugin.h of this ulpscope, or measure it with the ulpscope that it was made for");
    }
    snprintf(other, sizeof other, "_Z%zu%sv", sizeof entry_name - 1, entry_name);
    if (dlsym(handle, other))
        refuse(entry_name, other, "declare that function with ULPSCOPE_EXPORT, which keeps its name as in C");
    refuse("the symbol ulpscope_plugin_1", NULL,
           "end the source with ULPSCOPE_PLUGIN(...) of ulpscope/plugin.h, and hide no symbol that is ULPSCOPE_EXPORT");
}

static void *open_file(const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        say("cannot be loaded: ");
        say_foreign(dlerror());
        say("; expected a shared library, and all that it links to");
        give_up();
    }
    return handle;
}

static const struct ulpscope_plugin *find_plugin(void *handle)
{
    const struct ulpscope_plugin *(*entry)(void);
    void *found = dlsym(handle, entry_name);
    if (!found)
        refuse_entry(handle);
    memcpy(&entry, &found, sizeof entry);
    faults_while(" in the function that ULPSCOPE_PLUGIN makes");
    const struct ulpscope_plugin *plugin = entry();
    if (!plugin)
        refuse("a plug-in", "NULL", "let its entry return a struct ulpscope_plugin");
    return plugin;
}

/* ---- methods ---- */

static const DLDataType of_binary64 = {2, 64, 1}, of_binary32 = {2, 32, 1}, of_binary16 = {2, 16, 1},
                        of_bfloat16 = {4, 16, 1}, of_e4m3 = {10, 8, 1}, of_e5m2 = {12, 8, 1}, of_tf32 = {2, 32, 1};

static const struct {
    const char *id;
    const DLDataType *stored, *result;
} formats[] = {
#define SUM_FORMAT(id, stored, added, result, claim) {#id, &of_##stored, &of_##result},
#include "kernels/formats.def"
};

static void find_format(struct library_method *method)
{
    const struct sum_format *named = method->of.format ? sum_format_find(method->of.format) : NULL;
    for (size_t f = 0; f < sizeof formats / sizeof *formats && named; f++)
        if (strcmp(formats[f].id, named->id) == 0) {
            method->stored = *formats[f].stored;
            method->result = *formats[f].result;
            return;
        }
    refuse("a format", quoted(method->of.format), "ulpscope list formats names them");
}

static bool is_coefficient(double x)
{
    return x >= 0 && x < 1e300;
}

static void check_bound(const struct ulpscope_method *of)
{
    if (of->bound > ULPSCOPE_BOUND_NAMED)
        refuse("a bound of enum ulpscope_bound", "another", "compile it with the plugin.h of this ulpscope");
    if (of->bound == ULPSCOPE_BOUND && !(is_coefficient(of->bound_of_sum) && is_coefficient(of->bound_of_abs)))
        refuse("bound_of_sum and bound_of_abs from 0 to 1e300", "another number", "see plugin.h");
    if (of->bound == ULPSCOPE_BOUND_NAMED && !of->bound_named)
        refuse("bound_named, the name of a bound", NULL, "see plugin.h");
}

static void check_method(struct library_method *method)
{
    const struct ulpscope_method *of = &method->of;
    find_format(method);
    check_bound(of);
    if (!of->operation || !of->operation[0])
        refuse("an operation", quoted(of->operation), "ulpscope list operations names them");
    if (!of->run)
        refuse("a function `run`", NULL, "give it one");
    if (of->flags & ~(uint32_t)(ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS))
        refuse("flags of enum ulpscope_flags", "others", "compile it with the plugin.h of this ulpscope");
    if ((of->lengths != NULL) != (of->length_count > 0))
        refuse("lengths and their count", "one without the other", "leave both out where any n will do");
    for (size_t i = 0; i < of->length_count; i++)
        if (of->lengths[i] == 0)
            refuse("lengths from 1 on", "0", "leave it out");
}

/* Copies the next struct of an array, which begins with its size: all have that of the first. */
static void take_struct(const char *type, void *copy, size_t least, size_t most, const void *array, size_t i)
{
    char plural[64];
    size_t first, size;
    memcpy(&first, array, sizeof first);
    check_size(type, first, least, most);
    memcpy(&size, (const char *)array + i * first, sizeof size);
    snprintf(plural, sizeof plural, "structs %s of one size", type);
    if (size != first)
        refuse(plural, "several", "begin each with its size");
    memcpy(copy, (const char *)array + i * first, size);
}

static void read_method(struct library *library, size_t m)
{
    struct library_method *method = &library->methods[m];
    take_struct("ulpscope_method", &method->of, offsetof(struct ulpscope_method, claim), sizeof method->of,
                library->of.methods, m);
    check_name("the name of a method", method->of.name);
    method_name = method->of.name;
    check_method(method);
    for (size_t other = 0; other < m; other++)
        if (strcmp(library->methods[other].of.name, method->of.name) == 0)
            refuse("one method of this name", "two", "name one of them otherwise");
    method_name = "";
    library->method_count++;
}

/* Its methods: all orders, or those that never merge. */
static void read_accumulator(struct library *library, struct ulpscope_accumulator *adds, size_t a)
{
    take_struct("ulpscope_accumulator", adds, offsetof(struct ulpscope_accumulator, claim), sizeof *adds,
                library->of.accumulators, a);
    check_name("the name of an accumulator", adds->name);
    method_name = adds->name;
    if (!adds->zero || !adds->add || !adds->result)
        refuse("functions `zero`, `add` and `result`", NULL, "give it all three");
    if (adds->state_bytes == 0 || adds->state_bytes > ACCUMULATOR_BYTES_MOST)
        refuse("a state of 1 to 65536 bytes", "another", "say sizeof its type");
    for (int order = 0; order < ACCUMULATOR_ORDERS; order++) {
        struct library_method *method = &library->methods[library->method_count];
        *method = (struct library_method){.adds = adds, .order = order};
        if (!accumulator_method(method))
            continue;
        find_format(method);
        check_bound(&method->of);
        library->method_count++;
    }
    method_name = "";
}

static void read_methods(struct library *library)
{
    const size_t methods = library->of.methods ? library->of.method_count : 0;
    const size_t accumulators = library->of.accumulators ? library->of.accumulator_count : 0;
    const size_t most = methods + accumulators * ACCUMULATOR_ORDERS;
    if (most == 0)
        refuse("methods", NULL, "give it one");
    library->methods = calloc(most, sizeof *library->methods);
    library->accumulators = calloc(accumulators + 1, sizeof *library->accumulators);
    if (!library->methods || !library->accumulators)
        refuse("as many methods as memory holds", "more", "look at method_count");
    for (size_t m = 0; m < methods; m++)
        read_method(library, m);
    for (size_t a = 0; a < accumulators; a++)
        read_accumulator(library, &library->accumulators[a], a);
}

/* ---- what READY says ---- */

static void say_lengths(const struct ulpscope_method *of)
{
    for (size_t i = 0; i < of->length_count; i++) {
        say(i == 0 ? ", \"lengths\": [" : ", ");
        say_number(of->lengths[i]);
    }
    if (of->length_count > 0)
        say("]");
}

static void say_method(const struct library_method *method)
{
    const struct ulpscope_method *of = &method->of;
    char coefficients[100];
    say("{\"name\": ");
    say_json(of->name);
    if (method->adds) {
        say(", \"accumulator\": ");
        say_json(method->adds->name);
        say(", \"state_bytes\": ");
        say_number(method->adds->state_bytes);
    }
    say(", \"operation\": ");
    say_json(of->operation);
    say(", \"format\": ");
    say_json(of->format);
    say(of->flags & ULPSCOPE_DETERMINISTIC ? ", \"deterministic\": true" : ", \"deterministic\": false");
    say(of->flags & ULPSCOPE_ROWS ? ", \"rows\": true" : "");
    say(of->flags & ULPSCOPE_ON_DEVICE ? ", \"on_device\": true" : "");
    if (of->claim) {
        say(", \"claim\": ");
        say_json(of->claim);
    }
    say_lengths(of);
    snprintf(coefficients, sizeof coefficients, "{\"of_sum\": %.17g, \"of_abs\": %.17g}", of->bound_of_sum,
             of->bound_of_abs);
    say(", \"bound\": ");
    if (of->bound == ULPSCOPE_BOUND_NAMED)
        say_json(of->bound_named);
    else
        say(of->bound == ULPSCOPE_BOUND ? coefficients : of->bound == ULPSCOPE_NO_BOUND ? "\"none\"" : "\"any_order\"");
    say("}");
}

static void say_library(const struct library *library)
{
    say("{\"name\": ");
    say_json(library->of.name);
    if (library->of.version) {
        say(", \"version\": ");
        say_json(library->of.version);
    }
    say(", \"methods\": [");
    for (size_t m = 0; m < library->method_count; m++) {
        say(m > 0 ? ", " : "");
        say_method(&library->methods[m]);
    }
    say("]");
}

static const struct ulpscope_plugin *find_bare(void *handle, char *const *bare, int *is_checked)
{
    const struct ulpscope_plugin *plugin = bare_plugin(handle, bare, is_checked);
    char expected[120];
    snprintf(expected, sizeof expected, "the symbol %s", bare[BARE_METHOD]);
    if (!plugin)
        refuse(expected, NULL,
               "`nm -D --defined-only` lists those of a library; a function that is static or hidden is none");
    return plugin;
}

const char *library_load(struct library *library, const char *file, char *const *bare)
{
    int is_checked = 1;
    faults_while(" while it was loaded");
    void *handle = open_file(file);
    const struct ulpscope_plugin *plugin = bare ? find_bare(handle, bare, &is_checked) : find_plugin(handle);
    check_size("ulpscope_plugin", plugin->size, offsetof(struct ulpscope_plugin, open), sizeof library->of);
    memcpy(&library->of, plugin, plugin->size);
    check_name("the name of a plug-in", library->of.name);
    read_methods(library);
    say_library(library);
    if (!said_all()) {
        said_nothing();
        refuse("methods whose names, claims and lengths take 64 KiB", "more", "leave some out");
    }
    return is_checked ? NULL : bare[BARE_PROTOTYPE];
}

void say_status(const struct library *library, int status)
{
    const char *meaning = library->of.error ? library->of.error(status) : NULL;
    say("returned status ");
    say(status < 0 ? "-" : "");
    say_number(status < 0 ? 0 - (uint64_t)status : (uint64_t)status);
    say(meaning ? ": " : "");
    say_foreign(meaning ? meaning : "");
}
