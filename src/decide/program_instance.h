// Shared by program_instance.c and program_save.c.
#pragma once

#include "decide/program_internal.h"

// Invariants: pc is an instruction, base is a frame of its function inside the stack, and the links
// below it lead to slot 0, which is 0.
struct ploy_program_instance {
    ploy_env env;
    const ploy_program *program;
    size_t size;
    ploy_program_state state;
    int32_t error;    // a ploy_result
    int32_t pc, base; // the next instruction, and the first register
    uint32_t atomic;  // depth of atomic blocks
    bool has_value;   // it returned one, in slot 0 of the stack
    uint64_t draws;
    int64_t units;
    ployi_program_slot slots[]; // variables of the program, then the stack
};

extern const ploy_behavior_type ployi_program_type;

ployi_program_slot *ployi_instance_stack(const ploy_program_instance *instance);
