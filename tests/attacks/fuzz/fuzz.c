/* The linker leads complain(), fopen() and the outputs of the program's rooms here (CMakeLists.txt). */
#include "fuzz.h"

#include "src/files/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __wrap_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);
enum status __wrap_output_open(struct output *out, const char *path);
enum status __wrap_output_close(struct output *out);
enum status __wrap_output_end(struct output *out, enum status status);

const char *__wrap_suggest(const char *word, const char *const *known, size_t count);
const char *__real_suggest(const char *word, const char *const *known, size_t count);

static int complaints;
size_t fuzz_accepted;
static const char *now; /* the input */
static size_t now_size;
bool fuzz_says;
static const char *file_bytes = "";
static size_t file_size;
char *fuzz_written;
size_t fuzz_written_size;

/* It is made all the same, so that what it is made of is read. */
void __wrap_complain(const char *format, ...)
{
    char message[1 << 12];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    complaints++;
    if (fuzz_says)
        fprintf(stderr, "%s\n", message);
}

/* It takes nine tenths of the time of a refusal; the family `words` asks for it. */
bool fuzz_suggests;
const char *__wrap_suggest(const char *word, const char *const *known, size_t count)
{
    return fuzz_suggests ? __real_suggest(word, known, count) : NULL;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return strcmp(path, FUZZ_PATH) == 0 ? fmemopen((void *)(uintptr_t)file_bytes, file_size, "r")
                                        : __real_fopen(path, mode);
}

enum status __wrap_output_open(struct output *out, const char *path)
{
    (void)path;
    free(fuzz_written);
    fuzz_written = NULL;
    *out = (struct output){.file = open_memstream(&fuzz_written, &fuzz_written_size)};
    return out->file ? OK : NOT_MEASURED;
}

enum status __wrap_output_close(struct output *out)
{
    return fclose(out->file) == 0 ? OK : NOT_MEASURED;
}

enum status __wrap_output_end(struct output *out, enum status status)
{
    fclose(out->file);
    return status;
}

void fuzz_file(const char *bytes, size_t size)
{
    file_bytes = bytes;
    file_size = size;
}

void fuzz_feed(const struct fuzz_family *family, const char *bytes, size_t size)
{
    now = bytes;
    now_size = size;
    complaints = 0;
    family->one(bytes, size);
}

/* As a text of C. */
static void show_input(void)
{
    for (size_t i = 0; i < now_size; i++)
        fprintf(stderr, now[i] < ' ' || now[i] == 0x7f || now[i] == '"' || now[i] == '\\' ? "\\%03o" : "%c",
                (unsigned char)now[i]);
}

void fuzz_check(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "fuzz: %s: \"", what);
    show_input();
    fprintf(stderr, "\"\n");
    abort();
}

void fuzz_check_words(enum status status)
{
    fuzz_check(status == OK || complaints > 0, "refused without a word");
    fuzz_check(status != OK || complaints == 0, "words without a refusal");
    fuzz_accepted += status == OK;
    complaints = 0;
}

void fuzz_forget_words(void)
{
    complaints = 0;
}

char *fuzz_text(const char *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}
