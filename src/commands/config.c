#include "config.h"

#include <stdlib.h>

const struct setting_row setting_table[SETTINGS] = {
#define SETTING(id, flag, variable, built_in, meaning) {flag, variable, built_in, meaning},
#include "settings.def"
};

const char *config_override(const struct config *config, enum setting setting, const char **source)
{
    const struct setting_row *row = &setting_table[setting];
    if (config->flags[setting]) {
        *source = row->flag;
        return config->flags[setting];
    }
    const char *value = getenv(row->variable);
    if (!value || *value == '\0')
        return NULL;
    *source = row->variable;
    return value;
}

const char *config_value(const struct config *config, enum setting setting, const char **source)
{
    const char *value = config_override(config, setting, source);
    if (value)
        return value;
    *source = "built in";
    return setting_table[setting].built_in;
}
