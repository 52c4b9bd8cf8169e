/* What is advised was tried: the data are made, summed by the method and by the method with the fault, and both series
 * are judged by check.c.  First on short data, then on long ones:
 *
 *   1. the rules of the limits that are about method and data: then data alone suffice
 *   2. the rules that are about the method and other data
 *   3. {metric: bound_ratio, limit: auto}, then {metric: bits, same: exact}
 *
 * and where none kills, {metric: bits, same: baseline}, on the run's own data if they show the fault.
 */
#include "vacuity.h"

#include "src/gate/parallel.h"
#include "src/measure/operation.h"

/* A series that a method, or a method with a fault, gives on a candidate: a study of one method and one data set. */

struct attempt {
    bool is_made;
    struct spec_record spec;
    struct entry_record entry;
    struct method_record method;
    struct launch launch;
    struct stand_in stand_in; /* its results have one series */
};

static const struct method_record *record_of(const struct study_record *study, const char *method)
{
    size_t m = 0;
    while (m + 1 < study->method_count && strcmp(study->methods[m].id, method) != 0)
        m++;
    return &study->methods[m];
}

static struct study_record study_of(struct attempt *attempt, const struct results *results, const struct series *like,
                                    const struct candidate *candidate)
{
    struct study_record study = results->study;
    char *text = candidate->specs->text;
    attempt->spec = (struct spec_record){.text = text,
                                         .unordered = text,
                                         .family = (char *)candidate->specs->generator->id,
                                         .arguments = candidate->arguments};
    attempt->entry =
        (struct entry_record){.text = text, .trials = candidate->trials, .specs = &attempt->spec, .spec_count = 1};
    attempt->method = *record_of(&results->study, like->method);
    attempt->launch = like->launch;
    study.methods = &attempt->method;
    study.launches = &attempt->launch;
    study.entries = &attempt->entry;
    study.method_count = study.launch_count = study.entry_count = 1;
    return study;
}

static enum status take_trial(struct attempt *attempt, const struct series *like, const struct fault *fault,
                              const struct candidate *candidate, size_t trial)
{
    const struct exact_sum *exact = &candidate->exact[trial];
    const struct method *method = method_find(like->method);
    const struct dataset *numbers = &candidate->data[trial];
    const struct fault_call call = {method, operation_operands(method->operation, numbers), like->launch};
    const struct row_place place = {.backend = (size_t)(like->backend - backend_table)};
    const struct row_data data = row_data_of(exact, candidate->texts[trial], trial);
    struct measured row = {0};
    uint64_t sum = 0;
    if (candidate->rows[trial]) {
        const struct numbers_case of = {method, like->launch, numbers, candidate->rows[trial], trial};
        OWNED uint64_t *bits = calloc(numbers->n + 1, sizeof *bits);
        TRY(bits ? OK : out_of_memory("broken results"));
        TRY(numbers_compute(&of, fault, bits));
        return numbers_take(&of, bits, &place, 1, &attempt->stand_in);
    }
    TRY(fault ? fault->sum(fault, &call, &sum) : method_replay(method, &call.of, call.launch, 1, &sum));
    const struct promise promise = promise_of(method, like->launch, exact);
    judge_sum(exact, method->format, &promise, sum, &row);
    return stand_in_take(&attempt->stand_in, &place, &data, &row);
}

/* The method, its launch and its backend are those of `like`, a series of the results.  `fault` NULL: none.  Does
 * nothing the second time.  Free it also after a failure. */
static enum status attempt_make(struct attempt *attempt, const struct results *results, const struct series *like,
                                const struct fault *fault, const struct candidate *candidate)
{
    if (attempt->is_made)
        return OK;
    const struct study_record study = study_of(attempt, results, like, candidate);
    attempt->is_made = true;
    TRY(stand_in_start(&attempt->stand_in, &study, results));
    for (size_t t = 0; t < candidate->trials; t++)
        TRY(take_trial(attempt, like, fault, candidate, t));
    return stand_in_end(&attempt->stand_in);
}

static void attempt_free(struct attempt *attempt)
{
    if (attempt->is_made)
        stand_in_free(&attempt->stand_in);
    *attempt = (struct attempt){0};
}

enum { WORDS_SIZE = 64, NO_FINDING = VERDICTS };

struct advising {
    const struct check *check;
    struct candidates candidates[STORED_FORMAT_COUNT]; /* of NUMBER_FORMATS; of those that survivors store */
    struct vacuity *vacuity;
};

/* A survivor, and its series and its method's on each candidate, as far as they were tried. */
struct survivor {
    const struct advising *advising;
    struct broken_sum *sum;
    const struct series *like; /* the method's first series in the run: where it is tried */
    const struct candidates *candidates;
    struct attempt *sound, *broken;
};

/* ---- whether a rule tells the two apart ---- */

/* NO_FINDING: the rule is not about it. */
static int judge(const struct check *check, const struct results *results, struct rule rule)
{
    struct limits limits = *check->limits; /* with what it allows */
    limits.rules = &rule;
    limits.rule_count = 1;
    FREED_BY(check_free)
    struct check one = {.results = results, .limits = &limits, .baseline = check->baseline, .today = check->today};
    check_series(&one, 0, results->series_count);
    return one.count > 0 ? (int)one.findings[0].verdict : NO_FINDING;
}

static bool rule_kills(const struct survivor *survivor, size_t candidate, struct rule rule)
{
    const struct check *check = survivor->advising->check;
    return judge(check, &survivor->sound[candidate].stand_in.results, rule) == VERDICT_PASSED &&
           judge(check, &survivor->broken[candidate].stand_in.results, rule) == VERDICT_FAILED;
}

/* ---- what is tried ---- */

/* Writes under what the candidate kills, "line 7"; or nothing. */
typedef void trying(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE]);

/* The line of the first rule that kills, or 0; `data`: in place of its own, or NULL. */
static size_t try_own_rules(const struct survivor *survivor, size_t candidate, const char *data)
{
    const struct limits *limits = survivor->advising->check->limits;
    for (size_t r = 0; r < limits->rule_count; r++) {
        struct rule rule = limits->rules[r];
        rule.data = data ? (char *)data : rule.data;
        if (rule_kills(survivor, candidate, rule))
            return rule.line;
    }
    return 0;
}

static void try_rules(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE])
{
    const size_t line = try_own_rules(survivor, candidate, NULL);
    if (line > 0)
        snprintf(words, WORDS_SIZE, "line %zu", line);
}

static void try_rules_of_other_data(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE])
{
    const size_t line = try_own_rules(survivor, candidate, "*");
    if (line > 0)
        snprintf(words, WORDS_SIZE, "line %zu, were it about them", line);
}

static void try_new_rule(const struct survivor *survivor, size_t candidate, struct rule rule, const char *text,
                         char words[WORDS_SIZE])
{
    rule.method = rule.data = (char *)"*";
    if (rule_kills(survivor, candidate, rule))
        snprintf(words, WORDS_SIZE, "%s", text);
}

static void try_auto(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE])
{
    const struct rule rule = {.metric = METRIC_bound_ratio,
                              .limit = {.kind = LIMIT_AUTO, .number = 1, .text = (char *)"auto"}};
    try_new_rule(survivor, candidate, rule, "{metric: bound_ratio, limit: auto}", words);
}

static void try_exact(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE])
{
    const struct rule rule = {.metric = GATE_BITS, .limit = {.kind = LIMIT_SAME_EXACT, .text = (char *)"exact"}};
    try_new_rule(survivor, candidate, rule, "{metric: bits, same: exact}", words);
}

/* The baseline that there is does not know these data: equal hashes are equal bits. */
static void try_baseline(const struct survivor *survivor, size_t candidate, char words[WORDS_SIZE])
{
    const struct results *sound = &survivor->sound[candidate].stand_in.results;
    const struct results *broken = &survivor->broken[candidate].stand_in.results;
    if (!series_is_unordered(sound, sound->series) && strcmp(sound->series->bits_hash, broken->series->bits_hash) != 0)
        snprintf(words, WORDS_SIZE, "{metric: bits, same: baseline}");
}

/* ---- one survivor ---- */

static void say_candidate(const struct candidate *candidate, const char *words, struct text *advice)
{
    if (candidate->trials > 1)
        text_append(advice, "%zu trials of ", candidate->trials);
    text_append(advice, "data \"%s\" would kill it under %s", candidate->specs->text, words);
}

/* Appends to the advice what kills, or nothing. */
static enum status try_candidates(const struct survivor *survivor, trying *try, bool is_long, struct text *advice)
{
    const struct candidates *candidates = survivor->candidates;
    const struct results *results = survivor->advising->check->results;
    char words[WORDS_SIZE] = "";
    for (size_t c = 0; c < candidates->count; c++) {
        const struct candidate *candidate = &candidates->list[c];
        if (candidate->is_long != is_long)
            continue;
        TRY(attempt_make(&survivor->sound[c], results, survivor->like, NULL, candidate));
        TRY(attempt_make(&survivor->broken[c], results, survivor->like, survivor->sum->fault, candidate));
        try(survivor, c, words);
        if (*words) {
            say_candidate(candidate, words, advice);
            return OK;
        }
    }
    return OK;
}

static bool is_found(const struct text *advice)
{
    return advice->length > 0;
}

/* Where its bits are others on the run's own data, a baseline needs no other data. */
static enum status try_baselines(const struct survivor *survivor, struct text *advice)
{
    if (survivor->sum->fate == FATE_SURVIVED &&
        !series_is_unordered(survivor->advising->check->results, survivor->like))
        text_append(advice, "the run's own data would kill it under {metric: bits, same: baseline}");
    for (int is_long = 0; is_long < 2 && !is_found(advice); is_long++)
        TRY(try_candidates(survivor, try_baseline, is_long, advice));
    return OK;
}

static enum status find_advice(const struct survivor *survivor, struct text *advice)
{
    static trying *const tries[] = {try_rules, try_rules_of_other_data, try_auto, try_exact};
    enum { TRIES = sizeof tries / sizeof *tries };
    for (int is_long = 0; is_long < 2; is_long++)
        for (size_t t = 0; t < TRIES && !is_found(advice); t++)
            TRY(try_candidates(survivor, tries[t], is_long, advice));
    if (!is_found(advice))
        TRY(try_baselines(survivor, advice));
    if (!is_found(advice))
        text_append(advice, "none of %zu data sets that were tried would kill it, even by its bits",
                    survivor->candidates->count);
    return OK;
}

static enum status advise_survivor(struct survivor *survivor)
{
    const size_t count = survivor->candidates->count;
    struct text advice = {0};
    const enum status status = find_advice(survivor, &advice);
    for (size_t c = 0; c < count; c++)
        attempt_free(&survivor->broken[c]);
    survivor->sum->advice = text_take(&advice);
    return status;
}

/* ---- all of them, method by method ---- */

static const struct series *first_series(const struct results *results, const char *method)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (strcmp(results->series[i].method, method) == 0)
            return &results->series[i];
    return NULL;
}

static bool survives(const struct broken_sum *sum, const char *method)
{
    return (sum->fate == FATE_SURVIVED || sum->fate == FATE_UNSEEN) && strcmp(sum->method, method) == 0;
}

/* The place of what a method stores among NUMBER_FORMATS. */
static size_t stored_by(const char *method)
{
    return format_index(sum_format_of_method(method)->stored);
}

static bool is_needed(const struct advising *advising, size_t format)
{
    for (size_t i = 0; i < advising->vacuity->count; i++) {
        const struct broken_sum *sum = &advising->vacuity->sums[i];
        if (survives(sum, sum->method) && stored_by(sum->method) == format)
            return true;
    }
    return false;
}

static enum status advise_method(void *context, size_t m)
{
    const struct advising *advising = context;
    const struct results *results = advising->check->results;
    const char *method = results->study.methods[m].id;
    const struct candidates *candidates = &advising->candidates[stored_by(method)];
    const size_t count = candidates->count;
    struct survivor survivor = {
        .advising = advising,
        .like = first_series(results, method),
        .candidates = candidates,
        .sound = memory_cleared(count + 1, sizeof *survivor.sound),
        .broken = memory_cleared(count + 1, sizeof *survivor.broken),
    };
    enum status status = OK;
    for (size_t i = 0; i < advising->vacuity->count && status == OK; i++) {
        survivor.sum = &advising->vacuity->sums[i];
        if (survivor.like && survives(survivor.sum, method))
            status = advise_survivor(&survivor);
    }
    for (size_t c = 0; c < count; c++)
        attempt_free(&survivor.sound[c]);
    free_all(survivor.sound, survivor.broken);
    return status;
}

enum status advise(const struct check *check, unsigned workers, struct vacuity *vacuity)
{
    const struct study_record *study = &check->results->study;
    struct advising advising = {.check = check, .vacuity = vacuity};
    if (vacuity->by[FATE_SURVIVED] + vacuity->by[FATE_UNSEEN] == 0)
        return OK;
    enum status status = OK;
    for (size_t f = 0; f < STORED_FORMAT_COUNT && status == OK; f++)
        if (is_needed(&advising, f))
            status = candidates_make(study->seed, study->methods[0].operation, NUMBER_FORMATS[f], study->launches[0],
                                     workers, &advising.candidates[f]);
    if (status == OK)
        status = parallel_each(workers, study->method_count, advise_method, &advising);
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        candidates_free(&advising.candidates[f]);
    return status;
}
