// Reading influence maps: owners, security, borders and weak sectors.
#include "ploy/base/math.h"
#include "ploy/tactics/analysis.h"
#include "tactics/influence_internal.h"

#include <math.h>
#include <string.h>

// Most neighbours that are looked at on graphs and meshes.
enum { INFLUENCE_NEIGHBOURS = 64 };

static bool influence_has(const ploy_influence *influence, int32_t place) {
    return influence != NULL && place >= 0 && place < influence->places.count;
}

static float influence_real(const ploy_influence *influence, int32_t sum) {
    return (float)((double)sum / influence->scale);
}

float ploy_influence_at(const ploy_influence *influence, int32_t side, int32_t place) {
    if (!influence_has(influence, place) || side < 0 || side >= influence->def.sides) return 0.0f;
    return influence_real(influence, influence_sums(influence, side)[place]);
}

int32_t ploy_influence_owner(const ploy_influence *influence, int32_t place) {
    if (!influence_has(influence, place) || influence->unknown[place]) return PLOY_SIDE_NONE;
    return influence_lead_at(influence, place).side;
}

float ploy_influence_security(const ploy_influence *influence, int32_t place) {
    if (!influence_has(influence, place) || influence->unknown[place]) return NAN;
    influence_lead lead = influence_lead_at(influence, place);
    return influence_real(influence, lead.first - lead.second);
}

static float influence_view_at(const ploy_influence *influence, ploy_influence_view view,
                               int32_t side, int32_t place) {
    influence_lead lead = influence_lead_at(influence, place);
    int32_t own = influence_sums(influence, side)[place];
    switch (view) {
    case PLOY_INFLUENCE_VALUE: return influence_real(influence, own);
    case PLOY_INFLUENCE_CONTROL:
        return influence_real(influence, lead.side == side ? own - lead.second : own - lead.first);
    case PLOY_INFLUENCE_HELD:
        return lead.side == side ? influence_real(influence, own - lead.second) : 0.0f;
    default: return influence_real(influence, lead.first - lead.second);
    }
}

static void influence_view(const ploy_influence *influence, ploy_influence_view view, int32_t side,
                           int32_t first, int32_t count, float *out) {
    for (int32_t i = 0; i < count; i++) {
        out[i] = influence->unknown[first + i]
                     ? NAN
                     : influence_view_at(influence, view, side, first + i);
    }
}

ploy_result ploy_influence_read(const ploy_influence *influence, ploy_influence_view view,
                                int32_t side, int32_t first, int32_t count,
                                ploy_tactics_layer *out) {
    float *numbers = ploy_tactics_layer_numbers(out);
    if (view == PLOY_INFLUENCE_SECURITY) side = 0;
    if (influence == NULL || numbers == NULL || (int32_t)view < 0 || view >= PLOY_INFLUENCE_VIEWS ||
        side < 0 || side >= influence->def.sides ||
        ploy_tactics_layer_places(out)->count != influence->places.count ||
        !ploy_range_within(first, count, influence->places.count)) {
        return PLOY_ERR_ARGUMENT;
    }
    influence_view(influence, view, side, first, count, numbers + first);
    return PLOY_OK;
}

void ploy_influence_fill(void *source, int32_t first, int32_t count, float *out) {
    const ploy_influence_source *from = source;
    influence_view(from->influence, from->view, from->side, first, count, out);
}

ploy_result ploy_influence_owners(const ploy_influence *influence, ploy_tactics_layer *out) {
    uint8_t *bytes = ploy_tactics_layer_categories(out);
    if (influence == NULL || bytes == NULL ||
        ploy_tactics_layer_places(out)->count != influence->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < influence->places.count; i++) {
        bytes[i] = influence->unknown[i] ? PLOY_CATEGORY_UNKNOWN
                                         : (uint8_t)(influence_lead_at(influence, i).side + 1);
    }
    return PLOY_OK;
}

// ---- borders

// Neighbours that make a border (four on a grid) or, with `all`, that join a sector (eight).
static int32_t influence_around(const ploy_places *places, int32_t place, bool all,
                                int32_t out[INFLUENCE_NEIGHBOURS]) {
    static const int32_t dx[8] = {1, 0, -1, 0, 1, -1, -1, 1}, dy[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    if (places->width == 0) {
        int32_t count = places->neighbours(places, place, out, INFLUENCE_NEIGHBOURS);
        return count < INFLUENCE_NEIGHBOURS ? count : INFLUENCE_NEIGHBOURS;
    }
    int32_t count = 0, x = place % places->width, y = place / places->width;
    for (int32_t i = 0; i < (all ? 8 : 4); i++) {
        int32_t to = ploy_places_cell(places, x + dx[i], y + dy[i]);
        if (to != PLOY_PLACE_NONE) out[count++] = to;
    }
    return count;
}

// Is the place of that side and beside one of another owner? Unknown places and those without an
// owner are not part of a border and do not make one.
static bool influence_borders(const ploy_influence *influence, int32_t side, int32_t place) {
    if (ploy_influence_owner(influence, place) != side) return false;
    int32_t around[INFLUENCE_NEIGHBOURS];
    int32_t count = influence_around(&influence->places, place, false, around);
    for (int32_t i = 0; i < count; i++) {
        int32_t owner = ploy_influence_owner(influence, around[i]);
        if (owner != side && owner != PLOY_SIDE_NONE) return true;
    }
    return false;
}

int32_t ploy_influence_border(const ploy_influence *influence, int32_t side, int32_t *out,
                              int32_t capacity) {
    int32_t count = 0;
    if (influence == NULL || side < 0 || side >= influence->def.sides) return 0;
    for (int32_t i = 0; i < influence->places.count; i++) {
        if (!influence_borders(influence, side, i)) continue;
        if (count < capacity) out[count] = i;
        count++;
    }
    return count;
}

int32_t ploy_influence_weakest(const ploy_influence *influence, int32_t side) {
    int32_t best = PLOY_PLACE_NONE, least = INT32_MAX;
    if (influence == NULL || side < 0 || side >= influence->def.sides) return best;
    for (int32_t i = 0; i < influence->places.count; i++) {
        influence_lead lead = influence_lead_at(influence, i);
        if (lead.side != side || lead.first - lead.second >= least) continue;
        if (!influence_borders(influence, side, i)) continue;
        best = i;
        least = lead.first - lead.second;
    }
    return best;
}

// ---- sectors

// Marks of places while sectors are found: a list through the places of the present sector.
enum { INFLUENCE_FREE = 0, INFLUENCE_WEAK = -1, INFLUENCE_LAST = INT32_MAX };

static ploy_weak_sector influence_grow(ploy_influence *influence, int32_t side, int32_t first) {
    const ploy_places *places = &influence->places;
    int32_t *marks = influence->marks;
    double x = 0.0, y = 0.0, out_x = 0.0, out_y = 0.0, security = 0.0;
    int32_t size = 0, tail = first;
    marks[first] = INFLUENCE_LAST;
    for (int32_t at = first;; at = marks[at] - 1) {
        int32_t around[INFLUENCE_NEIGHBOURS];
        ploy_vec3 here = places->position(places, at);
        size++;
        x += (double)here.x;
        y += (double)here.y;
        security += (double)ploy_influence_security(influence, at);
        int32_t count = influence_around(places, at, true, around);
        for (int32_t i = 0; i < count; i++) {
            if (marks[around[i]] == INFLUENCE_WEAK) {
                marks[tail] = around[i] + 1;
                tail = around[i];
                marks[tail] = INFLUENCE_LAST;
            }
            int32_t owner = ploy_influence_owner(influence, around[i]);
            if (owner == side || owner == PLOY_SIDE_NONE) continue;
            ploy_vec3 there = places->position(places, around[i]);
            out_x += (double)there.x - (double)here.x;
            out_y += (double)there.y - (double)here.y;
        }
        if (marks[at] == INFLUENCE_LAST) break;
    }
    ploy_weak_sector sector;
    double length = sqrt(out_x * out_x + out_y * out_y);
    sector.first = first;
    sector.size = size;
    sector.security = (float)(security / size);
    sector.centre = ploy_vec2_make((float)(x / size), (float)(y / size));
    sector.outward = length > 0.0 ? ploy_vec2_make((float)(out_x / length), (float)(out_y / length))
                                  : ploy_vec2_make(0.0f, 0.0f);
    return sector;
}

static bool influence_sector_before(const ploy_weak_sector *a, const ploy_weak_sector *b) {
    if (a->size != b->size) return a->size > b->size;
    if (a->security != b->security) return a->security < b->security;
    return a->first < b->first;
}

int32_t ploy_influence_sectors(ploy_influence *influence, int32_t side, float below, int32_t least,
                               ploy_weak_sector *out, int32_t capacity) {
    if (influence == NULL || side < 0 || side >= influence->def.sides) return 0;
    int32_t count = 0;
    for (int32_t i = 0; i < influence->places.count; i++) {
        influence->marks[i] =
            influence_borders(influence, side, i) && ploy_influence_security(influence, i) < below
                ? INFLUENCE_WEAK
                : INFLUENCE_FREE;
    }
    for (int32_t i = 0; i < influence->places.count; i++) {
        if (influence->marks[i] != INFLUENCE_WEAK) continue;
        ploy_weak_sector sector = influence_grow(influence, side, i);
        if (sector.size < least) continue;
        count++;
        // The best ones stay in order; the worst falls out where there is no room.
        int32_t at = count < capacity ? count - 1 : capacity - 1;
        if (capacity < 1 ||
            (count > capacity && !influence_sector_before(&sector, &out[capacity - 1]))) {
            continue;
        }
        while (at > 0 && influence_sector_before(&sector, &out[at - 1])) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = sector;
    }
    return count;
}

// ---- drawing

// How secure a place is; below 0 where the second of two sides owns it.
static float influence_map_value(const void *user, int32_t place) {
    const ploy_influence *influence = user;
    if (influence->unknown[place]) return NAN;
    int32_t side = ploy_influence_owner(influence, place);
    if (side == PLOY_SIDE_NONE) return 0.0f;
    float security = ploy_influence_security(influence, place);
    return side == 1 && influence->def.sides == 2 ? -security : security;
}

void ploy_influence_draw(const ploy_influence *influence, ploy_draw *out) {
    static const ploy_style styles[4] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C,
                                         PLOY_STYLE_AGENT_D};
    if (influence == NULL || !ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) return;
    const ploy_places *places = &influence->places;
    ploy_agent_id owner = ploy_agent_id_none();
    float most = 0.0f, half = places->size * 0.5f;
    bool sent = places->width > 0 && ploy_draw_takes_maps(out);
    if (sent) {
        ploy_draw_map map = {
            "security", "", places->origin,      places->size, places->width, places->height,
            NULL,       0,  influence_map_value, influence};
        ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
    }
    for (int32_t i = 0; i < places->count; i++) {
        float security = ploy_influence_security(influence, i);
        if (security > most) most = security;
    }
    for (int32_t i = 0; i < places->count; i++) {
        if (places->width == 0 && !places->open(places, i)) continue;
        int32_t side = ploy_influence_owner(influence, i);
        bool unknown = influence->unknown[i];
        if (side == PLOY_SIDE_NONE && !unknown) continue;
        ploy_vec3 at = places->position(places, i);
        ploy_vec2 corners[4] = {{at.x - half, at.y - half},
                                {at.x + half, at.y - half},
                                {at.x + half, at.y + half},
                                {at.x - half, at.y + half}};
        float share = most > 0.0f ? ploy_influence_security(influence, i) / most : 0.0f;
        if (!sent) {
            ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE,
                              unknown ? PLOY_STYLE_GHOST : styles[side % 4], owner, corners, 4,
                              unknown ? 0.25f : 0.15f + 0.6f * share);
        }
        if (!unknown && influence_borders(influence, side, i)) {
            ploy_draw_circle(out, PLOY_LAYER_INFLUENCE, styles[side % 4], owner,
                             ploy_vec2_make(at.x, at.y), half * 0.3f);
        }
    }
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(influence->units, &cursor, NULL, &item)) {
        const influence_unit *unit = item;
        ploy_vec3 at = places->position(places, unit->place);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[unit->side % 4], owner,
                       ploy_vec2_make(at.x, at.y), half * 0.8f, 1.0f);
    }
}
