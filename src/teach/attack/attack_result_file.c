/* The find and its witness as data files, which say on top what they are and how the search came there. */
#include "attack_result.h"

#include "datasets/files/file.h"
#include "src/files/output.h"

/* As the curated files have it (datasets/curated): where the numbers are from, the command, and which step found what.
 */
static void append_history(struct text *to, const struct attack_result *attacked,
                           const struct attack_result_names *names)
{
    const struct attack_request *request = &attacked->request;
    const struct attack_find *find = &attacked->find;
    text_append(to, "source ulpscope attack: launch %u x %u, n = %" PRIu64 ", seed %" PRIu64 ", %" PRIu64 " calls\n",
                request->launch.blocks, request->launch.threads, request->n, request->seed, attacked->find.calls);
    text_append(to, "made   %s\n", names->command);
    for (size_t s = SIZE_MAX; attack_result_next_told(find, &s);) {
        OWNED char *value = attack_words_value(attacked->request.climbs, find->steps[s].value);
        text_append(to, "step   %" PRIu64 " calls: %s, by %s\n", find->steps[s].calls, value, find->steps[s].by);
    }
}

static void append_end(struct text *to, const struct attack_result *attacked, const struct attack_result_names *names,
                       const struct exact_sum *exact, const char *path)
{
    OWNED char *hex = exact_hex(exact->sum);
    if (!output_is_stdout(path)) {
        OWNED char *command = attack_result_rerun(attacked, names, path);
        text_append(to, "again  %s\n", command);
    }
    text_append(to, "exact  %s\n", hex);
}

static enum status write(const char *path, const struct format *format, void *x, uint64_t n, struct text *comment)
{
    OWNED char *text = text_take(comment);
    return file_write(path, &(struct dataset){.format = format, .x = x, .n = n}, text);
}

enum status attack_result_write_data(const struct attack_result *attacked, const struct attack_result_names *names)
{
    const struct attack_find *find = &attacked->find;
    OWNED char *value = find->has_crashed ? text_made("fails")
                                          : attack_words_value(attacked->request.climbs, attack_result_value(attacked));
    struct text comment = {0};
    text_append(&comment, "%s %s%s on these %" PRIu64 " numbers\n", attacked->request.method->id,
                find->has_crashed ? "" : "errs by ", value, find->n);
    append_history(&comment, attacked, names);
    append_end(&comment, attacked, names, &attacked->sum.exact, names->data);
    return write(names->data, find->format, find->x, find->n, &comment);
}

enum status attack_result_write_witness(const struct attack_result *attacked, const struct attack_result_names *names)
{
    const struct format *format = attacked->find.format;
    struct text comment = {0};
    OWNED void *x = NULL;
    TRY(shrunken_held(&attacked->witness, format, 0, &x));
    OWNED char *sentence = attack_words_witness(attacked);
    text_append(&comment, "%s: %s\n", attacked->request.method->id, sentence);
    append_history(&comment, attacked, names);
    append_end(&comment, attacked, names, &attacked->core.exact, names->witness);
    return write(names->witness, format, x, attacked->witness.n, &comment);
}
