#include "limits.h"

#include <time.h>

static struct date date_of(const struct tm *day)
{
    struct date date = {""};
    strftime(date.text, sizeof date.text, "%F", day);
    return date;
}

/* strptime takes "2027-3-1" and timegm makes a day of March of 2027-02-30: neither is written as it was read.
 * "27-03-01" is, a day of the year 27. */
bool date_read(const char *text, struct date *date)
{
    struct tm day = {0};
    if (!strptime(text, "%F", &day))
        return false;
    timegm(&day);
    *date = date_of(&day);
    return strlen(text) == sizeof date->text - 1 && strcmp(date->text, text) == 0;
}

bool date_is_after(struct date date, struct date other)
{
    return strcmp(date.text, other.text) > 0;
}

struct date date_today(void)
{
    const time_t now = time(NULL);
    struct tm day = {0}; /* which a clock beyond all years leaves as it is */
    (void)gmtime_r(&now, &day);
    return date_of(&day);
}
