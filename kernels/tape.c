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
    if (tape->count == UINT32_MAX) {
        complain("a tree of more than %u nodes cannot be recorded; choose a smaller n", UINT32_MAX);
        tape->status = NOT_MEASURED;
        return 0;
    }
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

uint64_t tape_add(uint64_t state, double value)
{
    const uint64_t leaf = append((struct tape_node){.leaf = value});
    if (state == 0)
        return leaf;
    return append((struct tape_node){.left = (uint32_t)state, .right = (uint32_t)leaf, .added = true});
}

/* Nothing is added to an empty state, and no node is made. */
static uint64_t settle(uint64_t number)
{
    if (number != 0 && recording && recording->status == OK)
        recording->nodes[number - 1].settled = true;
    return number;
}

uint64_t tape_merge(uint64_t left, uint64_t right)
{
    if (left == 0 || right == 0)
        return settle(left + right);
    return append((struct tape_node){.left = (uint32_t)left, .right = (uint32_t)right});
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
