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

struct shape_text array_shape(const struct array *array)
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
        return refuse(in,
                      "its shape is (%s); expected two dimensions of a matrix; of a batch of them give the axis along "
                      "which products are added, such as axis=-1 of A and axis=-2 of B",
                      array_shape(array).text);
    if (array->is_fortran)
        return refuse(in,
                      "its numbers of shape (%s) stand column after column (Fortran order); expected row after row; "
                      "write it again with numpy.save(file, numpy.ascontiguousarray(x)), or give the axis along which "
                      "products are added, such as axis=-1 of A and axis=-2 of B",
                      array_shape(array).text);
    return OK;
}

void array_strides(const struct array *array, uint64_t strides[ARRAY_DIMENSIONS])
{
    uint64_t stride = 1;
    for (unsigned i = 0; i < array->dimensions; i++) {
        const unsigned d = array->is_fortran ? i : array->dimensions - 1 - i;
        strides[d] = stride;
        stride *= array->extents[d];
    }
}

enum status read_array(struct input *in, const struct array *array)
{
    if (axis_is_given(in->options))
        return axis_read(in, array);
    if (*in->options->axis != '\0' && in->options->is_matrix)
        return refuse(in, "axis=all was given of a matrix; expected the axis along which products are added; leave it "
                          "out, or give that");
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
