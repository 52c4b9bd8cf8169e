/* Settings and where they come from: flag > ULPSCOPE_* variable > study file > built in. */
#pragma once

#include <stddef.h>

enum setting {
#define SETTING(id, flag, variable, built_in, meaning) SETTING_##id,
#include "settings.def"
    SETTINGS
};

struct setting_row {
    const char *flag, *variable, *built_in, *meaning;
};

extern const struct setting_row setting_table[SETTINGS];

struct config {
    const char *flags[SETTINGS]; /* as given on the command line; NULL: not given */
};

/* The value from a flag or a variable, and in *source which ("--seed", "ULPSCOPE_SEED"); NULL when neither is set, so
 * that a study file may decide. */
const char *config_override(const struct config *config, enum setting setting, const char **source);

/* The same, or what is built in. */
const char *config_value(const struct config *config, enum setting setting, const char **source);
