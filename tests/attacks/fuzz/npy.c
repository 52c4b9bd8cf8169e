#include "data_file.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind npy = {read_npy, write_npy};
    struct file_options options = {.nonfinite = (enum nonfinite)(size % 3),
                                   .format = size / 3 % 2 ? NUMBER_FORMATS[size / 6 % STORED_FORMAT_COUNT] : NULL,
                                   .convert = size / 5 % 2 ? NUMBER_FORMATS[size / 10 % STORED_FORMAT_COUNT] : NULL};
    if (size % 7 == 0)
        strcpy(options.axis, size / 7 % 2 ? "0" : "-1");
    options.sum = size / 14 % 3;
    options.is_matrix = size % 21 == 0;
    options.is_second = size % 2;
    feed_file(&npy, &options, bytes, size);
}

#define MAGIC "\x93NUMPY\1\0"
static const struct fuzz_seed seeds[] = {
    SEED(MAGIC "\x3f\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }     \n\0\0\x80\x3f\0\0\0\x40"),
    SEED(MAGIC "\x3f\0{'descr': '>f8', 'fortran_order': True, 'shape': (1, 1), }    \n\x3f\xf0\0\0\0\0\0\0"),
    SEED(MAGIC "\x3f\0{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }     \n\1\2\3"),
    SEED(MAGIC "\x3f\0{'descr': '<i8', 'fortran_order': False, 'shape': (), }       \n\1\0\0\0\0\0\0\x80"),
    SEED(MAGIC "\x3f\0{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }     \n\0\x7c\1\x80"),
    SEED(MAGIC "\x3f\0{'descr': '<V2', 'fortran_order': False, 'shape': (2,), }       \n\x80\x3f\x80\xff"),
    SEED(MAGIC "\x3f\0{'descr': '|V1', 'fortran_order': False, 'shape': (3,), }       \n\x7e\1\xfb"),
    SEED(MAGIC "\x3f\0{'descr': '|u1', 'fortran_order': True, 'shape': (2, 1, 3), } \n\1\2\3\4\5\6"),
    SEED("\x93NUMPY\2\0\x3c\0\0\0{'shape': (18446744073709551615, 0), 'fortran_order': True, "),
    SEED(MAGIC "\x3f\0{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }     \n\0\1\0\1"),
    {0},
};
const struct fuzz_family fuzz_npy = {.one = one, .seeds = seeds};
