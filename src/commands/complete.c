#include "complete.h"
#include "command.h"

#include <ctype.h>

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
            char *what = text_made("%.*s", (int)size, token);
            complete_value(asked, what);
            free(what);
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

/* ---- all of it ---- */

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
        complete_value(asked, open ? open->arg : option->arg ? option->arg : "");
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
