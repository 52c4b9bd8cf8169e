#include "check.h"

#include "reports/axes/axis_matrix.h"

/* The series that is judged, axis by axis. */
struct axes {
    const struct results *results;
    const struct series *series;
    uint32_t asked; /* a bit for each axis of the rule */
    struct axis_column of_series;
};

static bool is_asked(const struct axes *axes, int axis)
{
    return axes->asked >> axis & 1;
}

static int first_in(const struct axes *axes, enum axis_state state)
{
    int axis = 0;
    while (axis < AXES && !(is_asked(axes, axis) && axes->of_series.cells[axis].state == state))
        axis++;
    return axis;
}

/* Axes are varied at the first launch alone. */
static bool has_launch(const struct axes *axes)
{
    const struct launch varied = axes->results->study.launches[0], own = axes->series->launch;
    return same_launch(varied, own);
}

static void decide(struct finding *finding, enum verdict verdict, double others)
{
    finding->verdict = verdict;
    finding->value = others;
    finding->limit = verdict == VERDICT_SKIPPED || isnan(others) ? (double)NAN : 0;
    finding->unit = "";
}

/* "2 results across batch, up to 2.50 ulp apart, first at row 3 of 4096: 0x41c80002 in place of 0x41c80000" */
static void say_difference(const struct axis_cell *cell, struct text *said)
{
    const struct varied_axis *witness = cell->witness;
    const struct format *format = axis_format_of_bits(witness);
    char bits[FORMAT_BITS_TEXT], base[FORMAT_BITS_TEXT];
    format_write_bits(format, witness->bits, bits);
    format_write_bits(format, witness->base, base);
    text_append(said, "%" PRIu64 " results across %s, ", cell->results, axis_table[witness->axis].id);
    if (isnan(cell->spread))
        text_append(said, "not all of them numbers");
    else
        text_append(said, "up to %s ulp apart", error_text(cell->spread));
    text_append(said, ", first at %s: %s in place of %s%s%s", witness->first, bits, base,
                axis_is_wrong(witness) ? "; " : "", axis_is_wrong(witness) ? witness->why : "");
}

static void judge_difference(const struct axes *axes, struct finding *finding, struct text *said)
{
    OWNED char *fixed = axis_fixed(&axes->of_series);
    uint64_t most = 0;
    text_append(said, "bits: ");
    for (int axis = 0; axis < AXES; axis++) {
        const struct axis_cell *cell = &axes->of_series.cells[axis];
        if (!is_asked(axes, axis) || cell->state != AXIS_DIFFERS)
            continue;
        text_append(said, "%s", most > 0 ? "; " : "");
        say_difference(cell, said);
        most = cell->results > most ? cell->results : most;
    }
    text_append(said, "; %s", fixed);
    decide(finding, VERDICT_FAILED, (double)(most - 1));
}

/* What was not asked for, the command that asks for all of the rule; else the reason of the run. */
static void skip(const struct axes *axes, int axis, struct finding *finding, struct text *said)
{
    const struct axis_cell *cell = &axes->of_series.cells[axis];
    decide(finding, VERDICT_SKIPPED, NAN);
    if (cell->state == AXIS_NOT_VARIED) {
        text_append(said, "%s was not varied: %s", axis_table[axis].id, cell->witness->why);
        return;
    }
    if (!has_launch(axes)) {
        text_append(said, "axes are varied at the first launch of a study, not at this one");
        return;
    }
    OWNED char *words = axes_text(axes->asked);
    text_append(said, "the run has not varied %s; run the study with --across %s", axis_table[axis].id, words);
}

void across_judge(const struct check *check, struct finding *finding, struct text *said)
{
    const struct series *series = finding->series;
    struct axes axes = {check->results, series, finding->rule->limit.axes, {0}};
    axes.of_series = axis_column_of(check->results, series);
    const int differs = first_in(&axes, AXIS_DIFFERS), failed = first_in(&axes, AXIS_FAILED),
              restless = first_in(&axes, AXIS_RESTLESS), not_asked = first_in(&axes, AXIS_NOT_ASKED),
              not_varied = first_in(&axes, AXIS_NOT_VARIED);
    if (differs < AXES) {
        judge_difference(&axes, finding, said);
        finding->varied = axes.of_series.cells[differs].witness;
    } else if (failed < AXES || restless < AXES) {
        const int axis = restless < AXES ? restless : failed;
        finding->varied = axes.of_series.cells[axis].witness;
        decide(finding, VERDICT_FAILED, NAN);
        text_append(said, "bits: %s %s: %s", axis_table[axis].id, restless < AXES ? "was not varied" : "failed in part",
                    finding->varied->why);
    } else if (not_asked < AXES || not_varied < AXES) {
        skip(&axes, not_asked < AXES ? not_asked : not_varied, finding, said);
    } else {
        decide(finding, VERDICT_PASSED, 0);
        text_append(said, "bits: the same %s", finding->rule->limit.text);
    }
}
