#include "lesson_steps.h"

#include "kernels/walk.h"
#include "src/teach/additions.h"

#include <math.h>

struct watch {
    struct lesson_step *next;
    const struct additions *additions;
};

static void see(void *to, const struct step *step)
{
    struct watch *watch = to;
    struct lesson_step *next = watch->next++;
    next->sum = step->made[0];
    next->rest = step->parts > 1 ? step->made[1] : 0;
    next->lost = watch->additions->error[step->node];
}

enum status lesson_steps(const char *method, const struct lesson_data *data, struct lesson_step *steps)
{
    const struct tree_request request = {"lesson", method_find(method), data->n, one_thread};
    FREED_BY(additions_free) struct additions additions = {0};
    double computed;
    if (!request.method || data->n < 1 || data->n > STEPS_MOST)
        return bad_input("lesson: found %s on %llu numbers; expected a method and 1 to %d numbers; shorten the data",
                         method, (unsigned long long)data->n, STEPS_MOST);
    for (uint64_t i = 0; i < data->n; i++)
        steps[i] = (struct lesson_step){.x = (double)data->x[i]};
    steps[0].sum = steps[0].x; /* 0 + x is exact */
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, data->x, data->n);
    TRY(additions_make(&request, &elements, &additions));
    struct watch watch = {steps + 1, &additions};
    return walk_watched(request.method, additions.tree.joined, additions.tree.count, &elements, see, &watch, &computed);
}

void write_short(double value, char text[NUMBER_TEXT])
{
    if (value == floor(value) && fabs(value) < 1e6)
        snprintf(text, NUMBER_TEXT, "%.0f", value + 0.0); /* -0 + 0 is 0 */
    else
        write_hex(value, text);
}
