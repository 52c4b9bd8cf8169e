/* A day of the calendar, from the year 1000 on, as it is written: 2027-03-01.  The order of days is that of their
 * texts. */
#pragma once

#include <stdbool.h>

struct date {
    char text[sizeof "2027-03-01"];
};

/* Whether the text is a day. */
bool date_read(const char *text, struct date *date);
bool date_is_after(struct date date, struct date other);

/* Of the machine's clock, UTC. */
struct date date_today(void);
