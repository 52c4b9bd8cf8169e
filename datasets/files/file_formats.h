/* Between file.c and the formats (npy.c, safetensors.c, csv.c, hexfloat.c, raw.c): what a reader is
 * given and where its numbers go (input.c).
 *
 *   enum status read_xyz(struct input *in)     from the start of in->file; input_add_text() for each number of a text,
 *                                              input_add_block() for all numbers of a binary file
 *   void write_xyz(FILE *file, data, label)    no need to check each fprintf: output_close() finds any error
 */
#pragma once

#include "datasets/spec.h"
#include "storage.h"

/* How a file was made; a binary file does not say it. */
struct label {
    const char *comment; /* lines; NULL: nothing is said */
    const char *shape;   /* of an array, "3, 4"; NULL: that of the data */
};

/* A text from a file, fit for a complaint: control characters as '?', cut after QUOTED_MOST bytes. */
enum { QUOTED_MOST = 40 };
struct quoted {
    char text[QUOTED_MOST + sizeof "..."];
};
struct quoted quote(const char *text);

/* What to do about a text that is no number, if it looks like one that others write: each way to read "1,234", or of "1
 * 2" that it is two columns; or NULL. */
struct advice {
    char text[400];
};
const char *advice_on_number(const struct file_options *options, const char *text, struct advice *advice);

/* A file that is being read. */
struct input {
    const char *path;
    const struct file_options *options;
    const struct consumer *consumer;
    FILE *file;
    uint64_t size;               /* bytes, by fstat: what sizes in a header are held to */
    uint64_t line;               /* the current one, from 1; 0 in a binary file */
    const struct format *format; /* of the numbers as the consumer gets them; NULL: it has not started */
    void *piece;                 /* the next numbers for the consumer, in_piece of them so far */
    size_t in_piece;
    uint64_t n;                         /* numbers so far, in_piece included */
    uint64_t rows, columns;             /* of a matrix whose shape stands in the file */
    struct axis_file *of_axis;          /* what is kept of a file with an axis (axis.c); NULL: nothing is */
    struct axis_lines *lines;           /* of numbers along an axis; NULL: they lie side by side */
    uint64_t left_out;                  /* NaN, Inf, missing ones and what the format cannot hold that were skipped */
    uint64_t first_left_out;            /* the first of them: its element */
    struct refused {                    /* at the end of the file, so that it can be said how many there are */
        uint64_t count, first, line;    /* of the first: its element, and in->line */
        struct quoted text;             /* of the first */
        const struct format *format;    /* that cannot hold it */
    } nonfinite, outside, inexact;      /* inexact: integers that the format does not have */
    uint64_t nans, infinities, missing; /* of nonfinite */
    bool is_unnamed;                    /* a binary file that is taken for one of binary32 */
    struct storage storage;             /* what the numbers of a text lost on reading, or any by options->convert */
};

/* Complains "path:line: ..." (or "path: ..." in a binary file) and returns BAD_INPUT. */
enum status refuse(const struct input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the next element, or does with it what options->nonfinite says.  *wrong is what is wrong with the text, or
 * NULL. */
enum status input_add_text(struct input *in, const char *text, const char **wrong);
enum status input_add_missing(struct input *in);

/* How a number lies in a binary file. */
struct stored {
    const struct format *format; /* NULL: an integer */
    unsigned bytes;
    bool is_signed, is_big_endian;
};

/* Along an axis: a file is taken, with its in->file if that is still open, read, and given back. */
struct axis_file *axis_file_take(struct input *in);
enum status axis_file_read(struct input *in);
void axis_file_give_back(struct axis_file *of, const struct input *in, bool is_read);
enum status axis_next(const struct input *in, void *to, size_t count);

/* Adds the `count` numbers of a binary file; the caller has compared count with the file's size.  Integers become
 * numbers of options->format, or else of binary32 up to 16 bits and of binary64 above, and are refused where it does
 * not have them. */
enum status input_add_block(struct input *in, const struct stored *stored, uint64_t count);

/* The reader is done: gives the consumer what waits in the piece, and says what became of the others. */
enum status input_end(struct input *in, struct dataset *data);
void input_free(struct input *in);

/* Exactly `bytes` bytes that in->size says are there. */
enum status input_read(const struct input *in, void *buffer, size_t bytes);

/* The file could not be read although it is there.  Complains and returns NOT_MEASURED. */
enum status input_failed(const struct input *in);

/* Text files may start with the three bytes of UTF-8's byte order mark; it says nothing and is passed over. */
void skip_byte_order_mark(FILE *file);

/* Cuts blanks off both ends, in place: read_float takes none. */
char *trim(char *text);

enum status read_npy(struct input *in);
enum status read_safetensors(struct input *in);
enum status read_csv(struct input *in);
enum status read_tsv(struct input *in);
enum status read_columns(struct input *in, char delimiter); /* where none is given */
enum status read_hexfloat(struct input *in);
enum status read_raw(struct input *in);

void write_npy(FILE *file, const struct dataset *data, const struct label *label);
void write_csv(FILE *file, const struct dataset *data, const struct label *label);
void write_hexfloat(FILE *file, const struct dataset *data, const struct label *label);
void write_raw(FILE *file, const struct dataset *data, const struct label *label);

#if !defined __BYTE_ORDER__ || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "input.c and raw.c copy little-endian numbers as they lie in memory; this machine needs a byte swap there"
#endif
