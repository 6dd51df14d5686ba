// What the sources of plane and space share.
#pragma once

#include "ploy/move/align.h"
#include "ploy/move/arrive.h"
#include "ploy/move/collision.h"
#include "ploy/move/craft.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flee.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/hide.h"
#include "ploy/move/intercept.h"
#include "ploy/move/jump.h"
#include "ploy/move/match.h"
#include "ploy/move/motor.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pursue.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

// Checks settings and hands a source out; out is none unless PLOY_OK.
// @param missing  something that the source needs is not there.
ploy_result ployi_source_publish(ploy_fields fields, const ploy_steering_source *source,
                                 bool missing, const ploy_env *env, ploy_steering_source *out);

// The states that sources have.
void ployi_source_along_visit(ploy_visit *v, const ploy_steering_source *source);
void ployi_source_next_visit(ploy_visit *v, const ploy_steering_source *source);
void ployi_source_drift_visit(ploy_visit *v, const ploy_steering_source *source);
void ployi_source_drift3_visit(ploy_visit *v, const ploy_steering_source *source);
void ployi_source_jump_visit(ploy_visit *v, const ploy_steering_source *source);
void ployi_source_feelers_visit(ploy_visit *v, const ploy_steering_source *source);
