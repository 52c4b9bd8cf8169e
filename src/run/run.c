#include "run.h"
#include "crew.h"
#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/workers.h"
#include "src/bench/speeds.h"
#include "src/determinism/determinism.h"
#include "src/files/folder_swap.h"
#include "src/measure/exact_on_device.h"
#include "src/measure/refusals.h"
#include "src/store/provenance.h"

#include <unistd.h>

/* Says which methods refuse a launch, and with the first one which black boxes cannot be had, and which instructions
 * this GPU has not, since what these lack is seldom the launch. */
static void tell_refusals(const struct study *study, const struct device *device, size_t launch, bool quiet,
                          size_t *left)
{
    struct refusals of_launch = {0}, of_place = {0};
    char why[REASON_SIZE], lack[REASON_SIZE], place[64];
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *method = study->methods[m];
        const bool is_of_place = !method_is_on_host(method) || measure_lacks_device(method, device, lack);
        if (measure_can_do(method, study->launches[launch], device, why))
            ++*left;
        else
            refusals_add(is_of_place ? &of_place : &of_launch, method->id, why);
    }
    snprintf(place, sizeof place, " at %u x %u", study->launches[launch].blocks, study->launches[launch].threads);
    refusals_tell(&of_launch, "skipping", place, quiet);
    refusals_tell(&of_place, "skipping", "", quiet || launch > 0);
}

/* When nothing is left to run, NO_DEVICE if a GPU is what some method lacks, else BAD_INPUT; then the reasons are
 * given, quiet or not. */
static enum status announce_refusals(const struct study *study, const struct device *device, bool quiet)
{
    size_t left = 0, lacking = 0;
    char why[REASON_SIZE];
    for (size_t l = 0; l < study->launch_count; l++)
        tell_refusals(study, device, l, quiet, &left);
    if (left > 0)
        return OK;
    for (size_t l = 0; l < study->launch_count && quiet; l++)
        tell_refusals(study, device, l, false, &left);
    for (size_t m = 0; m < study->method_count; m++)
        lacking += measure_lacks_device(study->methods[m], device, why);
    complain("no selected method can be run here with any launch; choose others; see `ulpscope list methods`");
    return lacking > 0 ? NO_DEVICE : BAD_INPUT;
}

/* Equal texts: the rows may stand in one store. */
static char *identity_of(const struct study *study, const struct run_options *options, const char *device)
{
    struct text text = {0};
    char *of_study = study_text(study), version[REASON_SIZE];
    text_append(&text, "%s\ndevice: %s\nreplay beside: %d\nslow: %d\n%s", provenance_build(), device,
                options->replay_beside, options->slow, of_study);
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->version && method_can_do(study->methods[m], study->launches[0], version)) {
            study->methods[m]->version(study->methods[m], version);
            text_append(&text, "version of %s: %s\n", study->methods[m]->id, version);
        }
    free(of_study);
    return text_take(&text);
}

static void say_which_device(const struct run_options *options, size_t count, const char *device, const char *why)
{
    if (count > 1 && !options->quiet)
        fprintf(stderr, "device: %zu of %s\n", count, device);
    else if (!options->quiet)
        fprintf(stderr, "device: %s%s%s%s\n", device, *why ? " replay, with the same bits (" : "", why,
                *why ? ")" : "");
}

static void say_what_has_no_kernel(const struct study *study, bool quiet)
{
    size_t count = 0;
    for (size_t m = 0; m < study->method_count; m++)
        count += study->methods[m]->replay && !device_has_kernel(study->methods[m]);
    if (count > 0 && !quiet)
        fprintf(stderr, "%zu method%s without a kernel: replayed on the host\n", count, count == 1 ? "" : "s");
}

static void say_where_products_are_exact(const struct study *study, bool quiet)
{
    if (operation_table[study_operation(study)].of == MATRICES && !quiet)
        fprintf(stderr, "large exact products: by this GPU; rows and columns that the seed draws, by the host too\n");
}

/* What is missing is reported on stderr, and in the reports among the facts of the run. */
static enum status tell_unfinished(const struct crew *crew, const struct run_options *options)
{
    char missing[REASON_SIZE];
    const uint64_t cases = crew->total - crew->done;
    snprintf(missing, sizeof missing, "%" PRIu64 " of %" PRIu64 " cases, in whole or in part", cases, crew->total);
    complain("%snot measured: %s%s", crew->device_lost ? "the GPU is lost to this process; " : "", missing,
             options->directory ? "; what was measured is kept; the same command with --resume does these again" : "");
    TRY(store_put_fact(crew->store, "run", "not measured", missing));
    return NOT_MEASURED;
}

/* Without -o what was measured goes to a folder that nobody named, rather than nowhere. */
static enum status keep_interrupted(const struct crew *crew, const struct run_options *options)
{
    char kept[KEPT_NAME];
    const char *folder = options->directory ? options->directory : kept;
    const bool waits = store_waits(crew->store);
    if (crew->done == 0)
        complain("interrupted after 0 of %" PRIu64 " cases", crew->total);
    else if (options->directory || store_keep(crew->store, kept) == OK)
        complain("interrupted after %" PRIu64 " of %" PRIu64 " cases; they are kept: `ulpscope report %s%s` shows "
                 "them, the same command with -o %s --resume%s continues%s",
                 crew->done, crew->total, folder, waits ? "/" FOLDER_OWN : "", folder,
                 waits ? " in place of --overwrite" : "",
                 waits ? "; until it is complete, the previous run stays in its place" : "");
    return INTERRUPTED;
}

/* Which methods lack a device, and what libraries reported of their results, which stands behind their version. */
static enum status keep_what_was_reported(const struct crew *crew)
{
    const struct study *study = crew->measuring.study;
    char version[REASON_SIZE], why[REASON_SIZE];
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *method = study->methods[m];
        if (measure_lacks_device(method, crew->measuring.device, why))
            TRY(store_put_fact(crew->store, "skipped", method->id, why));
        if (!method->version || !method_can_do(method, study->launches[0], version))
            continue;
        method->version(method, version);
        const char *reported = strstr(version, "; ");
        if (reported)
            TRY(store_put_fact(crew->store, "library", method->id, reported + 2));
    }
    return OK;
}

/* What the store holds counts, also what was stored before a --resume. */
static enum status conclude(const struct crew *crew, const struct run_options *options)
{
    struct replay_comparison comparison = {0};
    if (crew->status != OK)
        return crew->status;
    TRY(keep_what_was_reported(crew));
    if (options->replay_beside)
        TRY(store_compare(crew->store, &comparison));
    if (comparison.compared > 0 && !options->quiet)
        fprintf(stderr, "compared %" PRIu64 " kernel results with their replays: %" PRIu64 " differ\n",
                comparison.compared, comparison.differ);
    if ((crew->device_lost && crew->done < crew->total) || (!interrupted() && crew->unfinished > 0))
        return tell_unfinished(crew, options);
    if (crew->done < crew->total)
        return keep_interrupted(crew, options);
    const bool is_empty = !store_has_rows(crew->store);
    const enum operation operation = study_operation(crew->measuring.study);
    if (is_empty && crew->numbers == 0 && operation_is_per_number(operation))
        return bad_input(
            "nothing was measured: %s gives a result for each number, and no data have any; give an n of 1 "
            "or more",
            operation_table[operation].id);
    if (is_empty)
        return bad_input("nothing was measured: every method was skipped; give --slow, a smaller n or other methods");
    return comparison.differ > 0 ? LIMIT_BROKEN : OK;
}

/* When the sums are done.  What cannot be timed costs the report a number, and the run its exit status. */
static enum status time_methods(struct device *device, const struct study *study, const struct run_options *options,
                                struct store *store)
{
    const uint64_t by_default = device ? SPEED_N_ON_DEVICE : SPEED_N_ON_HOST;
    const uint64_t n = options->speed_n == SPEED_N_DEFAULT ? by_default : options->speed_n;
    if (n == 0 || study_has_elements(study)) /* a product is no sum of n numbers */
        return OK;
    const enum status status =
        interrupted() ? INTERRUPTED : speeds_measure(store, study, device, n, options->speed_n == SPEED_N_DEFAULT);
    if (status == NOT_MEASURED || status == BAD_INPUT)
        complain("not all methods could be timed on %" PRIu64 " numbers; give a smaller --speed, or --speed 0", n);
    if (status == INTERRUPTED)
        complain("interrupted before the methods were timed; their sums are reported without speeds");
    return status;
}

/* Likewise. */
static enum status vary_axes(struct device *device, const struct study *study, const struct run_options *options,
                             struct store *store)
{
    if (!study->across)
        return OK;
    const struct determinism_how how = {options->jobs, options->quiet};
    const enum status status = interrupted() ? INTERRUPTED : determinism_measure(store, study, device, &how);
    if (status == NOT_MEASURED || status == BAD_INPUT)
        complain("not all axes could be varied; %s, one without --across reports the sums",
                 options->directory ? "the same command with --resume tries the others again"
                                    : "the same command with -o DIR, and then --resume, tries the others again");
    if (status == INTERRUPTED)
        complain("interrupted before all axes were varied%s",
                 options->directory ? "; the same command with --resume varies the others" : "");
    return status;
}

/* What measuring is the same on all ranks; the caller empties the shelf. */
static struct measuring measuring_of(struct device *device, const struct study *study,
                                     const struct run_options *options, unsigned at_once, struct shelf *shelf,
                                     struct exact_tally *exact)
{
    return (struct measuring){.study = study,
                              .shelf = shelf,
                              .exact = exact,
                              .device = device,
                              .replay_beside = options->replay_beside,
                              .jobs = options->jobs,
                              .case_workers = at_once > 0 ? options->jobs / at_once : 1,
                              .slow = options->slow,
                              .verify_reference = options->verify_reference};
}

/* Cases that are measured at once: on each GPU one at least, and no more than have their numbers in half of the memory:
 * each permutation of a file of 256 MB is a copy of it. */
static unsigned at_once_of(const struct study *study, const struct run_options *options, size_t devices)
{
    const uint64_t total = study_case_count(study);
    const uint64_t bytes = (study_most_numbers(study) + 1) * sizeof(float);
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    const uint64_t fitting = memory / bytes < options->jobs ? memory / bytes + 1 : options->jobs;
    const uint64_t most = fitting > devices ? fitting : devices;
    return total < most ? (unsigned)total : (unsigned)most;
}

struct team {
    struct crew *crew;
    const char *identity;
    unsigned at_once;
};

/* The last of the workers leads the other ranks, if there are any. */
static void work(void *context, unsigned worker)
{
    const struct team *team = context;
    if (worker < team->at_once)
        crew_work(team->crew, worker);
    else
        lead(team->crew, ranks(), team->identity, team->at_once);
}

/* What a device made exactly, the host has added up again where the seed said so; now come the worst sums.  A run that
 * made none does not look for them. */
static enum status check_exact_sums(struct crew *crew, const struct run_options *options, bool was_complete)
{
    const struct exact_tally *tally = crew->measuring.exact;
    uint64_t of_witnesses = 0;
    if (crew->status != OK || crew->device_lost || interrupted() || !crew->measuring.device ||
        (tally->by_device == 0 && !was_complete && !ranks()))
        return crew->status;
    TRY(witnesses_check(&crew->measuring, crew->devices, crew->store, &of_witnesses));
    if (tally->checked + of_witnesses > 0 && !options->quiet)
        fprintf(stderr,
                "exact sums by the GPU: %" PRIu64 "; added up again by the host: %" PRIu64 ", with the same bits\n",
                tally->by_device, tally->checked + of_witnesses);
    return OK;
}

/* Measures all that the store lacks.  *reportable: the store holds something to report, whatever the status. */
static enum status run_cases(const struct devices *devices, const struct study *study,
                             const struct run_options *options, const char *identity, struct store *store,
                             bool *reportable)
{
    const uint64_t total = study_case_count(study), before = store_case_count(store);
    const unsigned at_once = at_once_of(study, options, devices->count);
    struct shelf shelf = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct exact_tally exact = {0};
    struct crew crew = {
        .measuring = measuring_of(devices->at[0], study, options, at_once, &shelf, &exact),
        .devices = devices,
        .store = store,
        .end = study_case_count(study),
        .total = total,
        .done = before,
        .workers = at_once,
        .at_work = at_once,
        .has_others = ranks(),
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    if (!options->quiet)
        crew.measuring.told_slow = memory_cleared(study->method_count, sizeof *crew.measuring.told_slow);
    progress_start(&crew.progress, crew.total, crew.done, options->quiet);
    crew.writer = writer_start(store, study);
    workers_run(at_once + (ranks() ? 1 : 0), work, &(struct team){&crew, identity, at_once});
    const enum status written = writer_end(crew.writer);
    crew.status = crew.status == OK ? written : crew.status;
    progress_end(&crew.progress);
    struct device *const device = crew.device_lost ? devices->at[0] : devices_left(devices, NULL);
    crew.measuring.device = device;
    crew.status = check_exact_sums(&crew, options, before == total);
    shelf_empty(&shelf);
    free(crew.measuring.told_slow);
    if (options->verify_reference && crew.status == OK && !options->quiet)
        fprintf(stderr, "verified %" PRIu64 " exact %s: one mpfr_add per term gives the same\n", crew.done - before,
                study_has_elements(study) ? "results, in the elements that are kept" : "sums");
    const enum status status = conclude(&crew, options);
    crew_free(&crew);
    *reportable = status == OK || status == LIMIT_BROKEN || (status == NOT_MEASURED && crew.status == OK);
    if (!*reportable || crew.device_lost) /* a method that fails keeps no other from what follows */
        return status;
    const enum status varied = vary_axes(device, study, options, store);
    const enum status timed =
        crew.done > before || !store_has_speeds(store) ? time_methods(device, study, options, store) : OK;
    return status != OK ? status : varied != OK ? varied : timed;
}

/* Of what a run takes, integers at its lengths may take so much more, and a second at least. */
#define CHECKED_SHARE 0.05
#define CHECKED_SECONDS 1.0

static void tell_left_out(const struct method *method, const struct plugin_count *count, double seconds)
{
    if (count->left_out > 0)
        complain("%s: sums of integers at %u of its lengths, the shortest of %" PRIu64
                 " numbers, were not asked for, which would take more than %.3g s; `ulpscope plugin check` does",
                 method->id, count->left_out, count->least_left_out, seconds);
}

/* Of each plug-in's method some sums whose result everybody knows; what is wrong with them is among the facts of the
 * run.  *worst: what became of them. */
static enum status check_plugins(const struct study *study, struct store *store, enum plugin_asking what,
                                 double seconds, enum status *worst)
{
    for (size_t m = 0; m < study->method_count && !interrupted(); m++) {
        const struct method *method = study->methods[m];
        struct plugin_answers answers;
        if (!method->plugin || plugin_is_left_out(method))
            continue;
        const double begin = clock_of_wall();
        const enum status one = plugin_question(method, what, seconds, &answers);
        const enum status stored =
            answers.wrong ? store_put_fact(store, "broken plug-in", method->id, answers.wrong) : OK;
        tell_left_out(method, answers.counts, seconds);
        seconds -= clock_of_wall() - begin;
        plugin_answers_free(&answers);
        TRY(stored);
        *worst = one == OK || *worst == NOT_MEASURED ? *worst : one;
    }
    return OK;
}

/* What a run on a GPU leaves to the host. */
static enum status record_exact_sums(struct store *store, const struct study *study, const struct device *device)
{
    if (!device || study_has_elements(study))
        return OK;
    OWNED char *fact = text_made("from %d numbers on by the GPU, in integers, and by the host again of one case in %d, "
                                 "which the seed draws, and of the worst sums; of fewer numbers by the host",
                                 NUMBERS_OF_A_GPU, CHECKED_ONE_IN);
    return store_put_fact(store, "run", "exact sums", fact);
}

/* "8 of Open MPI 4.1.4" */
static enum status record_ranks(struct store *store)
{
    char text[REASON_SIZE];
    if (!ranks())
        return OK;
    snprintf(text, sizeof text, "%u of %s", ranks()->size, ranks()->library);
    return store_put_fact(store, "run", "ranks", text);
}

/* A rank without a store: what it measures goes to rank 0. */
static enum status run_for_rank_0(struct device *device, const struct study *study, const struct run_options *options,
                                  const char *device_name)
{
    const unsigned at_once = at_once_of(study, options, device ? 1 : 0);
    struct shelf shelf = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct exact_tally exact = {0};
    struct measuring measuring = measuring_of(device, study, options, at_once, &shelf, &exact);
    OWNED char *identity = identity_of(study, options, device_name);
    const enum status status = follow(&measuring, ranks(), identity, at_once);
    shelf_empty(&shelf);
    return status;
}

/* "cuda:0, cuda:2" */
static enum status record_devices(struct store *store, const struct devices *devices)
{
    struct text text = {0};
    if (devices->count < 2)
        return OK;
    for (size_t d = 0; d < devices->count; d++)
        text_append(&text, "%s%s", d > 0 ? ", " : "", device_facts(devices->at[d])->word);
    OWNED char *words = text_take(&text);
    return store_put_fact(store, "run", "GPUs", words);
}

static enum status run_on(const struct devices *devices, const struct study *study, const struct run_options *options,
                          const char *device_name, struct store **store)
{
    const struct device *device = devices->at[0];
    bool reportable = false;
    enum status of_plugins = OK;
    char *identity = identity_of(study, options, device_name);
    enum status status = store_open(options->directory, options->mode, study, identity, device_name, store);
    if (status != OK) {
        free(identity);
        return status;
    }
    TRY_DONE(provenance_record(*store, study, device, options->command_line));
    TRY_DONE(record_ranks(*store));
    TRY_DONE(record_devices(*store, devices));
    TRY_DONE(record_exact_sums(*store, study, device));
    TRY_DONE(store_drop_fact(*store, "run", "not measured")); /* it was, the last time */
    const double begin = clock_of_wall();
    if (!options->are_plugins_checked)
        TRY_DONE(check_plugins(study, *store, A_DOZEN, 1e9, &of_plugins));
    status = run_cases(devices, study, options, identity, *store, &reportable);
    if (!options->are_plugins_checked && reportable) {
        const double share = CHECKED_SHARE * (clock_of_wall() - begin);
        const enum status stored = check_plugins(study, *store, SHAPES_OF_A_RUN,
                                                 share < CHECKED_SECONDS ? CHECKED_SECONDS : share, &of_plugins);
        status = status == OK ? stored : status;
    }
    status = status == OK ? of_plugins : status;
done:
    free(identity);
    if (!reportable) {
        (void)store_close(*store); /* which complains */
        *store = NULL;
    }
    return status;
}

/* Ranks of one machine share its GPUs out. */
static enum status open_devices(const char *wanted, struct devices *devices, char why[REASON_SIZE])
{
    const int count = ranks() && strcmp(wanted, "auto") == 0 ? device_count(why) : 0;
    char one[24];
    if (count > 0) {
        snprintf(one, sizeof one, "cuda:%u", ranks()->local_rank % (unsigned)count);
        wanted = one;
    }
    TRY(devices_open(wanted, devices, why));
    if (!ranks() || devices->count < 2)
        return OK;
    devices_close(devices);
    return bad_input("--device %s: expected one GPU for each rank; leave it out, and ranks share the GPUs", wanted);
}

enum status run_study(const struct study *study, const struct run_options *options, struct store **store)
{
    FREED_BY(devices_close) struct devices devices = {0};
    char why[REASON_SIZE] = "";
    *store = NULL;
    TRY(provenance_check());
    TRY(open_devices(options->device, &devices, why));
    struct device *const device = devices.at[0];
    const char *name = device ? device_facts(device)->name : "host";
    enum status status = OK;
    if (options->replay_beside && !device) {
        status = no_device("--replay compares kernels with replays and needs a GPU: %s; leave it out",
                           *why ? why : "the device asked for is the host");
    } else {
        say_which_device(options, devices.count, name, why);
        if (device) {
            say_what_has_no_kernel(study, options->quiet);
            say_where_products_are_exact(study, options->quiet);
        }
        status = announce_refusals(study, device, options->quiet);
    }
    if (status == OK) {
        interrupts_catch(ranks_follows() ? NULL : device ? "the kernels that were started" : "the sums in hand");
        status = ranks_follows() ? run_for_rank_0(device, study, options, name)
                                 : run_on(&devices, study, options, name, store);
        interrupts_release();
    }
    return status;
}
