#include "folder_files.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>

static const char first_line[] = "ulpscope-files/1";

bool folder_files_has(const struct folder_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->names[i], name) == 0)
            return true;
    return false;
}

void folder_files_add(struct folder_files *files, const char *name)
{
    if (folder_files_has(files, name))
        return;
    files->names = memory_resized(files->names, (files->count + 1) * sizeof *files->names);
    files->names[files->count++] = memory_copy(name);
}

void folder_files_free(struct folder_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    *files = (struct folder_files){0};
}

/* What is listed is removed one day, so that "../x", "/x" and names that begin with a dot are refused. */
static bool is_in_the_folder(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (*part == '.' || *part == '/' || *part == '\0')
            return false;
    return true;
}

static enum status refuse(const char *path, size_t line, const char *found)
{
    return bad_input("%s:%zu: \"%s\"; expected %s; remove the file if you trust what is in its folder", path, line,
                     found, line == 1 ? first_line : "the name of a file in the folder above");
}

static enum status read_lines(struct folder_files *files, FILE *file, const char *path)
{
    enum status status = OK;
    char *line = NULL;
    size_t room = 0, number = 0;
    while (status == OK && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        const bool fine = ++number == 1 ? strcmp(line, first_line) == 0 : is_in_the_folder(line + (*line == '+'));
        if (!fine)
            status = refuse(path, number, line);
        else if (number > 1)
            folder_files_add(files, line);
    }
    const int cause = errno;
    free(line);
    if (status == OK && !feof(file)) { /* nor could a line be kept */
        return not_measured("%s: cannot be read: %s", path, strerror(cause));
    }
    return status == OK && number == 0 ? refuse(path, 1, "") : status;
}

enum status folder_files_read(struct folder_files *files, const char *path)
{
    *files = (struct folder_files){0};
    /* a link would be written to later, and a pipe waited for */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd < 0 && errno == ENOENT)
        return OK;
    if (!file) {
        const int cause = errno;
        return caused_by(cause, "%s: cannot be read: %s; expected the list of ulpscope's files in the folder above",
                         path, strerror(cause));
    }
    files->is_listed = true;
    const enum status status = read_lines(files, file, path);
    fclose(file);
    return status;
}

enum status folder_files_write(const struct folder_files *files, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    fprintf(out.file, "%s\n", first_line);
    for (size_t i = 0; i < files->count; i++)
        fprintf(out.file, "%s\n", files->names[i]);
    return output_close(&out);
}
