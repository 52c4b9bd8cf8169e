#include "templates.h"

#include "src/base/text.h"
#include "src/plugins/plugin.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of "plugins/c", allocated.  NULL, which was complained about: the examples are not where ulpscope is. */
static char *template_path(const char *what, const char *name)
{
    char *examples = plugin_companion("examples", "ULPSCOPE_EXAMPLES");
    if (!examples) {
        complain(
            "%s: the examples are not beside ulpscope; install them there, or say in ULPSCOPE_EXAMPLES where their "
            "folder is",
            what);
        return NULL;
    }
    char *path = text_made("%s/%s", examples, name);
    free(examples);
    return path;
}

/* ---- a folder ---- */

static enum status cannot_read(const char *what, const char *path)
{
    const int cause = errno;
    complain("%s: cannot read %s: %s", what, path, strerror(cause));
    return status_of_cause(cause);
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
        char *source = text_made("%s/%s", from, entry->d_name), *name = text_made("%s%s", below, entry->d_name);
        char *deeper = text_made("%s/", name);
        struct stat facts;
        if (stat(source, &facts) != 0)
            status = cannot_read(what, source);
        else
            status =
                S_ISDIR(facts.st_mode) ? add_folder(files, what, source, deeper) : add_file(files, what, source, name);
        free(source);
        free(name);
        free(deeper);
    }
    closedir(folder);
    return status;
}

enum status template_add(struct new_files *files, const char *what, const char *name)
{
    char *path = template_path(what, name);
    const enum status status = path ? add_folder(files, what, path, "") : NOT_MEASURED;
    free(path);
    return status;
}

/* ---- a file with commands to fill in ---- */

static void append_built(struct text *to, const char *line, int length, const char *builds)
{
    static const char mark[] = "@build@";
    const char *at = memmem(line, (size_t)length, mark, sizeof mark - 1);
    if (!at)
        text_append(to, "%.*s", length, line);
    for (const char *build = builds; at && *build; build += strcspn(build, "\n") + 1) {
        const char *rest = at + sizeof mark - 1;
        text_append(to, "%.*s%.*s%.*s", (int)(at - line), line, (int)strcspn(build, "\n"), build,
                    (int)(line + length - rest), rest);
    }
}

enum status template_add_built(struct new_files *files, const char *what, const char *name, const char *as,
                               const char *builds)
{
    char *path = template_path(what, name), *text = NULL;
    size_t length;
    struct text built = {0};
    const enum status status = path ? text_file_read(what, path, &text, &length) : NOT_MEASURED;
    free(path);
    if (status != OK)
        return status;
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        end += *end == '\n';
        append_built(&built, line, (int)(end - line), builds);
        line = end;
    }
    free(text);
    length = built.length;
    new_files_add(files, as, text_take(&built), length);
    return OK;
}
