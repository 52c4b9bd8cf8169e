#include "templates.h"
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

/* Takes the text, and returns it with the name in place of each "mysum". */
static char *named(char *text, const char *name)
{
    static const char mark[] = "mysum";
    struct text to = {0};
    const char *rest = text;
    for (const char *at; (at = strstr(rest, mark)); rest = at + strlen(mark))
        text_append(&to, "%.*s%s", (int)(at - rest), rest, name);
    text_append(&to, "%s", rest);
    free(text);
    return text_take(&to);
}

enum status template_add(struct new_files *files, const char *what, const char *folder, const char *name)
{
    const size_t before = files->count;
    OWNED char *path = template_path(what, folder);
    const enum status status = path ? add_folder(files, what, path, "") : NOT_MEASURED;
    for (size_t i = before; i < files->count; i++) {
        files->files[i].name = named(files->files[i].name, name);
        files->files[i].text = named(files->files[i].text, name);
        files->files[i].length = strlen(files->files[i].text);
    }
    return status;
}
