// Shared inside the module: how a generator is plugged into the front.
//
// A generator X has ploy_X_begin, ploy_X_step, ... for its own type, and a static function
// `ploy_content X_content(const ploy_X *)`. PLOYI_GENERATOR_CALLS(X) wraps them for `void *self`,
// and PLOYI_GENERATOR_TABLE(X) lists the wrappers at the end of its ploy_generator_type. What is
// left to write is X_front_begin, which takes apart the input.
//
//     PLOYI_GENERATOR_CALLS(maze)
//     static ploy_result maze_front_begin(const void *def, ploy_rng_key key, ...) { ... }
//     const ploy_generator_type *ploy_maze_generator(void) {
//         static const ploy_generator_type type = {
//             "maze", "help", "one cell", 0, 0, PLOY_CONTENT_PLAN, PLOYI_GENERATOR_TABLE(maze)};
//         return &type;
//     }
#pragma once

#include "ploy/generate/generator.h"

#define PLOYI_GENERATOR_CALLS(X)                                                    \
    static ploy_result X##_front_step(void *self, ploy_budget *budget) {            \
        return ploy_##X##_step((ploy_##X *)self, budget);                           \
    }                                                                               \
    static ploy_generate_outcome X##_front_outcome(const void *self) {              \
        return ploy_##X##_outcome((const ploy_##X *)self);                          \
    }                                                                               \
    static ploy_content X##_front_content(const void *self) {                       \
        return X##_content((const ploy_##X *)self);                                 \
    }                                                                               \
    static void X##_front_cancel(void *self) {                                      \
        ploy_##X##_cancel((ploy_##X *)self);                                        \
    }                                                                               \
    static void X##_front_describe(const void *self, ploy_describe *out) {          \
        ploy_##X##_describe((const ploy_##X *)self, out);                           \
    }                                                                               \
    static void X##_front_draw(const void *self, ploy_draw *out) {                  \
        ploy_##X##_draw((const ploy_##X *)self, out);                               \
    }                                                                               \
    static void X##_front_memory(const void *self, ploy_memory_fn fn, void *user) { \
        ploy_##X##_memory((const ploy_##X *)self, fn, user);                        \
    }

#define PLOYI_GENERATOR_TABLE(X)                                                              \
    ploy_##X##_fields, X##_front_begin, X##_front_step, X##_front_outcome, X##_front_content, \
        X##_front_cancel, X##_front_describe, X##_front_draw, X##_front_memory

// The bits of a float, for hashes: members are hashed one by one, because structs have padding.
uint64_t ployi_generate_bits(float value);

// Outlines an area.
void ployi_generate_draw_area(ploy_box2 area, ploy_draw *out);

// The root of a node in a forest of parents (union-find with path halving); a root is its own parent.
static inline int32_t ployi_root(int32_t *parents, int32_t node) {
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}
