/// @file ploy/decide/hsm_chart.h
/// The picture of a statechart: boxes in boxes, arrows for rules, what is active lit.
///
/// States inside a state are in rows, in the order in which they were added; regions are side by
/// side. Places depend on the type alone, so that a picture stays still while a machine runs.
///
/// Units: metres; an ordinary state is about 3 by 1.6. Cost: O(states + rules) to make and to draw.
/// Threads: a chart may be drawn from many threads.
#pragma once

#include "ploy/decide/hsm.h"
#include "ploy/geom/box.h"

/// Opaque.
typedef struct ploy_hsm_chart ploy_hsm_chart;

/// @param type  finished; must outlive the chart.
PLOY_API ploy_result ploy_hsm_chart_create(const ploy_hsm_type *type, const ploy_env *env,
                                           ploy_hsm_chart **out);
/// NULL is allowed.
PLOY_API void ploy_hsm_chart_destroy(ploy_hsm_chart *chart);

/// The box of a state; of the whole for the root. Empty if there is no such state.
PLOY_API ploy_box2 ploy_hsm_chart_box(const ploy_hsm_chart *chart, ploy_hsm_state state);
/// The innermost state at a place, or the root.
PLOY_API ploy_hsm_state ploy_hsm_chart_at(const ploy_hsm_chart *chart, ploy_vec2 place);

/// Draws it, moved by `offset`.
/// @param hsm    a machine of the same type whose active states and last rules are lit, or NULL.
/// @param owner  of what is drawn.
PLOY_API void ploy_hsm_chart_draw(const ploy_hsm_chart *chart, const ploy_hsm *hsm,
                                  ploy_vec2 offset, ploy_agent_id owner, ploy_draw *out);
