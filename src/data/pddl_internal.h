// Shared between the reader and the grounder of planning problems.
#pragma once

#include "ploy/base/array.h"
#include "ploy/data/pddl.h"

// A word or a list of a file. Lists hold their items as a chain.
typedef struct ployi_pddl_node {
    int32_t first, next; // -1: none
    int32_t text, size;  // of a word, in the lowered copy; size 0: a list
    int32_t line, column;
} ployi_pddl_node;

// A term of an atom: a parameter's number, or ~object.
typedef struct ployi_pddl_atom {
    int32_t predicate; // -1: equality
    int32_t count;
    bool negated;
    int32_t terms[PLOY_PDDL_PARAMS_MAX];
} ployi_pddl_atom;

typedef struct ployi_pddl_cost { // one increase
    double amount;               // of a number
    ployi_pddl_atom function;    // predicate -2: a number
} ployi_pddl_cost;

enum { PLOYI_PDDL_EITHER = 8 };

typedef struct ployi_pddl_kind { // of a parameter: any of these types
    int32_t types[PLOYI_PDDL_EITHER];
    int32_t count;
} ployi_pddl_kind;

typedef struct ployi_pddl_schema {
    ploy_name name;
    int32_t param_count;
    ployi_pddl_kind params[PLOY_PDDL_PARAMS_MAX];
    int32_t first_need, need_count; // in atoms
    int32_t first_gain, gain_count;
    int32_t first_cost, cost_count;
} ployi_pddl_schema;

typedef struct ployi_pddl_symbol { // a predicate or function
    ploy_name name;
    int32_t arity;
    bool changes; // by some action
    bool function;
} ployi_pddl_symbol;

typedef struct ployi_pddl_type {
    ploy_name name;
    int32_t parents[PLOYI_PDDL_EITHER];
    int32_t parent_count;
} ployi_pddl_type;

typedef struct ployi_pddl_object {
    ploy_name name;
    ployi_pddl_kind kind;
} ployi_pddl_object;

typedef struct ployi_pddl_value { // of a function at the start
    ployi_pddl_atom function;
    double value;
} ployi_pddl_value;

// Both files, understood.
typedef struct ployi_pddl {
    ploy_env env;
    ploy_names *names;
    ploy_array types;   // ployi_pddl_type; 0 is object
    ploy_array objects; // ployi_pddl_object
    ploy_array symbols; // ployi_pddl_symbol
    ploy_array schemas; // ployi_pddl_schema
    ploy_array atoms;   // ployi_pddl_atom of the schemas
    ploy_array costs;   // ployi_pddl_cost
    ploy_array init;    // ployi_pddl_atom, ground
    ploy_array values;  // ployi_pddl_value
    ploy_array goal;    // ployi_pddl_atom, ground
    ploy_name domain, problem;
    bool metric;
} ployi_pddl;

ploy_result ployi_pddl_read(ployi_pddl *pddl, ploy_pddl_text domain, ploy_pddl_text problem,
                            const ploy_env *env, ploy_diags *diags);
void ployi_pddl_fini(ployi_pddl *pddl);

// Is the type, or one above it, among those of the kind?
bool ployi_pddl_is_a(const ployi_pddl *pddl, const ployi_pddl_kind *kind, int32_t type);
