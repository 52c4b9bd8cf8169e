/* The witness as a data file, which says on top what it is. */
#include "explain.h"

#include "datasets/files/file.h"

/* As the curated files have it (datasets/curated). */
static char *comment_of(const struct explanation *explanation, const struct explain_names *names)
{
    const struct shrunken *witness = &explanation->witness;
    OWNED char *command = explain_command(explanation, names->witness),
               *hex = exact_hex(explanation->reduced.exact.sum);
    struct text text = {0};
    text_append(&text, "%s and %s differ on these %" PRIu64 " numbers%s\n", explanation->request.method[0]->id,
                explanation->request.method[1]->id, witness->n,
                witness->minimal ? ", and agree without any one of them" : "");
    text_append(&text, "source %s, of whose %" PRIu64 " numbers these take the place of", names->data,
                explanation->request.n);
    for (uint64_t i = 0; i < witness->n; i++)
        text_append(&text, "%sx%" PRIu64, i > 0 ? ", " : " ", witness->index[i]);
    text_append(&text, "\nmade   %s\n", names->command);
    text_append(&text, "again  %s\nexact  %s\n", command, hex);
    return text_take(&text);
}

enum status explain_write_witness(const struct explanation *explanation, const struct explain_names *names)
{
    const struct dataset data = {
        .format = explanation->request.format, .x = explanation->held[0], .n = explanation->witness.n};
    OWNED char *comment = comment_of(explanation, names);
    return file_write(names->witness, &data, comment);
}
