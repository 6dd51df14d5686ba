// Shared by the text of L-systems (lsystem_text.c) and what runs it (lsystem.c).
#pragma once

#include "ploy/generate/lsystem.h"

typedef struct ployi_lsystem_rule {
    int32_t first, count; // successor, in text
    float weight;
    int32_t next; // rule of the same letter, or -1
} ployi_lsystem_rule;

struct ploy_lsystem_rules {
    ploy_env env;
    size_t size; // bytes of this block
    float angle; // rad
    float length, width, shrink;
    int32_t generations;
    bool space;
    bool draws[256];            // by letter
    int32_t heads[256];         // first rule of a letter, or -1
    int32_t axiom, axiom_count; // in text
    int32_t rule_count;
    const ployi_lsystem_rule *rules;
    const char *text; // axiom and successors
};
