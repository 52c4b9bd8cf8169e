/* Islands on a machine, a GPU: all of them take a generation at a time, and only sums come back. */
#include "archipelago.h"

#include "machine.h"
#include "src/base/workers.h"

struct on_machine {
    struct archipelago *all;
    const struct attack_machine *machine;
    double *numbers; /* of all islands, on their way to it */
    bool *begins;
    struct breed_brood *broods;
    struct breed_choice *choices;
    struct machine_sum *sums;
};

static void begin_some(void *context, unsigned worker)
{
    const struct on_machine *on = context;
    const struct archipelago *all = on->all;
    const size_t first = all->count * worker / all->workers, end = all->count * (worker + 1) / all->workers;
    for (size_t i = first; i < end; i++) {
        on->broods[i] = island_brood(&all->islands[i]);
        on->begins[i] = on->broods[i].children > 0 && island_begins(&all->islands[i]);
        if (on->begins[i])
            island_begin(all, i, on->numbers + i * all->breed.n);
    }
}

/* The parents of islands that begin; *goes_on: some island has children. */
static enum status make_broods(struct on_machine *on, bool *goes_on)
{
    const struct archipelago *all = on->all;
    *goes_on = false;
    workers_run(all->workers, begin_some, on);
    for (size_t i = 0, count; i < all->count; i += count) {
        for (count = 1; i + count < all->count && on->begins[i + count] == on->begins[i]; count++)
            ;
        if (on->begins[i])
            TRY(on->machine->put_parents(on->machine->context, i, count, on->numbers + i * all->breed.n));
    }
    for (size_t i = 0; i < all->count; i++)
        *goes_on |= on->broods[i].children > 0;
    return OK;
}

/* A bound of each child, which takes the host longer than the machine takes for all of them. */
static void take_some(void *context, unsigned worker)
{
    const struct on_machine *on = context;
    const struct archipelago *all = on->all;
    const size_t first = all->count * worker / all->workers, end = all->count * (worker + 1) / all->workers;
    for (size_t i = first; i < end; i++) {
        struct litter litter = {.count = on->broods[i].children};
        for (size_t k = 0; k < litter.count; k++) {
            const struct machine_sum *sum = &on->sums[i * JUDGED_AT_ONCE + k];
            litter.values[k] = attack_value(all->request, &sum->exact, NULL, sum->computed);
            litter.computed[k] = sum->computed;
            litter.by[k] = sum->by;
        }
        on->choices[i] =
            litter.count > 0 ? island_take(all, &all->islands[i], &litter) : (struct breed_choice){NO_CHILD, NO_CHILD};
    }
}

static enum status climb_epoch(void *context)
{
    struct on_machine *on = context;
    const struct attack_machine *machine = on->machine;
    bool goes_on = true;
    TRY(machine->begin_epoch(machine->context));
    while (goes_on) {
        TRY(make_broods(on, &goes_on));
        if (!goes_on)
            break;
        TRY(machine->generation(machine->context, on->broods, on->sums));
        workers_run(on->all->workers, take_some, on);
        TRY(machine->choose(machine->context, on->choices));
    }
    for (size_t i = 0; i < on->all->count; i++)
        (void)onlooker_goes_on(on->all->request->onlooker,
                               on->all->islands[i].spent); /* which ends no epoch: it is short */
    return OK;
}

static enum status highest(void *context, size_t number, double *numbers)
{
    const struct on_machine *on = context;
    return on->machine->get_highest(on->machine->context, number, numbers);
}

static void free_on_machine(void *context)
{
    OWNED struct on_machine *on = context;
    free_all(on->numbers, on->begins, on->broods, on->choices, on->sums);
}

enum status climb_on_machine(struct archipelago *all, struct climber *climber)
{
    const struct attack_request *request = all->request;
    struct on_machine *on = calloc(1, sizeof *on);
    TRY(on ? OK : out_of_memory("the islands of an attack"));
    on->all = all;
    on->machine = request->machine;
    *climber = (struct climber){on, climb_epoch, highest, free_on_machine};
    on->numbers = malloc((all->count * all->breed.n + 1) * sizeof *on->numbers);
    on->begins = malloc(all->count * sizeof *on->begins);
    on->broods = malloc(all->count * sizeof *on->broods);
    on->choices = malloc(all->count * sizeof *on->choices);
    on->sums = malloc(all->count * JUDGED_AT_ONCE * sizeof *on->sums);
    if (!on->numbers || !on->begins || !on->broods || !on->choices || !on->sums)
        return out_of_memory("the islands of an attack");
    const struct breed_round round = {
        .of = all->breed,
        .dice = all->dice,
        .islands = all->count,
        .children = JUDGED_AT_ONCE,
        .element = all->terrain->element,
    };
    return on->machine->begin(on->machine->context, request->method, request->launch, &round);
}
