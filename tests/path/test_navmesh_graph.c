// Dead ends, the ways on from a polygon, and islands, against slow versions.
#include "path/navmesh_internal.h"
#include "tests/path/navmesh_help.h"

// Taking away, again and again, polygons with one neighbour left.
static void slow_dead_ends(const ploy_navmesh *mesh, bool *dead) {
    int32_t count = mesh->stats.polygons;
    for (int32_t i = 0; i < count; i++) dead[i] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < count; i++) {
            const ployi_nav_polygon *p = &mesh->polygons[i];
            int32_t left = 0;
            for (int32_t e = p->first; e < p[1].first; e++) {
                left += mesh->edges[e].neighbour >= 0 && !dead[mesh->edges[e].neighbour];
            }
            if (dead[i] || left != 1) continue;
            dead[i] = changed = true;
        }
    }
}

TEST(dead_ends_lead_out_and_ways_on_lead_into_none) {
    enum { MOST = 4096 };
    static bool dead[MOST];
    static int32_t left[MOST][2]; // polygons of islands that are none, by both
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, seed % 2 == 0 ? 0.0f : 0.6f);
        const ploy_navmesh *mesh = floor.mesh;
        CHECK(mesh->stats.polygons <= MOST);
        slow_dead_ends(mesh, dead);
        memset(left, 0, sizeof left);
        for (int32_t i = 0; i < mesh->stats.polygons; i++) {
            left[mesh->polygons[i].island][0] += !dead[i];
            left[mesh->polygons[i].island][1] += mesh->polygons[i].up < 0;
        }
        for (int32_t i = 0; i < mesh->stats.polygons; i++) {
            const ployi_nav_polygon *p = &mesh->polygons[i];
            // An island without rounds is all dead ends but one polygon, any.
            CHECK_INT(left[p->island][1], left[p->island][0]);
            if (left[p->island][0] > 1) CHECK_INT(p->up >= 0, dead[i]);
            dead[i] = p->up >= 0;
        }
        for (int32_t i = 0; i < mesh->stats.polygons; i++) {
            const ployi_nav_polygon *p = &mesh->polygons[i];
            int32_t steps = 0;
            for (int32_t k = i; mesh->polygons[k].up >= 0; k = mesh->polygons[k].up) {
                CHECK(++steps <= mesh->stats.polygons); // it ends
            }
            // From any edge the portals out of dead ends follow one another once round.
            for (int32_t from = p->first; from < p[1].first; from++) {
                int32_t on = 0, met = 0;
                for (int32_t e = p->first; e < p[1].first; e++) {
                    int32_t next = mesh->edges[e].neighbour;
                    on += next >= 0 && (!dead[next] || p->up == next);
                }
                int32_t first = ployi_nav_next(mesh, from);
                for (int32_t e = first; e >= 0; e = ployi_nav_next(mesh, e)) {
                    if (met > 0 && e == first) break;
                    int32_t next = mesh->edges[e].neighbour;
                    CHECK(next >= 0 && (!dead[next] || p->up == next));
                    CHECK(e >= p->first && e < p[1].first);
                    CHECK(++met <= on);
                }
                CHECK_INT(met, on);
            }
        }
        nav_close(&floor);
    }
}

TEST(islands_are_what_a_flood_reaches) {
    static int32_t queue[4096];
    static bool reached[4096];
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 1.2f); // wide enough to part some
        const ploy_navmesh *mesh = floor.mesh;
        int32_t islands = 0;
        memset(reached, 0, sizeof reached);
        for (int32_t i = 0; i < mesh->stats.polygons; i++) {
            if (reached[i]) continue;
            int32_t count = 1;
            queue[0] = i;
            reached[i] = true;
            for (int32_t k = 0; k < count; k++) {
                const ployi_nav_polygon *p = &mesh->polygons[queue[k]];
                CHECK_INT(p->island, islands);
                for (int32_t e = p->first; e < p[1].first; e++) {
                    int32_t next = mesh->edges[e].neighbour;
                    if (next < 0 || reached[next]) continue;
                    reached[next] = true;
                    queue[count++] = next;
                }
            }
            islands++;
        }
        CHECK_INT(mesh->stats.islands, islands);
        nav_close(&floor);
    }
}
