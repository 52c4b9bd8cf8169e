/* The formats that kernels switch over. */
#pragma once

#include "src/base/fp.h"

/* In the order of NUMBER_FORMATS.  TF32 is read by what reads binary32, so that nothing more is compiled for it. */
enum stored_format { STORED_binary64, STORED_binary32, STORED_binary16, STORED_bfloat16, STORED_e4m3, STORED_e5m2 };

static inline enum stored_format stored_format_of(const struct format *format)
{
    return (enum stored_format)format_index(format_encoding(format));
}
