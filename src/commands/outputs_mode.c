#include "outputs.h"

#include <string.h>

void outputs_set_directory(struct outputs *outputs, char *name)
{
    for (size_t length = strlen(name); length > 1 && name[length - 1] == '/'; length--)
        name[length - 1] = '\0';
    outputs->directory = name;
}

enum status outputs_check_mode(const struct outputs *outputs)
{
    if ((outputs->resume || outputs->overwrite) && !outputs->directory) {
        complain("%s needs a folder; give it with -o DIR", outputs->resume ? "--resume" : "--overwrite");
        return BAD_INPUT;
    }
    if (outputs->resume && outputs->overwrite) {
        complain("--resume and --overwrite exclude each other; give one");
        return BAD_INPUT;
    }
    return OK;
}

enum store_mode outputs_mode(const struct outputs *outputs)
{
    return outputs->resume ? STORE_RESUME : outputs->overwrite ? STORE_OVERWRITE : STORE_NEW;
}
