/// @file ploy/data/pddl.h
/// Planning problems in PDDL, the language of the planning competitions: read, checked and grounded
/// into a domain of ploy/decide/goap.h.
///
///     (define (domain d) (:requirements :strips :typing) (:types box - object) (:predicates ...)
///       (:action move :parameters (?x - box) :precondition (and ...) :effect (and p (not q))))
///     (define (problem p) (:domain d) (:objects a b - box) (:init ...) (:goal (and ...)))
///
/// Supported: :strips, :typing with (either ...), :negative-preconditions, :equality, :constants
/// and :action-costs (increase of total-cost by a number or a function of the parameters). Anything
/// else (or, imply, forall, exists, when) is refused with its position. Case does not matter. An
/// effect that both adds and deletes an atom adds it. Without a metric every action costs 1.
///
/// Grounding keeps only what is reachable: predicates that no action changes are evaluated and
/// removed, and an action is instantiated for objects only if each of its conditions could hold.
/// Every remaining atom is a bool with its text as id, such as "(on a b)"; an action is named like
/// "(stack a b)".
///
/// All faults of both files are reported, with line, column and the nearest name. Readers never
/// trust sizes in a file: the def limits the work. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/goap.h"

/// Maximum number of parameters of a predicate or an action.
#define PLOY_PDDL_PARAMS_MAX 15

typedef struct ploy_pddl_def {
    uint32_t cookie;
    int32_t max_actions; ///< maximum number of grounded actions
    int32_t max_atoms;   ///< maximum number of atoms
    int32_t max_work;    ///< maximum number of bindings tried while grounding, in thousands
} ploy_pddl_def;

PLOY_API ploy_pddl_def ploy_pddl_def_default(void);
PLOY_API ploy_fields ploy_pddl_fields(void);

/// Bytes of a file and its name, for messages.
typedef struct ploy_pddl_text {
    const void *bytes;
    size_t size;
    const char *name;
} ploy_pddl_text;

/// A grounded problem. Opaque.
typedef struct ploy_pddl ploy_pddl;

/// Reads a domain and a problem and instantiates their actions.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags; PLOY_ERR_LIMIT beyond the def;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pddl_load(const ploy_pddl_def *def, ploy_pddl_text domain,
                                    ploy_pddl_text problem, const ploy_env *env, ploy_diags *diags,
                                    ploy_pddl **out);
/// Frees the problem. Destroy planners that use its type first. NULL is allowed.
PLOY_API void ploy_pddl_destroy(ploy_pddl *pddl);

/// The domain, the initial world and the goal, for ploy_goap_create and ploy_goap_begin.
PLOY_API const ploy_goap_type *ploy_pddl_type(const ploy_pddl *pddl);
PLOY_API const uint64_t *ploy_pddl_world(const ploy_pddl *pddl);
PLOY_API const ploy_goap_need *ploy_pddl_goal(const ploy_pddl *pddl, int32_t *count);

/// "" if the file gives none.
PLOY_API const char *ploy_pddl_domain_name(const ploy_pddl *pddl);
PLOY_API const char *ploy_pddl_problem_name(const ploy_pddl *pddl);
