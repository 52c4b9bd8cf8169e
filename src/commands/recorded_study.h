/* The data that files of results are about, as those of a study. */
#pragma once

#include "command.h"
#include "src/study/study.h"

/* Replaces the data of a study by those that loaded files of results have results for, with their seed, trials and
 * repeats; flags may say otherwise afterwards.  Leaves it as it is where there is no such file.  BAD_INPUT when they
 * have several seeds and no flag says which. */
enum status take_recorded_data(const struct config *config, struct study *study);
