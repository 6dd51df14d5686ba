// Invent senses of your own. You will see an aura that only the gifted see through a wall, a thought
// that reaches its group at once however far, and a spell of fear: its victims are the agents that sense
// it, and it lingers where it was cast. Shows ploy_modality with a check, and ploy_senses.
#include <stdio.h>

#include "ploy/world/senses.h"

enum { MAGE = 1, KNIGHT = 2, WOLF = 3, AGENTS = 4 };
enum { AURA, THOUGHT, FEAR, MODALITIES };

static const char *const names[AGENTS] = {"nobody", "mage", "knight", "wolf"};
static const ploy_vec2 places[AGENTS] = {{0, 0}, {8, 0}, {3, 0}, {90, 0}};

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    (void)user;
    *out = ploy_pose_make2(places[agent.id.index], 0, 0.5f);
    return true;
}

// An aura is sight without line of sight: who has the gift sees it, whatever is in between.
static bool gifted(void *user, ploy_sense_test *test) {
    (void)user;
    return test->sensor->agent.id.index == MAGE;
}

static void sensed(void *user, const ploy_percept *percept) {
    const ploy_modalities *modalities = user;
    printf("  %.1f s: the %s senses it (%s, intensity %.2f)\n", percept->time,
           names[percept->sensor.id.index],
           ploy_modalities_get(modalities, percept->signal.modality)->name,
           (double)percept->intensity);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_modality senses_of[MODALITIES] = {ploy_modality_of(PLOY_SENSE_SIGHT),
                                           ploy_modality_default(),
                                           ploy_modality_of(PLOY_SENSE_SMELL)};
    senses_of[AURA].name = "aura";
    senses_of[AURA].check = gifted;
    senses_of[THOUGHT].name = "thought"; // hearing that nothing weakens or delays
    senses_of[FEAR].name = "fear";       // a smell that spreads at 4 m/s and stays a while
    senses_of[FEAR].inverse_speed = 0.25f;
    senses_of[FEAR].attenuation = 0.9f;
    senses_of[FEAR].max_range = 20.0f;
    ploy_modalities *modalities = NULL;
    if (ploy_modalities_create(senses_of, MODALITIES, &env, &modalities) != PLOY_OK) return 1;
    ploy_senses_def def = ploy_senses_def_default();
    def.modalities = modalities;
    def.poses.pose = where;
    def.policy = PLOY_SENSES_WAVE;
    ploy_senses *senses = NULL;
    if (ploy_senses_create(&def, &env, &senses) != PLOY_OK) return 1;
    for (int i = MAGE; i < AGENTS; i++) {
        ploy_sensor sensor = ploy_sensor_make(ploy_agent_id_make((uint32_t)i, 1));
        ploy_sensor_set(&sensor, AURA, 0.1f);
        if (i != WOLF) ploy_sensor_set(&sensor, THOUGHT, 0.1f);    // the group
        ploy_sensor_set(&sensor, FEAR, i == KNIGHT ? 0.8f : 0.3f); // a brave one
        ploy_senses_add_sensor(senses, &sensor);
    }
    static const char *const causes[MODALITIES] = {"an amulet shines", "'to me!' the mage thinks",
                                                   "a curse is cast"};
    const float strengths[MODALITIES] = {1, 1, 1};
    double now = 0.0;
    for (int i = 0; i < MODALITIES; i++) {
        ploy_signal signal =
            ploy_signal_make(i, strengths[i], ploy_vec3_make(0, 0, 0), ploy_name_of(causes[i]));
        printf("%s\n", causes[i]);
        ploy_senses_add_signal(senses, &signal, now);
        for (int k = 0; k < 30; k++) ploy_senses_step(senses, now += 0.1, NULL, sensed, modalities);
    }
    ploy_vec3 cast;
    float left = 0.0f;
    bool lingers =
        ploy_senses_find_strongest(senses, FEAR, ploy_vec3_make(1, 0, 0), now, &cast, &left);
    printf("the fear still lingers there: %s\n", lingers ? "yes" : "no");
    ploy_senses_destroy(senses);
    ploy_modalities_destroy(modalities);
    return 0;
}
