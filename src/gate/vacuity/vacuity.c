/* Spec by spec, the short ones first: every fault is done to every method on its data (broken_spec.c), and what comes
 * out is held to the limits in place of the run's own series.
 *
 * A rule kills what fails it, where the run itself passes it or could not be compared.  What the run fails anyway says
 * nothing.
 */
#include "vacuity.h"

#include "src/gate/parallel.h"

const char *const fate_words[FATES] = {
    [FATE_KILLED] = "killed", [FATE_SURVIVED] = "SURVIVED", [FATE_UNSEEN] = "UNSEEN", [FATE_NOT_JUDGED] = "not judged"};

enum { NO_FINDING = VERDICTS };

/* Of a spec, in all its data sets.  What is longer is left to the faults that nothing shorter kills: 50 faults take 50
 * times as long as a method, 0.5 s for each of these. */
static const uint64_t NUMBERS_OF_ALL = UINT64_C(1) << 22;

/* A fault done to a method of the study. */
struct victim {
    struct broken_sum *sum; /* NULL: the method cannot have it */
    bool differs;           /* some sum has other bits than the method's own */
};

struct inquiry {
    const struct check *check;
    const struct results *results;
    unsigned workers;
    struct run_rows rows;
    unsigned char *verdicts; /* of the run itself, by series and rule; or NO_FINDING */
    bool *passes;            /* by method of the study: some rule, somewhere */
    struct victim *victims;  /* by fault and method */
    struct broken_plan plan;
};

static struct victim *victim_of(const struct inquiry *inquiry, size_t fault, size_t method)
{
    return &inquiry->victims[fault * inquiry->results->study.method_count + method];
}

/* ---- what the run itself passes ---- */

static unsigned char *verdict_on(const struct inquiry *inquiry, size_t series, size_t rule)
{
    return &inquiry->verdicts[series * inquiry->check->limits->rule_count + rule];
}

static void note_verdicts(struct inquiry *inquiry)
{
    const struct check *check = inquiry->check;
    const size_t room = check->results->series_count * check->limits->rule_count + 1;
    inquiry->verdicts = memory_resized(NULL, room);
    memset(inquiry->verdicts, NO_FINDING, room);
    for (size_t i = 0; i < check->count; i++) {
        const struct finding *finding = &check->findings[i];
        if (finding->series)
            *verdict_on(inquiry, (size_t)(finding->series - check->results->series),
                        (size_t)(finding->rule - check->limits->rules)) = (unsigned char)finding->verdict;
    }
}

static bool can_kill(unsigned char verdict)
{
    return verdict == VERDICT_PASSED || verdict == VERDICT_SKIPPED;
}

/* ---- who has which fault ---- */

static void name_victims(struct inquiry *inquiry, struct vacuity *vacuity)
{
    const struct study_record *study = &inquiry->results->study;
    const struct fault *faults = fault_table(&inquiry->plan.fault_count);
    const size_t most = inquiry->plan.fault_count * study->method_count;
    inquiry->victims = memory_cleared(most + 1, sizeof *inquiry->victims);
    vacuity->sums = memory_cleared(most + 1, sizeof *vacuity->sums);
    for (size_t f = 0; f < inquiry->plan.fault_count; f++)
        for (size_t m = 0; m < study->method_count; m++) {
            const struct method *method = method_find(study->methods[m].id);
            if (!method || !method->replay || !faults[f].applies(method))
                continue;
            vacuity->sums[vacuity->count] = (struct broken_sum){.fault = &faults[f], .method = study->methods[m].id};
            victim_of(inquiry, f, m)->sum = &vacuity->sums[vacuity->count++];
        }
}

/* Nothing is done to a method that nothing could kill. */
static void make_plan(struct inquiry *inquiry)
{
    const size_t methods = inquiry->results->study.method_count;
    OWNED bool *killable = memory_cleared(methods + 1, sizeof *killable);
    inquiry->plan.method_count = methods;
    inquiry->plan.is_done = memory_cleared(inquiry->plan.fault_count * methods + 1, sizeof *inquiry->plan.is_done);
    inquiry->passes = memory_cleared(methods + 1, sizeof *inquiry->passes);
    for (size_t s = 0; s < inquiry->rows.series_count; s++)
        for (size_t r = 0; r < inquiry->check->limits->rule_count; r++) {
            const unsigned char verdict = *verdict_on(inquiry, s, r);
            inquiry->passes[inquiry->rows.series[s].method] |= verdict == VERDICT_PASSED;
            killable[inquiry->rows.series[s].method] |= can_kill(verdict);
        }
    for (size_t f = 0; f < inquiry->plan.fault_count; f++)
        for (size_t m = 0; m < methods; m++)
            inquiry->plan.is_done[f * methods + m] = killable[m] && victim_of(inquiry, f, m)->sum;
}

static void drop_killed(struct inquiry *inquiry)
{
    const size_t methods = inquiry->plan.method_count;
    for (size_t f = 0; f < inquiry->plan.fault_count; f++)
        for (size_t m = 0; m < methods; m++)
            if (victim_of(inquiry, f, m)->sum && victim_of(inquiry, f, m)->sum->killer)
                inquiry->plan.is_done[f * methods + m] = false;
}

/* ---- a spec ---- */

/* Earlier series of the same data, which a baseline tells apart by their order (baseline.h), and then those of a fault.
 */
struct judged_series {
    struct series *list;
    size_t before, count;
};

static struct judged_series line_up(const struct broken_spec *spec, const struct results *broken)
{
    const struct results *results = spec->results;
    const char *data = results->series[spec->first_series].data;
    size_t before = 0;
    for (size_t s = 0; s < spec->first_series; s++)
        before += strcmp(results->series[s].data, data) == 0;
    struct judged_series judged = {memory_cleared(before + broken->series_count + 1, sizeof *judged.list), 0, 0};
    for (size_t s = 0; s < spec->first_series && before > 0; s++)
        if (strcmp(results->series[s].data, data) == 0)
            judged.list[judged.before++] = results->series[s];
    if (broken->series_count > 0)
        memcpy(judged.list + judged.before, broken->series, broken->series_count * sizeof *judged.list);
    judged.count = judged.before + broken->series_count;
    return judged;
}

/* What becomes of one series by the findings about it, from `next` on, which are in the order of the rules. */
static void note_kill(const struct inquiry *inquiry, const struct check *check, size_t *next,
                      const struct series *series, size_t index, struct broken_sum *sum)
{
    bool killed = false;
    for (; *next < check->count && check->findings[*next].series == series; ++*next) {
        const struct finding *finding = &check->findings[*next];
        const size_t rule = (size_t)(finding->rule - check->limits->rules);
        if (finding->verdict != VERDICT_FAILED || !can_kill(*verdict_on(inquiry, index, rule)))
            continue;
        killed = true;
        if (!sum->killer || finding->rule < sum->killer)
            sum->killer = finding->rule;
    }
    sum->killed_series += killed;
    sum->series++;
}

static void note_kills(const struct inquiry *inquiry, const struct broken_spec *spec, size_t fault,
                       const struct check *check, const struct series *series)
{
    size_t next = 0;
    for (size_t s = 0; s < spec->series_count; s++) {
        if (!broken_spec_has(spec, fault, s))
            continue;
        const size_t index = spec->first_series + s;
        struct victim *victim = victim_of(inquiry, fault, inquiry->rows.series[index].method);
        victim->differs |= spec->differs[fault * spec->series_count + s];
        note_kill(inquiry, check, &next, series++, index, victim->sum);
    }
}

struct judging {
    const struct inquiry *inquiry;
    const struct broken_spec *spec;
};

static enum status judge_fault(void *context, size_t fault)
{
    const struct judging *judging = context;
    const struct inquiry *inquiry = judging->inquiry;
    const struct broken_spec *spec = judging->spec;
    struct results results = spec->stand_ins[fault].results;
    const struct judged_series judged = line_up(spec, &results);
    results.series = judged.list;
    results.series_count = judged.count;
    struct check check = {.results = &results,
                          .limits = inquiry->check->limits,
                          .baseline = inquiry->check->baseline,
                          .today = inquiry->check->today};
    check_series(&check, judged.before, judged.count - judged.before);
    note_kills(inquiry, spec, fault, &check, judged.list + judged.before);
    check_free(&check);
    free(judged.list);
    return OK;
}

static enum status inquire_spec(const struct inquiry *inquiry, struct broken_spec *spec)
{
    char why[WHY_SIZE] = "";
    const struct judging judging = {inquiry, spec};
    enum status status = broken_spec_run(spec, why);
    if (status == BAD_INPUT)
        complain("--vacuity breaks sums of the run's data, and cannot: %s; expected the data as they were; bring them "
                 "back, or run the study again",
                 why);
    if (status == OK && spec->slot_count > 0)
        status = parallel_each(inquiry->workers, inquiry->plan.fault_count, judge_fault, (void *)&judging);
    broken_spec_free(spec);
    return status;
}

/* ---- all specs ---- */

static bool same_spec(const struct series_rows *a, const struct series_rows *b)
{
    return a->entry == b->entry && a->spec == b->spec;
}

/* The spec whose series start with `first`. */
static struct broken_spec spec_at(const struct inquiry *inquiry, size_t first)
{
    const struct series_rows *rows = inquiry->rows.series;
    struct broken_spec spec = {
        .results = inquiry->results,
        .rows = &inquiry->rows,
        .plan = &inquiry->plan,
        .first_series = first,
        .workers = inquiry->workers,
    };
    while (first + spec.series_count < inquiry->rows.series_count &&
           same_spec(&rows[first], &rows[first + spec.series_count]))
        spec.series_count++;
    spec.data = run_rows_data(&inquiry->rows, &rows[first], &spec.data_count);
    return spec;
}

static bool is_long(const struct broken_spec *spec)
{
    return spec->results->series[spec->first_series].n > NUMBERS_OF_ALL / (spec->data_count + 1);
}

/* Short data first: a fault that they kill is not done to the long ones. */
static enum status inquire(struct inquiry *inquiry, struct progress *progress)
{
    uint64_t done = 0;
    for (int longs = 0; longs < 2; longs++) {
        for (size_t first = 0; first < inquiry->rows.series_count;) {
            struct broken_spec spec = spec_at(inquiry, first);
            first += spec.series_count;
            if (is_long(&spec) != longs)
                continue;
            spec.progress = progress;
            spec.done = done;
            done += spec.data_count;
            TRY(inquire_spec(inquiry, &spec));
        }
        drop_killed(inquiry);
    }
    return OK;
}

static enum fate fate_of(const struct victim *victim, bool passes)
{
    if (victim->sum->killer)
        return FATE_KILLED;
    return !passes ? FATE_NOT_JUDGED : victim->differs ? FATE_SURVIVED : FATE_UNSEEN;
}

static void decide_fates(const struct inquiry *inquiry, struct vacuity *vacuity)
{
    for (size_t f = 0; f < inquiry->plan.fault_count; f++)
        for (size_t m = 0; m < inquiry->results->study.method_count; m++) {
            const struct victim *victim = victim_of(inquiry, f, m);
            if (!victim->sum)
                continue;
            victim->sum->fate = fate_of(victim, inquiry->passes[m]);
            vacuity->by[victim->sum->fate]++;
        }
}

/* A store that somebody changed may have a launch that no replay survives. */
static enum status check_launches(const struct inquiry *inquiry)
{
    const struct study_record *study = &inquiry->results->study;
    char why[REASON_SIZE];
    for (size_t s = 0; s < inquiry->rows.series_count; s++) {
        const struct series_rows *rows = &inquiry->rows.series[s];
        const struct method *method = method_find(study->methods[rows->method].id);
        const struct launch launch = study->launches[rows->launch];
        if (!method || !method->replay || method_can_do(method, launch, why))
            continue;
        return bad_input("--vacuity: the run has sums of %s at %u x %u, and %s; expected the run.db of an ulpscope "
                         "run; run the study again",
                         method->id, launch.blocks, launch.threads, why);
    }
    return OK;
}

static enum status prepare(struct inquiry *inquiry, struct vacuity *vacuity)
{
    TRY(run_rows_read(inquiry->results, NULL, &inquiry->rows));
    TRY(check_launches(inquiry));
    note_verdicts(inquiry);
    name_victims(inquiry, vacuity);
    make_plan(inquiry);
    return OK;
}

enum status vacuity_run(const struct check *check, unsigned workers, bool quiet, struct vacuity *vacuity)
{
    struct inquiry inquiry = {.check = check, .results = check->results, .workers = workers};
    struct progress progress;
    *vacuity = (struct vacuity){0};
    enum status status = prepare(&inquiry, vacuity);
    if (status == OK) {
        progress_start(&progress, inquiry.rows.data_count, 0, quiet);
        status = inquire(&inquiry, &progress);
        progress_end(&progress);
    }
    if (status == OK)
        decide_fates(&inquiry, vacuity);
    run_rows_free(&inquiry.rows);
    free_all(inquiry.verdicts, inquiry.plan.is_done, inquiry.passes, inquiry.victims);
    return status;
}

bool vacuity_passes(const struct vacuity *vacuity)
{
    return vacuity->by[FATE_SURVIVED] + vacuity->by[FATE_UNSEEN] == 0 && vacuity->by[FATE_KILLED] > 0;
}

void vacuity_free(struct vacuity *vacuity)
{
    free(vacuity->sums);
    *vacuity = (struct vacuity){0};
}
