#include "store_file.h"

/* Zeros have one sign: SQLite keeps whole numbers as integers, and gives 0 for -0. */
void line_set_number(struct line *line, int column, double number)
{
    line->words[column] = isnan(number) ? LINE_NULL : number == 0 ? 0 : double_bits(number);
    line->texts[column] = NULL;
}

void line_set_text(struct line *line, int column, const char *text)
{
    line->words[column] = text ? strlen(text) : LINE_NULL;
    line->texts[column] = text;
}

double line_number(const struct line *line, int column)
{
    double number;
    memcpy(&number, &line->words[column], sizeof number);
    return number;
}

static void bind_value(sqlite3_stmt *statement, int column, char type, const struct line *line)
{
    const uint64_t word = line->words[column];
    if (type == 'i')
        sqlite3_bind_int64(statement, column + 1, (sqlite3_int64)word);
    else if (word == LINE_NULL)
        sqlite3_bind_null(statement, column + 1);
    else if (line->texts[column])
        sqlite3_bind_text(statement, column + 1, line->texts[column], (int)word, SQLITE_STATIC);
    else
        sqlite3_bind_double(statement, column + 1, line_number(line, column));
}

void line_bind(sqlite3_stmt *statement, const char *types, const struct line *line)
{
    for (int c = 0; c < line->count; c++)
        bind_value(statement, c, types[c], line);
}

void line_give(sqlite3_context *to, char type, int column, const struct line *line)
{
    const uint64_t word = line->words[column];
    if (type == 'i')
        sqlite3_result_int64(to, (sqlite3_int64)word);
    else if (word == LINE_NULL)
        sqlite3_result_null(to);
    else if (line->texts[column])
        sqlite3_result_text(to, line->texts[column], (int)word, SQLITE_STATIC);
    else
        sqlite3_result_double(to, line_number(line, column));
}

/* A text with a NUL would be read as less than it is. */
static bool read_text(sqlite3_stmt *row, int column, uint64_t *word, const char **text)
{
    *text = (const char *)sqlite3_column_text(row, column);
    *word = (uint64_t)sqlite3_column_bytes(row, column);
    return *text && strlen(*text) == *word;
}

static bool read_value(sqlite3_stmt *row, int column, char type, uint64_t *word, const char **text)
{
    const int found = sqlite3_column_type(row, column);
    *text = NULL;
    *word = LINE_NULL;
    if (found == SQLITE_INTEGER && type == 'i') {
        *word = (uint64_t)sqlite3_column_int64(row, column);
        return true;
    }
    if (found == SQLITE_TEXT)
        return (type == 't' || type == 'm') && read_text(row, column, word, text);
    if (found == SQLITE_FLOAT && (type == 'r' || type == 'n')) {
        *word = double_bits(sqlite3_column_double(row, column));
        return true;
    }
    return found == SQLITE_NULL && (type == 'n' || type == 'm');
}

bool line_read(sqlite3_stmt *row, const char *types, struct line *line)
{
    for (line->count = 0; types[line->count]; line->count++)
        if (!read_value(row, line->count, types[line->count], &line->words[line->count], &line->texts[line->count]))
            return false;
    return true;
}
