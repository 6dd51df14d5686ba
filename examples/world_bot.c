// A bot in 60 lines: it looks four times a second, remembers what it saw, picks the nearest target,
// turns at a limited rate and shoots only after a reaction time. You will see the other bot pass a
// gap in a wall: seen, reacted to, shot at, lost from sight, aimed after, forgotten.
#include <math.h>
#include <stdio.h>

#include "ploy/exec/regulator.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/scene.h"
#include "ploy/world/target.h"

static const float reaction = 0.2f, persistence = 1.0f, turn = 0.2f; // s, s, rad a tick

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_agent_id me = ploy_agent_id_make(1, 1), other = ploy_agent_id_make(2, 1);
    ploy_plain_scene_def walls_def = ploy_plain_scene_def_default();
    ploy_sense_memory_def memory_def = ploy_sense_memory_def_default();
    ploy_regulator_def look_def = ploy_regulator_def_default();
    ploy_plain_scene *walls = NULL;
    ploy_sense_memory *memory = NULL;
    ploy_regulator look;
    memory_def.span = 2.0f;
    look_def.rate = 4.0f;
    look_def.offset = 0.0f;
    if (ploy_plain_scene_create(&walls_def, &env, &walls) != PLOY_OK ||
        ploy_sense_memory_create(&memory_def, me, &env, &memory) != PLOY_OK ||
        ploy_regulator_init(&look, &look_def, 0.0, 1) != PLOY_OK) {
        return 1;
    }
    // A wall at y = 2 with a gap from x = -1 to 1; the bot is at the origin and looks along +x.
    ploy_plain_scene_add_segment(walls, ploy_vec2_make(-9, 2), ploy_vec2_make(-1, 2), 1, NULL);
    ploy_plain_scene_add_segment(walls, ploy_vec2_make(1, 2), ploy_vec2_make(9, 2), 1, NULL);
    ploy_scene scene = ploy_plain_scene_interface(walls);
    ploy_target target = ploy_target_make();
    ploy_vec2 at = {0.0f, 0.0f};
    float facing = 0.3f;
    const char *before = "";
    for (int tick = 0; tick < 480; tick++) {
        double now = tick / 60.0;
        ploy_vec2 enemy = {-8.0f + 0.05f * (float)tick, 4.0f}; // runs 3 m/s behind the wall
        if (ploy_regulator_ready(&look, now)) {
            bool in_line = ploy_scene_sees2(&scene, at, enemy, 1);
            bool in_view = ploy_vec2_dot(ploy_angle_heading(facing), enemy) >= 0.0f; // 180 degrees
            ploy_sense_memory_look(memory, other, ploy_vec3_from_vec2(enemy, 0.0f), in_view,
                                   in_line, 1.0f, now);
            ploy_target_step(&target, memory, ploy_vec3_zero(), NULL, now, NULL);
        }
        const ploy_sense_record *record = ploy_sense_memory_get(memory, other);
        const char *what = "sees nothing";
        if (ploy_target_present(&target)) {
            bool aims = record->visible || now - record->last_visible < (double)persistence;
            ploy_vec2 place = record->visible ? enemy : ploy_vec2_from_vec3(record->position);
            if (aims) facing = ploy_angle_toward(facing, ploy_angle_of(place), turn);
            what = !aims                                              ? "remembers"
                   : !record->visible                                 ? "aims where it was"
                   : now - record->became_visible <= (double)reaction ? "reacts"
                   : fabsf(ploy_angle_difference(facing, ploy_angle_of(place))) < 0.01f ? "shoots"
                                                                                        : "turns";
        }
        if (what != before) printf("%5.2f s  x = %5.2f  %s\n", now, (double)enemy.x, what);
        before = what;
    }
    ploy_sense_memory_destroy(memory);
    ploy_plain_scene_destroy(walls);
    return 0;
}
