/* Fresh processes: other addresses, nothing left over.  The worker of a plug-in ends, and the next question starts
 * another; of a method of ours this program starts itself, by the command that a report would print.
 *
 * A plug-in's are started one at a time, as it may fill the memory of a GPU, and none is a fork of one that is warm:
 * that would have its parent's addresses and hash seeds, which are what is varied here. */
#include "src/base/interrupts.h"
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"

#include <unistd.h>

/* Field number `wanted` of a line into `to`, without its quotes; false: there are fewer. */
static bool take_field(const char *line, size_t wanted, char *to, size_t size)
{
    bool is_quoted = false;
    size_t field = 0, length = 0;
    for (; *line && *line != '\n' && field <= wanted; line++) {
        if (*line == '"')
            is_quoted = !is_quoted;
        else if (*line == ',' && !is_quoted)
            field++;
        else if (field == wanted && length + 1 < size)
            to[length++] = *line;
    }
    to[length] = '\0';
    return field >= wanted;
}

static bool take_named(const char *head, const char *row, const char *name, char *to, size_t size)
{
    char found[64];
    for (size_t field = 0; take_field(head, field, found, sizeof found); field++)
        if (strcmp(found, name) == 0)
            return take_field(row, field, to, size);
    return false;
}

static enum status start_again(const struct vary *vary, uint64_t *word)
{
    char program[PATH_MAX], *head = NULL, *row = NULL, text[80] = "";
    size_t room = 0;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    struct text command = {0};
    program[length > 0 ? length : 0] = '\0';
    text_append(&command, "ulpscope() { ");
    text_append_shell_word(&command, program);
    text_append(&command, " \"$@\"; }; %s --quiet --speed 0 -o -", vary->of->again);
    OWNED char *line = text_take(&command);
    FILE *output = popen(line, "re");
    bool is_read = output && getline(&head, &room, output) > 0;
    room = 0;
    is_read = is_read && getline(&row, &room, output) > 0 &&
              take_named(head, row, vary->count == 1 ? "computed_bits" : "digest", text, sizeof text);
    while (output && getc(output) != EOF)
        ;
    const bool has_ended_well = output && pclose(output) == 0;
    text[vary->count == 1 ? sizeof text - 1 : 16] = '\0';
    *word = strtoull(text, NULL, 16);
    if ((!is_read || !has_ended_well) && !interrupted()) /* Ctrl-C is told to all processes */
        complain("a fresh process gave no result; expected one; see what this says: %s", vary->of->again);
    free_all(head, row);
    return is_read && has_ended_well ? OK : NOT_MEASURED;
}

static const char variant[] = "process %d after the first";

void vary_in_fresh(struct vary *vary, int process)
{
    const struct varied *varied = vary->of;
    if (vary->has_failed)
        return;
    vary->has_failed = vary_compute(vary, &varied->of, varied->launch, NULL, vary->bits) != OK;
    if (vary->has_failed)
        vary_note_failure(vary);
    else
        variation_note(vary, vary->bits, variant, process);
}

static enum status note_fresh(struct vary *vary, int process)
{
    uint64_t word;
    if (vary->of->method->plugin) {
        plugin_restart(vary->of->method);
        vary_in_fresh(vary, process);
        return vary->has_failed ? NOT_MEASURED : OK;
    }
    if (start_again(vary, &word) != OK) {
        vary_leave_out(vary, "a fresh process gave no result, as said above");
        return NOT_MEASURED;
    }
    if (vary->count == 1)
        variation_note(vary, &word, variant, process);
    else
        variation_note_word(vary, word, variant, process);
    return OK;
}

enum status process_vary(struct vary *vary)
{
    if (!vary->of->method->plugin && !vary->of->again) {
        vary_leave_out(vary, "no command computes these numbers again");
        return OK;
    }
    for (int process = 1; process <= PROCESSES; process++)
        TRY(note_fresh(vary, process));
    return OK;
}
