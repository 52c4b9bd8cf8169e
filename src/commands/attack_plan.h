/* What `ulpscope attack` is asked: which methods, how many numbers, what to climb and where to stop. */
#pragma once

#include "command.h"
#include "datasets/attack/attack.h"
#include "src/device/device_attack.h"
#include "src/study/study.h"

enum { ATTACK_SIZES_MOST = 64 };

/* The words of the command line; each but the methods may be NULL. */
struct attack_wishes {
    struct words methods;
    const char *n, *budget, *end, *time, *climb, *until, *format;
};

/* What to climb, and beyond which error it is enough. */
struct aim {
    bool is_given; /* else the bound, where the method has one */
    enum attack_climbs climbs;
    double limit; /* INFINITY: none */
};

struct attack_plan {
    struct study study; /* its methods, in the format that was asked for */
    uint64_t sizes[ATTACK_SIZES_MOST];
    size_t size_count;
    struct aim aim;
    struct attack_request request; /* but for the method, n, and what it climbs */
    struct device *device;         /* NULL: the host */
    struct attack_machine *machine;
    struct attack_elsewhere elsewhere; /* black boxes, on the device */
    double seconds;                    /* that a search may take; INFINITY: as long as it takes */
};

/* Complains and returns BAD_INPUT for what makes no attack.  NO_DEVICE for a GPU that is not there.  The caller calls
 * attack_plan_free, also then; the plan stays where it is made. */
enum status attack_plan_make(const struct attack_wishes *wishes, const struct globals *globals,
                             struct attack_plan *plan);
void attack_plan_free(struct attack_plan *plan);

/* The attack on a method of the plan, with one of its sizes. */
struct attack_request attack_plan_request(const struct attack_plan *plan, size_t method, size_t size);
