#include "sheet.h"

#include "reports/chart/chart_svg.h"

#include <stdarg.h>

struct sheet sheet_of(const char *id, const char *title)
{
    return (struct sheet){.id = id, .title = title};
}

static void free_ask(struct ask *ask)
{
    free_all((void *)ask->prompt, (void *)ask->hint, (void *)ask->because, (void *)ask->unit);
    for (size_t i = 0; i < ask->choice_count; i++)
        free((void *)ask->choices[i]);
}

static void free_contents(struct sheet_part *part)
{
    for (size_t i = 0; i < part->ask_count; i++)
        free_ask(&part->asks[i]);
    free_all(part->text, part->source, part->svg, part->asks);
    grid_free(&part->grid);
    chart_free(&part->chart);
}

void sheet_free(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++) {
        free_contents(sheet->parts[i]);
        free(sheet->parts[i]);
    }
    free(sheet->parts);
    *sheet = (struct sheet){0};
}

int sheet_count(const struct sheet *sheet, enum sheet_part_kind kind)
{
    int count = 0;
    for (size_t i = 0; i < sheet->count; i++)
        count += sheet->parts[i]->kind == kind;
    return count;
}

/* ---- parts ---- */

/* Each part stays where it is: lessons hold pointers to grids and charts. */
static struct sheet_part *append(struct sheet *sheet, enum sheet_part_kind kind, const char *source)
{
    struct sheet_part *part = memory_cleared(1, sizeof *part);
    sheet->parts = memory_resized(sheet->parts, (sheet->count + 1) * sizeof(struct sheet_part *));
    sheet->parts[sheet->count++] = part;
    part->kind = kind;
    part->source = source ? memory_copy(source) : NULL;
    return part;
}

void sheet_say(struct sheet *sheet, enum sheet_part_kind kind, const char *source, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_of(&text, format, arguments);
    va_end(arguments);
    append(sheet, kind, source)->text = text_take(&text);
}

/* ---- what is asked ---- */

static struct sheet_part *asking_part(const struct sheet *sheet)
{
    size_t i = sheet->count - 1;
    while (sheet->parts[i]->kind != SHEET_PREDICTION && sheet->parts[i]->kind != SHEET_EXERCISE)
        i--;
    return sheet->parts[i];
}

/* A number that is right to a few percent is shown with three digits where it has more than these. */
enum { DIGITS_READ = 7 };

void sheet_ask(struct sheet *sheet, const struct ask *ask, const char *because, ...)
{
    struct sheet_part *part = asking_part(sheet);
    struct text text = {0};
    va_list arguments;
    va_start(arguments, because);
    text_append_of(&text, because, arguments);
    va_end(arguments);
    part->asks = memory_resized(part->asks, (part->ask_count + 1) * sizeof *part->asks);
    struct ask *copy = &part->asks[part->ask_count++];
    *copy = *ask;
    copy->prompt = memory_copy(ask->prompt);
    copy->hint = memory_copy(ask->hint);
    copy->because = text_take(&text);
    copy->unit = ask->unit ? memory_copy(ask->unit) : NULL;
    copy->choice_count = 0;
    for (const char *choice; copy->choice_count < CHOICES_MOST && (choice = ask->choices[copy->choice_count]);)
        copy->choices[copy->choice_count++] = memory_copy(choice);
    copy->answer += 0.0; /* -0 + 0 is 0 */
    if (ask->least == 0 && ask->most == 0)
        copy->least = copy->most = copy->answer;
    if (copy->least < copy->most && strlen(double_text(ask->answer)) > DIGITS_READ)
        read_real(rounded_text(ask->answer), &copy->answer);
}

static char *ask_text(const struct ask *ask)
{
    struct text text = {0};
    text_append(&text, "%s", ask->prompt);
    for (size_t i = 0; i < ask->choice_count; i++)
        text_append(&text, "\n%c) %s", (int)('a' + i), ask->choices[i]);
    return text_take(&text);
}

static char *ask_answer(const struct ask *ask)
{
    if (ask->choice_count > 0)
        return text_made("%s. %s", ask->choices[ask->right], ask->because);
    return text_made("%s%s%s. %s", double_text(ask->answer), ask->unit ? " " : "", ask->unit ? ask->unit : "",
                     ask->because);
}

void sheet_ask_exercise(struct sheet *sheet, const struct ask *ask)
{
    struct sheet_part *part = append(sheet, SHEET_EXERCISE, NULL);
    sheet_ask(sheet, ask, "%s", ask->because);
    part->text = ask_text(part->asks);
    append(sheet, SHEET_ANSWER, NULL)->text = ask_answer(part->asks);
}

/* ---- what is no sentence ---- */

/* The block that the line goes on with, or a new one. */
static struct sheet_part *lines_part(struct sheet *sheet, const char *name)
{
    struct sheet_part *last = sheet->count ? sheet->parts[sheet->count - 1] : NULL;
    return last && last->kind == SHEET_LINES ? last : append(sheet, SHEET_LINES, name);
}

void sheet_line(struct sheet *sheet, const char *name, const char *format, ...)
{
    struct sheet_part *part = lines_part(sheet, name);
    struct text text = {0};
    va_list arguments;
    if (part->text)
        text_append(&text, "%s\n", part->text);
    va_start(arguments, format);
    text_append_of(&text, format, arguments);
    va_end(arguments);
    free(part->text);
    part->text = text_take(&text);
}

struct grid *sheet_grid(struct sheet *sheet, const char *name, size_t columns, size_t labels)
{
    struct sheet_part *part = append(sheet, SHEET_GRID, name);
    part->grid = grid_of(columns, labels);
    return &part->grid;
}

struct grid *sheet_table(struct sheet *sheet, const char *name, size_t labels, const char *heads)
{
    struct sheet_part *part = append(sheet, SHEET_GRID, name);
    part->grid = grid_headed(labels, heads);
    return &part->grid;
}

struct chart *sheet_chart(struct sheet *sheet, const char *name, double panel_height)
{
    struct sheet_part *part = append(sheet, SHEET_CHART, NULL);
    struct chart *chart = &part->chart;
    chart_begin(chart, name);
    chart_set(&chart->title, "%s", name);
    chart_set(&chart->subtitle, "%s", sheet->title);
    chart->panel_height = panel_height;
    return chart;
}

void sheet_picture(struct sheet *sheet, const char *caption, char *svg, char *lines)
{
    struct sheet_part *part = append(sheet, SHEET_PICTURE, caption);
    part->svg = svg;
    part->text = lines;
}
