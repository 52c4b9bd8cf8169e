/* The stages of a diagnosis, as series_diagnosis.c has them: each settles what it can of the suspects of a data spec.
 */
#pragma once

#include "elements.h"
#include "suspect.h"

struct means {
    unsigned workers;
    struct probes probes;
    uint64_t trees_left; /* so many more plug-ins may be asked for their tree */
};

/* 1. the method itself.  BAD_INPUT, with the reason in `why`, when the data are gone. */
enum status stage_sound(const struct means *means, struct group *group, char why[WHY_SIZE]);

/* 2. what is near it */
enum status stage_nearby(const struct means *means, struct group *group);

/* 3. what is far from it */
enum status stage_distant(struct means *means, struct group *group);
