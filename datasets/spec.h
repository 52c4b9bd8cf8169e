/* A data spec names data: a family and its parameters, or a file; or two of them, for a product.
 *
 *   uniform:n=1024               uniform:n=1Ki..1Mi*32,low=-1      gensum:n=4096,cond=1e2..1e14*100
 *   gradients.npy                co2.csv:column=2                  values.raw:skip=16
 *   gradients.npz:layer1         model.safetensors:wte,axis=0      x.csv:delimiter=;,decimal=comma,thousands=point
 *   x.csv:delimiter=;            x.csv:column="co2, ppm"           x.csv:delimiter=tab
 *   path:n=1000,method=plain/tree_two_pass                         co2.csv:column=2,order=shuffled:7
 *
 * A word before the first ':' that is a family is that family; n is 4096 when it is not given, 256 of matrices.
 * Anything else is a file: its name has a '.' or a '/'; options follow the first ':' with the name of one behind it.
 * Both take order= (ordering.h), and format=bfloat16, the format of the numbers: of a family binary32 where it is not
 * given, of a file its own; convert=bfloat16 rounds those of a file to another.
 *
 * In quotes stands the name of any file, as the value of any option: "a:b=c.raw":skip=16.  There "" is a quote, and
 * \\ \t \n \r \xff \u202e are what they are in C.  `text` has them around a name that would be read otherwise or could
 * not be shown, so that it is clean text (src/base/clean_text.h) of which any program makes the same file again.
 *
 * A::B is two vectors, of one format:
 *
 *   normal:n=1000::uniform:low=-1       x.npy::y.npy       x.csv:column=1::x.csv:column=2       "odd::name.raw"::y.raw
 *
 * The first "::" outside of quotes is between them, so a name or a value with "::" in it stands in quotes.  A may
 * sweep. A family B has no n and no sweep: it has as many numbers as A, and its own random stream
 * (generator_second_family). Neither takes order=, which would part pairs; convert= is of both files or of neither.
 *
 * Two matrices of a product, rows x n and n x columns, are written in the same way, or as one family for both:
 *
 *   uniform:n=1Ki,rows=300,columns=17     normal:n=256,rows=64::lognormal:columns=9     a.npy::b.raw:columns=4
 *   zeros:n=64                            a family of pairs of matrices
 *
 * rows= is of A, columns= of B; of a family both are n when they are not given.  An .npy has its shape, two dimensions.
 */
#pragma once

#include "generator.h"
#include "ordering.h"

/* What to do with NaN, Inf and missing values in a file. */
enum nonfinite {
    NONFINITE_REFUSE, /* an error that names the first */
    NONFINITE_IEEE,   /* keep them; a missing value is a NaN */
    NONFINITE_SKIP,   /* leave them out */
};

enum { FILE_BLANK = ' ' }; /* any blanks: as many as there are separate two fields once */

/* The results along an axis of an array, numbered in C order of its other axes, as NumPy has them; or the matrices of a
 * batch. */
enum { SHAPE_TEXT = 256 };
struct file_sums {
    uint64_t count;
    char shape[SHAPE_TEXT]; /* of the other axes: "3, 4", of one "3,", of none "" */
};

struct file_options {
    enum nonfinite nonfinite;
    char *array;                  /* of several in a file; NULL: the only one */
    char axis[4];                 /* of an array: "all", or which is summed, as NumPy counts; "": all */
    uint64_t sum;                 /* which of those along the axis, from 0 */
    struct file_sums *sums;       /* not NULL: is set to what there is of them */
    char *column;                 /* of a table: its number from 1, or its name; NULL: the only one */
    char delimiter;               /* of a table: between fields; 0: a comma, in a .txt FILE_BLANK */
    char decimal, thousands;      /* of numbers of a text: their marks; 0: a point, and none */
    uint64_t skip;                /* raw: bytes before the first number */
    bool is_matrix, is_second;    /* two dimensions, row after row; or no shape at all, and maybe no number; B of two */
    const struct format *format;  /* of the numbers; NULL: the file's own, and of text and raw ones binary32 */
    const struct format *convert; /* that they are rounded to; NULL: none */
};

bool axis_is_given(const struct file_options *options); /* and is not all */

enum data_kind {
    ONE_VECTOR,
    TWO_VECTORS,       /* of a dot product: A::B, or the pairs that a family such as gendot multiplies */
    TWO_MATRICES,      /* of a product: A, rows x n, and B, n x columns */
    VECTOR_IN_WINDOWS, /* one vector, and window=, of sums of so many neighbours */
};

struct data_spec {
    char *text;                        /* canonical; reading it again gives the same spec */
    const struct generator *generator; /* NULL: a file */
    uint64_t n;                        /* of a generator */
    const struct format *format;       /* likewise */
    bool n_given;                      /* else matrices have MATRIX_N */
    double values[PARAMETERS_MOST];    /* likewise */
    char *path;                        /* of a file; "-": the standard input */
    struct file_options options;       /* likewise */
    struct ordering ordering;
    struct data_spec *second; /* of A::B: B, whose n is that of A, or 0 where that is a file; NULL: there is none */
    uint64_t rows, columns;   /* of matrices, as they are given, columns= to B or, without B, to A; 0: they are not */
    uint64_t window;          /* of VECTOR_IN_WINDOWS: numbers in one; 0: not given */
    enum data_kind kind;      /* what dataset_make makes: ONE_VECTOR after reading */
};

/* Reads a spec and expands its sweeps, in the family's order of parameters (n is the first), the last one fastest.
 * `where` starts every complaint ("--data", "study.yaml:7").  *specs is allocated; free it with data_specs_free.
 * BAD_INPUT when the text is no spec. */
enum status data_specs_read(const char *text, const char *where, enum nonfinite nonfinite, struct data_spec **specs,
                            size_t *count);
void data_specs_free(struct data_spec *specs, size_t count);

/* Whether trial K is another sum, the K-th along an axis of an array, or matrix product, the K-th of a batch; and how
 * many there are.  BAD_INPUT where two arrays of a spec->kind that takes both have them of different shapes. */
bool data_spec_has_sums(const struct data_spec *spec);
enum status data_spec_sums(const struct data_spec *spec, struct file_sums *sums);

/* Where in such a shape the K-th is: "[3, 17]".  Allocated; NULL: the text is no shape. */
char *file_sums_index(const char *shape, uint64_t number);

/* The options of a file's spec, as they are written: each with a value, which may be any text or is a plain word. */
typedef void data_spec_option(void *context, const char *key, const char *value, bool is_text);
void data_spec_each_option(const struct data_spec *spec, data_spec_option *put, void *context);

/* The name of a file as data_specs_read takes it, whatever bytes it has; and the value of an option. */
void data_spec_append_file(struct text *to, const char *path);
void data_spec_append_value(struct text *to, const char *value);

/* How long the first vector's part of such a text is: up to the "::"; the whole text where there is one vector. */
size_t data_text_first(const char *text);

/* Such a text with format= (or convert=, which is of files) for each of its vectors that does not say it. */
char *data_text_in_format(const char *text, const struct format *format, bool converts);

/* What the data are to be.  BAD_INPUT when the spec cannot be that; `where` starts the complaint. */
enum status data_spec_set_kind(struct data_spec *spec, enum data_kind kind, const char *where);

/* Of a file, and of a second one: format=, or convert=, unless the spec has it already. */
void data_spec_set_format(struct data_spec *spec, const struct format *format, bool converts);

/* Whether the spec, or the .npy that it names, says what its numbers are stored in.  Of one that does not they are of
 * binary32. */
bool data_spec_says_format(const struct data_spec *spec);

/* What they are stored in; of an .npy its header says so, and of another file its first number must be there. */
enum status data_spec_stored_format(const struct data_spec *spec, const struct format **format);

/* The standard input, numbers as text, one per line: for callers that take data once.  data_specs_read refuses "-". */
struct data_spec *data_spec_of_standard_input(enum nonfinite nonfinite);

/* Whether trials of it are other numbers: of one vector at least. */
bool data_spec_is_random(const struct data_spec *spec);

/* Whether trial K > 0 is the K-th permutation from the seed: of data that no seed changes, in no order of their own. */
bool data_spec_permutes(const struct data_spec *spec);

/* Whether each element of a trial is a formula of its index; not of two vectors. */
bool data_spec_is_formula(const struct data_spec *spec, uint64_t trial);
