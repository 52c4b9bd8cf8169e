#include "project.h"
#include "src/base/suggest.h"
#include "src/plugins/plugin_kind.h" /* plugin_name_of */

#include <ctype.h>
#include <unistd.h>

/* ---- which ---- */

static bool is_called(const struct callable *callable, const char *name)
{
    const char *colon = strrchr(name, ':');
    while (colon && colon > name && colon[-1] == ':') { /* of a namespace */
        const char *end = colon - 1;
        for (colon = NULL; end > name && !colon; end--)
            colon = end[-1] == ':' ? end - 1 : NULL;
    }
    const size_t file = colon ? (size_t)(colon - name) : 0;
    const char *function = colon ? colon + 1 : name;
    if (colon && (strlen(callable->file) != file || strncmp(callable->file, name, file) != 0))
        return false;
    if (colon && isdigit((unsigned char)*function)) { /* FILE:LINE */
        uint64_t line;
        return read_size(function, &line) == NULL && line == callable->line;
    }
    return strcmp(function, callable->of.name) == 0 || strcmp(function, prototype_own_name(&callable->of)) == 0;
}

static size_t count_of(const struct project *project, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < project->callables.count; i++)
        count += !project->callables.list[i].why && is_called(&project->callables.list[i], name);
    return count;
}

char *wrapper_word(const struct project *project, const struct callable *callable)
{
    const char *own = prototype_own_name(&callable->of);
    if (count_of(project, own) == 1)
        return memory_copy(own);
    char *word = text_made("%s:%s", callable->file, callable->of.name);
    if (count_of(project, word) == 1)
        return word;
    free(word); /* overloads, or the two sides of an #ifdef */
    return text_made("%s:%zu", callable->file, callable->line);
}

static enum status refuse_several(const struct project *project, const char *name)
{
    struct text words = {0};
    for (size_t i = 0; i < project->callables.count; i++) {
        const struct callable *callable = &project->callables.list[i];
        if (callable->why || !is_called(callable, name))
            continue;
        OWNED char *word = wrapper_word(project, callable);
        text_append(&words, "%s--wrap %s", words.length > 0 ? " or " : "", word);
    }
    OWNED char *text = text_take(&words);
    return bad_input("init: expected one function, found %zu that are called %s; give %s", count_of(project, name),
                     name, text);
}

/* Its path goes into sources, where these need no quotes. */
static const char *bad_letter_of(const char *file)
{
    while (isalnum((unsigned char)*file) || (*file && strchr("_./+- ", *file)) || (unsigned char)*file >= 0x80)
        file++;
    return *file ? file : NULL;
}

enum status wrapper_find(const struct project *project, const char *name, const struct callable **found)
{
    const char **known = memory_cleared(project->callables.count + 1, sizeof *known);
    const struct callable *unfit = NULL;
    size_t fit = 0;
    *found = NULL;
    for (size_t i = 0; i < project->callables.count; i++) {
        const struct callable *callable = &project->callables.list[i];
        const bool is_it = is_called(callable, name);
        if (is_it && callable->why)
            unfit = callable;
        else if (is_it)
            *found = callable;
        if (callable_is_fit(callable))
            known[fit++] = prototype_own_name(&callable->of);
    }
    const char *near = suggest(name, known, fit);
    free(known);
    if (count_of(project, name) > 1)
        return refuse_several(project, name);
    if (*found && (bad_letter_of((*found)->file) || !is_clean_text((*found)->file)))
        return bad_input(
            "init: expected a file's name of letters, in UTF-8, digits, blanks and _./+-, found %s; rename it",
            (*found)->file);
    if (*found)
        return OK;
    if (unfit)
        complain("init: %s:%zu: expected `float %s(const float *, size_t)` or its like, found %s; `ulpscope plugin "
                 "new` begins a wrapper that calls it",
                 unfit->file, unfit->line, prototype_own_name(&unfit->of), unfit->why);
    else
        complain("init: expected a function of this project, found none called %s; %s%s; `ulpscope init` lists them",
                 name, near ? "did you mean " : "functions are looked for three folders deep", near ? near : "");
    return BAD_INPUT;
}

/* ---- its source ---- */

/* "the sum of sum.c" is called sum/total in results; of Python it has the wrapper's name. */
struct wrapper {
    const struct callable *of;
    char *stem;   /* "sum", or "my_plain" where plain/total is ours */
    char *name;   /* "total", cut to what a method may be called */
    char *source; /* "ulpscope_sum.c" */
    char *method; /* "dot:sum/total@binary64" */
    const char *format;
};

static const char *element(bool is_double)
{
    return is_double ? "double" : "float";
}

/* "x, y, (int)n" */
static char *call_of(const struct prototype *of)
{
    struct text call = {0};
    for (const char *at = of->signature + 2; *at; at++)
        text_append(&call, "%s%s", at > of->signature + 2 ? ", " : "",
                    *at == 'x'   ? "x@_@"
                    : *at == 'y' ? "y@_@"
                    : *at == 'r' ? "result@_@"
                    : *at == 'i' ? "(int)n@_@"
                                 : "(size_t)n@_@");
    return text_take(&call);
}

/* Lines. */
static char *statements(const struct callable *of)
{
    const struct prototype *prototype = &of->of;
    struct text lines = {0};
    char *arguments = call_of(prototype);
    const bool is_on_device = of->language == LANGUAGE_CUDA && (prototype->is_kernel || !of->on_host);
    if (strchr(prototype->signature, 'i'))
        text_append(&lines, "if (n@_@ > INT32_MAX)\n    return 1;\n");
    if (prototype->is_kernel)
        text_append(&lines,
                    "cudaMemsetAsync(result@_@, 0, sizeof *result@_@, (cudaStream_t)call@_@->stream);\n"
                    "%s<<<call@_@->blocks, call@_@->threads, call@_@->threads * sizeof *result@_@, "
                    "(cudaStream_t)call@_@->stream>>>(%s);\n",
                    prototype->name, arguments);
    else if (prototype->returns && is_on_device)
        text_append(&lines,
                    "const auto value@_@ = %s(%s);\n"
                    "cudaMemcpy(result@_@, &value@_@, sizeof value@_@, cudaMemcpyHostToDevice);\n",
                    prototype->name, arguments);
    else
        text_append(&lines, "%s%s(%s);\n", prototype->returns ? "*result@_@ = " : "", prototype->name, arguments);
    text_append(&lines, is_on_device ? "return cudaGetLastError();\n" : "return 0;\n");
    free(arguments);
    return text_take(&lines);
}

static const char *remark(const struct callable *of)
{
    if (of->of.is_kernel)
        return "One launch on a result of 0, as wide as ulpscope says, with an element of shared memory per thread: "
               "correct it where\nthe kernel wants another, or a second one.";
    if (of->language == LANGUAGE_CUDA)
        return of->on_host
                   ? "Its file copies to the GPU, so that arrays are the host's here; else add ULPSCOPE_ON_DEVICE."
                   : "Its arrays are taken for the GPU's; if they are the host's, leave ULPSCOPE_ON_DEVICE out.";
    return "ULPSCOPE_DETERMINISTIC: the same numbers have the same bits, which is tested; put 0 where threads change "
           "them.";
}

/* A name of the wrapper's own, which would hide the function. */
static bool is_local(const char *name)
{
    static const char *const locals[] = {"state", "call", "n", "x", "y", "result", "value"};
    size_t i = 0;
    while (i < sizeof locals / sizeof *locals && strcmp(locals[i], name) != 0)
        i++;
    return i < sizeof locals / sizeof *locals;
}

static enum status add_c(struct new_files *files, const struct wrapper *wrapper)
{
    const struct callable *of = wrapper->of;
    const bool is_on_device = of->language == LANGUAGE_CUDA && (of->of.is_kernel || !of->on_host);
    OWNED char *call = statements(of);
    const struct filling fillings[] = {{"@dot@", of->of.is_dot ? "\n" : ""},
                                       {"@name@", of->of.name},
                                       {"@own@", wrapper->name},
                                       {"@file@", of->file},
                                       {"@remark@", remark(of)},
                                       {"@element@", element(of->of.is_double)},
                                       {"@result@", element(of->of.gives_double)},
                                       {"@call@", call},
                                       {"@plugin@", wrapper->stem},
                                       {"@operation@", of->of.is_dot ? "dot" : "sum"},
                                       {"@format@", wrapper->format},
                                       {"@flags@", of->is_atomic  ? is_on_device ? "ULPSCOPE_ON_DEVICE" : "0"
                                                   : is_on_device ? "ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC"
                                                                  : "ULPSCOPE_DETERMINISTIC"},
                                       {"@_@", is_local(of->of.name) ? "_" : "\n"},
                                       {0}};
    enum status status = template_add_filled(files, "init", "init/wrap/wrap.c.in", wrapper->source, fillings);
    if (status == OK)
        status = template_add_filled(files, "init", "plugins/c/ulpscope/plugin.h", "ulpscope/plugin.h", NULL);
    return status;
}

/* Where Python finds the file: the first folder above it that is no package, and its name from there, in which dots of
 * files are none of packages. */
static void place_module(const char *folder, const char *file, char **from, char **module)
{
    char *whole = memory_copy(file), *at = whole;
    for (char *slash = whole; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        OWNED char *init = text_made("%s/%s/__init__.py", folder, whole);
        const bool is_package = access(init, F_OK) == 0;
        at = is_package ? at : slash + 1;
    }
    *from = text_made("%.*s", (int)(at - whole), whole);
    *module = text_made("%.*s", (int)(strlen(at) - strlen(".py")), at);
    for (char *dot = *module; *dot; dot++)
        *dot = *dot == '.' ? '_' : *dot == '/' ? '.' : *dot;
    free(whole);
}

static enum status add_python(struct new_files *files, const char *folder, const struct wrapper *wrapper)
{
    OWNED char *from = NULL, *module = NULL;
    place_module(folder, wrapper->of->file, &from, &module);
    const struct filling fillings[] = {{"@name@", wrapper->of->of.name},
                                       {"@file@", wrapper->of->file},
                                       {"@folder@", *from ? from : "\n"}, /* "" would leave out the line */
                                       {"@module@", module},
                                       {"@operation@", wrapper->of->of.is_dot ? "dot" : "sum"},
                                       {"@arrays@", wrapper->of->arrays},
                                       {0}};
    return template_add_filled(files, "init", "init/wrap/wrap.py.in", wrapper->source, fillings);
}

/* ---- its study ---- */

static enum status add_study(struct new_files *files, const struct wrapper *wrapper, const char *builds)
{
    const bool is_dot = wrapper->of->of.is_dot, is_double = strcmp(wrapper->format, "binary64") == 0;
    const bool is_usual = strcmp(wrapper->format, "binary32") == 0,
               is_python = wrapper->of->language == LANGUAGE_PYTHON;
    const char *in = is_double ? ",format=binary64" : "", *dot = is_dot ? "dot:" : "";
    struct text data = {0};
    if (is_dot) {
        text_append(&data,
                    "{spec: \"uniform:n=1001,low=-1%s::uniform:low=-1%s\", trials: 50} # no multiple of 4: a loop that "
                    "drops the tail is seen\n"
                    "{spec: \"normal:n=4096%s::normal%s%s\", trials: 20}\n",
                    in, in, in, is_double ? ":" : "", is_double ? "format=binary64" : "");
    } else {
        text_append(
            &data,
            "{spec: \"uniform:n=1001,low=-1%s\", trials: 50} # no multiple of 4: a loop that drops the tail is seen\n"
            "{spec: \"gensum:n=4096,cond=1e2..1e6*100%s\", trials: 20}\n"
            "{spec: \"subnormal:n=1001%s\", trials: 10} # and one that flushes them\n",
            in, in, in);
    }
    OWNED char *lines = text_take(&data), *title = text_made("%s of %s", wrapper->of->of.name, wrapper->of->file);
    OWNED char *methods =
        text_made("\"%s\", %splain/serial%s%s, %skahan_two_sum/serial%s%s", wrapper->method, dot, is_usual ? "" : "@",
                  is_usual ? "" : wrapper->format, dot, is_usual ? "" : "@", is_usual ? "" : wrapper->format);
    OWNED char *plugin = is_python ? text_made("python: \"./%s\"", wrapper->source)
                                   : text_made("plugin: \"./libulpscope_%s.so\"", wrapper->stem);
    const struct filling fillings[] = {{"@title@", title},     {"@build@", builds}, {"@plugin@", plugin},
                                       {"@methods@", methods}, {"@data@", lines},   {0}};
    return template_add_filled(files, "init", "init/study_wrapped.yaml", "study.yaml", fillings);
}

static char *builds_of(const struct wrapper *wrapper)
{
    static const char *const compilers[LANGUAGES] = {[LANGUAGE_C] = "cc -O2 -shared -fPIC",
                                                     [LANGUAGE_CPP] = "c++ -O2 -std=c++17 -shared -fPIC",
                                                     [LANGUAGE_CUDA] = "nvcc -O2 -shared -Xcompiler -fPIC"};
    const char *compiler = compilers[wrapper->of->language];
    return compiler ? text_made("%s -o libulpscope_%s.so %s%s\n", compiler, wrapper->stem, wrapper->source,
                                wrapper->of->language == LANGUAGE_C ? " -lm" : "")
                    : memory_copy("");
}

enum status wrapper_add(struct new_files *files, const char *folder, const struct callable *callable, char **builds)
{
    static const char *const endings[LANGUAGES] = {"c", "cpp", "cu", "py"};
    const bool is_python = callable->language == LANGUAGE_PYTHON;
    struct wrapper wrapper = {.of = callable,
                              .stem = plugin_name_of(callable->file),
                              .name = text_made("%.*s", PLUGIN_NAME_MOST, prototype_own_name(&callable->of)),
                              .format = is_python ? "binary64" : prototype_format(&callable->of)};
    const bool is_usual = strcmp(wrapper.format, "binary32") == 0;
    OWNED char *id = text_made("%s/%s", wrapper.stem, wrapper.name);
    if (method_find(id)) {
        char *other = text_made("my_%s", wrapper.stem);
        free(wrapper.stem);
        wrapper.stem = other;
    }
    wrapper.source = text_made("ulpscope_%s.%s", wrapper.stem, endings[callable->language]);
    wrapper.method = text_made("%s%s%s/%s%s%s", callable->of.is_dot ? "dot:" : "", is_python ? "ulpscope_" : "",
                               wrapper.stem, wrapper.name, is_usual ? "" : "@", is_usual ? "" : wrapper.format);
    *builds = builds_of(&wrapper);
    enum status status = add_study(files, &wrapper, *builds);
    if (status == OK)
        status = is_python ? add_python(files, folder, &wrapper) : add_c(files, &wrapper);
    free_all(wrapper.stem, wrapper.name, wrapper.source, wrapper.method);
    return status;
}
