// Levels from OBJ and JSON: walls at knee height, objects with tags, faults with places.
#include "ploy/data/level_obj.h"

#include "ploy/data/level_use.h"
#include "tests/test.h"

// A room of 4 x 2 m in y-up axes: floor, four walls of 2 m, and a step of 0.2 m that is no wall.
static const char level_obj_file[] =
    "v 0 0 0\nv 4 0 0\nv 4 0 -2\nv 0 0 -2\nv 0 2 0\nv 4 2 0\nv 4 2 -2\nv 0 2 -2\n"
    "f 1 2 3 4\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
    "v 1 0 -1\nv 2 0 -1\nv 2 0.2 -1\nv 1 0.2 -1\nf 9 10 11 12\n";

static ploy_result level_obj_make(const char *tags, const ploy_env *env, ploy_diags *diags,
                                  ploy_buffer *bytes, ploy_level *level) {
    ploy_level_builder *builder = NULL;
    ploy_buffer_init(bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(bytes);
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK) {
        result = ploy_level_obj_load(level_obj_file, sizeof level_obj_file - 1, "l.obj", tags,
                                     strlen(tags), "l.json", env, diags, builder);
    }
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    if (result == PLOY_OK) result = ploy_level_open(bytes->bytes, bytes->size, level);
    ploy_level_builder_destroy(builder);
    return result;
}

static const char level_obj_tags[] =
    "{\"height\": 0.5, \"objects\": ["
    "{\"type\": \"spawn\", \"at\": [1, 0, -1], \"tags\": {\"side\": \"red\", \"calm\": true}},"
    "{\"name\": \"gate\", \"type\": \"door\", \"at\": [4, 0, -0.5], \"to\": [4, 0, -1.5],"
    " \"buttons\": [[3, 0, -1]]},"
    "{\"type\": \"item\", \"at\": [3, 0, -1], \"tags\": {\"kind\": \"health\", \"amount\": 25}}]}";

static ploy_result level_obj_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    ploy_buffer bytes;
    ploy_level level;
    ploy_result result = level_obj_make(level_obj_tags, env, NULL, &bytes, &level);
    if (result == PLOY_OK) {
        ploy_segment2 wall;
        ploy_level_spawn spawn;
        ploy_level_door door;
        ploy_level_item item;
        int32_t walls = 0, at = 0;
        float length = 0.0f;
        for (; ploy_level_next_wall(&level, &at, &wall); walls++) {
            length += ploy_vec2_distance(wall.from, wall.to);
        }
        CHECK_INT(walls, 4); // two triangles each, joined; the step is below the knee
        CHECK_NEAR(length, 12.0, 1e-4);
        at = 0;
        CHECK(ploy_level_next_spawn(&level, &at, &spawn));
        CHECK_TEXT(spawn.side, "red");
        // In ploy's axes: x is the file's -z, y its -x.
        CHECK_SAME(spawn.position.x, 1.0f);
        CHECK_SAME(spawn.position.y, -1.0f);
        at = 0;
        CHECK(ploy_level_next_door(&level, &at, &door));
        CHECK_TEXT(door.name, "gate");
        CHECK_SAME(door.segment.to.x, 1.5f);
        CHECK_INT(door.button_count, 1);
        at = 0;
        CHECK(ploy_level_next_item(&level, &at, &item));
        CHECK_SAME(item.amount, 25.0f);
    }
    ploy_buffer_fini(&bytes);
    return result;
}

TEST(geometry_becomes_walls_and_tags_become_objects) {
    CHECK_FAIL_NTH(level_obj_body, t);
}

TEST(faults_of_tags_have_line_and_column) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
    } rows[] = {
        {"not JSON", "{\n  nope", 2, 3},
        {"unknown axes", "{\"axes\": \"y_upright\"}", 1, 10},
        {"unknown key", "{\"hight\": 1}", 1, 2},
        {"no type", "{\"objects\": [\n {\"at\": [1, 2, 3]}]}", 2, 2},
        {"no position", "{\"objects\": [\n {\"type\": \"spawn\"}]}", 2, 2},
        {"half a position", "{\"objects\": [\n {\"type\": \"a\", \"at\": [1]}]}", 2, 22},
        {"a list as a tag",
         "{\"objects\": [{\"type\": \"a\", \"at\": [1, 2, 3],\n\"tags\": {\"b\": []}}]}", 2, 15},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_buffer bytes;
        ploy_level level;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(level_obj_make(rows[i].text, &env, diags, &bytes, &level), PLOY_ERR_FORMAT);
        CHECK_TEXT(ploy_diags_get(diags, 0)->name, "l.json");
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_buffer_fini(&bytes);
        ploy_diags_destroy(diags);
    }
}
