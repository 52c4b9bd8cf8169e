#include "new_files.h"
#include "folder_lock.h"
#include "output.h"
#include "src/base/list.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status cannot(const char *what, const char *verb, const char *path)
{
    const int cause = errno;
    return caused_by(cause, "%s: cannot %s %s: %s", what, verb, path, strerror(cause));
}

enum status text_file_read(const char *what, const char *path, char **text, size_t *length)
{
    char bytes[1 << 14];
    size_t count;
    FILE *file = fopen(path, "re");
    if (!file)
        return cannot(what, "read", path);
    FILE *to = text_stream(text, length);
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0)
        fwrite(bytes, 1, count, to);
    fclose(to);
    const enum status status = ferror(file) ? cannot(what, "read", path) : OK;
    fclose(file);
    if (status != OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

void new_files_add(struct new_files *files, const char *name, char *text, size_t length)
{
    files->files = list_short(files->files, files->count, &files->capacity, sizeof *files->files);
    files->files[files->count++] = (struct new_file){memory_copy(name), text, length};
}

void new_files_free(struct new_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free_all(files->files[i].name, files->files[i].text);
    free(files->files);
    *files = (struct new_files){0};
}

/* A file while it is written, and what was in its place. */
struct place {
    char *path;
    size_t folders;             /* of the path, that were there: a length */
    bool was_there, is_foreign; /* is_foreign: it has other bytes, and was not left by a process that was killed */
    char *old;                  /* the text, of one that is replaced */
    size_t old_length;
    struct output out;
};

static void look_at_folders(struct place *place)
{
    for (char *slash = place->path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (access(place->path, F_OK) == 0)
            place->folders = (size_t)(slash - place->path);
        *slash = '/';
    }
}

static bool has_text(const struct new_file *file, const char *text, size_t length)
{
    return file->length == length && memcmp(file->text, text, length) == 0;
}

static enum status look(struct place *place, const char *what, const struct new_file *file, const char *folder,
                        bool replaces)
{
    struct stat facts;
    place->path = text_made("%s/%s", folder, file->name);
    look_at_folders(place);
    place->was_there = lstat(place->path, &facts) == 0;
    place->is_foreign = place->was_there && (!S_ISREG(facts.st_mode) || facts.st_size != (off_t)file->length);
    if (place->is_foreign && !replaces)
        return OK;                                                           /* refused, with the others */
    if (place->folders == (size_t)(strrchr(place->path, '/') - place->path)) /* else its folder is to be made */
        TRY(output_check(what, place->path));
    if (place->was_there)
        TRY(text_file_read(what, place->path, &place->old, &place->old_length));
    place->is_foreign |= place->was_there && !has_text(file, place->old, place->old_length);
    return OK;
}

static enum status refuse_those_there(const struct place *places, const struct new_files *files, const char *what,
                                      const char *folder)
{
    struct text names = {0};
    for (size_t i = 0; i < files->count; i++)
        if (places[i].is_foreign)
            text_append(&names, "%s%s", names.length > 0 ? ", " : "", files->files[i].name);
    OWNED char *text = text_take(&names);
    if (*text)
        complain("%s: expected none of its files in %s, found %s; nothing was written; move them away, or give "
                 "--overwrite to replace them",
                 what, folder, text);
    return *text ? BAD_INPUT : OK;
}

static enum status start(struct place *place, const char *what, const struct new_file *file)
{
    TRY(output_open(&place->out, place->path));
    fwrite(file->text, 1, file->length, place->out.file);
    return fflush(place->out.file) == 0 ? OK : cannot(what, "write", place->path);
}

static void restore(const struct place *place)
{
    struct output out;
    if (!place->was_there)
        unlink(place->path);
    else if (output_open(&out, place->path) == OK) {
        fwrite(place->old, 1, place->old_length, out.file);
        (void)output_close(&out); /* which says why, if it cannot */
    }
}

static void remove_made_folders(const struct place *place)
{
    for (char *slash; (slash = strrchr(place->path, '/')) && (size_t)(slash - place->path) > place->folders;) {
        *slash = '\0';
        rmdir(place->path);
    }
}

static enum status write_all(struct place *places, const struct new_files *files, const char *what)
{
    enum status status = OK;
    size_t done = 0;
    for (size_t i = 0; i < files->count && status == OK; i++)
        status = start(&places[i], what, &files->files[i]);
    while (status == OK && done < files->count) {
        status = output_close(&places[done].out);
        done += status == OK;
    }
    if (status == OK)
        return OK;
    for (size_t i = 0; i < files->count; i++) {
        if (places[i].out.file)
            (void)output_end(&places[i].out, status);
        if (i < done)
            restore(&places[i]);
    }
    for (size_t i = 0; i < files->count; i++)
        remove_made_folders(&places[i]);
    return status;
}

enum status new_files_write(const struct new_files *files, const char *what, const char *folder, bool replaces)
{
    struct folder_lock lock = {0};
    OWNED struct place *places = memory_cleared(files->count + 1, sizeof *places);
    enum status status;
    TRY_DONE(folder_lock_take(&lock, folder));
    for (size_t i = 0; i < files->count; i++)
        TRY_DONE(look(&places[i], what, &files->files[i], folder, replaces));
    if (!replaces)
        TRY_DONE(refuse_those_there(places, files, what, folder));
    status = write_all(places, files, what);
done:
    folder_lock_release(&lock);
    for (size_t i = 0; i < files->count; i++)
        free_all(places[i].path, places[i].old);
    return status;
}
