// Projectiles: bolts, balls, slugs and rockets, swept against walls and bots.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 7. In a tick a projectile
// moves along a segment: the nearest wall ends it, and a bot is hit if its centre is nearer to the
// segment than its radius. Instant weapons are only very fast, so that one rule serves all. A blast
// hurts every bot within its radius, the shooter too, but a projectile damages each bot at most
// once (the bits of `struck`).
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

enum { SHOTS_LIFE_S = 30 };

// ---- firing

// Room for one more: the oldest that is only shown makes place.
static raven_shot *shots_add(raven_match *match) {
    if (match->shot_count == RAVEN_SHOTS_MAX) {
        int32_t oldest = -1;
        for (int32_t i = 0; i < match->shot_count && oldest < 0; i++) {
            if (match->shots[i].state == RAVEN_SHOT_SHOWN) oldest = i;
        }
        if (oldest < 0) return NULL;
        memmove(&match->shots[oldest], &match->shots[oldest + 1],
                sizeof match->shots[0] * (size_t)(match->shot_count - oldest - 1));
        match->shot_count--;
    }
    raven_shot *shot = &match->shots[match->shot_count++];
    memset(shot, 0, sizeof *shot);
    return shot;
}

static float shots_spread(raven_match *match, raven_bot *bot, float spread) {
    float turn = 2.0f * raven_random(bot) - 1.0f;
    if (match->def.spread == RAVEN_SPREAD_TRIANGULAR) {
        turn = raven_random(bot) - raven_random(bot);
    }
    return spread * turn;
}

void raven_fire(raven_match *match, raven_bot *bot, ploy_vec2 point) {
    const raven_weapon_def *def = &match->weapons.items[bot->weapon];
    ploy_vec2 toward = ploy_vec2_sub(point, bot->body.position);
    if (ploy_vec2_length_sq(toward) < 1e-8f) toward = ploy_angle_heading(bot->body.orientation);
    match->volleys++;
    for (int32_t i = 0; i < def->projectiles; i++) {
        raven_shot *shot = shots_add(match);
        if (shot == NULL) break;
        ploy_vec2 way = toward;
        if (def->spread > 0.0f) {
            way = ploy_vec2_rotate_by(toward,
                                      ploy_angle_heading(shots_spread(match, bot, def->spread)));
        }
        shot->origin = bot->body.position;
        shot->position = bot->body.position;
        shot->velocity = ploy_vec2_with_length(way, def->speed);
        shot->target = point;
        shot->aimed = def->to_point;
        shot->born = match->tick;
        shot->weapon = bot->weapon;
        shot->shooter = bot->index;
        shot->volley = match->volleys;
        shot->state = RAVEN_SHOT_FLYING;
    }
    raven_make_sound(match, bot, def->sound);
}

// ---- hits

static void shots_strike(raven_match *match, raven_shot *shot, raven_bot *victim) {
    uint64_t bit = (uint64_t)1 << victim->index;
    if ((shot->struck & bit) != 0 || !raven_alive(victim)) return;
    shot->struck |= bit;
    raven_bot *shooter = &match->bots[shot->shooter];
    if (victim->index != shot->shooter && shooter->present && shooter->hit_volley != shot->volley) {
        shooter->hit_volley = shot->volley;
        shooter->hits++;
    }
    raven_damage(match, victim, shot->shooter, match->weapons.items[shot->weapon].damage);
}

// Whether a projectile can hurt the bot: not its shooter, and not its side unless that is allowed.
static bool shots_hurts(const raven_match *match, const raven_shot *shot, const raven_bot *bot) {
    if (!raven_alive(bot) || bot->index == shot->shooter) return false;
    if ((shot->struck >> bot->index & 1u) != 0) return false;
    return match->def.friendly_fire || match->def.sides <= 1 ||
           bot->side != match->bots[shot->shooter].side;
}

// How far along the segment a bot is hit; above 1 if it is not.
static float shots_meet(ploy_vec2 from, ploy_vec2 step, ploy_vec2 centre, float radius) {
    ploy_vec2 toward = ploy_vec2_sub(from, centre);
    float a = ploy_vec2_dot(step, step), b = ploy_vec2_dot(toward, step);
    float c = ploy_vec2_dot(toward, toward) - radius * radius;
    if (c < 0.0f) return 0.0f; // begins inside
    float root = b * b - a * c;
    if (!(a > 0.0f) || root <= 0.0f || b >= 0.0f) return 2.0f;
    return (-b - sqrtf(root)) / a;
}

static void shots_end(raven_match *match, raven_shot *shot, ploy_vec2 at) {
    const raven_weapon_def *def = &match->weapons.items[shot->weapon];
    shot->position = at;
    shot->state = RAVEN_SHOT_SHOWN;
    shot->until = match->tick + raven_ticks(match, def->trace);
}

static void shots_explode(raven_match *match, raven_shot *shot, ploy_vec2 at) {
    const raven_weapon_def *def = &match->weapons.items[shot->weapon];
    float reach = def->blast + match->def.radius;
    shot->position = at;
    shot->state = RAVEN_SHOT_EXPLODING;
    shot->ring = 0.0f;
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        bool own = i == shot->shooter;
        if (!raven_alive(bot) || (!own && !shots_hurts(match, shot, bot))) continue;
        if (ploy_vec2_distance_sq(bot->body.position, at) < reach * reach) {
            shots_strike(match, shot, bot);
        }
    }
}

// ---- flight

// The nearest bot on the line, at most at `limit` of it; RAVEN_NOBODY if there is none.
static int32_t shots_nearest(const raven_match *match, const raven_shot *shot, ploy_vec2 step,
                             float *limit) {
    int32_t nearest = RAVEN_NOBODY;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!shots_hurts(match, shot, bot)) continue;
        float part = shots_meet(shot->position, step, bot->body.position, match->def.radius);
        if (part > *limit || (part == *limit && nearest != RAVEN_NOBODY)) continue;
        *limit = part;
        nearest = i;
    }
    return nearest;
}

static void shots_fly(raven_match *match, raven_shot *shot) {
    const raven_weapon_def *def = &match->weapons.items[shot->weapon];
    ploy_vec2 step = ploy_vec2_scale(shot->velocity, match->dt);
    float length = ploy_vec2_length(step), limit = 1.0f;
    bool ends = match->tick - shot->born > raven_ticks(match, (float)SHOTS_LIFE_S);
    if (shot->aimed) {
        // Within 0.25 m of the point that it was aimed at it has arrived.
        float left = ploy_vec2_distance(shot->position, shot->target);
        if (left <= length + 0.25f) {
            limit = length > 0.0f ? ploy_minf(left / length, 1.0f) : 0.0f;
            ends = true;
        }
    }
    ploy_scene_hit wall;
    ploy_vec2 to = ploy_vec2_add(shot->position, step);
    if (ploy_scene_ray2(&match->map->scene, shot->position, to, RAVEN_MASK_SOLID, &wall)) {
        float part = length > 0.0f ? wall.distance / length : 0.0f;
        if (part <= limit) {
            limit = part;
            ends = true;
        }
    }
    for (;;) {
        float part = limit;
        int32_t hit = shots_nearest(match, shot, step, &part);
        if (hit == RAVEN_NOBODY) break;
        if (!def->pierces) {
            limit = part;
            ends = true;
        }
        if (def->blast > 0.0f) break; // the blast hurts it, once
        shots_strike(match, shot, &match->bots[hit]);
        if (!def->pierces) break;
    }
    ploy_vec2 at = ploy_vec2_add_scaled(shot->position, step, limit);
    if (!ends) {
        shot->position = at;
    } else if (def->blast > 0.0f) {
        shots_explode(match, shot, at);
    } else {
        shots_end(match, shot, at);
    }
}

void raven_step_shots(raven_match *match) {
    int32_t kept = 0;
    for (int32_t i = 0; i < match->shot_count; i++) {
        raven_shot *shot = &match->shots[i];
        if (shot->state == RAVEN_SHOT_FLYING) {
            shots_fly(match, shot);
        } else if (shot->state == RAVEN_SHOT_EXPLODING) {
            const raven_weapon_def *def = &match->weapons.items[shot->weapon];
            shot->ring += def->blast_growth * match->dt;
            if (shot->ring >= def->blast) shots_end(match, shot, shot->position);
        }
        bool gone = shot->state == RAVEN_SHOT_SHOWN && shot->until <= match->tick;
        if (!gone) match->shots[kept++] = *shot;
    }
    match->shot_count = kept;
}

void raven_drop_shots(raven_match *match, int32_t shooter) {
    int32_t kept = 0;
    for (int32_t i = 0; i < match->shot_count; i++) {
        if (match->shots[i].shooter != shooter) match->shots[kept++] = match->shots[i];
    }
    match->shot_count = kept;
}
