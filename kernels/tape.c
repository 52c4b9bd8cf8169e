#include "tape.h"

#include <stdlib.h>

static _Thread_local struct tape *recording;

void tape_start(struct tape *tape)
{
    tape->count = 0;
    tape->status = OK;
    recording = tape;
}

static uint64_t append(struct tape_node node)
{
    struct tape *tape = recording;
    if (!tape || tape->status != OK)
        return 0;
    if (tape->count == tape->capacity) {
        const uint64_t capacity = tape->capacity ? 2 * tape->capacity : 64;
        struct tape_node *grown = realloc(tape->nodes, capacity * sizeof *grown);
        if (!grown) {
            tape->status = out_of_memory("the recorded tree");
            return 0;
        }
        tape->nodes = grown;
        tape->capacity = capacity;
    }
    tape->nodes[tape->count++] = node;
    return tape->count;
}

uint64_t tape_leaf(double value)
{
    return append((struct tape_node){.leaf = value});
}

uint64_t tape_join(uint64_t left, uint64_t right)
{
    return append((struct tape_node){.left = left, .right = right});
}

void tape_free(struct tape *tape)
{
    if (recording == tape)
        recording = NULL;
    free(tape->nodes);
    *tape = (struct tape){0};
}

/* Recursion as deep as the tree is high: printing is for small n. */
static void print_node(const struct tape *tape, uint64_t number, FILE *to)
{
    const struct tape_node *node = &tape->nodes[number - 1];
    if (node->left == 0) {
        fprintf(to, "%g", node->leaf);
        return;
    }
    fputc('(', to);
    print_node(tape, node->left, to);
    fputs(" + ", to);
    print_node(tape, node->right, to);
    fputc(')', to);
}

void tape_print(const struct tape *tape, FILE *to)
{
    if (tape->count == 0)
        fputs("0", to);
    else
        print_node(tape, tape->count, to);
}
