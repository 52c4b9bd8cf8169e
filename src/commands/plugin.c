/* ulpscope plugin: tries a plug-in, and writes one to begin with. */
#include "data_arguments.h"
#include "src/base/interrupts.h"
#include "src/gate/diagnosis/black_boxes.h"
#include "src/plugins/plugin_kind.h" /* plugin_name_of */
#include "src/results/results_load.h"
#include "src/run/run.h"
#include "templates.h"

#include <dirent.h>
#include <errno.h>

/* ---- A plug-in to begin with: a copy of a folder of examples/plugins ---- */

/* Of the files, or what a process that was killed leaves: its lock, and files that were not whole. */
static bool is_own(const struct new_files *files, const char *name)
{
    bool is_one =
        strncmp(name, ".ulpscope", strlen(".ulpscope")) == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    for (size_t i = 0; i < files->count && !is_one; i++) {
        const size_t length = strcspn(files->files[i].name, "/");
        is_one = strlen(name) == length && strncmp(name, files->files[i].name, length) == 0;
    }
    return is_one;
}

/* Whether there is nothing else in it. */
static enum status check_folder(const struct new_files *files, const char *what, const char *name)
{
    DIR *folder = opendir(name);
    const struct dirent *entry = NULL;
    if (!folder && errno == ENOENT)
        return OK;
    while (folder && (entry = readdir(folder)) && is_own(files, entry->d_name))
        continue;
    if (folder)
        closedir(folder);
    if (folder && !entry)
        return OK;
    return bad_input("%s: cannot make %s: %s; name another folder", what, name, strerror(EEXIST));
}

/* "solver" of "../solver/": what its files and methods are called; allocated.  A module "ulpscope" would hide ours. */
static char *name_of(const char *folder)
{
    char *whole = realpath(folder, NULL), *path = whole ? whole : memory_copy(folder);
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
        path[length - 1] = '\0';
    char *name = plugin_name_of(path);
    free(path);
    if (strlen(name) > PLUGIN_NAME_MOST)
        name[PLUGIN_NAME_MOST] = '\0';
    if (strcmp(name, "ulpscope") == 0)
        name[strlen("ulp")] = '\0';
    return name;
}

/* kind: "c", "cuda", "python", "pipe".  Makes the folder, which must not be there yet, names what is in it by it, and
 * says what to do next. overwrite: of the same kind it may, and files that were changed are replaced. */
static enum status plugin_new(const char *kind, const char *folder, bool overwrite)
{
    static const char what[] = "plugin new";
    FREED_BY(new_files_free) struct new_files files = {0};
    OWNED char *examples = text_made("plugins/%s", kind), *name = name_of(folder);
    TRY(template_add(&files, what, examples, name));
    TRY(check_folder(&files, what, folder));
    TRY(new_files_write(&files, what, folder, overwrite));
    printf("%s: begin with %s/README.md\n", folder, folder);
    return OK;
}

enum { TRIALS = 20, SECONDS = 4 /* that the questions to a method may take */ };

struct arguments {
    struct globals *globals;
    const char *name, *sanitize;
    bool c, cuda, python, pipe, all, overwrite;
};

enum { SANITIZE = 256 };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What `check` asks:", 1},
    {"all", FLAG_KEY(all), NULL, 0, "All questions, however long they take (default: 4 s of them for each method)", 1},
    {"sanitize", SANITIZE, "TOOL", OPTION_ARG_OPTIONAL,
     "Under compute-sanitizer: memcheck (default), racecheck, initcheck or synccheck", 1},
    {NULL, 0, NULL, 0, "What `new` writes an example of:", 2},
    {"c", FLAG_KEY(c), NULL, 0, "A shared library in C (default)", 2},
    {"cuda", FLAG_KEY(cuda), NULL, 0, "A shared library with a CUDA kernel", 2},
    {"pipe", FLAG_KEY(pipe), NULL, 0, "A program that answers on its standard output", 2},
    {"python", FLAG_KEY(python), NULL, 0, "Python functions", 2},
    {"overwrite", FLAG_KEY(overwrite), NULL, 0, "Replace files of the example that were changed", 2},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key != SANITIZE)
        return command_take_with_plugins(key, value, state);
    arguments->sanitize = value ? value : "memcheck";
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = plugin_page_parsers,
    .args_doc = "check FILE.so[:FUNCTION]|FILE.py[:FUNCTION]|COMMAND\nnew DIR [--c|--cuda|--python|--pipe]",
    .doc =
        "Tries a plug-in, a sum of your own that `ulpscope run --plugin ./libmine.so` measures, or writes one to begin "
        "with.\n\n"
        "Examples:\n"
        "  ulpscope plugin new mysum              a sum in C, a study, limits, CI\n"
        "  ulpscope plugin new mysum --cuda       the same with a CUDA kernel\n"
        "  ulpscope plugin check ./libmine.so     does it keep its promises?\n"
        "  ulpscope plugin check mysum.py:my_sum\n"
        "  ulpscope plugin check './mysum --fast'   a program, as --pipe of run takes it\v"
        "check asks each method for sums of integers, which are exact in any order, and for sums of random and of "
        "cancelling numbers: each twice, at two addresses, if the method claims to be deterministic.  docs/plugins.md "
        "says what a plug-in is and what it may not do.\n\n"
        "Exit: 0 fine; 1 a promise is broken; 2 usage, or the plug-in cannot be loaded; 3 a call failed.",
};

/* ---- check ---- */

/* At the first few of the lengths that a method takes alone; long ones once, and the first alone if it is very long. */
static enum status add_lengths(struct study *study, const struct method *method)
{
    enum { LENGTHS_TRIED = 3, LONG = 1 << 16, VERY_LONG = 1 << 24 };
    size_t count;
    const uint64_t *lengths = plugin_lengths(method, &count);
    const bool has_two = operation_table[method->operation].vectors == 2;
    for (size_t i = 0; i < count && i < LENGTHS_TRIED; i++) {
        if (i > 0 && lengths[i] > VERY_LONG)
            continue;
        char text[96];
        snprintf(text, sizeof text, "uniform:n=%" PRIu64 ",low=-1%s", lengths[i],
                 has_two                                  ? "::uniform:low=-1"
                 : method->operation == OPERATION_rolling ? ",window=32"
                                                          : "");
        TRY(study_add_data(study, text, lengths[i] > LONG ? 1 : TRIALS, "plugin check", NONFINITE_REFUSE));
    }
    return OK;
}

/* What the methods of an operation are tried on. */
static enum status add_data(struct study *study, enum operation operation)
{
    /* The first three are usual; the others are hard for one claim or another. */
    static const char *const of_vectors[] = {"uniform:n=1000,low=-1",
                                             "normal:n=4097",
                                             "gensum:n=1000,cond=1e4",
                                             "gensum:n=1001,cond=1e8",
                                             "round_up:n=4097",
                                             "tie:n=1000",
                                             "swamp:n=1000",
                                             "kahan_killer:n=1000",
                                             "fab:n=1000",
                                             "binary64_killer:n=100",
                                             "compensation_chain:n=1000",
                                             "ties_mid:n=1000",
                                             NULL};
    static const char *const of_pairs[] = {"uniform:n=1000,low=-1::uniform:low=-1", "normal:n=4097::normal",
                                           "gendot:n=1000,cond=1e8", NULL};
    static const char *const of_matrices[] = {"uniform:n=48,low=-1", "uniform:n=33,rows=5,columns=7", "scales:n=32",
                                              "zeros:n=32", NULL};
    const bool is_product = operation_table[operation].of == MATRICES,
               has_two = operation_table[operation].vectors == 2;
    static const char *const of_squares[] = {"uniform:n=1000,low=-1", "normal:n=4097", "lognormal:n=1001", NULL};
    static const char *const of_windows[] = {"uniform:n=1000,low=-1,window=32", "normal:n=4097,window=1000",
                                             "lognormal:n=1001,window=3", NULL};
    const char *const *texts = is_product                       ? of_matrices
                               : has_two                        ? of_pairs
                               : operation == OPERATION_sum     ? of_vectors
                               : operation == OPERATION_rolling ? of_windows
                                                                : of_squares;
    for (; *texts; texts++) {
        TRY(study_add_data(study, *texts, TRIALS, "plugin check", NONFINITE_REFUSE));
        study->entries[study->entry_count - 1].is_showcase = true; /* not of every format */
    }
    for (size_t m = 0; m < study->method_count && !is_product; m++)
        TRY(add_lengths(study, study->methods[m]));
    return OK;
}

/* A call that failed outweighs a promise that is broken. */
static enum status worse(enum status a, enum status b)
{
    return a == NOT_MEASURED || b == OK ? a : b;
}

static void print_promises(const struct method *method, int width)
{
    char version[REASON_SIZE];
    method->version(method, version);
    const char *colon = strchr(method->id, ':');
    printf("%-*s  %.*s; %s; %s\n", width, method->id, colon ? (int)(colon - method->id) : 3, colon ? method->id : "sum",
           method->sum_format->id,
           method->determinism == DETERMINISTIC ? "claims to be deterministic" : "may give other bits each time");
    printf("%-*s  %s\n", width, "", version);
}

/* What it was asked, and what of it not.  *status: the worst that was found. */
static void question(const struct method *method, double seconds, int width, enum status *status)
{
    struct plugin_answers answers;
    const enum status one = plugin_question(method, EVERYTHING, seconds, &answers);
    printf("%-*s  asked %u times", width, method->id, answers.asked);
    for (const struct plugin_count *count = answers.counts; count->what; count++)
        if (count->asked > 0)
            printf("%s %u %s", count == answers.counts ? ":" : ",", count->asked, count->what);
    if (answers.refused > 0)
        printf("; %u refused", answers.refused);
    putchar('\n');
    for (const struct plugin_count *count = answers.counts; count->what; count++)
        if (count->left_out > 0)
            printf("%-*s  not asked within %g s: %u %s, from n = %" PRIu64 " on; --all asks them\n", width, "", seconds,
                   count->left_out, count->what, count->least_left_out);
    for (unsigned i = 0; i < answers.note_count; i++)
        printf("%-*s  note: %s\n", width, "", answers.notes[i]);
    fflush(stdout); /* before somebody complains */
    plugin_answers_free(&answers);
    *status = worse(*status, one);
}

/* The largest error of a method by each measure, and how many results that is of.  false: of none. */
static bool print_errors(const struct results *results, const struct method *method, int width)
{
    uint64_t count = 0;
    double ulp = 0, share = NAN; /* NaN: no bound is claimed */
    char ulp_text[NUMBER_TEXT], share_text[NUMBER_TEXT];
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (strcmp(series->method, method->id) != 0)
            continue;
        count += series->count;
        if (error_order(series->statistics[METRIC_ulp_error].max, ulp) > 0)
            ulp = series->statistics[METRIC_ulp_error].max;
        share = fmax(share, series->statistics[METRIC_bound_ratio].max);
    }
    write_error(ulp, ulp_text);
    write_error(share, share_text);
    OWNED char *error = isnan(ulp)     ? memory_copy("some are NaN")
                        : isnan(share) ? text_made("error up to %s ulp, no bound is claimed", ulp_text)
                                       : text_made("error up to %s ulp, %s of the bound", ulp_text, share_text);
    if (count == 0)
        printf("%-*s  no result\n", width, method->id);
    else
        printf("%-*s  %llu results: %s%s\n", width, method->id, (unsigned long long)count, error,
               share > 1 ? ": THE BOUND IS BROKEN" : "");
    return count > 0;
}

/* Broken claims of determinism leave cases unfinished, too. */
static bool breaks_claims_alone(const struct study *study)
{
    bool breaks_some = false;
    for (size_t m = 0; m < study->method_count; m++) {
        if (plugin_failures(study->methods[m]) > 0)
            return false;
        breaks_some |= plugin_broken_claims(study->methods[m]) > 0;
    }
    return breaks_some;
}

static bool some_bound_is_broken(const struct results *results)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (results->series[i].statistics[METRIC_bound_ratio].max > 1)
            return true;
    return false;
}

/* No bound tells a compensation that is subtracted from one that is added: bits do. */
static enum status print_faults(const struct results *results)
{
    FREED_BY(black_box_sentences_free) struct black_box_sentences sentences = {0};
    TRY(diagnose_black_boxes(results, BLACK_BOX_ADDITIONS, 1, &sentences));
    for (size_t i = 0; i < sentences.count; i++)
        if (strstr(sentences.list[i], " in which "))
            clean_line(stdout, "note: %s", sentences.list[i]);
    return OK;
}

static enum status run_and_print(struct study *study, const struct globals *globals, int width)
{
    const struct run_options how = {
        .device = "host", .jobs = 1, .quiet = true, .are_plugins_checked = true, .command_line = globals->command_line};
    struct store *store = NULL;
    struct results results = {0};
    enum status status = run_study(study, &how, &store);
    if (status == NOT_MEASURED && breaks_claims_alone(study))
        status = LIMIT_BROKEN;
    if (!store)
        return status;
    if (results_load(store, &results) == OK) {
        for (size_t m = 0; m < study->method_count; m++)
            if (!print_errors(&results, study->methods[m], width))
                status = worse(status, NOT_MEASURED);
        if (status == OK && some_bound_is_broken(&results))
            status = LIMIT_BROKEN;
        status = worse(status, print_faults(&results));
        results_free(&results);
    }
    const enum status closed = store_close(store);
    return status == OK ? closed : status;
}

/* The methods of one operation and one format. */
static enum status check_operation(const struct method *const *methods, size_t count, enum operation operation,
                                   const struct sum_format *in, const struct globals *globals, int width)
{
    struct study study;
    enum status status;
    TRY_DONE(study_read(NULL, NULL, &study));
    study.method_count = 0;
    study_clear_data(&study);
    study.methods = memory_resized(study.methods, count * sizeof *study.methods);
    for (size_t m = 0; m < count; m++)
        if (methods[m]->operation == operation && methods[m]->sum_format == in && !plugin_is_variant(methods[m]))
            study.methods[study.method_count++] = methods[m];
    if (study.method_count == 0)
        goto done;
    TRY_DONE(add_data(&study, operation));
    TRY_DONE(study_apply_formats(&study, false, true));
    TRY_DONE(study_set_vectors(&study));
    status = run_and_print(&study, globals, width);
done:
    study_free(&study);
    return status;
}

static enum status check_plugin(const struct plugin *plugin, double seconds, const struct globals *globals)
{
    size_t count;
    int width = 0;
    enum status worst = OK;
    const struct method *const *methods = plugin_methods(plugin, &count);
    for (size_t m = 0; m < count; m++)
        width = plugin_is_variant(methods[m])         ? width
                : (int)strlen(methods[m]->id) > width ? (int)strlen(methods[m]->id)
                                                      : width;
    for (size_t m = 0; m < count; m++)
        if (!plugin_is_variant(methods[m]))
            print_promises(methods[m], width);
    putchar('\n');
    for (size_t m = 0; m < count && !interrupted(); m++)
        if (!plugin_is_variant(methods[m]))
            question(methods[m], seconds, width, &worst);
    putchar('\n');
    for (int of = 0; of < OPERATIONS * SUM_FORMATS; of++) {
        const enum status status = check_operation(methods, count, (enum operation)(of / SUM_FORMATS),
                                                   sum_formats[of % SUM_FORMATS], globals, width);
        if (status == BAD_INPUT || status == INTERRUPTED)
            return status;
        worst = worse(worst, status);
    }
    return interrupted() ? INTERRUPTED : worst;
}

/* What has blanks is a command, which may name files, or a prototype behind a library. */
static enum plugin_kind_id kind_of(const char *name)
{
    const bool has_blank = strchr(name, ' ');
    return !has_blank && (argument_ends_in(name, ".py") || strstr(name, ".py:")) ? PLUGIN_python
           : plugin_names_function(name)                                         ? PLUGIN_library
           : has_blank || !argument_ends_in(name, ".so")                         ? PLUGIN_pipe
                                                                                 : PLUGIN_library;
}

static enum status check(const struct arguments *arguments)
{
    struct plugin *plugin;
    if (!arguments->name)
        return bad_input("plugin check: no plug-in; expected a file or a command; see `ulpscope plugin --help`");
    if (arguments->sanitize)
        TRY(plugins_sanitize(arguments->sanitize, "--sanitize"));
    setenv("MALLOC_PERTURB_", "1", false); /* of what it starts: memory that it does not fill is not 0 by chance */
    TRY(plugin_load(kind_of(arguments->name), arguments->name, "plugin check", &plugin));
    enum status status = check_plugin(plugin, arguments->all ? INFINITY : SECONDS, arguments->globals);
    if (arguments->sanitize && plugin_ends_with_errors(plugin)) {
        complain("%s: compute-sanitizer found errors, which are shown above behind its name", arguments->name);
        status = worse(status, LIMIT_BROKEN);
    }
    puts(status == OK ? "\nok: every promise was kept" : "\nnot ok: see above");
    return status;
}

enum status command_plugin(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    globals->wanted = (struct bare_wanted){2, "a word too many", "nothing to do; expected check or new"};
    TRY(command_parse(&parser, argc, argv, &arguments));
    arguments.name = globals->bare.word[1];
    if (strcmp(globals->bare.word[0], "check") == 0)
        return check(&arguments);
    if (strcmp(globals->bare.word[0], "new") != 0)
        return bad_input("plugin: \"%s\" is unknown; expected check or new", globals->bare.word[0]);
    if (!arguments.name || arguments.c + arguments.cuda + arguments.python + arguments.pipe > 1)
        return bad_input("plugin new: expected a folder's name and at most one kind; see `ulpscope plugin --help`");
    return plugin_new(arguments.cuda     ? "cuda"
                      : arguments.python ? "python"
                      : arguments.pipe   ? "pipe"
                                         : "c",
                      arguments.name, arguments.overwrite);
}
