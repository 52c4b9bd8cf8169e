#include "complete.h"
#include "command.h"
#include "kernels/method.h"
#include "names.h"

#include <ctype.h>
#include <dirent.h>

void complete_offer(struct asked asked, const char *text, const char *ending, const char *meaning)
{
    const char *typed = asked.word + asked.from;
    OWNED char *whole = text_made("%s%s", text, ending);
    if (strncmp(whole, typed, strlen(typed)) == 0)
        printf("%.*s%s\t%s\n", (int)asked.from, asked.word, whole, meaning);
}

/* What follows the last of these characters is open. */
static struct asked behind_last(struct asked asked, const char *characters)
{
    const size_t length = strlen(asked.word);
    for (size_t i = asked.from; i < length; i++)
        if (strchr(characters, asked.word[i]))
            asked.from = i + 1;
    return asked;
}

/* Once, though FILE and SPEC both may be one. */
static void offer_files(struct asked asked)
{
    static bool is_said;
    if (!is_said)
        printf(":files\t%.*s\n", (int)asked.from, asked.word);
    is_said = true;
}

static void offer_names(struct asked asked, read_name *read)
{
    struct name name;
    for (size_t i = 0; read(i, &name); i++) {
        OWNED char *meaning = text_made("%s%s", name.prefix, name.text);
        complete_offer(asked, name.id, "", meaning);
    }
}

static const char *meaning_of(const char *subject, const char *id)
{
    struct name name;
    read_name *read = names_of(subject);
    for (size_t i = 0; read(i, &name); i++)
        if (strcmp(name.id, id) == 0)
            return name.text;
    return "";
}

/* ---- methods: an accumulator, then its orders, then formats ---- */

static void offer_accumulators(struct asked asked, const struct method *const *methods, size_t count)
{
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        const struct method *method = methods[i];
        if (!method_adds(method) || strcmp(method->accumulator, last) == 0)
            continue;
        last = method->accumulator;
        OWNED char *text = text_made("%.*s", (int)strcspn(method->id, "/"), method->id);
        complete_offer(asked, text, "/", meaning_of("accumulators", last));
    }
}

static void offer_first_parts(struct asked asked, enum operation operation, const struct method *const *methods,
                              size_t count)
{
    size_t alias_count;
    const struct method_alias *aliases = method_aliases(&alias_count);
    offer_accumulators(asked, methods, count);
    if (strchr(asked.word + asked.from, ':'))
        return;
    for (size_t i = 0; i < alias_count && operation == OPERATION_sum; i++)
        complete_offer(asked, aliases[i].alias, "", aliases[i].id);
    for (int o = OPERATION_sum + 1; o < OPERATIONS; o++)
        complete_offer(asked, operation_table[o].id, ":", operation_table[o].claim);
}

static void offer_formats_of(struct asked asked)
{
    const char *typed = asked.word + asked.from;
    for (int f = 0; f < SUM_FORMATS; f++) {
        OWNED char *id = text_made("%.*s@%s", (int)strcspn(typed, "@"), typed, sum_formats[f]->id);
        if (method_find(id))
            complete_offer(asked, id, "", sum_formats[f]->claim);
    }
}

static void offer_methods(struct asked asked)
{
    asked.from += asked.word[asked.from] == '!';
    const char *typed = asked.word + asked.from;
    const enum operation operation = operation_of_id(typed);
    size_t count;
    if (operation == OPERATIONS)
        return;
    const struct method *const *methods = method_table_for(operation, sum_formats[0], &count);
    if (strchr(typed, '@'))
        offer_formats_of(asked);
    else if (!strchr(typed, '/'))
        offer_first_parts(asked, operation, methods, count);
    else
        for (size_t i = 0; i < count; i++)
            if (method_adds(methods[i]))
                complete_offer(asked, methods[i]->id, "", meaning_of("orders", methods[i]->order));
}

/* Of `list SUBJECT` the names of the subject. */
static void offer_globs(struct asked asked)
{
    read_name *read = names_of(asked.subject);
    if (read)
        offer_names(asked, read);
    else
        offer_methods(behind_last(asked, ","));
}

/* ---- data: a family or a file ---- */

/* Those that numbers are stored in. */
static void offer_formats(struct asked asked)
{
    for (int f = 0; f < SUM_FORMATS; f++) {
        int first = 0;
        while (sum_formats[first]->stored != sum_formats[f]->stored)
            first++;
        if (first == f)
            complete_offer(asked, sum_formats[f]->stored->name, "", "");
    }
}

static void offer_specs(struct asked asked)
{
    size_t counts[2];
    const struct generator *const *const families[] = {generator_table(&counts[0]), generator_matrices(&counts[1])};
    for (const char *second; (second = strstr(asked.word + asked.from, "::"));)
        asked.from = (size_t)(second - asked.word) + 2;
    if (strchr(asked.word + asked.from, ':')) /* `list generators FAMILY` has its parameters */
        return;
    for (int of = 0; of < 2; of++)
        for (size_t i = 0; i < counts[of]; i++)
            complete_offer(asked, families[of][i]->id, ":", families[of][i]->summary);
    offer_files(asked);
}

static void offer_baselines(struct asked asked)
{
    const char *source;
    const struct config config = {0};
    DIR *folder = opendir(config_value(&config, SETTING_BASELINES, &source));
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name), ending = strlen(".json");
        if (length <= ending || strcmp(entry->d_name + length - ending, ".json") != 0)
            continue;
        entry->d_name[length - ending] = '\0';
        complete_offer(asked, entry->d_name, "", "baseline");
    }
    if (folder)
        closedir(folder);
}

static void offer_operations(struct asked asked)
{
    offer_names(asked, names_of("operations"));
}

static void offer_axes(struct asked asked)
{
    offer_names(asked, names_of("axes"));
}

static void offer_lessons(struct asked asked)
{
    offer_names(asked, names_of("lessons"));
}

/* By the word that --help has for it. */
static const struct kind {
    const char *what;
    void (*offer)(struct asked asked);
    bool is_list; /* several, with commas between */
} kinds[] = {
    {"METHOD", offer_methods, false}, {"GLOB", offer_globs, false},     {"SPEC", offer_specs, false},
    {"FORMAT", offer_formats, true},  {"AXES", offer_axes, true},       {"OPERATION", offer_operations, true},
    {"LESSON", offer_lessons, false}, {"NAME", offer_baselines, false}, {"FILE", offer_files, false},
    {"DIR", offer_files, false},      {"RUN", offer_files, false},      {"STUDY", offer_files, false},
    {"COMMAND", offer_files, false},
};

/* One of what stands between bars: a word itself, "cuda:N" as far as it is one, or a kind, FILE.py[:FUNCTION]. */
static void offer_one(struct asked asked, const char *what, size_t length)
{
    size_t fixed = 0;
    while (fixed < length && !isupper((unsigned char)what[fixed]))
        fixed++;
    if (fixed > 0) {
        OWNED char *word = text_made("%.*s", (int)fixed, what);
        complete_offer(asked, word, "", "");
        return;
    }
    while (fixed < length && isupper((unsigned char)what[fixed]))
        fixed++;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strlen(kinds[k].what) == fixed && strncmp(kinds[k].what, what, fixed) == 0)
            kinds[k].offer(kinds[k].is_list ? behind_last(asked, ",") : asked);
}

/* Prints what an argument may be that --help names `what`: "METHOD", "FILE|SPEC", "always|never", "[LESSON]...". */
static void offer_value(struct asked asked, const char *what)
{
    for (what += *what == '['; *what; what += *what == '|') {
        const size_t length = strcspn(what, "|");
        offer_one(asked, what, what[length] ? length : strcspn(what, "]"));
        what += length;
    }
}

static struct {
    int count; /* the last of them is open */
    char **words;
} line;

/* ---- options ---- */

static bool is_shown(const struct argp_option *option)
{
    return option->name && !(option->flags & OPTION_DOC);
}

static bool ends_options(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc && !option->group;
}

/* "--format", "--format=bfloat16", "-m". */
static bool is_named(const struct argp_option *option, const char *word)
{
    const size_t length = strcspn(word, "=");
    if (word[1] != '-')
        return word[1] == option->key && !word[2];
    return option->name && strlen(option->name) == length - 2 && strncmp(option->name, word + 2, length - 2) == 0;
}

/* NULL: the command has no such option. */
static const struct argp_option *find_option(const struct argp *argp, const char *word)
{
    const struct argp_option *found = NULL;
    for (const struct argp_option *option = argp->options; option && !ends_options(option); option++)
        if (is_named(option, word))
            return option;
    for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
        found = find_option(child->argp, word);
    return found;
}

static void offer_options(const struct argp *argp, struct asked asked)
{
    for (const struct argp_option *option = argp->options; option && !ends_options(option); option++)
        if (is_shown(option)) {
            OWNED char *name = text_made("--%s", option->name);
            complete_offer(asked, name, "", option->doc ? option->doc : "");
        }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        offer_options(child->argp, asked);
}

/* Whether the value of the option is the next word. */
static bool takes_next_word(const struct argp_option *option, const char *word)
{
    return option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && !strchr(word, '=');
}

/* ---- arguments, by the words of the usage line ---- */

static bool is_fixed(const char *token)
{
    return islower((unsigned char)*token);
}

/* "methods|formats" has the word "formats". */
static bool has_word(const char *token, size_t length, const char *word)
{
    const size_t own = strlen(word);
    for (size_t from = 0; from < length; from += strcspn(token + from, "| ") + 1)
        if (own == strcspn(token + from, "| ") && strncmp(token + from, word, own) == 0)
            return true;
    return false;
}

/* A way to write the arguments, "new DIR [--c|--cuda]": what may stand behind those that are given. */
static void offer_of_way(const char *way, size_t length, int count, char *const *given, struct asked asked)
{
    int at = 0;
    for (const char *token = way; token < way + length; token += strspn(token, " ")) {
        const size_t size = strcspn(token, " \n");
        const bool is_optional = *token == '[', is_option = strncmp(token, "[-", 2) == 0;
        const bool is_repeated = size > 3 && strncmp(token + size - 3, "...", 3) == 0;
        if (!is_option && at < count && is_fixed(token) && !has_word(token, size, given[at]))
            return;
        if (!is_option && (at == count || is_repeated)) {
            OWNED char *what = text_made("%.*s", (int)size, token);
            offer_value(asked, what);
            if (!is_optional)
                return;
        }
        at += !is_option && at < count;
        token += size;
    }
}

static const char *args_doc_of(const struct argp *argp)
{
    const char *found = argp->args_doc;
    for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
        found = args_doc_of(child->argp);
    return found;
}

static void offer_arguments(const struct argp *argp, int count, char *const *given, struct asked asked)
{
    for (const char *way = args_doc_of(argp); way && *way; way += *way == '\n') {
        const size_t length = strcspn(way, "\n");
        offer_of_way(way, length, count, given, asked);
        way += length;
    }
}

static void show(const struct argp *all)
{
    const char *last = line.words[line.count - 1];
    const struct argp_option *open = NULL; /* whose value the next word is */
    bool only_arguments = false;
    int count = 0;
    for (int i = 0; i + 1 < line.count; i++) {
        char *word = line.words[i];
        const bool is_option = !open && !only_arguments && word[0] == '-' && word[1];
        const struct argp_option *option = is_option ? find_option(all, word) : NULL;
        if (!open && !is_option)
            line.words[count++] = word; /* arguments alone, in place */
        only_arguments = only_arguments || (is_option && strcmp(word, "--") == 0);
        open = takes_next_word(option, word) ? option : NULL;
    }
    struct asked asked = {.word = last, .subject = count > 0 ? line.words[0] : ""};
    const struct argp_option *option = *last == '-' && strchr(last, '=') ? find_option(all, last) : NULL;
    if (!open && option)
        asked.from = strcspn(last, "=") + 1;
    if (open || option)
        offer_value(asked, open ? open->arg : option->arg ? option->arg : "");
    else if (*last == '-' && !only_arguments)
        offer_options(all, asked);
    else
        offer_arguments(all, count, line.words, asked);
    exit(0);
}

void complete_words(int count, char **words)
{
    line.count = count;
    line.words = words;
    command_shows = show;
}
