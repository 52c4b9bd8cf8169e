/* Data files: what is written reads back, what is broken is refused with its place, its fault and a way out. */
#include "datasets/files/file.h"
#include "src/base/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/heard.h"
#include "tests/support/own_folder.h"
#include "tests/support/packed_bytes.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MOST = 5, VALUES_MOST = 8 };

static void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_file_holds(const char *path, const void *bytes, size_t size)
{
    static char there[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(there, 1, sizeof there, file), size);
    fclose(file);
    assert_memory_equal(there, bytes, size);
}

/* ---- what a call said on stderr ---- */

static enum status read_and_listen(const char *path, const struct file_options *options, struct dataset *data,
                                   struct heard *heard)
{
    *heard = listen_to_stderr();
    const enum status status = file_read(path, options, data);
    heard_all(heard);
    return status;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* What is wrong with a complaint, or NULL: one line that starts with the place, then says what was found; what was
 * expected; what to do; and holds the words. */
static const char *complaint_fault(const char *text, const char *place, const char *const *words)
{
    const char *body = strncmp(text, "ulpscope: ", 10) == 0 ? text + 10 : "";
    if (strncmp(body, place, strlen(place)) != 0)
        return "does not start with its place";
    if (count_of(text, "\n") != 1 || text[strlen(text) - 1] != '\n')
        return "is not one line";
    if (count_of(body, "; ") < 2)
        return "does not say what was found, expected and to do";
    for (size_t i = 0; i < WORDS_MOST && words[i]; i++)
        if (!strstr(body + strlen(place), words[i]))
            return words[i];
    return NULL;
}

static void assert_complaint(const char *text, const char *place, const char *const *words)
{
    const char *fault = complaint_fault(text, place, words);
    if (fault)
        fail_msg("complaint \"%s\": %s; the place is %s", text, fault, place);
}

/* ---- tables of files ---- */

struct sample {
    const char *fact, *name;
    const char *dictionary; /* of a .npy of version 1.0, before the bytes; NULL: the bytes are the whole file */
    const char *bytes;
    size_t size;
    struct file_options options;
    unsigned line;                 /* bad files: in the complaint; 0: none */
    const char *words[WORDS_MOST]; /* bad files: in the complaint */
    uint64_t n;                    /* good files */
    double values[VALUES_MOST];    /* good files */
    const struct format *format;   /* good files; NULL: binary32 */
};

#define BYTES(text) .bytes = (text), .size = sizeof(text) - 1
#define ONE "\0\0\x80\x3f"
#define TWO "\0\0\0\x40"
#define THREE "\0\0\x40\x40"
#define ONE_64 "\0\0\0\0\0\0\xf0\x3f"

static struct path put_sample(const struct sample *sample)
{
    char whole[1024] = "\x93NUMPY\1\0";
    size_t used = 0;
    if (sample->dictionary) {
        const size_t length = strlen(sample->dictionary);
        assert_true(10 + length + sample->size <= sizeof whole);
        whole[8] = (char)length;
        memcpy(whole + 10, sample->dictionary, length);
        used = 10 + length;
    }
    assert_true(used + sample->size <= sizeof whole);
    memcpy(whole + used, sample->bytes ? sample->bytes : "", sample->size);
    const struct path path = in_folder(sample->name);
    put_file(path.text, whole, used + sample->size);
    return path;
}

#define GOOD_NPY(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }"
#define TYPE_NPY(type, n) "{'descr': '" type "', 'fortran_order': False, 'shape': (" n ",), }"

static const struct sample bad_files[] = {
    {"npy_of_no_bytes", "a.npy", .bytes = "", .words = {"\\x93NUMPY", "numpy.save"}},
    {"npy_with_another_magic", "a.npy", BYTES("PK\3\4 an archive"), .words = {"a zip", "as .npy"}},
    {"npy_that_ends_in_the_prefix", "a.npy", BYTES("\x93NUMPY\1"), .words = {"ends inside the header", "7 bytes"}},
    {"npy_that_ends_in_the_header", "a.npy", BYTES("\x93NUMPY\1\0\x76\0{'descr': '<f4', "),
     .words = {"ends inside the header", "after 27 bytes", "at least 128"}},
    {"npy_that_ends_one_byte_before_its_header", "a.npy", BYTES("\x93NUMPY\1\0\x06\0{}   "),
     .words = {"ends inside the header", "after 15 bytes", "at least 16"}},
    {"npy_header_length_of_4_gib", "a.npy", BYTES("\x93NUMPY\2\0\xff\xff\xff\xff{'descr'"),
     .words = {"ends inside the header", "4294967307"}},
    {"npy_version_0", "a.npy", BYTES("\x93NUMPY\0\0\x02\0{}  "), .words = {"version 0.0", "1.0, 2.0 or 3.0"}},
    {"npy_version_4", "a.npy", BYTES("\x93NUMPY\4\0\x02\0\0\0{}"), .words = {"version 4.0", "1.0, 2.0 or 3.0"}},
    {"npy_version_1_1", "a.npy", BYTES("\x93NUMPY\1\1\x02\0{}  "), .words = {"version 1.1"}},
    {"npy_header_with_a_nul", "a.npy", BYTES("\x93NUMPY\1\0\5\0{ \0 }"), .words = {"byte 2 of the header is NUL"}},
    {"npy_header_without_brace", "a.npy", "'descr': '<f4'",
     .words = {"no dictionary as numpy.save writes it", "numpy.save"}},
    {"npy_header_without_end", "a.npy", "{'descr': '<f4', ",
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_header_of_an_empty_dictionary", "a.npy", "{}  ",
     .words = {"no dictionary as numpy.save writes it", "not found: descr"}},
    {"npy_header_without_shape", "a.npy", "{'descr': '<f4', 'fortran_order': False}",
     .words = {"no dictionary as numpy.save writes it", "not found: shape"}},
    {"npy_header_with_a_key_twice", "a.npy", "{'descr': '<f4', 'descr': '<f4'}",
     .words = {"no dictionary as numpy.save writes it", "duplicate object key"}},
    {"npy_header_with_another_key", "a.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'order': 1}",
     .words = {"no dictionary as numpy.save writes it", "left unpacked"}},
    {"npy_header_without_comma", "a.npy", "{'descr': '<f4' 'shape': (1,)}",
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_header_without_colon", "a.npy", "{'descr' '<f4'}",
     .words = {"no dictionary as numpy.save writes it", "':' expected"}},
    {"npy_header_with_an_open_quote", "a.npy", "{'descr",
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_header_with_an_escape", "a.npy", "{'descr': '\\x3cf4'}",
     .words = {"no dictionary as numpy.save writes it", "invalid escape"}},
    {"npy_header_with_a_quote_in_a_text", "a.npy", "{'descr': '<f4\", 'fortran_order': False, 'shape': (1,)}",
     .words = {"no dictionary as numpy.save writes it", "control character"}},
    {"npy_header_with_text_behind", "a.npy", GOOD_NPY("(0,)") " import os",
     .words = {"no dictionary as numpy.save writes it", "end of file expected"}},
    {"npy_fortran_order_of_1", "a.npy", "{'descr': '<f4', 'fortran_order': 1, 'shape': ()}",
     .words = {"Expected true or false"}},
    {"npy_fortran_order_of_Falsey", "a.npy", "{'fortran_order': Falsey}",
     .words = {"no dictionary as numpy.save writes it", "invalid token"}},
    {"npy_of_binary64_that_is_said_to_be_binary32", "a.npy", TYPE_NPY("<f8", "1"), BYTES(ONE_64),
     .options.format = &FORMAT_BINARY32,
     .words = {"type '<f8', binary64, and format=binary32 was given", "convert=binary32"}},
    {"npy_of_binary64_beyond_what_it_is_converted_to", "a.npy", TYPE_NPY("<f8", "3"),
     BYTES(ONE_64 "\0\0\0\0\0\0\xf0\x47\0\0\0\0\0\0\xf0\xc7"), .options.convert = &FORMAT_BINARY32,
     .words =
         {"2 of its 3 elements are outside binary32 (largest 3.4028235e+38), the first of them element 1 (from 0), "
          "3.402823669209385e+38",
          "scale the data", "--nonfinite ieee (to make them infinite)"}},
    {"npy_of_an_infinity_to_a_format_without_one", "a.npy", GOOD_NPY("(2,)"), BYTES(ONE "\0\0\x80\xff"),
     .options = {.nonfinite = NONFINITE_IEEE, .convert = &FORMAT_E4M3},
     .words =
         {"1 of its 2 elements is outside e4m3 (largest 448; no infinity), the first of them element 1 (from 0), -inf",
          "choose --nonfinite skip"}},
    {"npy_of_integers_that_are_no_binary32", "a.npy", TYPE_NPY("<i4", "4"),
     BYTES("\0\0\0\1"
           "\0\0\0\x80"
           "\xff\xff\xff\xfe"
           "\1\0\0\1"),
     .options.format = &FORMAT_BINARY32,
     .words = {"2 of its 4 integers cannot be represented in binary32, the first of them element 2 (from 0), -16777217",
               "convert= in place of format="}},
    {"npy_of_integers_beyond_binary16", "a.npy", TYPE_NPY("<i4", "1"), BYTES("\0\0\1\0"),
     .options.format = &FORMAT_BINARY16, .words = {"1 of its 1 integers", "binary16", "element 0 (from 0), 65536"}},
    {"npy_of_large_integers_that_are_no_binary64", "a.npy", TYPE_NPY(">u8", "2"),
     BYTES("\xff\xff\xff\xff\xff\xff\xf8\0"
           "\x00\x20\0\0\0\0\0\1"),
     .words = {"cannot be represented in binary64, the first of them element 1 (from 0), 9007199254740993",
               "convert=binary64"}},
    {"npy_of_bytes_without_their_order", "a.npy", TYPE_NPY("|i2", "1"), BYTES("\1\0"), .words = {"'|i2'"}},
    {"npy_of_long_double", "a.npy", TYPE_NPY("<f16", "1"), BYTES(ONE), .words = {"'<f16'", "floating-point type"}},
    {"npy_of_objects", "a.npy", TYPE_NPY("|O", "1"), BYTES("\x80\4."), .words = {"'|O'", "pickles"}},
    {"npy_of_complex_numbers", "a.npy", TYPE_NPY("<c8", "1"), BYTES(ONE TWO), .words = {"'<c8'", "complex", "x.real"}},
    {"npy_of_text", "a.npy", TYPE_NPY("<U1", "1"), BYTES(ONE), .words = {"'<U1'", "text"}},
    {"npy_of_bfloat16", "a.npy", TYPE_NPY("<V2", "1"), BYTES("ab"),
     .words = {"'<V2', raw bytes; expected format=", "give format=bfloat16"}},
    {"npy_of_bfloat16_that_is_said_to_be_binary16", "a.npy", TYPE_NPY("<V2", "1"), BYTES("ab"),
     .options.format = &FORMAT_BINARY16, .words = {"raw bytes, which are not binary16", "give format=bfloat16"}},
    {"npy_of_fp8", "a.npy", TYPE_NPY("|V1", "1"), BYTES("a"), .words = {"'|V1'", "format=e4m3 or format=e5m2"}},
    {"npy_of_wider_raw_bytes", "a.npy", TYPE_NPY("|V4", "1"), BYTES("abcd"), .options.format = &FORMAT_BINARY32,
     .words = {"'|V4'", "raw bytes of this size"}},
    {"npy_of_native_binary32_without_its_byte_order", "a.npy", TYPE_NPY("f4", "1"), BYTES(ONE), .words = {"'f4'"}},
    {"npy_of_records", "a.npy", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", BYTES(ONE),
     .words = {"records", "expected floats, integers or booleans", "x['field']"}},

    {"npy_shape_that_is_no_tuple", "a.npy", GOOD_NPY("(3)"), BYTES(ONE),
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_shape_without_brackets", "a.npy", GOOD_NPY("3"), BYTES(ONE),
     .words = {"no tuple of whole numbers", "such as (3,)"}},
    {"npy_shape_without_a_number", "a.npy", GOOD_NPY("(,)"), BYTES(ONE),
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_shape_with_a_sign", "a.npy", GOOD_NPY("(-1,)"), BYTES(ONE), .words = {"no tuple of whole numbers"}},
    {"npy_shape_with_a_leading_zero", "a.npy", GOOD_NPY("(01,)"), BYTES(ONE),
     .words = {"no dictionary as numpy.save writes it", "expected"}},
    {"npy_shape_with_a_fraction", "a.npy", GOOD_NPY("(1.0,)"), BYTES(ONE), .words = {"no tuple of whole numbers"}},
    {"npy_shape_above_2_64", "a.npy", GOOD_NPY("(18446744073709551616,)"), BYTES(ONE), .words = {"too big integer"}},
    {"npy_shape_whose_product_overflows", "a.npy", GOOD_NPY("(4294967296, 4294967297)"), BYTES(ONE),
     .words = {"product of its shape is above 2^64"}},
    {"npy_shape_whose_bytes_overflow", "a.npy", GOOD_NPY("(4611686018427387905,)"), BYTES(ONE),
     .words = {"truncated", "4611686018427387905 numbers", "4 bytes follow"}},
    {"npy_shape_of_an_exbibyte", "a.npy", GOOD_NPY("(288230376151711744,)"), BYTES(ONE), .words = {"truncated"}},
    {"npy_data_one_byte_short", "a.npy", GOOD_NPY("(2,)"), BYTES(ONE "\0\0\0"),
     .words = {"truncated", "2 numbers", "7 bytes follow"}},
    {"npy_data_one_byte_long", "a.npy", GOOD_NPY("(1,)"), BYTES(ONE "\n"),
     .words = {"1 bytes follow the 1 numbers", "expected the end of the file"}},
    {"npy_of_two_arrays", "a.npy", GOOD_NPY("(1,)"), BYTES(ONE "\x93NUMPY\1\0"), .words = {"8 bytes follow"}},
    {"npy_without_numbers", "a.npy", GOOD_NPY("(0,)"), .words = {"holds no number"}},
    {"npy_with_a_zero_in_its_shape", "a.npy", GOOD_NPY("(5, 0)"), .words = {"holds no number"}},
    {"npy_with_a_delimiter", "a.npy", GOOD_NPY("(1,)"), BYTES(ONE), .options.delimiter = ';',
     .words = {"delimiter=", ".csv"}},
    {"csv_of_semicolons_without_saying_so", "a.csv", BYTES("a;b\n1;2\n"), .line = 1, .options.column = "b",
     .words = {"no column is named \"b\"", "or delimiter="}},
    {"npy_with_a_column", "a.npy", GOOD_NPY("(1,)"), BYTES(ONE), .options.column = "2", .words = {"column=2", ".csv"}},
    {"npy_with_a_skip", "a.npy", GOOD_NPY("(1,)"), BYTES(ONE), .options.skip = 4, .words = {"skip=4", ".raw"}},
    {"npy_with_a_nan", "a.npy", GOOD_NPY("(2,)"), BYTES(ONE "\0\0\xc0\x7f"),
     .words = {"1 of its 2 elements is not finite (nan: 1, inf: 0, missing: 0), the first of them element 1 (from 0), "
               "nan",
               "--nonfinite ieee", "the payload of a nan is not kept", "--nonfinite skip"}},
    {"npy_with_payloads_and_infinities", "a.npy", GOOD_NPY("(4,)"),
     BYTES("\0\0\x80\xff\1\0\x80\x7f" ONE "\1\0\xc0\xff"),
     .words = {"3 of its 4 elements are not finite (nan: 2, inf: 1, missing: 0), the first of them element 0 (from 0), "
               "-inf"}},
    {"npy_with_a_nan_behind_a_number_too_large", "a.npy", GOOD_NPY("(3,)"), BYTES(ONE "\0\0\0\x7f\0\0\xc0\x7f"),
     .options.convert = &FORMAT_BINARY16, .words = {"1 of its 3 elements is not finite", "element 2 (from 0), nan"}},
    {"npy_with_numbers_too_large_behind_a_nan_that_is_kept", "a.npy", GOOD_NPY("(3,)"),
     BYTES("\0\0\xc0\x7f" ONE "\0\0\0\x7f"), .options = {.nonfinite = NONFINITE_IEEE, .convert = &FORMAT_E4M3},
     .words = {"1 of its 3 elements is outside e4m3", "element 2 (from 0), 1.7014118346046923e+38"}},

    {"raw_of_no_bytes", "a.raw", .bytes = "", .words = {"holds no number"}},
    {"raw_of_five_bytes", "a.raw", BYTES(ONE "x"), .words = {"5 bytes", "multiple of 4", "1 too many"}},
    {"raw_of_five_bytes_behind_a_skip", "a.bin", BYTES(ONE ONE "x"), .options.skip = 4,
     .words = {"5 bytes behind the 4 skipped", "1 too many"}},
    {"raw_shorter_than_its_skip", "a.raw", BYTES(ONE), .options.skip = 5, .words = {"4 bytes", "skip=5"}},
    {"raw_that_ends_with_its_skip", "a.raw", BYTES(ONE), .options.skip = 4, .words = {"holds no number"}},
    {"raw_with_a_skip_of_2_64", "a.raw", BYTES(ONE), .options.skip = UINT64_MAX, .words = {"18446744073709551615"}},
    {"raw_with_an_infinity", "a.raw", BYTES(ONE "\0\0\x80\xff"),
     .words = {"1 of its 2 elements", "element 1 (from 0), -inf"}},
    {"raw_of_e4m3_with_its_nans", "a.raw", BYTES("\x7f\x38\xff"), .options.format = &FORMAT_E4M3,
     .words = {"2 of its 3 elements are not finite (nan: 2, inf: 0, missing: 0)", "element 0 (from 0), nan"}},
    {"raw_of_seven_bytes_of_bfloat16", "a.raw", BYTES("1234567"), .options.format = &FORMAT_BFLOAT16,
     .words = {"7 bytes", "multiple of 2", "1 too many", "numbers of bfloat16"}},
    {"raw_of_binary64_of_twelve_bytes", "a.raw", BYTES(ONE_64 "1234"), .options.format = &FORMAT_BINARY64,
     .words = {"12 bytes", "multiple of 8", "4 too many"}},
    {"raw_with_a_column", "a.raw", BYTES(ONE), .options.column = "x", .words = {"column=x", ".csv"}},

    {"hexfloat_above_binary32", "cancel.f32", BYTES("# source\n0x1p+0\n0x1.8p+200\n"), .line = 3,
     .words = {"1 of its 2 elements is outside binary32 (largest 3.4028235e+38), the first of them element 1 (from 0), "
               "0x1.8p+200; "}},
    {"hexfloat_that_rounds_above_binary32", "a.f32", BYTES("0x1.ffffffp+127"), .line = 1,
     .words = {"outside binary32"}},
    {"hexfloat_above_binary16", "a.f32", BYTES("65519\n65520\n"), .line = 2, .options.format = &FORMAT_BINARY16,
     .words = {"outside binary16 (largest 65504)", "element 1 (from 0), 65520"}},
    {"hexfloat_two_above_binary64", "a.txt", BYTES("1\n1e400\n-1e999\n"), .line = 2,
     .options.convert = &FORMAT_BINARY16,
     .words = {"2 of its 3 elements are outside binary64 (largest 1.7976931348623157e+308)",
               "element 1 (from 0), 1e400", "--nonfinite ieee"}},
    {"hexfloat_above_e4m3", "a.f32", BYTES("464\n465\n"), .line = 2, .options.format = &FORMAT_E4M3,
     .words = {"outside e4m3 (largest 448; no infinity)", "element 1 (from 0), 465"}},
    {"hexfloat_above_what_it_is_converted_from", "a.f32", BYTES("464\n-465\n"), .line = 2,
     .options = {.nonfinite = NONFINITE_IEEE, .format = &FORMAT_E4M3, .convert = &FORMAT_BINARY16},
     .words = {"outside e4m3 (largest 448; no infinity)", "element 1 (from 0), -465", "choose --nonfinite skip"}},
    {"hexfloat_infinity_in_a_format_without_one", "a.f32", BYTES("1\ninf\n-inf\n"),
     .options = {.nonfinite = NONFINITE_IEEE, .format = &FORMAT_E4M3}, .line = 2,
     .words = {"2 of its 3 elements are outside e4m3", "element 1 (from 0), inf"}},
    {"hexfloat_nan_with_a_payload", "a.f32", BYTES("1\n-nan(0x12)\n"), .line = 2,
     .words = {"\"-nan(0x12)\" is a nan with a payload, which is not kept; write nan"}},
    {"hexfloat_word", "a.txt", BYTES("1\n\ntwo\n"), .line = 3, .words = {"\"two\" is not a number", "0x1.8p+3"}},
    {"hexfloat_two_numbers_on_a_line", "a.f32", BYTES("1\n2 3\n"), .line = 2, .words = {"\"2 3\" has something after"}},
    {"hexfloat_comment_behind_a_number", "a.f32", BYTES("1 # one\n"), .line = 1,
     .words = {"\"1 # one\"", "delimiter=blank"}},
    {"hexfloat_decimal_comma", "a.hex", BYTES("1\r\n1,5\r\n"), .line = 2, .words = {"\"1,5\" has something after"}},
    {"hexfloat_bare_prefix", "a.f32", BYTES("0x"), .line = 1, .words = {"\"0x\" has something after the number"}},
    {"hexfloat_nul_byte", "a.f32", BYTES("1\n2\0\n"), .line = 2, .words = {"NUL", "iconv", ".raw"}},
    {"hexfloat_control_characters_are_not_echoed", "a.f32", BYTES("\x1b[2J\n"), .line = 1, .words = {"\"?[2J\""}},
    {"hexfloat_long_text_is_cut", "a.f32", BYTES("a2345678901234567890123456789012345678901234567890"), .line = 1,
     .words = {"\"a234567890123456789012345678901234567890...\""}},
    {"hexfloat_utf8_text_is_cut_between_characters", "a.f32",
     BYTES("a23456789012345678901234567890123456789\xc3\xa9\xc3\xa9"), .line = 1,
     .words = {"\"a23456789012345678901234567890123456789...\""}},
    {"hexfloat_of_comments_only", "a.f32", BYTES("# nothing\n\n"), .words = {"holds no number"}},
    {"hexfloat_of_no_bytes", "a.f32", .bytes = "", .words = {"holds no number"}},
    {"hexfloat_with_a_nan", "a.f32", BYTES("# a\n1\n-nan\n"), .line = 3, .words = {"element 1 (from 0), nan"}},
    {"hexfloat_all_left_out", "a.f32", BYTES("nan\ninf\n"), .options.nonfinite = NONFINITE_SKIP,
     .words = {"all of its 2 elements", "ieee"}},
    {"hexfloat_with_a_skip", "a.f32", BYTES("1\n"), .options.skip = 1, .words = {"skip=1"}},

    {"csv_of_no_bytes", "a.csv", .bytes = "", .words = {"holds no number"}},
    {"csv_of_a_header_only", "a.csv", BYTES("x\n"), .words = {"holds no number"}},
    {"csv_word_in_the_column", "a.csv", BYTES("x\n1\n\ntwo\n"), .line = 4,
     .words = {"\"two\" is not a number", "column 1"}},
    {"csv_word_for_a_missing_value", "a.csv", BYTES("x\n1\nNA\n"), .line = 3,
     .words = {"(nan: 0, inf: 0, missing: 1)", "element 1 (from 0), missing", "ieee", "skip"}},
    {"csv_word_that_means_no_missing_value_even_when_skipping", "a.csv", BYTES("x\n1\nNAN1\n"), .line = 3,
     .options.nonfinite = NONFINITE_SKIP, .words = {"\"NAN1\"", "empty if the value is missing"}},
    {"csv_nil_even_when_skipping", "a.csv", BYTES("x\n1\nnil\n"), .line = 3, .options.nonfinite = NONFINITE_SKIP,
     .words = {"\"nil\" is not a number"}},
    {"csv_misspelt_number_in_the_first_row", "a.csv", BYTES("1.5e\n2\n"), .line = 1,
     .words = {"\"1.5e\" has something after"}},
    {"csv_number_above_binary32_in_the_first_row", "a.csv", BYTES("1e39\n2\n"), .line = 1,
     .words = {"outside binary32"}},
    {"csv_missing_value_in_the_first_row", "a.csv", BYTES("NA\n1\n"), .line = 1,
     .words = {"element 0 (from 0), missing", "ieee", "skip"}},
    {"csv_missing_value_in_the_first_row_of_two", "a.csv", BYTES("n/a,3\n1,2\n"), .line = 1, .options.column = "1",
     .words = {"element 0 (from 0), missing"}},
    {"tsv_null_in_the_first_row", "a.tsv", BYTES("null\n1\n"), .line = 1, .words = {"missing: 1"}},
    {"csv_none_in_the_first_row", "a.csv", BYTES("None\n1\n"), .line = 1,
     .words = {"\"None\" is not a number; column 1", "empty if the value is missing"}},
    {"csv_nil_in_the_first_row", "a.csv", BYTES("\"nil\"\n1\n"), .line = 1, .words = {"\"nil\" is not a number"}},
    {"csv_nan_with_a_payload_in_the_first_row", "a.csv", BYTES("nan(1)\n1\n"), .line = 1, .words = {"payload"}},
    {"csv_misspelt_nan_in_the_first_row", "a.csv", BYTES("NAN1\n1\n"), .line = 1, .words = {"\"NAN1\" is not"}},
    {"csv_letter_in_place_of_a_digit_in_the_first_row", "a.csv", BYTES("O.5\n1\n"), .line = 1,
     .words = {"\"O.5\" is not a number; column 1"}},
    {"csv_letter_in_place_of_a_one_in_the_first_row_of_two", "a.csv", BYTES("t,l.5\n1,2\n"), .line = 1,
     .options.column = "2", .words = {"\"l.5\" is not a number; column 2"}},
    {"columns_with_a_quoted_letter_and_a_decimal_comma", "a.txt", BYTES("\"I,5 3\n1 2\n"), .line = 1,
     .options = {.delimiter = ' ', .column = "1", .decimal = ','}, .words = {"is not a number"}},
    {"csv_hash_of_a_spreadsheet_in_the_first_row", "a.csv", BYTES("#N/A\n1\n"), .line = 1,
     .words = {"\"#N/A\" is not"}},
    {"csv_bracket_in_the_first_row", "a.csv", BYTES("(5)\n1\n"), .line = 1, .words = {"\"(5)\" is not a number"}},
    {"csv_dollar_in_the_first_row", "a.csv", BYTES("$5\n1\n"), .line = 1, .words = {"\"$5\" is not a number"}},
    {"csv_minus_sign_in_the_first_row", "a.csv",
     BYTES("\xE2\x88\x92"
           "1\n1\n"),
     .line = 1, .words = {"\xE2\x88\x92", "is not a number"}},
    {"csv_euro_sign_in_the_first_row", "a.csv",
     BYTES("\xE2\x82\xAC"
           "1\n1\n"),
     .line = 1, .words = {"is not a number"}},
    {"csv_pound_sign_in_the_first_row", "a.csv",
     BYTES("\xC2\xA3"
           "1\n1\n"),
     .line = 1, .words = {"is not a number"}},
    {"csv_wide_digit_in_the_first_row", "a.csv", BYTES("\xEF\xBC\x91\n1\n"), .line = 1, .words = {"is not a number"}},
    {"columns_with_a_missing_value_in_the_first_row", "a.txt", BYTES("NA 3\n1 2\n"), .line = 1,
     .options = {.delimiter = ' ', .column = "1"}, .words = {"element 0 (from 0), missing"}},
    {"csv_missing_value", "a.csv", BYTES("d,x\n1,1\n2,\n"), .line = 3, .options.column = "x",
     .words = {"element 1 (from 0), missing", "ieee", "skip"}},
    {"csv_row_too_short", "a.csv", BYTES("d,x\n1,1\n2\n"), .line = 3, .options.column = "2", .words = {"missing: 1"}},
    {"csv_with_a_nan", "a.csv", BYTES("x\r\n1\r\nNaN\r\n"), .line = 3, .words = {"element 1 (from 0), nan"}},
    {"csv_of_two_columns_without_a_column", "a.csv", BYTES("date,co2\n1,2\n"), .line = 1,
     .words = {"which column", "has 2", "1 \"date\", 2 \"co2\"", "column="}},
    {"csv_column_0", "a.csv", BYTES("date,co2\n1,2\n"), .line = 1, .options.column = "0",
     .words = {"no column 0", "has 2"}},
    {"csv_column_beyond_the_last", "a.csv", BYTES("date,co2\n1,2\n"), .line = 1, .options.column = "3",
     .words = {"no column 3", "1 \"date\", 2 \"co2\""}},
    {"csv_column_above_2_64", "a.csv", BYTES("1,2\n"), .line = 1, .options.column = "18446744073709551617",
     .words = {"no column 18446744073709551617"}},
    {"csv_name_that_is_not_there", "a.csv", BYTES("date,co2\n1,2\n"), .line = 1, .options.column = "CO2",
     .words = {"no column is named \"CO2\"", "2 \"co2\""}},
    {"csv_name_that_is_there_twice", "a.csv", BYTES("x,x\n1,2\n"), .line = 1, .options.column = "x",
     .words = {"2 columns are named \"x\"", "numbers"}},
    {"csv_decimal_comma", "a.csv", BYTES("x\n1\n1,5\n"), .line = 3,
     .words = {"has 2 fields; expected 1", "give delimiter=; and decimal=comma"}},
    {"csv_row_too_long_in_another_column", "a.csv", BYTES("x,y\n1,2\n1,2,3\n"), .line = 3, .options.column = "1",
     .words = {"has 3 fields; expected 2"}},
    {"csv_quote_that_is_never_closed", "a.csv", BYTES("x\n1\n\"2\n3\n4\n"), .line = 3, .words = {"never closed"}},
    {"csv_quote_inside_a_field", "a.csv", BYTES("x\n1\n2\"\n"), .line = 3, .words = {"in the middle of a field"}},
    {"csv_text_behind_a_quote", "a.csv", BYTES("x\n\"1\"2\n"), .line = 2, .words = {"in the middle of a field"}},
    {"csv_bad_word_before_a_bad_quote_is_one_complaint", "a.csv", BYTES("a,b\nw,2\"\n"), .line = 2,
     .options.column = "1", .words = {"\"w\" is not a number"}},
    {"csv_nul_byte", "a.csv", BYTES("x\n1\n2\0\n"), .line = 3, .words = {"NUL", "iconv"}},
    {"csv_utf16", "a.csv", BYTES("\xff\xfex\0\n\0"), .line = 1, .words = {"NUL", "UTF-16"}},
    {"csv_lines_are_counted_through_quoted_newlines", "a.csv", BYTES("t,x\n\"a\nb\",1\n\"c\",z\n"), .line = 4,
     .options.column = "2", .words = {"\"z\" is not a number"}},
    {"csv_last_line_without_newline", "a.csv", BYTES("x\n1\nz"), .line = 3, .words = {"\"z\" is not a number"}},
    {"csv_blank_inside_a_number", "a.csv", BYTES("x\n1 000\n"), .line = 2, .words = {"\"1 000\" has something after"}},
    {"csv_with_semicolons", "a.csv", BYTES("1.5;2.5\n"), .line = 1, .words = {"\"1.5;2.5\" has something after"}},
    {"csv_with_a_skip", "a.csv", BYTES("1\n"), .options.skip = 1, .words = {"skip=1"}},

    {"safetensors_of_two_arrays_without_a_name", "a.safetensors", BYTES(SAFETENSORS),
     .words = {"which array is not said", "2 arrays"}},
    {"safetensors_that_end_too_early", "a.safetensors", .bytes = SAFETENSORS, .size = sizeof SAFETENSORS - 2,
     .options.array = "e", .words = {"lies beyond its end"}},
    {"safetensors_without_json", "a.safetensors", BYTES("\2\0\0\0\0\0\0\0{["), .words = {"no JSON object"}},
    {"safetensors_with_a_header_of_a_mile", "a.safetensors", BYTES("\377\377\377\377\377\377\377\377{}"),
     .words = {"ends inside its header"}},
    {"safetensors_of_another_shape", "a.safetensors",
     BYTES("\77\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[0,4]        }}\200\77\0@"),
     .words = {"not those of its shape"}},
    {"safetensors_whose_shape_is_a_number", "a.safetensors",
     BYTES("\77\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"BF16\",\"shape\":7,\"data_offsets\":[0,2]}}          \200\77"),
     .words = {"no list of whole numbers"}},
    {"safetensors_of_an_array_that_ends_before_it_begins", "a.safetensors",
     BYTES("\155\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
           "\"b\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[16,8]}}\0\0\200\77\0\0\200\77"),
     .options.array = "b", .words = {"lies beyond its end"}},
    {"safetensors_with_an_entry_that_is_no_array", "a.safetensors",
     BYTES("\77\0\0\0\0\0\0\0{\"x\":3,\"w\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}  \200\77\0@"),
     .options.array = "x", .words = {"has no dtype"}},
    {"safetensors_of_a_type_that_is_none", "a.safetensors",
     BYTES("\77\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[0,4]          }}\200\77\0@"),
     .words = {"type F4", "F8_E4M3"}},
    {"npy_of_an_axis_that_it_has_not", "a.npy", GOOD_NPY("(1, 2)"), BYTES(ONE TWO), .options.axis = "2",
     .words = {"(1, 2)", "axis=2", "one of its 2 axes"}},
    {"npy_of_a_sum_that_it_has_not", "a.npy", GOOD_NPY("(2, 1)"), BYTES(ONE TWO), .options = {.axis = "1", .sum = 2},
     .words = {"makes 2 sums", "trial 2"}},
    {"csv_of_an_axis", "a.csv", BYTES("1\n"), .options.axis = "0", .words = {"axis=0", ".npy"}},
    {"pickle_by_its_name", "a.pt", BYTES("1\n"), .words = {"a pickle, which runs code"}},
    {"text_of_two_readings", "a.txt", BYTES("1,234\n"), .line = 1,
     .words = {"it is 1.234 with decimal=comma, or 1234 with thousands=comma: give"}},
    {"text_of_two_marks_of_thousands", "a.txt", BYTES("12.345.678\n"), .line = 1,
     .words = {"it is 12345678 with decimal=comma,thousands=point: give"}},
    {"text_of_one_reading", "a.txt", BYTES("1.234,5\n"), .line = 1,
     .words = {"it is 1234.5 with decimal=comma,thousands=point: give"}},
    {"text_of_groups_that_are_none", "a.txt", BYTES("1,23\n"), .line = 1, .options.thousands = ',',
     .words = {"groups of three", "it is 1.23 with decimal=comma"}},
    {"text_of_a_first_group_of_four", "a.txt", BYTES("1234,567\n"), .line = 1, .options.thousands = ',',
     .words = {"groups of three"}},
    {"text_of_a_middle_group_of_two", "a.txt", BYTES("1,23,456\n"), .line = 1, .options.thousands = ',',
     .words = {"groups of three"}},
    {"text_of_a_decimal_point_behind_a_comma", "a.txt", BYTES("1.5\n"), .line = 1, .options.decimal = ',',
     .words = {"has a point, and decimal=comma"}},
    {"text_of_columns_that_nobody_named", "a.txt", BYTES("1 2\n"), .line = 1,
     .words = {"delimiter= (blank, ", "column="}},
    {"text_that_a_comment_would_drop", "a.txt", BYTES("x1\n"), .line = 1,
     .words = {"\"x1\" is not a number", "; correct it\n"}},
    {"csv_of_semicolons_and_decimal_commas", "a.csv", BYTES("1,5;2,5\n"), .line = 1, .options.column = "1",
     .words = {"\"5;2\" may be two columns", "delimiter=;"}},
    {"csv_of_blanks_and_quotes", "a.csv", BYTES("1 \"a\"\n"), .line = 1, .words = {"give delimiter=blank"}},

    {"unknown_ending", "a.dot", BYTES("1\n"),
     .words = {"unknown ending .dot", ".npy .csv .f32 .hex .txt .dat .raw .bin"}},
    {"no_ending", "numbers", BYTES("1\n"), .words = {"without an ending", ".npy"}},
    {"ending_of_bare_dot", "a.npy.", BYTES("1\n"), .words = {"unknown ending ."}},
};

static void bad_file_is_refused(void **state)
{
    const struct sample *sample = *state;
    const struct path path = put_sample(sample);
    char place[PATH_SIZE + 16];
    if (sample->line > 0)
        snprintf(place, sizeof place, "%s:%u: ", path.text, sample->line);
    else
        snprintf(place, sizeof place, "%s: ", path.text);
    struct heard heard;
    struct dataset data;
    assert_int_equal(read_and_listen(path.text, &sample->options, &data, &heard), BAD_INPUT);
    assert_complaint(heard.text, place, sample->words);
    assert_true(data.n == 0 && data.x == NULL);
}

/* Most of them are a twin of a bad one, right in the one point in which that is wrong. */
static const struct sample good_files[] = {
    {"npy_version_1", "a.npy", GOOD_NPY("(2,)"), BYTES(ONE TWO), .n = 2, .values = {1, 2}},
    {"npy_version_2", "a.npy",
     BYTES("\x93NUMPY\2\0\x3b\0\0\0{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n" TWO), .n = 1,
     .values = {2}},
    {"npy_version_3", "a.npy",
     BYTES("\x93NUMPY\3\0\x3b\0\0\0{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n" TWO), .n = 1,
     .values = {2}},
    {"npy_of_two_dimensions_in_rows", "a.npy", GOOD_NPY("(1, 3)"), BYTES(ONE TWO THREE), .n = 3, .values = {1, 2, 3}},
    {"npy_of_three_dimensions", "a.npy", GOOD_NPY("(3,1,1,)"), BYTES(ONE TWO THREE), .n = 3, .values = {1, 2, 3}},
    {"npy_of_no_dimension_is_one_number", "a.npy", GOOD_NPY("()"), BYTES(TWO), .n = 1, .values = {2}},
    {"npy_in_fortran_order_of_two_dimensions", "a.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}",
     BYTES(ONE TWO), .n = 2, .values = {1, 2}},
    {"npy_of_binary64", "a.npy", TYPE_NPY("<f8", "2"), BYTES(ONE_64 "\0\0\0\0\0\0\xa0\xb6"), .n = 2,
     .values = {1, -0x1p-149}, .format = &FORMAT_BINARY64},
    {"npy_of_binary64_with_an_infinity", "a.npy", TYPE_NPY("<f8", "2"), BYTES(ONE_64 "\0\0\0\0\0\0\xf0\xff"),
     .options.nonfinite = NONFINITE_IEEE, .n = 2, .values = {1, -INFINITY}, .format = &FORMAT_BINARY64},
    {"npy_of_binary16", "a.npy", TYPE_NPY("<f2", "3"),
     BYTES("\1\0"
           "\xff\x7b"
           "\0\x80"),
     .n = 3, .values = {0x1p-24, 65504, -0.0}, .format = &FORMAT_BINARY16},
    {"npy_of_big_endian_binary16", "a.npy", TYPE_NPY(">f2", "1"), BYTES("\x3c\0"), .n = 1, .values = {1},
     .format = &FORMAT_BINARY16},
    {"npy_of_binary16_that_is_said_to_be_so", "a.npy", TYPE_NPY("<f2", "1"), BYTES("\0\x3c"),
     .options.format = &FORMAT_BINARY16, .n = 1, .values = {1}, .format = &FORMAT_BINARY16},
    {"npy_of_raw_bytes_that_are_bfloat16", "a.npy", TYPE_NPY("<V2", "2"),
     BYTES("\x80\x3f"
           "\1\x80"),
     .options.format = &FORMAT_BFLOAT16, .n = 2, .values = {1, -0x1p-133}, .format = &FORMAT_BFLOAT16},
    {"npy_of_raw_bytes_that_are_e4m3", "a.npy", TYPE_NPY("|V1", "2"), BYTES("\x7e\1"), .options.format = &FORMAT_E4M3,
     .n = 2, .values = {448, 0x1p-9}, .format = &FORMAT_E4M3},
    {"npy_of_raw_bytes_that_are_e5m2", "a.npy", TYPE_NPY("<V1", "2"), BYTES("\x7b\1"), .options.format = &FORMAT_E5M2,
     .n = 2, .values = {57344, 0x1p-16}, .format = &FORMAT_E5M2},
    {"npy_of_binary64_converted_once", "a.npy", TYPE_NPY("<f8", "2"),
     BYTES("\1\0\0\x10\0\0\xf0\x3f"
           "\0\0\0\0\0\0\xa0\x36"),
     .options.convert = &FORMAT_BINARY32, .n = 2, .values = {0x1.000002p+0, 0x1p-149}},
    {"npy_converted_to_infinity", "a.npy", TYPE_NPY("<f4", "2"), BYTES(ONE "\0\0\x7f\xc7"),
     .options = {.nonfinite = NONFINITE_IEEE, .convert = &FORMAT_E5M2}, .n = 2, .values = {1, -INFINITY},
     .format = &FORMAT_E5M2},
    {"npy_without_what_is_beyond_e4m3", "a.npy", TYPE_NPY("<f4", "2"), BYTES("\0\0\x7f\xc7" ONE),
     .options = {.nonfinite = NONFINITE_SKIP, .convert = &FORMAT_E4M3}, .n = 1, .values = {1}, .format = &FORMAT_E4M3},
    {"npy_of_big_endian_binary32", "a.npy", TYPE_NPY(">f4", "2"),
     BYTES("\x3f\x80\0\0"
           "\xc0\0\0\0"),
     .n = 2, .values = {1, -2}},
    {"npy_of_big_endian_binary64", "a.npy", TYPE_NPY(">f8", "1"), BYTES("\x3f\xf8\0\0\0\0\0\0"), .n = 1,
     .values = {1.5}, .format = &FORMAT_BINARY64},
    {"npy_of_integers_of_16_bits_in_binary16", "a.npy", TYPE_NPY("<i2", "1"), BYTES("\0\x80"),
     .options.format = &FORMAT_BINARY16, .n = 1, .values = {-32768}, .format = &FORMAT_BINARY16},
    {"npy_of_signed_bytes", "a.npy", TYPE_NPY("|i1", "3"), BYTES("\1\xff\x80"), .n = 3, .values = {1, -1, -128}},
    {"npy_of_bytes", "a.npy", TYPE_NPY("|u1", "3"), BYTES("\1\xff\x80"), .n = 3, .values = {1, 255, 128}},
    {"npy_of_booleans", "a.npy", TYPE_NPY("|b1", "3"), BYTES("\1\0\1"), .n = 3, .values = {1, 0, 1}},
    {"npy_of_integers_of_16_bits", "a.npy", TYPE_NPY("<i2", "2"),
     BYTES("\2\1"
           "\0\x80"),
     .n = 2, .values = {258, -32768}},
    {"npy_of_big_endian_integers", "a.npy", TYPE_NPY(">u2", "2"),
     BYTES("\1\2"
           "\x80\0"),
     .n = 2, .values = {258, 32768}},
    {"npy_of_integers_of_32_bits", "a.npy", TYPE_NPY("<i4", "3"),
     BYTES("\1\0\0\0"
           "\0\0\0\x80"
           "\xff\xff\xff\xff"),
     .n = 3, .values = {1, -0x1p31, -1}, .format = &FORMAT_BINARY64},
    {"npy_of_integers_of_32_bits_in_binary32", "a.npy", TYPE_NPY("<i4", "1"), BYTES("\0\0\0\x80"),
     .options.format = &FORMAT_BINARY32, .n = 1, .values = {-0x1p31}},
    {"npy_of_unsigned_integers_of_32_bits", "a.npy", TYPE_NPY("<u4", "2"),
     BYTES("\0\xff\xff\xff"
           "\0\0\0\x80"),
     .n = 2, .values = {0xffffff00p+0, 0x1p31}, .format = &FORMAT_BINARY64},
    {"npy_of_integers_of_64_bits", "a.npy", TYPE_NPY("<i8", "2"),
     BYTES("\0\0\0\0\0\0\0\x80"
           "\xff\xff\xff\xff\xff\xff\xff\xff"),
     .n = 2, .values = {-0x1p63, -1}, .format = &FORMAT_BINARY64},
    {"npy_of_unsigned_integers_of_64_bits", "a.npy", TYPE_NPY("<u8", "2"),
     BYTES("\0\0\0\0\0\xff\xff\xff"
           "\0\0\0\0\0\0\0\0"),
     .n = 2, .values = {0xffffffp40, 0}, .format = &FORMAT_BINARY64},
    {"npy_keys_in_another_order", "a.npy", "{'shape': (1,), 'descr': '<f4', 'fortran_order': False}", BYTES(TWO),
     .n = 1, .values = {2}},
    {"npy_double_quotes_and_no_blanks", "a.npy", "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(1,)}",
     BYTES(TWO), .n = 1, .values = {2}},
    {"npy_in_fortran_order_of_one_dimension", "a.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}",
     BYTES(ONE TWO), .n = 2, .values = {1, 2}},
    {"npy_skips_a_nan", "a.npy", GOOD_NPY("(3,)"), BYTES(ONE "\0\0\xc0\x7f" TWO), .options.nonfinite = NONFINITE_SKIP,
     .n = 2, .values = {1, 2}},

    {"raw_numbers", "a.raw", BYTES(ONE "\0\0\0\x80\1\0\0\0"), .n = 3, .values = {1, -0.0f, 0x1p-149f}},
    {"raw_of_bfloat16", "a.raw", BYTES("\x80\x3f\0\x80"), .options.format = &FORMAT_BFLOAT16, .n = 2,
     .values = {1, -0.0}, .format = &FORMAT_BFLOAT16},
    {"raw_that_would_be_refused_in_the_other_byte_order", "a.bin",
     BYTES("\333\017\111\100\124\370\055\100\363\004\265\077\327\263\335\077"
           "\030\162\061\077\275\033\017\100\124\237\214\077\030\105\241\077"),
     .n = 8,
     .values = {0x1.921fb6p+1, 0x1.5bf0a8p+1, 0x1.6a09e6p+0, 0x1.bb67aep+0, 0x1.62e430p-1, 0x1.1e377ap+1, 0x1.193ea8p+0,
                0x1.428a30p+0}},
    {"raw_behind_a_skip", "a.bin", BYTES("x" ONE TWO), .options.skip = 1, .n = 2, .values = {1, 2}},

    {"hexfloat_and_decimals", "a.f32", BYTES("# a\n0x1.8p+3\n-0x1p-149\n  0.1\t\n#1\n\n+2e0"), .n = 4,
     .values = {12, -0x1p-149f, 0x1.99999ap-4f, 2}},
    {"hexfloat_largest", "a.f32", BYTES("0x1.fffffep+127\n"), .n = 1, .values = {FLT_MAX}},
    {"hexfloat_rounds_once", "a.txt", BYTES("1.000000178813934326171875\n1.00000017881393432617187499\n"), .n = 2,
     .values = {0x1.000004p+0f, 0x1.000002p+0f}},
    {"hexfloat_of_binary64", "a.f32", BYTES("0.1\n0x1p-1074\n"), .options.format = &FORMAT_BINARY64, .n = 2,
     .values = {0.1, 0x1p-1074}, .format = &FORMAT_BINARY64},
    {"hexfloat_is_converted_once_and_not_through_binary64", "a.f32", BYTES("1.00390625000000000000000000001\n"),
     .options.convert = &FORMAT_BFLOAT16, .n = 1, .values = {1.0078125}, .format = &FORMAT_BFLOAT16},
    {"hexfloat_of_a_format_is_that_before_it_is_converted", "a.f32", BYTES("1.00390625000000000000000000001\n"),
     .options = {.format = &FORMAT_BINARY32, .convert = &FORMAT_BFLOAT16}, .n = 1, .values = {1},
     .format = &FORMAT_BFLOAT16},
    {"csv_of_binary16", "a.csv", BYTES("x\n0.1\n"), .options.format = &FORMAT_BINARY16, .n = 1, .values = {0x1.998p-4},
     .format = &FORMAT_BINARY16},
    {"hexfloat_underflow_is_zero", "a.f32", BYTES("0x1p-151\n-0x1p-151\n"), .n = 2, .values = {0, -0.0f}},
    {"hexfloat_crlf_and_byte_order_mark", "a.hex", BYTES("\xEF\xBB\xBF# a\r\n1\r\n\r\n2\r\n"), .n = 2,
     .values = {1, 2}},
    {"hexfloat_keeps_specials", "a.f32", BYTES("nan\n-inf\nInfinity\n"), .options.nonfinite = NONFINITE_IEEE, .n = 3,
     .values = {NAN, -INFINITY, INFINITY}},

    {"csv_of_one_column_without_header", "a.csv", BYTES("1\n2\n"), .n = 2, .values = {1, 2}},
    {"csv_of_one_column_with_header", "a.csv", BYTES("x\n1\n2\n"), .n = 2, .values = {1, 2}},
    {"csv_header_of_an_underscore", "a.csv", BYTES("_1\n1\n"), .n = 1, .values = {1}},
    {"csv_header_that_a_letter_begins_and_a_digit_ends", "a.csv", BYTES("O3\n1\n"), .n = 1, .values = {1}},
    {"csv_header_with_a_point", "a.csv", BYTES("x.1\n1\n"), .n = 1, .values = {1}},
    {"csv_column_by_the_name_of_a_misspelt_number", "a.csv", BYTES("O.5\n1\n"), .options.column = "O.5", .n = 1,
     .values = {1}},
    {"csv_header_that_begins_like_a_missing_value", "a.csv", BYTES("nanometer\n1\n"), .n = 1, .values = {1}},
    {"csv_header_of_a_greek_letter", "a.csv", BYTES("\xCE\x94x\n1\n"), .n = 1, .values = {1}},
    {"csv_header_of_the_micro_sign", "a.csv", BYTES("\xC2\xB5g\n1\n"), .n = 1, .values = {1}},
    {"csv_column_by_the_name_of_a_missing_value", "a.csv", BYTES("Na\n1\n"), .options.column = "Na", .n = 1,
     .values = {1}},
    {"columns_with_a_quoted_header", "a.txt", BYTES("\"x\" y\n1 2\n"), .options = {.delimiter = ' ', .column = "1"},
     .n = 1, .values = {1}},
    {"csv_column_by_number_without_header", "a.csv", BYTES("9,1\n9,2\n"), .options.column = "2", .n = 2,
     .values = {1, 2}},
    {"csv_column_by_number_behind_a_header", "a.csv", BYTES("d,x\n9,1\n9,2\n"), .options.column = "2", .n = 2,
     .values = {1, 2}},
    {"csv_column_by_name", "a.csv", BYTES("d, \"c o2\" \nz,1\nz,2\n"), .options.column = "c o2", .n = 2,
     .values = {1, 2}},
    {"csv_name_that_starts_with_a_digit", "a.csv", BYTES("1st,x\n1,z\n"), .options.column = "1st", .n = 1,
     .values = {1}},
    {"csv_of_semicolons", "a.csv", BYTES("\"a;1\";b,c\n1;2\n3;4\n"), .options.delimiter = ';', .options.column = "b,c",
     .n = 2, .values = {2, 4}},
    {"csv_of_tabs", "a.csv", BYTES("1\t2\n3\t4\n"), .options.delimiter = '\t', .options.column = "1", .n = 2,
     .values = {1, 3}},
    {"csv_name_with_a_comma", "a.csv", BYTES("a,\"b, c\"\n1,2\n"), .options.column = "b, c", .n = 1, .values = {2}},
    {"csv_header_with_an_empty_name", "a.csv", BYTES(",x\n1,z\n2,z\n"), .options.column = "1", .n = 2,
     .values = {1, 2}},
    {"csv_first_row_of_numbers_with_a_missing_one", "a.csv", BYTES(",5\n1,6\n"),
     .options = {.nonfinite = NONFINITE_SKIP, .column = "1"}, .n = 1, .values = {1}},
    {"csv_crlf", "a.csv", BYTES("x\r\n1\r\n\r\n2\r\n"), .n = 2, .values = {1, 2}},
    {"csv_byte_order_mark_before_a_number", "a.csv",
     BYTES("\xEF\xBB\xBF"
           "1\n2\n"),
     .n = 2, .values = {1, 2}},
    {"csv_byte_order_mark_before_a_name", "a.csv", BYTES("\xEF\xBB\xBFx,y\n1,2\n"), .options.column = "x", .n = 1,
     .values = {1}},
    {"csv_quoted_fields", "a.csv", BYTES("\"a,b\",\"say \"\"x\"\"\"\n\"1\n\",\" 2 \"\n"), .options.column = "say \"x\"",
     .n = 1, .values = {2}},
    {"csv_blanks_around_numbers", "a.csv", BYTES("x\n 1 \n\t2\t\n   \n"), .n = 2, .values = {1, 2}},
    {"csv_last_line_without_newline_is_read", "a.csv", BYTES("x\n1\n2"), .n = 2, .values = {1, 2}},
    {"csv_hex_floats", "a.csv", BYTES("0x1.8p+3\n"), .n = 1, .values = {12}},
    {"csv_bad_words_in_another_column", "a.csv", BYTES("d,x\nz,1\n1e99,2\n"), .options.column = "x", .n = 2,
     .values = {1, 2}},
    {"csv_missing_values_are_skipped", "a.csv", BYTES("d,x\n1,1\n2,\n3\n4,\"\"\n5,2\n"),
     .options = {.nonfinite = NONFINITE_SKIP, .column = "x"}, .n = 2, .values = {1, 2}},
    {"csv_words_for_missing_values_are_skipped", "a.csv",
     BYTES("x\n1\nNA\nna\nNa\nN/A\nn/a\nnull\nNULL\n Null \n\"NA\"\n2\n"), .options.nonfinite = NONFINITE_SKIP, .n = 2,
     .values = {1, 2}},
    {"csv_words_for_missing_values_are_nan", "a.csv", BYTES("x\n1\nNA\nn/a\nnull\n2\n"),
     .options.nonfinite = NONFINITE_IEEE, .n = 5, .values = {1, NAN, NAN, NAN, 2}},
    {"csv_missing_values_are_nan", "a.csv", BYTES("d,x\n1,1\n2, \n3\n4,2\n"),
     .options = {.nonfinite = NONFINITE_IEEE, .column = "x"}, .n = 4, .values = {1, NAN, NAN, 2}},
    {"csv_ending_in_capitals", "A.CSV", BYTES("x\n1\n"), .n = 1, .values = {1}},

    {"npy_of_an_integer_that_is_converted", "a.npy", TYPE_NPY("<i8", "2"), BYTES("\1\0\0\0\0\0\x20\0\1\0\0\0\0\0\0\0"),
     .options.convert = &FORMAT_BINARY64, .n = 2, .values = {0x1p53, 1}, .format = &FORMAT_BINARY64},
    {"npy_of_an_integer_that_is_rounded_once", "a.npy", TYPE_NPY("<i8", "1"), /* 2^60 + 2^36 + 1, a tie but for 1 */
     BYTES("\1\0\0\0\x10\0\0\x10"), .options.convert = &FORMAT_BINARY32, .n = 1, .values = {0x1.000002p60}},
    {"safetensors_of_bfloat16", "a.safetensors", BYTES(SAFETENSORS), .options.array = "w", .n = 2, .values = {1, 2},
     .format = &FORMAT_BFLOAT16},
    {"safetensors_of_e4m3", "a.safetensors", BYTES(SAFETENSORS), .options.array = "e", .n = 2, .values = {1, 448},
     .format = &FORMAT_E4M3},
    {"npy_of_the_second_column", "a.npy", GOOD_NPY("(2, 2)"), BYTES(ONE TWO THREE "\0\0\x80\x40"),
     .options = {.axis = "0", .sum = 1}, .n = 2, .values = {2, 4}},
    {"npy_of_the_second_row", "a.npy", GOOD_NPY("(2, 2)"), BYTES(ONE TWO THREE "\0\0\x80\x40"),
     .options = {.axis = "-1", .sum = 1}, .n = 2, .values = {3, 4}},
    {"npy_of_the_second_column_in_fortran_order", "a.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}",
     BYTES(ONE TWO THREE "\0\0\x80\x40"), .options = {.axis = "0", .sum = 1}, .n = 2, .values = {3, 4}},
    {"npy_of_the_middle_of_three_axes", "a.npy", TYPE_NPY("|u1", "2, 2, 2"), BYTES("\1\2\3\4\5\6\7\10"),
     .options = {.axis = "1", .sum = 3}, .n = 2, .values = {6, 8}},
    {"npy_of_all_axes", "a.npy", GOOD_NPY("(1, 2)"), BYTES(ONE TWO), .options.axis = "all", .n = 2, .values = {1, 2}},
    {"raw_of_binary64_that_is_said_to_be_binary32", "a.bin", BYTES(ONE_64 ONE_64), .options.format = &FORMAT_BINARY32,
     .n = 4, .values = {0, 1.875, 0, 1.875}},
    {"text_with_decimal_commas", "a.txt", BYTES("1,5\n-,25e1\n2\n"), .options.decimal = ',', .n = 3,
     .values = {1.5, -2.5, 2}},
    {"text_with_marks_of_thousands", "a.txt", BYTES("1,234\n-1,234,567.5\n12345\n"), .options.thousands = ',', .n = 3,
     .values = {1234, -1234567.5, 12345}},
    {"text_with_both_marks", "a.txt",
     BYTES("1\xc2\xa0"
           "234,5\n1 000\n"),
     .options = {.decimal = ',', .thousands = ' '}, .n = 2, .values = {1234.5, 1000}},
    {"text_with_exponents_of_fortran", "a.dat", BYTES("1.5D0\n2d+01\n0x1d\n"), .n = 3, .values = {1.5, 20, 29}},
    {"text_of_columns_between_blanks", "a.txt", BYTES("# t x\n 1\t2   3 # c\n\n4 5 6"),
     .options = {.delimiter = ' ', .column = "2"}, .n = 2, .values = {2, 5}},
    {"tsv_of_tabs", "a.tsv", BYTES("t\tx\n1\t2\n"), .options.column = "x", .n = 1, .values = {2}},
    {"csv_of_semicolons_with_decimal_commas", "a.csv", BYTES("1,5;2,5\n"),
     .options = {.delimiter = ';', .decimal = ',', .column = "2"}, .n = 1, .values = {2.5}},
};

static void assert_same_numbers(const struct dataset *data, const float *expected, uint64_t n)
{
    assert_int_equal(data->n, n);
    assert_int_equal(data->format->precision, 24);
    for (uint64_t i = 0; i < n; i++) {
        const float found = ((const float *)data->x)[i];
        if (!float_same(found, expected[i]))
            fail_msg("element %ju is %a; expected %a", (uintmax_t)i, (double)found, (double)expected[i]);
    }
}

static void assert_same_values(const struct dataset *data, const struct format *format, const double *expected,
                               uint64_t n)
{
    assert_int_equal(data->n, n);
    assert_string_equal(data->format->name, format->name);
    for (uint64_t i = 0; i < n; i++) {
        const double found = held_number(format, data->x, i);
        if (double_bits(found) != double_bits(expected[i]) && !(isnan(found) && isnan(expected[i])))
            fail_msg("element %ju is %a; expected %a", (uintmax_t)i, found, expected[i]);
    }
}

static void good_file_is_read(void **state)
{
    const struct sample *sample = *state;
    const struct path path = put_sample(sample);
    struct heard heard;
    struct dataset data;
    const enum status status = read_and_listen(path.text, &sample->options, &data, &heard);
    assert_string_equal(heard.text, "");
    assert_int_equal(status, OK);
    assert_same_values(&data, sample->format ? sample->format : &FORMAT_BINARY32, sample->values, sample->n);
    free(data.x);
}

/* ---- the tests of the tests ---- */

static void complaint_check_sees_each_fault(void **state)
{
    (void)state;
    const char *const words[WORDS_MOST] = {"found", "expected"};
    const char *good = "ulpscope: a.f32:3: found; expected; do\n";
    assert_null(complaint_fault(good, "a.f32:3: ", words));
    assert_non_null(complaint_fault(good, "a.f32:4: ", words));
    assert_non_null(complaint_fault(good, "a.f32: ", (const char *const[WORDS_MOST]){"lost"}));
    assert_non_null(complaint_fault("ulpscope: a.f32:3: found; expected\n", "a.f32:3: ", words));
    assert_non_null(complaint_fault("ulpscope: a.f32:3: found; expected; do\ntwice\n", "a.f32:3: ", words));
    assert_non_null(complaint_fault("a.f32:3: found; expected; do\n", "a.f32:3: ", words));
    assert_non_null(complaint_fault("", "a.f32:3: ", words));
}

static void there_are_at_least_100_bad_files_with_names_of_their_own(void **state)
{
    (void)state;
    enum { BAD = sizeof bad_files / sizeof *bad_files };
    assert_true(BAD >= 100);
    for (size_t i = 0; i < BAD; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(bad_files[i].fact, bad_files[j].fact);
}

/* ---- round trips ---- */

static const char *const endings[] = {"x.npy", "x.csv", "x.f32", "x.hex", "x.txt", "x.raw", "x.bin"};
enum { ENDINGS = sizeof endings / sizeof *endings, NUMBERS = 5000 };

static float *finite_numbers_of_all_sizes(void)
{
    static const float chosen[] = {0,        -0.0f, 0x1p-149f, -0x1.fffffcp-127f, FLT_MIN, FLT_MAX,
                                   -FLT_MAX, 0.1f,  1e10f,     16777216};
    enum { CHOSEN = sizeof chosen / sizeof *chosen };
    float *x = malloc(NUMBERS * sizeof *x);
    assert_non_null(x);
    memcpy(x, chosen, sizeof chosen);
    uint32_t bits = 1;
    for (size_t i = CHOSEN; i < NUMBERS;) {
        bits = bits * 1664525u + 1013904223u; /* Numerical Recipes' generator: every pattern comes up */
        x[i] = float_from_bits(bits);
        i += isfinite(x[i]) ? 1 : 0;
    }
    return x;
}

static void written_numbers_read_back_bit_for_bit(void **state)
{
    (void)state;
    float *x = finite_numbers_of_all_sizes();
    const struct file_options options = {0};
    for (size_t e = 0; e < ENDINGS; e++) {
        const struct path path = in_folder(endings[e]);
        struct dataset data, written = {.format = &FORMAT_BINARY32, .x = x, .n = NUMBERS};
        assert_int_equal(file_write(path.text, &written, "a comment\nof two lines"), OK);
        assert_int_equal(file_read(path.text, &options, &data), OK);
        assert_same_numbers(&data, x, NUMBERS);
        free(data.x);
    }
    free(x);
}

/* Every number of a format of 8 or 16 bits, many of the others, NaN and infinities too; and the same bits again. */
static void every_format_is_written_and_read_back(void **state)
{
    (void)state;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const struct format *format = NUMBER_FORMATS[f];
        const uint64_t n = format->bytes == 1 ? 256 : 65536;
        const unsigned shift = format->bytes > 2 ? 8 * (format->bytes - 2) : 0;
        struct dataset written = {.format = format, .x = malloc(n * sizeof(double)), .n = n};
        assert_non_null(written.x);
        for (uint64_t i = 0; i < n; i++)
            held_set(format, written.x, i, format_value(format, i << shift | (i * 40503 & ((1u << shift / 2) - 1))));
        for (size_t e = 0; e < ENDINGS; e++) {
            const struct path path = in_folder(endings[e]);
            const struct file_options options = {.nonfinite = NONFINITE_IEEE, .format = format};
            struct dataset data;
            assert_int_equal(file_write(path.text, &written, "a comment"), OK);
            assert_int_equal(file_read(path.text, &options, &data), OK);
            assert_int_equal(data.n, n);
            assert_string_equal(data.format->name, format->name);
            for (uint64_t i = 0; i < n; i++)
                assert_true(format_same(format, format_bits(format, held_number(format, data.x, i)),
                                        format_bits(format, held_number(format, written.x, i))));
            dataset_free(&data);
        }
        dataset_free(&written);
    }
}

/* Not by its bits: what is binary32 and looks like TF32 stays binary32. */
static void numbers_are_tf32_where_somebody_says_so(void **state)
{
    enum { N = 64 };
    float x[N];
    static const char *const names[] = {"tf32.raw", "tf32.npy"};
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)(1024 + i * 37 % 1024) * 0x1p-10f;
    for (size_t e = 0; e < 2; e++) {
        const struct path path = in_folder(names[e]);
        const struct file_options as_tf32 = {.format = &FORMAT_TF32}, rounded = {.convert = &FORMAT_TF32};
        struct dataset data, written = {.format = &FORMAT_BINARY32, .x = x, .n = N};
        x[1] = 0.5f;
        assert_int_equal(file_write(path.text, &written, NULL), OK);
        assert_int_equal(file_read(path.text, &(struct file_options){0}, &data), OK);
        assert_string_equal(data.format->name, "binary32");
        dataset_free(&data);
        assert_int_equal(file_read(path.text, &as_tf32, &data), OK);
        assert_true(is_format(data.format, &FORMAT_TF32) && data.n == N &&
                    held_number(data.format, data.x, 2) == (double)x[2]);
        dataset_free(&data);
        assert_int_equal(file_read(path.text, &rounded, &data), OK);
        assert_true(is_format(data.format, &FORMAT_TF32) && data.conversion.changed == 0);
        dataset_free(&data);
        x[1] = 0.5f + 0x1p-12f; /* the twins: a tie, one bit below those that TF32 has */
        assert_int_equal(file_write(path.text, &written, NULL), OK);
        assert_int_equal(file_read(path.text, &as_tf32, &data), BAD_INPUT);
        assert_int_equal(file_read(path.text, &rounded, &data), OK);
        assert_true(data.conversion.changed == 1 && data.conversion.cost == 0x1p-12 &&
                    held_number(data.format, data.x, 1) == 0.5);
        dataset_free(&data);
    }
}

/* By hand: binary64 to binary16, half to even, a subnormal half, one to 0, one beyond. */
static void conversion_says_what_it_cost(void **state)
{
    (void)state;
    double x[] = {1 + 0x1p-11, 2, 0x1.8p-24, 0x1p-25, -70000};
    const struct path path = in_folder("convert.npy");
    struct dataset data, written = {.format = &FORMAT_BINARY64, .x = x, .n = 4};
    assert_int_equal(file_write(path.text, &written, NULL), OK);
    assert_int_equal(file_read(path.text, &(struct file_options){.convert = &FORMAT_BINARY16}, &data), OK);
    assert_same_values(&data, &FORMAT_BINARY16, (const double[]){1, 2, 0x1p-23, 0}, 4);
    assert_string_equal(data.conversion.from->name, "binary64");
    assert_true(data.conversion.changed == 3 && data.conversion.underflowed == 1 && data.conversion.overflowed == 0);
    assert_true(data.conversion.cost == 0x1p-11); /* 2^-11 - 2^-25 + 2^-25 */
    assert_true(data.conversion.relative_cost == nextafter(0x1p-11 / (3 + 0x1p-11 + 0x1p-23), 1) ||
                data.conversion.relative_cost == 0x1p-11 / (3 + 0x1p-11 + 0x1p-23));
    dataset_free(&data);
    written.n = 5;
    assert_int_equal(file_write(path.text, &written, NULL), OK);
    struct file_options options = {.nonfinite = NONFINITE_IEEE, .convert = &FORMAT_BINARY16};
    assert_int_equal(file_read(path.text, &options, &data), OK);
    assert_true(data.n == 5 && data.conversion.overflowed == 1 && isinf(data.conversion.cost));
    dataset_free(&data);
    options.nonfinite = NONFINITE_SKIP;
    assert_int_equal(file_read(path.text, &options, &data), OK);
    assert_true(data.n == 4 && data.left_out == 1 && data.conversion.cost == 0x1p-11);
    dataset_free(&data);
    options.convert = &FORMAT_BINARY64; /* the twin: nothing is lost */
    assert_int_equal(file_read(path.text, &options, &data), OK);
    assert_true(data.n == 5 && data.conversion.changed == 0 && data.conversion.cost == 0 &&
                data.conversion.relative_cost == 0);
    dataset_free(&data);
}

static const float specials[] = {1, NAN, INFINITY, -INFINITY, 2};
enum { SPECIALS = sizeof specials / sizeof *specials };

static struct path write_specials(const char *name)
{
    const struct path path = in_folder(name);
    const struct dataset data = {.format = &FORMAT_BINARY32, .x = (void *)specials, .n = SPECIALS};
    assert_int_equal(file_write(path.text, &data, NULL), OK);
    return path;
}

static void specials_are_kept_by_ieee_in_every_format(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENDINGS; e++) {
        struct dataset data;
        const struct path path = write_specials(endings[e]);
        assert_int_equal(file_read(path.text, &(struct file_options){.nonfinite = NONFINITE_IEEE}, &data), OK);
        assert_same_numbers(&data, specials, SPECIALS);
        free(data.x);
    }
}

static void specials_are_left_out_by_skip_in_every_format(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENDINGS; e++) {
        struct dataset data;
        const struct path path = write_specials(endings[e]);
        assert_int_equal(file_read(path.text, &(struct file_options){.nonfinite = NONFINITE_SKIP}, &data), OK);
        assert_same_numbers(&data, (const float[]){1, 2}, 2);
        assert_int_equal(data.left_out, SPECIALS - 2);
        free(data.x);
    }
}

static void specials_are_refused_in_every_format_and_the_first_is_named(void **state)
{
    (void)state;
    static const char *const lines[ENDINGS] = {"", ":3", ":2", ":2", ":2", "", ""};
    const char *const words[WORDS_MOST] = {"3 of its 5 elements are not finite (nan: 1, inf: 2, missing: 0)",
                                           "element 1 (from 0), nan"};
    for (size_t e = 0; e < ENDINGS; e++) {
        struct dataset data;
        struct heard heard;
        char place[PATH_SIZE + 8];
        const struct path path = write_specials(endings[e]);
        snprintf(place, sizeof place, "%s%s: ", path.text, lines[e]);
        assert_int_equal(
            read_and_listen(path.text, &(struct file_options){.nonfinite = NONFINITE_REFUSE}, &data, &heard),
            BAD_INPUT);
        assert_complaint(heard.text, place, words);
        assert_null(data.x);
    }
}

/* ---- what is written ---- */

#define BLANKS_20 "                    "

static void npy_is_byte_for_byte_what_numpy_saves(void **state)
{
    (void)state;
    static const char numpy_3[] =
        "\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" BLANKS_20 BLANKS_20 BLANKS_20
        "\n" ONE TWO THREE;
    float x[] = {1, 2, 3};
    const struct path path = in_folder("numpy.npy");
    assert_int_equal(
        file_write(path.text, &(struct dataset){.format = &FORMAT_BINARY32, .x = x, .n = 3}, "not for .npy"), OK);
    assert_file_holds(path.text, numpy_3, sizeof numpy_3 - 1);
}

static void text_is_written_as_documented(void **state)
{
    (void)state;
    static const char hexfloat[] = "# source\n# \n# command\n0x1.8p+3\n-0x1p-149\n0x1.99999ap-4\n-0x0p+0\n";
    static const char csv[] = "x\n12\n-1e-45\n0.1\n-0\n";
    float x[] = {12, -0x1p-149f, 0.1f, -0.0f};
    const struct dataset data = {.format = &FORMAT_BINARY32, .x = x, .n = 4};
    const struct path f32 = in_folder("written.f32"), table = in_folder("written.csv");
    assert_int_equal(file_write(f32.text, &data, "source\n\ncommand\n"), OK);
    assert_file_holds(f32.text, hexfloat, sizeof hexfloat - 1);
    assert_int_equal(file_write(table.text, &data, "a \"source\", 1\nnot for .csv"), OK);
    assert_file_holds(table.text, csv, sizeof csv - 1);
}

/* A .csv does not say its format. */
static void csv_of_16_bits_has_the_same_numbers_for_who_takes_them_for_binary32(void **state)
{
    (void)state;
    float x[] = {0x1.998p-4f, 65504, 0x1p-24f};
    struct dataset data;
    const struct path path = in_folder("half.csv");
    assert_int_equal(file_write(path.text, &(struct dataset){.format = &FORMAT_BINARY16, .x = x, .n = 3}, NULL), OK);
    for (int said = 0; said < 2; said++) {
        const struct file_options options = {.format = said ? &FORMAT_BINARY16 : NULL};
        assert_int_equal(file_read(path.text, &options, &data), OK);
        assert_memory_equal(data.x, x, sizeof x);
        dataset_free(&data);
    }
}

static void raw_is_written_little_endian(void **state)
{
    (void)state;
    float x[] = {1, 2};
    const struct path path = in_folder("written.raw");
    assert_int_equal(file_write(path.text, &(struct dataset){.format = &FORMAT_BINARY32, .x = x, .n = 2}, NULL), OK);
    assert_file_holds(path.text, ONE TWO, 8);
}

static void comment_line_of_any_length_reads_back(void **state)
{
    (void)state;
    static char comment[10000];
    memset(comment, 'c', sizeof comment - 1);
    float x[] = {1};
    struct dataset data;
    const struct path path = in_folder("comment.f32");
    assert_int_equal(file_write(path.text, &(struct dataset){.format = &FORMAT_BINARY32, .x = x, .n = 1}, comment), OK);
    assert_int_equal(file_read(path.text, &(struct file_options){0}, &data), OK);
    assert_same_numbers(&data, x, 1);
    free(data.x);
}

static void writing_what_could_not_be_read_back_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"none.npy", "none.csv", "none.f32", "none.raw", "none.dot", "none"};
    float x[] = {1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct heard heard;
        const struct path path = in_folder(names[i]);
        char place[PATH_SIZE + 8];
        snprintf(place, sizeof place, "%s: ", path.text);
        heard = listen_to_stderr();
        const enum status status =
            file_write(path.text, &(struct dataset){.format = &FORMAT_BINARY32, .x = x, .n = i < 4 ? 0 : 1}, NULL);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
        assert_complaint(heard.text, place, (const char *const[WORDS_MOST]){i < 4 ? "no number to write" : ".npy"});
        assert_int_equal(access(path.text, F_OK), -1);
    }
}

/* ---- files too large for the tables ---- */

static enum status read_repeated(const char *name, const char *before, char c, size_t times, const char *after,
                                 struct dataset *data, struct heard *heard)
{
    const struct path path = in_folder(name);
    FILE *file = fopen(path.text, "w");
    assert_non_null(file);
    fputs(before, file);
    for (size_t i = 0; i < times; i++)
        putc(c, file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
    return read_and_listen(path.text, &(struct file_options){.column = strstr(name, ".csv") ? "1" : NULL}, data, heard);
}

static void hexfloat_line_of_4095_characters_is_the_longest(void **state)
{
    (void)state;
    struct dataset data;
    struct heard heard;
    assert_int_equal(read_repeated("long.f32", "1\n", ' ', 4094, "2\n", &data, &heard), OK);
    assert_same_numbers(&data, (const float[]){1, 2}, 2);
    free(data.x);
    assert_int_equal(read_repeated("long.f32", "1\n", ' ', 4095, "2\n", &data, &heard), BAD_INPUT);
    assert_non_null(strstr(heard.text, "long.f32:2: is longer than 4095 characters; "));
}

static void csv_long_field_is_refused_where_its_quote_opens(void **state)
{
    (void)state;
    struct dataset data;
    struct heard heard;
    assert_int_equal(read_repeated("long.csv", "x,y\n1,\"", 'a', 65536, "\"\n", &data, &heard), OK);
    assert_same_numbers(&data, (const float[]){1}, 1);
    free(data.x);
    assert_int_equal(read_repeated("long.csv", "x,y\n1,\"", '\n', 200000, "\"\n", &data, &heard), BAD_INPUT);
    assert_non_null(strstr(heard.text, "long.csv:2: a field of more than 65536 bytes starts here; "));
}

static void csv_of_65536_columns_is_the_widest(void **state)
{
    (void)state;
    struct dataset data;
    struct heard heard;
    assert_int_equal(read_repeated("wide.csv", "7", ',', 65535, "\n", &data, &heard), OK);
    assert_same_numbers(&data, (const float[]){7}, 1);
    free(data.x);
    assert_int_equal(read_repeated("wide.csv", "7", ',', 65536, "\n", &data, &heard), BAD_INPUT);
    assert_non_null(strstr(heard.text, "wide.csv:1: has more than 65536 fields; "));
}

static void npy_header_of_65535_bytes_is_the_longest(void **state)
{
    (void)state;
    for (size_t length = 65535; length <= 65536; length++) {
        const struct path path = in_folder("header.npy");
        FILE *file = fopen(path.text, "w");
        assert_non_null(file);
        fwrite("\x93NUMPY\2\0", 1, 8, file);
        fwrite(&(uint32_t){(uint32_t)length}, 4, 1, file);
        fprintf(file, "%*s", (int)length, GOOD_NPY("(1,)"));
        fwrite(ONE, 1, 4, file);
        assert_int_equal(fclose(file), 0);
        struct dataset data;
        struct heard heard;
        assert_int_equal(read_and_listen(path.text, &(struct file_options){0}, &data, &heard),
                         length == 65535 ? OK : BAD_INPUT);
        assert_true(!strstr(heard.text, "65536 bytes; expected at most 65535") == (length == 65535));
        free(data.x);
    }
}

/* Rows of 14 bytes do not fit evenly into the reader's chunks of 65536: fields and lines are cut in the middle. */
static void csv_is_read_across_its_chunks(void **state)
{
    (void)state;
    enum { ROWS = 20000, BAD_ROW = 15000 };
    for (int bad = 0; bad <= 1; bad++) {
        const struct path path = in_folder("chunks.csv");
        FILE *file = fopen(path.text, "w");
        assert_non_null(file);
        fputs("text,x\n", file);
        for (int i = 0; i < ROWS; i++)
            fprintf(file, bad && i == BAD_ROW ? "\"a,\",%07dz\n" : "\"a,\",%07d\n", i);
        assert_int_equal(fclose(file), 0);
        struct dataset data;
        struct heard heard;
        const enum status status = read_and_listen(path.text, &(struct file_options){.column = "x"}, &data, &heard);
        assert_int_equal(status, bad ? BAD_INPUT : OK);
        if (bad)
            assert_non_null(strstr(heard.text, "chunks.csv:15002: \"0015000z\" has something after"));
        assert_int_equal(data.n, bad ? 0 : ROWS);
        for (uint64_t i = 0; i < data.n; i++)
            assert_true(((const float *)data.x)[i] == (float)i);
        free(data.x);
    }
}

/* ---- what is no file ---- */

static void assert_refused(const char *name, const char *word)
{
    const struct path path = in_folder(name);
    struct dataset data;
    struct heard heard;
    char place[PATH_SIZE + 8];
    snprintf(place, sizeof place, "%s: ", path.text);
    assert_int_equal(read_and_listen(path.text, &(struct file_options){0}, &data, &heard), BAD_INPUT);
    assert_complaint(heard.text, place, (const char *const[WORDS_MOST]){word});
}

static void file_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_refused("nowhere.npy", "No such file");
}

static void folder_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("folder.npy").text, 0700), 0);
    assert_refused("folder.npy", "is a folder");
}

static void pipe_is_refused_and_not_waited_for(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe.csv").text, 0600), 0);
    assert_refused("pipe.csv", "is a pipe");
}

static void dot_in_a_folder_name_is_no_ending(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("a.npy.d").text, 0700), 0);
    assert_refused("a.npy.d/numbers", "without an ending");
}

/* ---- the list ---- */

/* A file with an axis stays open between two sums, unless it was written a moment ago. */
static void file_that_stays_open_is_opened_anew_when_it_changes(void **state)
{
    (void)state;
    const struct path path = in_folder("kept.npy");
    const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    for (int change = 0; change < 3; change++)
        for (uint64_t sum = 0; sum < 2; sum++) {
            float x[] = {1 + 10 * (float)change, 2, 3, 4 + 10 * (float)change};
            const struct dataset array = {.format = &FORMAT_BINARY32, .x = x, .n = 4};
            const struct file_options options = {.axis = "0", .sum = sum};
            struct dataset data;
            if (sum == 0)
                assert_int_equal(file_write_shaped(path.text, &array, NULL, "2, 2"), OK);
            if (sum == 0 && change < 2)
                assert_int_equal(utimensat(AT_FDCWD, path.text, past, 0), 0);
            assert_int_equal(file_read(path.text, &options, &data), OK);
            assert_int_equal(data.n, 2);
            assert_true(((const float *)data.x)[0] == x[sum] && ((const float *)data.x)[1] == x[2 + sum]);
            dataset_free(&data);
        }
}

static const struct CMUnitTest facts[] = {
    cmocka_unit_test(complaint_check_sees_each_fault),
    cmocka_unit_test(there_are_at_least_100_bad_files_with_names_of_their_own),
    cmocka_unit_test(written_numbers_read_back_bit_for_bit),
    cmocka_unit_test(every_format_is_written_and_read_back),
    cmocka_unit_test(numbers_are_tf32_where_somebody_says_so),
    cmocka_unit_test(conversion_says_what_it_cost),
    cmocka_unit_test(specials_are_kept_by_ieee_in_every_format),
    cmocka_unit_test(specials_are_left_out_by_skip_in_every_format),
    cmocka_unit_test(specials_are_refused_in_every_format_and_the_first_is_named),
    cmocka_unit_test(npy_is_byte_for_byte_what_numpy_saves),
    cmocka_unit_test(text_is_written_as_documented),
    cmocka_unit_test(csv_of_16_bits_has_the_same_numbers_for_who_takes_them_for_binary32),
    cmocka_unit_test(raw_is_written_little_endian),
    cmocka_unit_test(comment_line_of_any_length_reads_back),
    cmocka_unit_test(writing_what_could_not_be_read_back_is_refused),
    cmocka_unit_test(hexfloat_line_of_4095_characters_is_the_longest),
    cmocka_unit_test(csv_long_field_is_refused_where_its_quote_opens),
    cmocka_unit_test(csv_of_65536_columns_is_the_widest),
    cmocka_unit_test(npy_header_of_65535_bytes_is_the_longest),
    cmocka_unit_test(csv_is_read_across_its_chunks),
    cmocka_unit_test(file_that_is_not_there_is_refused),
    cmocka_unit_test(folder_is_refused),
    cmocka_unit_test(pipe_is_refused_and_not_waited_for),
    cmocka_unit_test(dot_in_a_folder_name_is_no_ending),
    cmocka_unit_test(file_that_stays_open_is_opened_anew_when_it_changes),
};

enum {
    FACTS = sizeof facts / sizeof *facts,
    BAD_FILES = sizeof bad_files / sizeof *bad_files,
    GOOD_FILES = sizeof good_files / sizeof *good_files,
    TESTS = FACTS + BAD_FILES + GOOD_FILES,
};

static struct CMUnitTest test_of_sample(CMUnitTestFunction test, const struct sample *sample)
{
    return (struct CMUnitTest){.name = sample->fact, .test_func = test, .initial_state = (void *)(uintptr_t)sample};
}

int main(void)
{
    static struct CMUnitTest tests[TESTS];
    size_t count = 0;
    for (size_t i = 0; i < FACTS; i++)
        tests[count++] = facts[i];
    for (size_t i = 0; i < BAD_FILES; i++)
        tests[count++] = test_of_sample(bad_file_is_refused, &bad_files[i]);
    for (size_t i = 0; i < GOOD_FILES; i++)
        tests[count++] = test_of_sample(good_file_is_read, &good_files[i]);
    return cmocka_run_group_tests_name("files", tests, make_folder, remove_folder);
}
