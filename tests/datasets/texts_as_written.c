/* Each line of the standard input as it is written, and what formats make of it: "-1/3 -0x1.5555555555555p-2 ...", or
 * "refused".  With --drop the last character of each is left out: who compares finds them different. */
#include "datasets/files/storage.h"

#include <stdio.h>
#include <string.h>

static void answer(const char *text)
{
    struct storage storage = {.format_count = STORED_FORMAT_COUNT};
    mpq_t sum;
    for (size_t i = 0; i < STORED_FORMAT_COUNT; i++)
        storage.formats[i].format = NUMBER_FORMATS[i];
    if (storage_read(&storage, text) || storage_keep(&storage)) {
        puts("refused");
        storage_free(&storage);
        return;
    }
    mpq_init(sum);
    written_total(&storage.sum, sum);
    gmp_printf("%Qd", sum);
    for (size_t i = 0; i < STORED_FORMAT_COUNT; i++) {
        struct stored_in *in = &storage.formats[i];
        written_total(&in->moved, sum);
        gmp_printf(" %a %c %Qd", in->value, in->changed ? '!' : '=', sum);
    }
    puts("");
    mpq_clear(sum);
    storage_free(&storage);
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    const bool drops = argc > 1 && strcmp(argv[1], "--drop") == 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (drops && *line)
            line[strlen(line) - 1] = '\0';
        answer(line);
    }
    return 0;
}
