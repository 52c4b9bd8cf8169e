#include "date.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

static bool has_the_form(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form - 1; i++) /* a text that ends early differs at its end */
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return text[sizeof form - 1] == '\0';
}

static int number_of(const char *digits, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++)
        number = 10 * number + (digits[i] - '0');
    return number;
}

const char *date_read(const char *text, struct date *date)
{
    if (!has_the_form(text))
        return "is no date of the form YEAR-MONTH-DAY";
    *date = (struct date){number_of(text, 4), number_of(text + 5, 2), number_of(text + 8, 2)};
    if (date->year < 1 || date->month < 1 || date->month > 12 || date->day < 1 ||
        date->day > days_of(date->year, date->month))
        return "is no day of the calendar";
    return NULL;
}

void date_write(struct date date, char text[DATE_TEXT])
{
    snprintf(text, DATE_TEXT, "%04u-%02u-%02u", (unsigned)date.year % 10000, (unsigned)date.month % 100,
             (unsigned)date.day % 100);
}

bool date_is_after(struct date date, struct date other)
{
    if (date.year != other.year)
        return date.year > other.year;
    return date.month != other.month ? date.month > other.month : date.day > other.day;
}

struct date date_today(void)
{
    const time_t now = time(NULL);
    struct tm day;
    if (!gmtime_r(&now, &day)) /* a clock beyond the year 2^31 */
        return (struct date){9999, 12, 31};
    return (struct date){day.tm_year + 1900, day.tm_mon + 1, day.tm_mday};
}
