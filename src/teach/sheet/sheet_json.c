/* Lessons for pages that ask: each part as a piece of HTML, and what is asked with its answer. */
#include "sheet.h"

#include "reports/json_builder.h"

static const char *const kinds[] = {
    [SHEET_QUESTION] = "question", [SHEET_PREDICTION] = "prediction",
    [SHEET_HEADING] = "heading",   [SHEET_TEXT] = "text",
    [SHEET_GRID] = "table",        [SHEET_LINES] = "lines",
    [SHEET_CHART] = "chart",       [SHEET_PICTURE] = "picture",
    [SHEET_THEOREM] = "theorem",   [SHEET_EXERCISE] = "exercise",
    [SHEET_ANSWER] = "answer",
};

static json_t *number_text_json(double value)
{
    return json_text(double_text(value));
}

/* key and key "_html" */
#define json_worded(key, text)                                                                                         \
    {key, json_text(text)},                                                                                            \
    {                                                                                                                  \
        key "_html", json_taken(sheet_piece_of(text))                                                                  \
    }

static json_t *number_json(const struct ask *ask)
{
    return json_of({"kind", json_text("number")}, {"answer", number_text_json(ask->answer)},
                   {"least", number_text_json(ask->least)}, {"most", number_text_json(ask->most)},
                   {"unit", json_text(ask->unit ? ask->unit : "")});
}

static json_t *choice_json(const struct ask *ask)
{
    json_t *choices = json_array();
    for (size_t i = 0; i < ask->choice_count; i++)
        json_append(choices, json_text(ask->choices[i]));
    return json_of({"kind", json_text("choice")}, {"choices", choices},
                   {"answer", json_text(ask->choices[ask->right])});
}

static json_t *asks_json(const struct sheet *sheet, const struct sheet_part *part, size_t *asked)
{
    json_t *asks = json_array();
    for (size_t i = 0; i < part->ask_count; i++) {
        const struct ask *ask = &part->asks[i];
        const char *exercise = part->kind == SHEET_EXERCISE ? "exercise-" : "";
        json_t *object = ask->choice_count > 0 ? choice_json(ask) : number_json(ask);
        json_append(asks, json_add(object, {"id", json_taken(text_made("%s-%s%zu", sheet->id, exercise, ++*asked))},
                                   json_worded("prompt", ask->prompt), json_worded("hint", ask->hint),
                                   json_worded("because", ask->because)));
    }
    return asks;
}

static json_t *parts_json(const struct sheet *sheet)
{
    OWNED char **pieces = sheet_pieces(sheet);
    json_t *parts = json_array();
    size_t asked = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        const struct sheet_part *part = sheet->parts[i];
        if (part->kind == SHEET_ANSWER && sheet->parts[i - 1]->ask_count > 0) { /* the answer of what is asked */
            free(pieces[i]);
            continue;
        }
        json_t *object = json_of({"kind", json_text(kinds[part->kind])}, {"html", json_taken(pieces[i])});
        if (part->kind == SHEET_PREDICTION || part->kind == SHEET_EXERCISE)
            json_put(object, "asks", asks_json(sheet, part, &asked));
        json_append(parts, object);
    }
    return parts;
}

static json_t *lesson_json(const void *thing)
{
    const struct sheet_page_entry *entry = thing;
    return json_of({"id", json_text(entry->sheet->id)}, {"number", json_count(entry->number)},
                   {"title", json_text(entry->sheet->title)}, {"parts", parts_json(entry->sheet)});
}

enum status sheet_json_write(const struct sheet_page_request *request, const char *path)
{
    return json_write(json_of({"format", json_text("ulpscope-lessons")}, {"version", json_count(1)},
                              {"lessons", json_list(request->entries, request->count, lesson_json)}),
                      1, path);
}
