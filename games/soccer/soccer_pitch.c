// The pitch: its regions, the goals, and the ball that rolls between the walls.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4, with these differences:
// the ball is moved in steps shorter than its radius and bounces off the posts too; its prediction
// ends where the ball stops; a goal's facing is given and not guessed from the order of the posts.
#include "games/soccer/soccer.h"

#include <math.h>

#include "ploy/base/math.h"
#include "ploy/geom/segment.h"

soccer_region soccer_region_get(int32_t id) {
    int32_t place = SOCCER_REGIONS - 1 - id;
    float width = 2.0f * SOCCER_HALF_LENGTH / SOCCER_COLUMNS;
    float height = 2.0f * SOCCER_HALF_WIDTH / SOCCER_ROWS;
    ploy_vec2 min = {-SOCCER_HALF_LENGTH + width * (float)(place / SOCCER_ROWS),
                     -SOCCER_HALF_WIDTH + height * (float)(place % SOCCER_ROWS)};
    soccer_region region = {min, {min.x + width, min.y + height}, id};
    return region;
}

ploy_vec2 soccer_region_centre(int32_t id) {
    soccer_region region = soccer_region_get(id);
    return ploy_vec2_make(0.5f * (region.min.x + region.max.x),
                          0.5f * (region.min.y + region.max.y));
}

bool soccer_region_contains(soccer_region region, ploy_vec2 point, bool half) {
    float x = half ? 0.25f * (region.max.x - region.min.x) : 0.0f;
    float y = half ? 0.25f * (region.max.y - region.min.y) : 0.0f;
    return point.x > region.min.x + x && point.x < region.max.x - x && point.y > region.min.y + y &&
           point.y < region.max.y - y;
}

int32_t soccer_region_mirrored(int32_t id) {
    int32_t column = id / SOCCER_ROWS, row = id % SOCCER_ROWS;
    return (SOCCER_COLUMNS - 1 - column) * SOCCER_ROWS + row;
}

int32_t soccer_region_at(ploy_vec2 point) {
    float x = (point.x + SOCCER_HALF_LENGTH) / (2.0f * SOCCER_HALF_LENGTH) * SOCCER_COLUMNS;
    float y = (point.y + SOCCER_HALF_WIDTH) / (2.0f * SOCCER_HALF_WIDTH) * SOCCER_ROWS;
    int32_t column = (int32_t)ploy_clampf(x, 0.0f, SOCCER_COLUMNS - 1);
    int32_t row = (int32_t)ploy_clampf(y, 0.0f, SOCCER_ROWS - 1);
    return SOCCER_REGIONS - 1 - (column * SOCCER_ROWS + row);
}

soccer_goal soccer_goal_make(float side, float width) {
    float x = -side * SOCCER_HALF_LENGTH;
    soccer_goal goal = {{x, -0.5f * width}, {x, 0.5f * width}, {x, 0.0f}, {side, 0.0f}};
    return goal;
}

bool soccer_goal_scored(const soccer_goal *goal, ploy_vec2 from, ploy_vec2 to, float offset) {
    ploy_vec2 moved = ploy_vec2_scale(goal->facing, offset);
    ploy_segment2 line = {ploy_vec2_add(goal->post_a, moved), ploy_vec2_add(goal->post_b, moved)};
    ploy_segment2 way = {from, to};
    // Only outward: a ball that lies behind a moved line and rolls back has not scored again.
    if (ploy_vec2_dot(ploy_vec2_sub(to, from), goal->facing) >= 0.0f) return false;
    return ploy_segment2_touches(way, line, NULL);
}

// ---- ball ----

void soccer_ball_place(soccer_ball *ball, ploy_vec2 at) {
    ball->position = at;
    ball->old = at;
    ball->velocity = ploy_vec2_make(0.0f, 0.0f);
}

// One coordinate against a wall on either side. Only a ball that goes out is turned round, so that
// one that is still too near after its bounce is not turned twice.
static void bounce_axis(float *position, float *velocity, float limit, float bounce) {
    if (*position > limit) {
        *position = ploy_maxf(2.0f * limit - *position, -limit);
        if (*velocity > 0.0f) *velocity = -*velocity * bounce;
    } else if (*position < -limit) {
        *position = ploy_minf(-2.0f * limit - *position, limit);
        if (*velocity < 0.0f) *velocity = -*velocity * bounce;
    }
}

// A ball in front of a goal has no wall before it, but posts beside it.
static void bounce_ends(soccer_ball *ball, const soccer_def *def) {
    float half = 0.5f * def->goal_width, radius = def->ball_radius;
    if (fabsf(ball->position.y) >= half) {
        bounce_axis(&ball->position.x, &ball->velocity.x, SOCCER_HALF_LENGTH - radius, def->bounce);
        return;
    }
    for (int32_t i = 0; i < 4; i++) {
        ploy_vec2 post = {(i & 1) != 0 ? SOCCER_HALF_LENGTH : -SOCCER_HALF_LENGTH,
                          (i & 2) != 0 ? half : -half};
        ploy_vec2 away = ploy_vec2_sub(ball->position, post);
        float distance = ploy_vec2_length(away);
        if (distance >= radius || distance == 0.0f) continue;
        ploy_vec2 normal = ploy_vec2_scale(away, 1.0f / distance);
        float speed = ploy_vec2_dot(ball->velocity, normal);
        if (speed < 0.0f) {
            ball->velocity = ploy_vec2_add(ball->velocity,
                                           ploy_vec2_scale(normal, -(1.0f + def->bounce) * speed));
        }
        ball->position = ploy_vec2_add(post, ploy_vec2_scale(normal, radius));
    }
}

void soccer_ball_fit(soccer_ball *ball, const soccer_def *def) {
    float y = SOCCER_HALF_WIDTH - def->ball_radius, x = SOCCER_HALF_LENGTH - def->ball_radius;
    ball->position.y = ploy_clampf(ball->position.y, -y, y);
    if (fabsf(ball->position.y) >= 0.5f * def->goal_width) {
        ball->position.x = ploy_clampf(ball->position.x, -x, x);
    }
}

void soccer_ball_step(soccer_ball *ball, const soccer_def *def, float dt) {
    ball->old = ball->position;
    float speed = ploy_vec2_length(ball->velocity), slowed = speed - def->friction * dt;
    if (slowed <= 0.0f) {
        ball->velocity = ploy_vec2_make(0.0f, 0.0f);
        return;
    }
    ball->velocity = ploy_vec2_scale(ball->velocity, slowed / speed);
    int32_t steps = (int32_t)ceilf(slowed * dt / (0.5f * def->ball_radius));
    float part = dt / (float)steps;
    for (int32_t i = 0; i < steps; i++) {
        ball->position = ploy_vec2_add(ball->position, ploy_vec2_scale(ball->velocity, part));
        bounce_axis(&ball->position.y, &ball->velocity.y, SOCCER_HALF_WIDTH - def->ball_radius,
                    def->bounce);
        bounce_ends(ball, def);
        // Behind the line it is in the net, and the referee's.
        if (fabsf(ball->position.x) > SOCCER_HALF_LENGTH) return;
    }
}

ploy_vec2 soccer_ball_future(ploy_vec2 position, ploy_vec2 velocity, float friction, float t) {
    float speed = ploy_vec2_length(velocity);
    if (speed == 0.0f) return position;
    t = ploy_minf(t, speed / friction);
    return ploy_vec2_add(position,
                         ploy_vec2_scale(velocity, t * (1.0f - 0.5f * friction * t / speed)));
}

float soccer_time_to_cover(float speed, float distance, float friction) {
    float term = speed * speed - 2.0f * distance * friction;
    if (term <= 0.0f) return -1.0f;
    return (speed - sqrtf(term)) / friction;
}

float soccer_speed_to_arrive(float arrival, float distance, float friction) {
    return sqrtf(arrival * arrival + 2.0f * friction * distance);
}
