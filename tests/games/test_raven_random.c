// Short matches with parameters, commands and edited files at random: whatever a person does while
// they are played, the rules hold. `make soak` plays 200 of them under the address sanitizer.
#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"
#include "tests/games/raven_test.h"

static ploy_rng random_rng;
static bool random_running; // only what may change during a match

static void random_value(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    raven_def *def = user;
    unsigned char *at = (unsigned char *)def + offset;
    if (ploy_rng_float(&random_rng) < 0.7f || (random_running && !field->live)) return;
    // Bodies and nodes of any size need a level of their own, and a match that is over stands still.
    static const char *const kept[] = {"radius", "node_spacing", "kill_limit", "time_limit"};
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        if (strcmp(path, kept[i]) == 0) return;
    }
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: *(bool *)at = ploy_rng_float(&random_rng) < 0.5f; break;
    case PLOY_FIELD_TYPE_I32:
        *(int32_t *)at = ploy_rng_int(&random_rng, (int32_t)field->min,
                                      ploy_mini((int32_t)field->max, (int32_t)field->min + 12));
        break;
    case PLOY_FIELD_TYPE_ENUM:
        *(int32_t *)at = ploy_rng_int(&random_rng, 0, field->choice_count - 1);
        break;
    case PLOY_FIELD_TYPE_F32: {
        // The ends of the range too.
        float part = ploy_rng_range(&random_rng, -0.2f, 1.2f);
        part = part * part * part;
        *(float *)at = ploy_clampf((float)(field->min + (field->max - field->min) * (double)part),
                                   (float)field->min, (float)field->max);
        break;
    }
    default: break;
    }
}

static void random_def(raven_def *def) {
    ploy_fields_each(raven_fields(), random_value, def);
}

static void random_command(test_context *t, raven_scene *scene) {
    const ploy_command *command = &raven_commands[ploy_rng_int(&random_rng, 0, RAVEN_COMMANDS - 1)];
    ploy_value value = ploy_value_none();
    if (command->value == PLOY_VALUE_VEC2) {
        value = ploy_value_vec2(ploy_rng_range(&random_rng, -10, 60),
                                ploy_rng_range(&random_rng, -10, 60));
    }
    raven_scene_command(t, scene, command->name, ploy_rng_int(&random_rng, -1, RAVEN_BOTS_MAX - 1),
                        value);
}

// Another level, or one file of personalities, skills, rules and weapons in place of another of
// its kind, as a person who edits would give it: checked first.
static void random_edit(test_context *t, raven_scene *scene) {
    static const char *const files[] = {"maps/dm1.txt",
                                        "maps/doors.txt",
                                        "maps/cross.txt",
                                        "weapons.json",
                                        "personalities/aggressive.json",
                                        "personalities/cautious.json",
                                        "skills/novice.json",
                                        "skills/expert.json",
                                        "fuzzy/shotgun.fll",
                                        "fuzzy/railgun.fll",
                                        "fuzzy/aim.fll"};
    const raven_file *file =
        raven_file_find(files[ploy_rng_int(&random_rng, 0, (int32_t)COUNT_OF(files) - 1)]);
    int32_t which = ploy_rng_int(&random_rng, 0, RAVEN_DEFINITIONS - 1);
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = raven_definitions[which].name;
    input.bytes = file->bytes;
    input.size = file->size;
    ploy_result result =
        raven_type()->check(scene->match, which, file->bytes, file->size, &scene->env, NULL);
    raven_scene_tick(t, scene, &input, result == PLOY_OK ? 1 : 0, NULL);
}

TEST(short_raven_matches_keep_to_the_rules_whatever_is_set_and_pressed) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 1; seed <= test_rounds(10); seed++) {
        TEST_SEED(seed);
        random_rng = ploy_rng_make((uint64_t)seed);
        random_running = false;
        raven_scene scene;
        raven_watch watch;
        memset(&watch, 0, sizeof watch);
        watch.leaves = true;
        raven_scene_begin(t, &scene, (uint64_t)seed, seed % 2 == 0 ? random_def : NULL, NULL);
        CHECK_OK(ploy_fields_check(raven_fields(), &scene.def, &env));
        random_running = true;
        for (int32_t i = 0; i < 600; i++) {
            float chance = ploy_rng_float(&random_rng);
            if (chance < 0.03f) {
                random_command(t, &scene);
            } else if (chance < 0.035f) {
                random_edit(t, &scene);
                watch.begun = false; // items of another level
                watch.shot_count = 0;
            } else {
                raven_scene_run(t, &scene, 1);
            }
            raven_scene_check(t, scene.match, &watch);
            if (i == 300 && seed % 4 == 0) random_def(&scene.def);
        }
        raven_scene_end(&scene);
    }
}
