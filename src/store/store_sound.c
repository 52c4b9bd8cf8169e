#include "store_file.h"

struct check {
    bool is_sound;
    const char *fault;
};

static const char *first_fault(const struct check *checks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!checks[i].is_sound)
            return checks[i].fault;
    return NULL;
}

static bool is_count(uint64_t number)
{
    return number <= INT64_MAX;
}

static bool is_magnitude(double number)
{
    return isnan(number) || number >= 0;
}

/* ---- the study ---- */

/* The cases that the entries make; UINT64_MAX when they are too many, or an entry has none. */
static uint64_t count_cases(const struct study_record *study)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct entry_record *entry = &study->entries[i];
        if (entry->trials < 1 || entry->trials > TRIALS_MOST || entry->spec_count < 1 ||
            cases > INT64_MAX - entry->spec_count * entry->trials)
            return UINT64_MAX;
        cases += entry->spec_count * entry->trials;
    }
    return cases;
}

const char *study_fault(const struct study_record *study)
{
    const struct check checks[] = {
        {study->method_count > 0, "its study has no method"},
        {study->launch_count > 0 && study->launch_count <= LAUNCHES_MOST, "its study has no launch, or too many"},
        {study->repeats > 0 && study->repeats <= REPEATS_MOST, "its study repeats sums impossibly often"},
        {study->cases > 0 && study->cases == count_cases(study), "its study has other data than cases"},
    };
    return first_fault(checks, sizeof checks / sizeof *checks);
}

const char *speed_fault(const struct study_record *study, const struct stored_speed *speed)
{
    const struct check checks[] = {
        {speed->method < study->method_count && speed->launch < study->launch_count && speed->backend < BACKENDS,
         "there is a speed of what its study lacks"},
        {speed->n > 0 && is_count(speed->n) && speed->rounds > 0 && is_count(speed->rounds) && is_count(speed->bytes),
         "there is a speed of no numbers"},
        {isfinite(speed->microseconds) && speed->microseconds >= 0 && isfinite(speed->median) &&
             speed->median >= speed->microseconds,
         "there is a speed that is none"},
    };
    return first_fault(checks, sizeof checks / sizeof *checks);
}

static bool has_place(const struct study_record *study, const struct stored_variation *variation)
{
    return variation->entry < study->entry_count && variation->spec < study->entries[variation->entry].spec_count &&
           variation->launch < study->launch_count && variation->backend < BACKENDS &&
           variation->method < study->method_count && variation->axis < AXES && study->across >> variation->axis & 1;
}

const char *variation_fault(const struct study_record *study, const struct stored_variation *variation)
{
    const bool differs = variation->results > 1;
    const struct check checks[] = {
        {has_place(study, variation), "something was varied that its study lacks"},
        {is_count(variation->variants) && variation->results <= variation->variants + 1 &&
             (variation->variants > 0 || *variation->why),
         "a variation has results of nothing"},
        {differs == (*variation->first != '\0') && (differs || variation->bits == variation->base) &&
             is_magnitude(variation->spread),
         "a variation has other results than it says"},
    };
    return first_fault(checks, sizeof checks / sizeof *checks);
}

/* ---- rows ---- */

static uint64_t cases_of(const struct entry_record *entry)
{
    return entry->spec_count * entry->trials;
}

void place_move(struct place *place, uint64_t index)
{
    const struct entry_record *entries = place->study->entries;
    for (; index - place->before >= cases_of(&entries[place->entry]); place->entry++)
        place->before += cases_of(&entries[place->entry]);
    place->spec = (size_t)((index - place->before) / entries[place->entry].trials);
    place->trial = (index - place->before) % entries[place->entry].trials;
    place->rows = 0;
}

static bool is_here(struct place *place, const struct line *of_case)
{
    if (!place->has_first_trial)
        place->first_trial = of_case->words[CASE_TRIAL] - place->trial;
    place->has_first_trial = true;
    return of_case->words[CASE_ENTRY] == place->entry && of_case->words[CASE_SPEC] == place->spec &&
           of_case->words[CASE_TRIAL] == place->first_trial + place->trial;
}

/* As exact_hex writes it: "-0x1.8p+3", "nan", "inf". */
static bool is_exact_sum(const char *text)
{
    enum { DIGITS_MOST = 5 };
    text += *text == '-';
    if (strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0)
        return true;
    if (strncmp(text, "0x", 2) != 0)
        return false;
    const char *exponent = text + 2 + strspn(text + 2, "0123456789abcdef.");
    if (exponent == text + 2 || exponent[0] != 'p' || (exponent[1] != '+' && exponent[1] != '-'))
        return false;
    const size_t digits = strspn(exponent + 2, "0123456789");
    return digits >= 1 && digits <= DIGITS_MOST && exponent[2 + digits] == '\0';
}

static bool are_magnitudes(const struct line *row, const struct line *element)
{
    bool are = is_magnitude(line_number(element, CONDITION)) && is_magnitude(line_number(row, BOUND)) &&
               is_magnitude(line_number(row, PROBABLE_BOUND));
    for (int m = 0; m < METRICS; m++)
        are = are && is_magnitude(line_number(row, (int)FIRST_METRIC + m)) &&
              is_magnitude(line_number(element, (int)FIRST_MEAN + m));
    return are;
}

const char *case_fault(struct place *place, const struct line *of_case)
{
    const struct check checks[] = {
        {is_here(place, of_case), "data or a trial of another case"},
        {is_count(of_case->words[CASE_N]), "an impossible n"},
        {of_case->words[CASE_ROWS] >> POSITION_BITS == 0, "impossibly many rows"},
        {is_exact_sum(of_case->texts[CASE_EXACT]), "an exact sum that is no number"},
        {is_magnitude(line_number(of_case, CASE_CONDITION)), "a negative condition"},
    };
    return first_fault(checks, sizeof checks / sizeof *checks);
}

/* Behind the last one, in the order that ids stand for. */
static bool rises(struct place *place, const struct line *row, const struct line *element)
{
    const uint64_t keys[ROW_KEYS] = {row->words[LAUNCH_INDEX], row->words[BACKEND_INDEX], row->words[METHOD_INDEX],
                                     row->words[REPEAT],       element->words[ELEMENT_I], element->words[ELEMENT_J]};
    bool is_behind = place->rows == 0, is_level = true;
    for (int k = 0; k < ROW_KEYS; k++) {
        is_behind = is_behind || (is_level && keys[k] > place->last[k]);
        is_level = is_level && keys[k] == place->last[k];
        place->last[k] = keys[k];
    }
    return is_behind && (row->words[ROW_ID] & (row_id(1, 0) - 1)) == place->rows;
}

/* Of a row that has none. */
static const struct line no_element = {.words = {
                                           [EXACT] = LINE_NULL,
                                           [CONDITION] = LINE_NULL,
                                           [DIGEST] = LINE_NULL,
                                           [MAP] = LINE_NULL,
#define METRIC(id, summarised, unit, meaning) [FIRST_MEAN + METRIC_##id] = LINE_NULL,
#include "src/measure/metrics.def"
                                       }};

const char *row_fault(struct place *place, const struct line *row, const struct line *element)
{
    const struct study_record *study = place->study;
    const uint64_t *words = row->words;
    if (words[METHOD_INDEX] >= study->method_count || words[LAUNCH_INDEX] >= study->launch_count ||
        words[BACKEND_INDEX] >= BACKENDS)
        return "a method, launch or backend that its study lacks";
    const struct method_record *method = &study->methods[words[METHOD_INDEX]];
    const uint64_t repeats = backend_table[words[BACKEND_INDEX]].runs_kernels ? study->repeats : 1;
    const bool has_elements = operation_has_elements(method->operation);
    if (!element)
        element = &no_element;
    const struct check checks[] = {
        {rises(place, row, element), "a place that is another row's"},
        {words[REPEAT] < repeats && words[WEIGHT] > 0 &&
             (has_elements ? is_count(words[WEIGHT]) : words[WEIGHT] <= repeats),
         "an impossible repeat or weight"},
        {has_elements == (element->texts[DIGEST] && *element->texts[DIGEST]) &&
             (has_elements || (element->words[ELEMENT_I] == 0 && element->words[ELEMENT_J] == 0)),
         "elements that its operation lacks, or without those that it has"},
        {is_count(words[HEIGHT]), "an impossible height"},
        {words[CLASS] < CLASSES, "an unknown class"},
        {!element->texts[EXACT] || is_exact_sum(element->texts[EXACT]), "an exact sum that is no number"},
        {are_magnitudes(row, element), "a negative error or bound"},
    };
    return first_fault(checks, sizeof checks / sizeof *checks);
}

/* ---- names ---- */

const char *backend_fault(uint64_t index, const char *id, const char *device)
{
    const bool is_ours = index < BACKENDS && strcmp(id, backend_table[index].id) == 0 &&
                         (!backend_table[index].device || strcmp(device, backend_table[index].device) == 0);
    return is_ours ? NULL : "there is a backend of another name";
}

const char *class_fault(uint64_t index, const char *name)
{
    return index < CLASSES && strcmp(name, class_names[index]) == 0 ? NULL : "there is a class of another name";
}
