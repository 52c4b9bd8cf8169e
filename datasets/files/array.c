#include "array.h"

enum status array_extend(const struct input *in, struct array *array, uint64_t extent)
{
    if (array->dimensions == ARRAY_DIMENSIONS)
        return refuse(in, "its shape has more than %d dimensions; expected no more; reshape it in NumPy",
                      ARRAY_DIMENSIONS);
    array->extents[array->dimensions++] = extent;
    if (__builtin_mul_overflow(array->n, extent, &array->n))
        return refuse(in,
                      "the product of its shape is above 2^64; expected no more numbers than its %" PRIu64
                      " bytes; write the file again",
                      in->size);
    return OK;
}

enum status array_check_format(const struct input *in, struct array *array, const char *type)
{
    const struct format *format = in->options->format, *found = array->stored.format;
    const bool is_as_said = !format || !found || is_format(format_encoding(format), found);
    if (is_as_said && format && found)
        array->stored.format = format; /* a binary32 may be a TF32 */
    if (is_as_said)
        return OK;
    return refuse(in,
                  "its numbers are of type '%s', %s, and format=%s was given; expected the format of the file; leave "
                  "it out, or give convert=%s to have them rounded",
                  type, found->name, format->name, format->name);
}

/* "3, 4" */
struct shape_text {
    char text[100];
};

static struct shape_text shape_of(const struct array *array)
{
    struct shape_text shape = {""};
    size_t used = 0;
    for (unsigned d = 0; d < array->dimensions && used < sizeof shape.text - 24; d++)
        used += (size_t)snprintf(shape.text + used, sizeof shape.text - used, "%s%" PRIu64, d ? ", " : "",
                                 array->extents[d]);
    if (array->dimensions == 1)
        strcat(shape.text, ","); /* as Python writes it */
    return shape;
}

static enum status check_matrix(const struct input *in, const struct array *array)
{
    if (array->dimensions != 2)
        return refuse(in, "its shape is (%s); expected two dimensions of a matrix; reshape it in NumPy",
                      shape_of(array).text);
    if (array->is_fortran)
        return refuse(in,
                      "its numbers of shape (%s) stand column after column (Fortran order); expected row after row; "
                      "write it again with numpy.save(file, numpy.ascontiguousarray(x))",
                      shape_of(array).text);
    return OK;
}

/* How many numbers stand between two of an axis. */
static void strides_of(const struct array *array, uint64_t strides[ARRAY_DIMENSIONS])
{
    uint64_t stride = 1;
    for (unsigned i = 0; i < array->dimensions; i++) {
        const unsigned d = array->is_fortran ? i : array->dimensions - 1 - i;
        strides[d] = stride;
        stride *= array->extents[d];
    }
}

/* The numbers of one sum; sums are numbered in C order of the other axes, as NumPy has them. */
static enum status read_sum(struct input *in, const struct array *array)
{
    uint64_t strides[ARRAY_DIMENSIONS], number = in->options->sum, first = 0;
    const int given = atoi(in->options->axis), axis = given < 0 ? given + (int)array->dimensions : given;
    if (axis < 0 || axis >= (int)array->dimensions)
        return refuse(in,
                      "its shape is (%s), and axis=%d was given; expected one of its %u axes, from 0, or all; "
                      "correct it",
                      shape_of(array).text, given, array->dimensions);
    const uint64_t extent = array->extents[axis], sums = extent > 0 ? array->n / extent : 0;
    strides_of(array, strides);
    if (in->options->sums)
        *in->options->sums = sums;
    if (number >= sums)
        return refuse(in,
                      "its shape is (%s), of which axis=%d makes %" PRIu64 " sums, and trial %" PRIu64
                      " was asked for; expected a smaller one; the first is 0",
                      shape_of(array).text, given, sums, number);
    for (unsigned d = array->dimensions; d-- > 0;)
        if ((int)d != axis) {
            first += number % array->extents[d] * strides[d];
            number /= array->extents[d];
        }
    in->step = strides[axis];
    in->at = array->start + first * array->stored.bytes;
    return fseeko(in->file, (off_t)in->at, SEEK_SET) == 0 ? input_add_block(in, &array->stored, extent)
                                                          : input_failed(in);
}

enum status read_array(struct input *in, const struct array *array)
{
    const bool is_one_sum = *in->options->axis != '\0' && strcmp(in->options->axis, "all") != 0;
    if (is_one_sum && !in->options->is_matrix)
        return read_sum(in, array);
    if (*in->options->axis != '\0' && in->options->is_matrix)
        return refuse(in, "axis= was given of a matrix; expected the axis of sums; leave it out");
    if (in->options->is_matrix) {
        TRY(check_matrix(in, array));
        in->rows = array->extents[0];
        in->columns = array->extents[1];
    }
    return fseeko(in->file, (off_t)array->start, SEEK_SET) == 0 ? input_add_block(in, &array->stored, array->n)
                                                                : input_failed(in);
}

/* ---- names ---- */

bool array_name_is(struct array_names *names, const char *name, const char *wanted)
{
    const size_t used = strlen(names->list);
    const struct quoted quoted = quote(name);
    const bool is_wanted = !wanted || strcmp(name, wanted) == 0;
    names->count++;
    names->wanted += is_wanted;
    if (used + strlen(quoted.text) + sizeof ", , ..." <= sizeof names->list)
        snprintf(names->list + used, sizeof names->list - used, "%s%s", used > 0 ? ", " : "", quoted.text);
    else if (used > 3 && names->list[used - 1] != '.')
        strcpy(names->list + used, ", ...");
    return is_wanted;
}

enum status array_found_one(const struct input *in, const struct array_names *names, const char *wanted)
{
    if (names->wanted == 1)
        return OK;
    if (names->count == 0)
        return refuse(in, "holds no array; expected at least one; check what wrote it");
    return refuse(in, "%s%s%s; expected one of its %" PRIu64 " arrays: %s; name it behind a colon",
                  !wanted             ? "which array is not said"
                  : names->wanted > 0 ? "several arrays are named "
                                      : "no array is named ",
                  wanted ? quote(wanted).text : "", "", names->count, names->list);
}
