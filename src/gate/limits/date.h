/* A day of the calendar: 2027-03-01. */
#ifndef ULPSCOPE_DATE_H
#define ULPSCOPE_DATE_H

#include <stdbool.h>

enum { DATE_TEXT = 11 };

struct date {
    int year, month, day;
};

/* NULL, or what is wrong with the text as the end of a sentence; see src/base/number.h. */
const char *date_read(const char *text, struct date *date);
void date_write(struct date date, char text[DATE_TEXT]);
bool date_is_after(struct date date, struct date other);

/* Of the machine's clock, UTC. */
struct date date_today(void);

#endif
