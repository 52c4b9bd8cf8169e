/* What makes a function of a project measured: a source that calls it as a plug-in, and the study that has it. */
#pragma once

#include "project.h"
#include "src/base/status.h"
#include "src/files/new_files.h"

/* The callable that NAME, or FILE:NAME, means; complains where it is none, cannot be measured, or is several. */
enum status wrapper_find(const struct project *project, const char *name, const struct callable **found);

/* What a `--wrap` of it would have to say: its name, or FILE:NAME where two have that; allocated. */
char *wrapper_word(const struct project *project, const struct callable *callable);

/* Its study.yaml and its source.  *builds: the commands that compile it, each with a '\n' behind it; allocated. */
enum status wrapper_add(struct new_files *files, const char *folder, const struct callable *callable, char **builds);
