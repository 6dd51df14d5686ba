/// @file ploy/decide/prove.h
/// Backward chaining: works from a goal to the rules that would yield it, and so on down to facts.
///
/// Forward chaining finds everything that follows from the known facts; backward chaining finds
/// whether one goal follows, and from which facts. Clauses are facts `(parent ann bob)` and rules
/// `(grandparent ?a ?c) <- (parent ?a ?b), (parent ?b ?c)`, tried in their order, depth first, with
/// unification (Robinson 1965) and a depth limit instead of an occurs check.
///
/// Cost: exponential at worst; one unit of budget is one clause tried. Threads: many threads may
/// prove at the same time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/diags.h"
#include "ploy/base/writer.h"

/// Maximum number of arguments of a term, terms of a clause, variables of a clause, and nested
/// rules.
#define PLOY_PROVE_ARGUMENTS_MAX 7
#define PLOY_PROVE_TERMS_MAX 16
#define PLOY_PROVE_VARIABLES_MAX 16
#define PLOY_PROVE_DEPTH_MAX 100

/// Clauses. Opaque.
typedef struct ploy_clauses ploy_clauses;

/// Reads clauses, one after the other; ';' begins a comment. Arguments are words or strings.
/// @param diags  receives faults with line and column; may be NULL.
PLOY_API ploy_result ploy_clauses_load(const char *text, size_t size, const char *name,
                                       ploy_diags *diags, const ploy_env *env, ploy_clauses **out);
/// NULL is allowed.
PLOY_API void ploy_clauses_destroy(ploy_clauses *clauses);

/// Proves a goal such as "(grandparent ann ?who)".
/// @param budget  NULL: no limit but the depth.
/// @param out     receives the proved goal and, indented below it, the clauses that prove it.
/// @return PLOY_OK, PLOY_ERR_NOT_FOUND if it does not follow, PLOY_ERR_LIMIT if the budget ended
///         first, PLOY_ERR_FORMAT for an invalid goal.
PLOY_API ploy_result ploy_clauses_prove(const ploy_clauses *clauses, const char *goal,
                                        ploy_budget *budget, ploy_writer *out);
