/* Every addition of a sum, and every product, one line each, in the order in which they are made. */
#include "blame.h"

#include "reports/csv_field.h"
#include "src/files/output.h"

/* An operand that is an element has its index as well.  Those of a product are the numbers that it multiplies. */
static void write_operand(FILE *file, const struct blame *blame, const struct blame_addition *addition, bool right)
{
    const uint32_t operand = right ? addition->right : addition->left;
    const struct tape_node *joined = &blame->additions.tree.joined[operand - 1];
    csv_count(file, ",", operand);
    if (joined->left == 0)
        csv_count(file, ",", (uint64_t)joined->leaf);
    else
        csv_text(file, ",", "");
    csv_double(file, ",", blame_operand(blame, addition, right));
}

static void write_addition(FILE *file, const struct blame *blame, uint32_t node)
{
    const struct additions *of = &blame->additions;
    const struct sum_tree_place *place = &of->tree.place[node];
    const struct blame_addition addition = blame_addition_at(of, node);
    csv_count(file, "", node);
    write_operand(file, blame, &addition, false);
    write_operand(file, blame, &addition, true);
    csv_count(file, ",", place->parent);
    csv_count(file, ",", place->leaves);
    csv_count(file, ",", place->height);
    csv_double(file, ",", of->value[node]);
    csv_double(file, ",", of->error[node]);
    csv_text(file, ",", hex_text(of->error[node]));
    csv_double(file, ",", of->error[node] / blame->exact.ulp);
    fputc('\n', file);
}

enum status blame_write_csv(const struct blame *blame, const char *path)
{
    struct output out;
    const struct sum_tree *tree = &blame->additions.tree;
    TRY(output_open(&out, path));
    fputs("node,left,left_element,left_value,right,right_element,right_value,parent,elements,height,value,error,error_"
          "hex,error_ulp\n",
          out.file);
    for (uint32_t k = 1; k <= tree->count; k++)
        if (!sum_tree_is_leaf(tree, k) || blame_is_product(blame, k))
            write_addition(out.file, blame, k);
    return output_close(&out);
}
