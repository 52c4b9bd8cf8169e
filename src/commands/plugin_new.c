#include "plugin_new.h"

#include "src/base/text.h"
#include "src/plugins/plugin.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status cannot(const char *what, const char *path)
{
    complain("plugin new: cannot %s %s: %s", what, path, strerror(errno));
    return status_of_cause(errno);
}

static enum status copy_file(const char *from, const char *to)
{
    char bytes[1 << 14];
    size_t count;
    FILE *source = fopen(from, "r");
    if (!source)
        return cannot("read", from);
    FILE *target = fopen(to, "wx");
    if (!target) {
        fclose(source);
        return cannot("write", to);
    }
    while ((count = fread(bytes, 1, sizeof bytes, source)) > 0)
        fwrite(bytes, 1, count, target);
    const bool is_read = !ferror(source), is_written = !ferror(target);
    fclose(source);
    if (fclose(target) == 0 && is_read && is_written)
        return OK;
    return cannot(is_read ? "write" : "read", is_read ? to : from);
}

static enum status copy_folder(const char *from, const char *to)
{
    enum status status = OK;
    DIR *folder = opendir(from);
    if (!folder)
        return cannot("read", from);
    if (mkdir(to, 0777) != 0) {
        closedir(folder);
        return cannot("make", to);
    }
    for (struct dirent *entry; status == OK && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *source = text_made("%s/%s", from, entry->d_name), *target = text_made("%s/%s", to, entry->d_name);
        struct stat facts;
        if (stat(source, &facts) != 0)
            status = cannot("read", source);
        else
            status = S_ISDIR(facts.st_mode) ? copy_folder(source, target) : copy_file(source, target);
        free(source);
        free(target);
    }
    closedir(folder);
    return status;
}

enum status plugin_new(const char *kind, const char *folder)
{
    char *examples = plugin_companion("examples", "ULPSCOPE_EXAMPLES");
    if (!examples) {
        complain("plugin new: the examples are not beside ulpscope; install them there, or say in ULPSCOPE_EXAMPLES "
                 "where their folder is");
        return NOT_MEASURED;
    }
    char *from = text_made("%s/plugins/%s", examples, kind);
    const enum status status = copy_folder(from, folder);
    free(from);
    free(examples);
    if (status == OK)
        printf("%s: begin with %s/README.md\n", folder, folder);
    return status;
}
