/* Who looks on while something is asked for again and again, says how far it is, and may end it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* goes_on: so many more are asked for, 0 where none counts; false: enough, and so it stays.  Any thread may ask. */
struct onlooker {
    bool (*goes_on)(void *context, uint64_t more);
    void *context;
};

/* NULL: nobody looks on. */
static inline bool onlooker_goes_on(const struct onlooker *onlooker, uint64_t more)
{
    return !onlooker || onlooker->goes_on(onlooker->context, more);
}
