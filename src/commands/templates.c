#include "project.h"
#include "src/plugins/plugin.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* Of "plugins/c", allocated.  NULL, which was complained about: the examples are not where ulpscope is. */
static char *template_path(const char *what, const char *name)
{
    char *examples = plugin_companion("examples", "ULPSCOPE_EXAMPLES");
    if (!examples) {
        complain("%s: the examples are not beside ulpscope; install them there, or say in ULPSCOPE_EXAMPLES where "
                 "their folder is",
                 what);
        return NULL;
    }
    char *path = text_made("%s/%s", examples, name);
    free(examples);
    return path;
}

static enum status cannot_read(const char *what, const char *path)
{
    const int cause = errno;
    return caused_by(cause, "%s: cannot read %s: %s", what, path, strerror(cause));
}

static enum status add_file(struct new_files *files, const char *what, const char *from, const char *name)
{
    char *text;
    size_t length;
    TRY(text_file_read(what, from, &text, &length));
    new_files_add(files, name, text, length);
    return OK;
}

/* below: "", or a folder's name and '/'. */
static enum status add_folder(struct new_files *files, const char *what, const char *from, const char *below)
{
    enum status status = OK;
    DIR *folder = opendir(from);
    if (!folder)
        return cannot_read(what, from);
    for (struct dirent *entry; status == OK && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        OWNED char *source = text_made("%s/%s", from, entry->d_name), *name = text_made("%s%s", below, entry->d_name);
        OWNED char *deeper = text_made("%s/", name);
        struct stat facts;
        if (stat(source, &facts) != 0)
            status = cannot_read(what, source);
        else
            status =
                S_ISDIR(facts.st_mode) ? add_folder(files, what, source, deeper) : add_file(files, what, source, name);
    }
    closedir(folder);
    return status;
}

/* The line with a text, to its '\n' or its end, in the place of each mark. */
static void append_replaced(struct text *to, const char *line, size_t length, const char *mark, const char *text)
{
    for (const char *at; (at = memmem(line, length, mark, strlen(mark)));) {
        text_append(to, "%.*s%.*s", (int)(at - line), line, (int)strcspn(text, "\n"), text);
        length -= (size_t)(at - line) + strlen(mark);
        line = at + strlen(mark);
    }
    text_append(to, "%.*s", (int)length, line);
}

static void append_filled(struct text *to, const char *line, size_t length, const struct filling *filling)
{
    const char *text = filling->text;
    if (!memmem(line, length, filling->mark, strlen(filling->mark)))
        text_append(to, "%.*s", (int)length, line);
    else
        for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
            append_replaced(to, line, length, filling->mark, text);
}

/* Takes the text, and returns it filled. */
static char *fill(char *text, const struct filling *filling)
{
    struct text filled = {0};
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        end += *end == '\n';
        append_filled(&filled, line, (size_t)(end - line), filling);
        line = end;
    }
    free(text);
    return text_take(&filled);
}

enum status template_add(struct new_files *files, const char *what, const char *folder, const char *name)
{
    const struct filling filling = {"mysum", name};
    const size_t before = files->count;
    OWNED char *path = template_path(what, folder);
    const enum status status = path ? add_folder(files, what, path, "") : NOT_MEASURED;
    for (size_t i = before; i < files->count; i++) {
        files->files[i].name = fill(files->files[i].name, &filling);
        files->files[i].text = fill(files->files[i].text, &filling);
        files->files[i].length = strlen(files->files[i].text);
    }
    return status;
}

enum status template_add_filled(struct new_files *files, const char *what, const char *name, const char *as,
                                const struct filling *fillings)
{
    char *path = template_path(what, name), *text = NULL;
    size_t length;
    const enum status status = path ? text_file_read(what, path, &text, &length) : NOT_MEASURED;
    free(path);
    if (status != OK)
        return status;
    for (; fillings && fillings->mark; fillings++)
        text = fill(text, fillings);
    new_files_add(files, as, text, strlen(text));
    return OK;
}
