/* What a black box's product is bit for bit, of elements of two sizes: a promotion period is the same in both, a split
 * in parts is not. */
#include "grade.h"

#include "src/gate/diagnosis/products.h"

enum { ELEMENTS_OF_SIZE = 32, SIZES_ASKED = 2 };

struct elements {
    struct product_element list[SIZES_ASKED * ELEMENTS_OF_SIZE];
    size_t count;
};

static void elements_free(struct elements *elements)
{
    for (size_t e = 0; e < elements->count; e++)
        dataset_free(&elements->list[e].data);
}

/* Element (i, j) of C. */
static enum status take(const struct sum_format *formats, uint64_t n, const void *const *matrices, uint64_t i,
                        uint64_t j, struct elements *elements)
{
    const size_t bytes = format_held(formats->stored)->bytes;
    struct product_element *element = &elements->list[elements->count++];
    *element = (struct product_element){
        .data = {.format = formats->stored, .n = n, .x = malloc(n * bytes), .y = malloc(n * bytes)}};
    TRY(element->data.x && element->data.y ? OK : out_of_memory("an element of a matrix product"));
    for (uint64_t k = 0; k < n; k++) {
        held_set(formats->stored, element->data.x, k, held_number(formats->stored, matrices[0], i * n + k));
        held_set(formats->stored, element->data.y, k, held_number(formats->stored, matrices[1], k * n + j));
    }
    element->bits = format_bits(formats->result, held_number(formats->result, matrices[2], i * n + j));
    return OK;
}

static enum status take_size(const struct grade_request *request, uint64_t n, struct elements *elements)
{
    const struct graded *graded = request->graded;
    OWNED void *a = malloc(n * n * sizeof(double));
    OWNED void *b = malloc(n * n * sizeof(double));
    OWNED void *c = malloc(n * n * sizeof(double));
    struct generator_call call;
    TRY(a && b && c ? OK : out_of_memory("matrices"));
    TRY(grade_call(GROWTH, graded->formats, n, request->seed, 0, &call));
    matrices_fill(grade_families[GROWTH], &call, a, b);
    TRY(graded->product(graded, n, request->workers, a, b, c));
    for (uint64_t e = 0; e < ELEMENTS_OF_SIZE; e++) /* of all rows and columns in turn */
        TRY(take(graded->formats, n, (const void *const[]){a, b, c}, e * 5 % n, e * 11 % n, elements));
    return OK;
}

enum status grade_computed_as(const struct grade_request *request, char **sentence)
{
    FREED_BY(elements_free) struct elements elements = {.count = 0};
    const struct method *plain = method_in(method_find("matmul:plain/naive"), request->graded->formats);
    *sentence = NULL;
    if (!request->graded->is_black_box || !plain)
        return OK;
    for (uint64_t n = request->size_most / SIZES_ASKED; n <= request->size_most; n *= 2)
        if (n >= MATRIX_SIZE_LEAST && (n & (n - 1)) == 0)
            TRY(take_size(request, n, &elements));
    return elements.count > 0 ? product_diagnose(plain, elements.list, elements.count, sentence) : OK;
}
