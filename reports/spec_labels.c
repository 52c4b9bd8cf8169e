#include "spec_labels.h"

#include <math.h>

/* The parameter number `index` of a spec: its key and its value.  False when there is none. */
static bool parameter_at(const char *spec, size_t index, char key[LABEL_TEXT], char value[LABEL_TEXT])
{
    const char *text = strchr(spec, ':');
    for (size_t i = 0; text && i < index; i++)
        text = strchr(text + 1, ',');
    if (!text)
        return false;
    text++;
    const size_t key_length = strcspn(text, "=,");
    const char *after = text + key_length + (text[key_length] == '=');
    snprintf(key, LABEL_TEXT, "%.*s", (int)key_length, text);
    snprintf(value, LABEL_TEXT, "%.*s", (int)strcspn(after, ","), after);
    return true;
}

static bool has_another_value(const struct spec_labels *labels, const char *key, char value[LABEL_TEXT], size_t index)
{
    char other_key[LABEL_TEXT], other_value[LABEL_TEXT];
    for (size_t s = 1; s < labels->spec_count; s++)
        if (parameter_at(labels->specs[s], index, other_key, other_value) && strcmp(key, other_key) == 0 &&
            strcmp(value, other_value) != 0)
            return true;
    return false;
}

/* The same family and the same keys in the same order: then values can stand in columns. */
static bool alike(const char *one, const char *two)
{
    char key[LABEL_TEXT], other_key[LABEL_TEXT], value[LABEL_TEXT];
    const size_t family = strcspn(one, ":");
    if (one[family] == '\0' || strncmp(one, two, family + 1) != 0)
        return false;
    for (size_t i = 0;; i++) {
        const bool has = parameter_at(one, i, key, value);
        if (has != parameter_at(two, i, other_key, value))
            return false;
        if (!has)
            return true;
        if (strcmp(key, other_key) != 0)
            return false;
    }
}

static bool all_numbers(const struct spec_labels *labels, size_t column)
{
    char text[LABEL_TEXT];
    double value;
    for (size_t s = 0; s < labels->spec_count; s++) {
        spec_label(labels, column, s, text);
        text[strcspn(text, "KMGT")] = '\0';
        if (read_real(text, &value))
            return false;
    }
    return true;
}

struct spec_labels spec_labels_of(const char *const *specs, size_t count)
{
    struct spec_labels labels = {.specs = specs, .spec_count = count};
    char key[LABEL_TEXT], value[LABEL_TEXT];
    bool fits = true;
    for (size_t s = 1; s < count; s++)
        fits = fits && alike(specs[0], specs[s]);
    for (size_t i = 0; fits && count > 1 && parameter_at(specs[0], i, key, value); i++) {
        if (!has_another_value(&labels, key, value, i))
            continue;
        if (labels.columns == LABEL_COLUMNS)
            fits = false;
        else
            strcpy(labels.names[labels.columns++], key);
    }
    if (count > 1 && (!fits || labels.columns == 0)) {
        labels.columns = 1;
        strcpy(labels.names[0], "data");
    }
    for (size_t c = 0; c < labels.columns; c++)
        labels.numbers[c] = all_numbers(&labels, c);
    return labels;
}

/* 100000 or 1e+05 as 1e5, 32768 as 32Ki; anything else stays as it is. */
static void write_briefly(char text[LABEL_TEXT])
{
    double value;
    if (read_real(text, &value) || !(value >= 100 && value < 1e18))
        return;
    for (int exponent = 2; exponent < 18; exponent++) {
        char power[NUMBER_TEXT];
        double ten_to;
        snprintf(power, sizeof power, "1e%d", exponent);
        if (!read_real(power, &ten_to) && ten_to == value) {
            strcpy(text, power);
            return;
        }
    }
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti"};
    int exponent;
    if (frexp(value, &exponent) == 0.5 && exponent > 10 && exponent <= 50) /* a power of two: 2^(exponent - 1) */
        snprintf(text, LABEL_TEXT, "%d%s", 1 << (exponent - 1) % 10, units[(exponent - 1) / 10]);
}

void spec_label(const struct spec_labels *labels, size_t column, size_t spec, char text[LABEL_TEXT])
{
    char key[LABEL_TEXT];
    if (strcmp(labels->names[column], "data") == 0) {
        snprintf(text, LABEL_TEXT, "%s", labels->specs[spec]);
        return;
    }
    for (size_t i = 0; parameter_at(labels->specs[spec], i, key, text); i++)
        if (strcmp(key, labels->names[column]) == 0)
            break;
    write_briefly(text);
}

void spec_family(const char *spec, char text[LABEL_TEXT])
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t length = strspn(spec, allowed);
    const bool is_family = length > 0 && length < LABEL_TEXT && (spec[length] == ':' || spec[length] == '\0');
    snprintf(text, LABEL_TEXT, "%.*s", is_family ? (int)length : 4, is_family ? spec : "file");
}
