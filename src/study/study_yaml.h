/* A study as a study file, which `ulpscope run FILE` reads back to the same study. */
#pragma once

#include "study.h"

/* What a file cannot say stands in comments on top: --trial K, and the SHA-256 of data files.  Data files are seen from
 * the folder that the run was started in: the text is to be saved there.  Allocated. */
char *study_yaml(const struct study *study);
