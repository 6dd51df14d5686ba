// Short matches with parameters and commands at random: whatever a person does to the sliders and
// the keys, the rules hold. `make soak` plays a thousand of them under the address sanitizer.
#include "ploy/base/math.h"
#include "tests/games/soccer_test.h"

static ploy_rng random_rng;

static void random_value(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    soccer_def *def = user;
    (void)path;
    if (ploy_rng_float(&random_rng) < 0.6f) return;
    unsigned char *at = (unsigned char *)def + offset;
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: *(bool *)at = ploy_rng_float(&random_rng) < 0.5f; break;
    case PLOY_FIELD_TYPE_I32:
        *(int32_t *)at = ploy_rng_int(&random_rng, (int32_t)field->min,
                                      ploy_mini((int32_t)field->max, (int32_t)field->min + 8));
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

static void random_def(soccer_def *def) {
    ploy_fields_each(soccer_fields(), random_value, def);
}

TEST(short_matches_keep_to_the_rules_whatever_is_set_and_pressed) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 1; seed <= test_rounds(50); seed++) {
        TEST_SEED(seed);
        random_rng = ploy_rng_make((uint64_t)seed);
        soccer_scene scene;
        soccer_scene_begin(t, &scene, (uint64_t)seed, seed % 2 == 0 ? random_def : NULL);
        CHECK_OK(ploy_fields_check(soccer_fields(), &scene.def, &env));
        for (int32_t i = 0; i < 600; i++) {
            if (ploy_rng_float(&random_rng) < 0.03f) {
                const ploy_command *command =
                    &soccer_commands[ploy_rng_int(&random_rng, 0, SOCCER_COMMANDS - 1)];
                ploy_value value = command->value == PLOY_VALUE_VEC2
                                       ? ploy_value_vec2(ploy_rng_range(&random_rng, -50, 50),
                                                         ploy_rng_range(&random_rng, -50, 50))
                                       : ploy_value_none();
                soccer_scene_command(t, &scene, command->name,
                                     ploy_rng_int(&random_rng, -1, SOCCER_PLAYERS), value);
            } else {
                soccer_scene_run(t, &scene, 1);
            }
            soccer_scene_check(t, &scene);
            if (i == 300 && seed % 4 == 0) random_def(&scene.def);
        }
        soccer_scene_end(&scene);
    }
}
