#include "spec_items.h"

enum status spec_unknown_key(const struct spec_origin *origin, const char *owner, const char *key,
                             const char *const *known, size_t count)
{
    char words[WRONG_TEXT];
    parameter_list_words(key, known, count, words);
    return bad_input("%s: \"%s\": \"%s\" is not a parameter; %s takes %s", origin->where, origin->text, key, owner,
                     words);
}

enum status spec_twice(const struct spec_origin *origin, const char *key)
{
    return bad_input("%s: \"%s\": %s is given twice; expected once; remove one", origin->where, origin->text, key);
}

static enum status no_value(const struct spec_origin *origin, const char *item)
{
    return bad_input("%s: \"%s\": \"%s\" has no value; expected key=value,key=value; write a value or leave it out",
                     origin->where, origin->text, item);
}

static enum status not_closed(const struct spec_origin *origin, const char *key)
{
    return bad_input(
        "%s: \"%s\": the quotes around %s are not followed by a comma or the end; expected %s=\"a, b\"; close them",
        origin->where, origin->text, key, key);
}

struct text *spec_begin_item(struct spec_text *to, const char *key)
{
    text_append(&to->text, "%c%s=", to->has_items ? ',' : ':', key);
    to->has_items = true;
    return &to->text;
}

enum status spec_read_items(const struct spec_origin *origin, char *items, spec_item *read_one, void *into)
{
    while (items) {
        char *item = items, *rest = item + strcspn(item, "=,");
        char *value = *rest == '=' ? rest + 1 : NULL;
        if (value && *value == '"') {
            if (!text_unquote(value, &rest) || (*rest != ',' && *rest != '\0'))
                return not_closed(origin, (*strchr(item, '=') = '\0', item));
        } else {
            rest += strcspn(rest, ",");
        }
        items = *rest == ',' ? rest + 1 : NULL;
        *rest = '\0';
        if (!value || value == item + 1 || *value == '\0')
            return no_value(origin, item);
        value[-1] = '\0';
        TRY(read_one(origin, item, value, into));
    }
    return OK;
}

enum status spec_read_ordering(const struct spec_origin *origin, const char *value, struct ordering *ordering,
                               bool *given)
{
    if (*given)
        return spec_twice(origin, SPEC_ORDER);
    *given = true;
    char wrong[WRONG_TEXT];
    if (ordering_read(value, ordering, wrong))
        return OK;
    return bad_input("%s: \"%s\": %s=%s %s", origin->where, origin->text, SPEC_ORDER, value, wrong);
}

enum status spec_read_format(const struct spec_origin *origin, const char *key, const char *value,
                             const struct format **format)
{
    const char *known[STORED_FORMAT_COUNT];
    if (*format)
        return spec_twice(origin, key);
    *format = format_named(value);
    if (*format)
        return OK;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        known[f] = NUMBER_FORMATS[f]->name;
    char words[WRONG_TEXT];
    parameter_list_words(value, known, STORED_FORMAT_COUNT, words);
    return bad_input("%s: \"%s\": %s=%s; expected one of %s", origin->where, origin->text, key, value, words);
}
