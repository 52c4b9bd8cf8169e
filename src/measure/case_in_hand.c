#include "case_in_hand.h"

#include "kernels/statistic.h"
#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/plugins/plugin.h"
#include "src/study/study.h"

/* ---- methods that take too long, or count too little ---- */

/* Only on a GPU, which needs seconds for additions that wait for each other, and the host no longer than for others.
 * The check stands here because only now is it known how many numbers a file has. */
static bool is_too_slow(const struct case_in_hand *hand, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct method *asked = measuring->study->methods[method];
    return measuring->device && !measuring->slow && device_has_kernel(asked) && hand->data.n > asked->slow_above;
}

void case_tell_too_slow(const struct case_in_hand *hand, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct method *slow = measuring->study->methods[method];
    char why[REASON_SIZE];
    const bool counts = statistic_can_count(slow, hand->data.n, why);
    const bool applies = method_takes(slow, hand->data.format) && (is_too_slow(hand, method) || !counts);
    if (!applies || !measuring->told_slow || atomic_exchange(&measuring->told_slow[method], true))
        return;
    if (!counts) {
        complain("skipping %s: %s", slow->id, why);
        return;
    }
    complain("skipping %s at n = %" PRIu64 " and other n beyond %" PRIu64
             ": its additions wait for each other, which takes seconds on a GPU; give --slow to run it all the same, "
             "or --device host",
             slow->id, hand->data.n, slow->slow_above);
}

bool case_measures(const struct case_in_hand *hand, size_t launch, size_t method)
{
    char why[REASON_SIZE];
    const struct study *study = hand->measuring->study;
    return method_takes(study->methods[method], hand->data.format) &&
           measure_can_do(study->methods[method], study->launches[launch], hand->measuring->device, why) &&
           !is_too_slow(hand, method) && statistic_can_count(study->methods[method], hand->data.n, why) &&
           (!study->methods[method]->plugin || plugin_takes(study->methods[method], hand->data.n));
}

bool case_replays(const struct case_in_hand *hand, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct method *asked = measuring->study->methods[method];
    return asked->replay && (!measuring->device || measuring->replay_beside || !device_has_kernel(asked));
}

bool case_is_left(const struct case_in_hand *hand)
{
    enum { FEW_ADDITIONS = 1 << 20 };
    const struct dataset *data = &hand->data;
    const uint64_t results = data->rows * data->columns;
    return interrupted() && data->n * (results > 0 ? results : 1) >= FEW_ADDITIONS;
}

/* ---- rows ---- */

enum status case_append(struct case_in_hand *hand, struct measured row)
{
    struct finished_case *finished = hand->finished;
    struct measured *rows = list_with_room(finished->rows, finished->row_count, &hand->capacity, sizeof *rows);
    if (!rows)
        return out_of_memory("the rows of a case");
    finished->rows = rows;
    rows[finished->row_count++] = row;
    return OK;
}

char *case_keep_text(struct case_in_hand *hand, char *text)
{
    struct finished_case *finished = hand->finished;
    finished->texts = list_short(finished->texts, finished->text_count, &hand->text_capacity, sizeof *finished->texts);
    finished->texts[finished->text_count++] = text;
    return text;
}

/* ---- what is said of failures ---- */

/* The command that runs a method again on this case, allocated. */
static char *rerun(const struct case_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct study *study = measuring->study;
    const struct device_facts *device = device_facts(measuring->device);
    OWNED char *arguments = rerun_data(hand->spec);
    const struct witness witness = {
        .method = study->methods[method]->id,
        .data_arguments = arguments,
        .seed = study->seed,
        .trial = hand->place.trial,
        .launch = study->launches[launch],
        .device = device ? device->word : "host",
        .plugin = plugin_name(study->methods[method]->plugin),
        .replay_beside = measuring->replay_beside,
        .slow = device && hand->data.n > study->methods[method]->slow_above,
    };
    return rerun_command(&witness);
}

void case_tell_difference(const struct case_in_hand *hand, const struct measured *row, const char *kernel,
                          const char *replay)
{
    OWNED char *command = rerun(hand, row->launch, row->method);
    complain("%s: kernel and replay differ on %s, trial %" PRIu64 ": kernel %s, replay %s; rerun: %s",
             hand->measuring->study->methods[row->method]->id, hand->spec->text, hand->place.trial, kernel, replay,
             command);
}

void case_note_failure(const struct case_in_hand *hand, size_t launch, size_t method, const char *what)
{
    const struct study *study = hand->measuring->study;
    char *command = rerun(hand, launch, method);
    complain("%s at %u x %u on %s, trial %" PRIu64 ": the %s failed, as said above; the others are kept; rerun: %s",
             study->methods[method]->id, study->launches[launch].blocks, study->launches[launch].threads,
             hand->spec->text, hand->place.trial, what, command);
    free(command);
    hand->finished->unfinished = true;
}

/* ---- plug-ins ---- */

/* Of what fails in case after case the first few are reported. */
static void tell_another_result(struct case_in_hand *hand, const struct measured *row)
{
    enum { TOLD = 3 };
    const struct method *method = hand->measuring->study->methods[row->method];
    const unsigned times = plugin_breaks_claim(method);
    hand->finished->unfinished = true;
    if (times > TOLD)
        return;
    complain(
        "%s: claims to be deterministic, and its bits differed when it was asked again for the same data at another "
        "address%s",
        method->id, times == TOLD ? "; it may do so again, which is not told" : "");
    case_note_failure(hand, row->launch, row->method, "claim");
}

uint64_t case_times_asked(const struct case_in_hand *hand, size_t method)
{
    const struct study *study = hand->measuring->study;
    return study->repeats + (study->methods[method]->determinism == DETERMINISTIC && study->repeats < 2);
}

static enum status ask_each_time(struct case_in_hand *hand, struct measured row, const struct operands *of,
                                 uint64_t *bits, case_take *take, void *context)
{
    const struct study *study = hand->measuring->study;
    const struct method *method = study->methods[row.method];
    const uint64_t times = case_times_asked(hand, row.method);
    const uint64_t *answers = hand->answers ? hand->answers[row.launch * study->method_count + row.method] : NULL;
    uint64_t first = 0;
    for (row.repeat = 0; row.repeat < times; row.repeat++) {
        if (!answers && plugin_is_left_out(method)) {
            hand->finished->unfinished = true;
            return OK;
        }
        const enum status asked = answers ? OK : method->ask(method, of, study->launches[row.launch], bits, NULL);
        *bits = answers ? answers[row.repeat] : *bits;
        if (asked == INTERRUPTED)
            return asked;
        if (asked != OK) {
            hand->finished->unfinished = true;
            if (*plugin_failure()) /* else it was left out meanwhile */
                case_note_failure(hand, row.launch, row.method, "plug-in");
            return OK;
        }
        const uint64_t hash = format_hash(method->format, bits, operation_results(of->operation, of->shape));
        if (row.repeat == 0)
            first = hash;
        if (row.repeat < study->repeats)
            TRY(take(context, row, bits));
        if (method->determinism == DETERMINISTIC && hash != first) {
            tell_another_result(hand, &row);
            return OK;
        }
    }
    return OK;
}

enum status case_ask_plugin(struct case_in_hand *hand, struct measured row, const struct operands *of, uint64_t *bits,
                            case_take *take, void *context)
{
    row.backend = BACKEND_plugin;
    return ask_each_time(hand, row, of, bits, take, context);
}

/* ---- data ---- */

/* To verify the reference is to add the numbers of every trial. */
static bool shares_numbers(const struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    return measuring->study->entries[hand->place.entry].trials > 1 && !data_spec_is_random(hand->spec) &&
           !measuring->verify_reference;
}

/* *to is NULL where there are no such numbers. */
static enum status copy_numbers(const struct format *format, const void *numbers, uint64_t count, void **to)
{
    const size_t bytes = count * format_held(format)->bytes;
    *to = NULL;
    if (!numbers)
        return OK;
    *to = malloc(bytes > 0 ? bytes : 1);
    if (!*to)
        return out_of_memory("the numbers of a trial");
    memcpy(*to, numbers, bytes);
    return OK;
}

static enum status copy_shared(struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    TRY(shelf_take(measuring->shelf, hand->spec, study_operation(measuring->study), measuring->case_workers,
                   &hand->shelved));
    const struct dataset *base = &hand->shelved->data;
    hand->data = *base;
    if (hand->place.trial == 0 && hand->spec->ordering.kind == GIVEN)
        return OK; /* as it stands on the shelf */
    hand->data.y = NULL;
    enum status status = copy_numbers(base->format, base->x, dataset_count(base, false), &hand->data.x);
    if (status == OK)
        status = copy_numbers(base->format, base->y, dataset_count(base, true), &hand->data.y);
    if (status == OK)
        status = dataset_arrange(hand->spec, measuring->study->seed, hand->place.trial, &hand->data);
    if (status != OK)
        case_put_data_away(hand);
    return status;
}

enum status case_take_data(struct case_in_hand *hand)
{
    const uint64_t seed = hand->measuring->study->seed;
    TRY(shares_numbers(hand) ? copy_shared(hand) : dataset_make(hand->spec, seed, hand->place.trial, &hand->data));
    hand->finished->n = hand->data.n;
    hand->finished->conversion = hand->data.conversion;
    return OK;
}

void case_put_data_away(struct case_in_hand *hand)
{
    if (!hand->shelved || hand->data.x != hand->shelved->data.x)
        dataset_free(&hand->data);
    hand->data = (struct dataset){0};
    if (hand->shelved)
        shelf_give_back(hand->measuring->shelf, hand->shelved);
}
