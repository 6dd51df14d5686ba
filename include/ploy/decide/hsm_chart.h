/// @file ploy/decide/hsm_chart.h
/// Diagrams of statecharts: nested boxes for states, arrows for rules, active states highlighted.
///
/// The states inside a state are laid out in rows, in the order in which they were added; regions
/// are side by side. The layout depends only on the type, so it does not move while a machine runs.
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

/// The box of a state; for the root, the box of the whole chart. Empty if there is no such state.
PLOY_API ploy_box2 ploy_hsm_chart_box(const ploy_hsm_chart *chart, ploy_hsm_state state);
/// The innermost state at a position, or the root.
PLOY_API ploy_hsm_state ploy_hsm_chart_at(const ploy_hsm_chart *chart, ploy_vec2 place);

/// Draws the chart, moved by `offset`.
/// @param hsm    a machine of the same type whose active states and last rules are highlighted, or
///               NULL.
/// @param owner  the agent that the drawing belongs to.
PLOY_API void ploy_hsm_chart_draw(const ploy_hsm_chart *chart, const ploy_hsm *hsm,
                                  ploy_vec2 offset, ploy_agent_id owner, ploy_draw *out);
