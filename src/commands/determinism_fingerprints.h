/* The half of `ulpscope determinism` that looks beyond this machine: files of fingerprints. */
#pragma once

#include "command.h"
#include "src/study/study.h"

/* Writes those of the methods of a study, on the device of --device.  INTERRUPTED, and no file, after SIGINT. */
enum status command_write_fingerprints(const struct study *study, const struct config *config, const char *path);

/* The words "diff", FILE, FILE.  LIMIT_BROKEN where a method that claims to be deterministic differs. */
enum status command_compare_fingerprints(const struct words *words);
