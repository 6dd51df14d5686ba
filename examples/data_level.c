// Ship a level's helpers as one block of bytes. You will see objects with free key-value slots
// gathered, written, opened where the bytes are without copying, asked by name and by type, and a
// damaged block refused. Shows ploy/data/level.h.
#include <stdio.h>

#include "ploy/base/writer.h"
#include "ploy/data/level.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_level_builder *builder = NULL;
    if (ploy_level_builder_create(&env, &builder) != PLOY_OK) return 1;
    // What an editor exports: invisible helpers, data for one kind of character, global settings.
    ploy_level_builder_add(builder, "tower", "cover", ploy_vec3_make(10, 4, 0));
    ploy_level_builder_set(builder, "height", ploy_value_f32(3.0f));
    ploy_level_builder_set(builder, "for", ploy_value_text("archer"));
    ploy_level_builder_add(builder, "ditch", "cover", ploy_vec3_make(2, 9, -1));
    ploy_level_builder_set(builder, "height", ploy_value_f32(0.8f));
    ploy_level_builder_add(builder, "gate", "waypoint", ploy_vec3_make(0, 0, 0));
    ploy_level_builder_set(builder, "next", ploy_value_text("tower"));
    ploy_level_builder_add(builder, "world", "settings", ploy_vec3_make(0, 0, 0));
    ploy_level_builder_set(builder, "night", ploy_value_bool(true));
    ploy_buffer file;
    ploy_buffer_init(&file, 0, &env);
    ploy_writer out = ploy_buffer_writer(&file);
    if (ploy_level_builder_save(builder, &out) != PLOY_OK) return 1;
    ploy_level_builder_destroy(builder);

    ploy_level level; // points into the bytes: nothing is allocated or copied
    if (ploy_level_open(file.bytes, file.size, &level) != PLOY_OK) return 1;
    printf("%d objects\n", (int)level.object_count);
    for (int32_t i = -1; (i = ploy_level_next(&level, i, "cover")) >= 0;) {
        ploy_level_object cover;
        ploy_value height;
        ploy_level_at(&level, i, &cover);
        ploy_level_get(&level, i, "height", &height);
        printf("cover '%s' at %.0f, %.0f, %.1f m high\n", cover.name, (double)cover.position.x,
               (double)cover.position.y, (double)height.as.f32);
    }
    ploy_value next, night;
    if (ploy_level_get(&level, ploy_level_find(&level, "gate"), "next", &next)) {
        printf("from the gate to the %s\n", next.as.text);
    }
    if (ploy_level_get(&level, ploy_level_find(&level, "world"), "night", &night)) {
        printf("it is %s\n", night.as.b ? "night" : "day");
    }
    ((unsigned char *)file.bytes)[file.size / 2] ^= 1; // a bit flips on the way
    ploy_result damaged = ploy_level_open(file.bytes, file.size, &level);
    printf("damaged: %s\n", ploy_result_text(damaged));
    printf("truncated: %s\n", ploy_result_text(ploy_level_open(file.bytes, file.size / 2, &level)));
    ploy_buffer_fini(&file);
    return 0;
}
