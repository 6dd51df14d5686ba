// Modalities, signals, sensors, percepts: ranges, the common test, messages.
#include "ploy/base/math.h"
#include "tests/world/sense_test.h"
#include "world/world_internal.h"

static ploy_result sense_make_table(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_modality items[2] = {ploy_modality_of(PLOY_SENSE_SIGHT),
                              ploy_modality_of(PLOY_SENSE_SMELL)};
    ploy_modalities *table = NULL;
    ploy_result result = ploy_modalities_create(items, 2, env, &table);
    TEST_REPORT(result, env, table, ploy_modalities_memory);
    ploy_modalities_destroy(table);
    return result;
}

TEST(a_table_survives_each_failing_allocation) {
    CHECK_FAIL_NTH(sense_make_table, NULL);
}

TEST(the_field_table_of_a_modality_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_modality_fields(), NULL));
}

TEST(a_table_refuses_what_makes_no_sense) {
    static const struct {
        const char *row, *name, *other;
        float attenuation, range;
        ploy_result want;
    } rows[] = {
        {"fine", "a", "b", 0.5f, 10, PLOY_OK},
        {"growing with distance", "a", "b", 1.5f, 10, PLOY_ERR_ARGUMENT},
        {"not a number", "a", "b", NAN, 10, PLOY_ERR_ARGUMENT},
        {"a range below nothing", "a", "b", 0.5f, -1, PLOY_ERR_ARGUMENT},
        {"no name", NULL, "b", 0.5f, 10, PLOY_ERR_ARGUMENT},
        {"an empty name", "", "b", 0.5f, 10, PLOY_ERR_ARGUMENT},
        {"one name for two", "b", "b", 0.5f, 10, PLOY_ERR_EXISTS},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_modality items[2] = {
            sense_modality(rows[i].name, rows[i].attenuation, rows[i].range, 0),
            sense_modality(rows[i].other, 1, 10, 0)};
        ploy_modalities *table = NULL;
        CHECK_INT(ploy_modalities_create(items, 2, &env, &table), rows[i].want);
        CHECK((table != NULL) == (rows[i].want == PLOY_OK));
        ploy_modalities_destroy(table);
    }
    ploy_modalities *table = NULL;
    CHECK_INT(ploy_modalities_create(NULL, 1, &env, &table), PLOY_ERR_ARGUMENT);
    ploy_modality zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    zeroed.name = "zeroed";
    CHECK_INT(ploy_modalities_create(&zeroed, 1, &env, &table), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_modalities_create(&zeroed, PLOY_MODALITIES_MAX + 1, &env, &table),
              PLOY_ERR_ARGUMENT);
}

TEST(modalities_are_found_by_name_and_keep_it) {
    char name[8] = "aura"; // WLD-18: the set is open
    ploy_modality items[2] = {ploy_modality_of(PLOY_SENSE_SOUND), sense_modality(name, 1, 5, 0)};
    ploy_modalities *table = sense_table(t, items, 2);
    strcpy(name, "gone");
    CHECK_INT(ployi_modalities_count(table), 2);
    CHECK_INT(ploy_modalities_find(table, "aura"), 1);
    CHECK_INT(ploy_modalities_find(table, "sound"), 0);
    CHECK_INT(ploy_modalities_find(table, "gone"), -1);
    CHECK_TEXT(ploy_modalities_get(table, 1)->name, "aura");
    CHECK(ploy_modalities_get(table, 2) == NULL);
    CHECK(ploy_modalities_get(table, -1) == NULL);
    ploy_modalities_destroy(table);
    ploy_modalities_destroy(NULL);
}

TEST(intensity_falls_with_distance_and_reach_is_its_inverse) {
    ploy_modality sound = sense_modality("sound", 0.9f, 100, 0);
    // WLD-19: attenuation 0.9, strength 2.
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 1), 1.8, 1e-6);
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 2), 1.62, 1e-6);
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 1.5f), 1.7076, 1e-4);
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 2.8f), 1.4890, 1e-4);
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 1), 6.579, 1e-3);
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 1.5f), 2.730, 1e-3);
    CHECK(ployi_modality_reach(&sound, 2, 3) < 0);
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 0), 100, 0);
    sound.max_range = 5;
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 1), 5, 0);
    sound.attenuation = 1;
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 50), 2, 0);
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 1), 5, 0);
    sound.attenuation = 0;
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 0), 2, 0);
    CHECK_NEAR(ployi_modality_intensity(&sound, 2, 0.5f), 0, 0);
    CHECK_NEAR(ployi_modality_reach(&sound, 2, 1), 0, 0);
}

TEST(wind_shortens_the_way_downwind_within_bounds) {
    ploy_modality smell = ploy_modality_of(PLOY_SENSE_SMELL); // WLD-17
    smell.wind = 0.5f;
    ploy_vec3 a = ploy_vec3_make(0, 0, 0), b = ploy_vec3_make(6, 0, 0);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_zero()), 6, 0);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_make(2, 0, 0)), 3, 1e-6);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_make(-1, 0, 0)), 12, 1e-6);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_make(0, 9, 0)), 6, 1e-6);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_make(-100, 0, 0)), 60, 1e-4);
    CHECK_NEAR(ploy_modality_distance(&smell, a, b, ploy_vec3_make(1000, 0, 0)), 0.6, 1e-6);
    CHECK_NEAR(ploy_modality_distance(&smell, a, a, ploy_vec3_make(1, 0, 0)), 0, 0);
}

TEST(sensors_refuse_what_makes_no_sense) {
    ploy_sensor sensor = ploy_sensor_make(crowd_agent(1));
    CHECK_OK(ploy_sensor_set(&sensor, 3, 0.5f));
    ploy_sensor before = sensor;
    CHECK_INT(ploy_sensor_set(&sensor, -1, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sensor_set(&sensor, PLOY_MODALITIES_MAX, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sensor_set(&sensor, 3, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sensor_set(&sensor, 3, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_sensor_dull(&sensor, 3, 2, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_sensor_dull(&sensor, 3, 0, (double)NAN), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(&sensor, &before, sizeof sensor);
    CHECK(ployi_sensor_detects(&sensor, 3));
    CHECK(!ployi_sensor_detects(&sensor, 2));
    ploy_sensor_clear(&sensor, 3);
    CHECK(!ployi_sensor_detects(&sensor, 3));
}

TEST(deafness_passes) {
    ploy_sensor sensor = ploy_sensor_make(crowd_agent(1)); // WLD-15
    CHECK_NEAR(ployi_sensor_gain(&sensor, 0, -5.0), 1, 0);
    CHECK_OK(ployi_sensor_dull(&sensor, 0, 0.25f, 10.0));
    CHECK_NEAR(ployi_sensor_gain(&sensor, 0, 9.99), 0.25, 0);
    CHECK_NEAR(ployi_sensor_gain(&sensor, 0, 10.0), 1, 0);
    CHECK_NEAR(ployi_sensor_gain(&sensor, 1, 9.0), 1, 0);
}

static bool sense_probe(void *user, ploy_sense_test *test) {
    float factor = *(const float *)user;
    if (factor < 0) {
        test->detail = 42;
        return false;
    }
    test->intensity *= factor;
    return true;
}

TEST(the_common_test_tells_why_not) {
    float factor = 1;
    ploy_modality items[2] = {sense_modality("plain", 1, 10, 0), sense_modality("own", 1, 10, 0)};
    items[0].min_intensity = 0.2f;
    items[1].check = sense_probe;
    items[1].check_user = &factor;
    items[1].check_gain = 1.5f;
    ploy_modalities *table = sense_table(t, items, 2);
    static const struct {
        const char *row;
        int32_t modality, source;
        float distance, intensity, threshold, factor, dulled;
        ploy_sense_reason want;
    } rows[] = {
        {"sensed", 0, 2, 5, 1, 0.5f, 1, 1, PLOY_SENSE_SENSED},
        {"exactly strong enough", 0, 2, 5, 0.5f, 0.5f, 1, 1, PLOY_SENSE_SENSED},
        {"exactly near enough", 0, 2, 10, 1, 0.5f, 1, 1, PLOY_SENSE_SENSED},
        {"its own", 0, 1, 5, 1, 0.5f, 1, 1, PLOY_SENSE_OWN},
        {"too far", 0, 2, 10.1f, 1, 0.5f, 1, 1, PLOY_SENSE_TOO_FAR},
        {"too weak", 0, 2, 5, 0.4f, 0.5f, 1, 1, PLOY_SENSE_TOO_WEAK},
        {"below the minimum", 0, 2, 5, 0.1f, 0, 1, 1, PLOY_SENSE_TOO_WEAK},
        {"dulled", 0, 2, 5, 0.9f, 0.5f, 1, 0.5f, PLOY_SENSE_TOO_WEAK},
        {"dulled, but loud enough", 0, 2, 5, 1.2f, 0.5f, 1, 0.5f, PLOY_SENSE_SENSED},
        {"deaf without a threshold", 1, 2, 5, 9, 0, 1, 0, PLOY_SENSE_TOO_WEAK},
        {"the check refuses", 1, 2, 5, 1, 0.5f, -1, 1, PLOY_SENSE_CHECKED},
        {"the check weakens", 1, 2, 5, 1, 0.5f, 0.25f, 1, PLOY_SENSE_TOO_WEAK},
        {"the check strengthens", 1, 2, 5, 0.4f, 0.5f, 1.5f, 1, PLOY_SENSE_SENSED},
        {"the check makes nonsense", 1, 2, 5, 1, 0.5f, INFINITY, 1, PLOY_SENSE_CHECKED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        factor = rows[i].factor;
        ploy_signal signal = sense_signal(rows[i].modality, 1, 0, 0);
        signal.source = crowd_agent(rows[i].source);
        ploy_sensor sensor = ploy_sensor_make(crowd_agent(1));
        CHECK_OK(ploy_sensor_set(&sensor, rows[i].modality, rows[i].threshold));
        CHECK_OK(ployi_sensor_dull(&sensor, rows[i].modality, rows[i].dulled, 1.0));
        ploy_sense_test test;
        memset(&test, 0, sizeof test);
        test.signal = &signal;
        test.sensor = &sensor;
        test.distance = rows[i].distance;
        test.intensity = rows[i].intensity;
        CHECK_INT(ploy_modalities_test(table, &test), rows[i].want);
        if (rows[i].factor < 0) CHECK_INT(test.detail, 42);
        if (rows[i].want == PLOY_SENSE_SENSED) {
            CHECK_NEAR(test.intensity, rows[i].intensity * rows[i].factor * rows[i].dulled, 1e-6);
        }
        signal.modality ^= 1;
        CHECK_INT(ploy_modalities_test(table, &test), PLOY_SENSE_NOT_MEANT);
        CHECK(strcmp(ployi_sense_reason_text(rows[i].want), "?") != 0);
    }
    ploy_modalities_destroy(table);
}

TEST(signals_and_sensors_are_checked_before_they_are_added) {
    ploy_modality item = ploy_modality_of(PLOY_SENSE_SOUND);
    ploy_modalities *table = sense_table(t, &item, 1);
    ploy_signal signal = sense_signal(0, 1, 2, 3), bad = signal;
    CHECK_OK(ployi_modalities_check_signal(table, &signal));
    CHECK_INT(ployi_modalities_check_signal(table, NULL), PLOY_ERR_ARGUMENT);
    bad.modality = 1;
    CHECK_INT(ployi_modalities_check_signal(table, &bad), PLOY_ERR_ARGUMENT);
    bad = signal, bad.strength = NAN;
    CHECK_INT(ployi_modalities_check_signal(table, &bad), PLOY_ERR_ARGUMENT);
    bad = signal, bad.strength = -1;
    CHECK_INT(ployi_modalities_check_signal(table, &bad), PLOY_ERR_ARGUMENT);
    bad = signal, bad.position.z = INFINITY;
    CHECK_INT(ployi_modalities_check_signal(table, &bad), PLOY_ERR_ARGUMENT);
    bad = signal, bad.size = PLOY_SIGNAL_PAYLOAD + 1;
    CHECK_INT(ployi_modalities_check_signal(table, &bad), PLOY_ERR_ARGUMENT);
    ploy_sensor sensor = ploy_sensor_make(crowd_agent(1));
    CHECK_OK(ployi_modalities_check_sensor(table, &sensor));
    CHECK_OK(ploy_sensor_set(&sensor, 1, 1));
    CHECK_INT(ployi_modalities_check_sensor(table, &sensor), PLOY_ERR_ARGUMENT);
    sensor = ploy_sensor_make(ploy_agent_id_none());
    CHECK_INT(ployi_modalities_check_sensor(table, &sensor), PLOY_ERR_ARGUMENT);
    sensor = ploy_sensor_make(crowd_agent(1));
    sensor.channels[0].threshold = NAN;
    CHECK_INT(ployi_modalities_check_sensor(table, &sensor), PLOY_ERR_ARGUMENT);
    ploy_modalities_destroy(table);
}

TEST(a_percept_becomes_a_message_and_back) {
    ploy_modality item = ploy_modality_of(PLOY_SENSE_SOUND);
    ploy_modalities *table = sense_table(t, &item, 1);
    ploy_percept percept;
    memset(&percept, 0, sizeof percept);
    percept.sensor = crowd_agent(1);
    percept.signal = sense_signal(0, 2, 3, 4);
    percept.signal.source = crowd_agent(2);
    percept.intensity = 0.5f;
    percept.from = ploy_vec3_make(3, 4, 0);
    percept.time = 1.5;
    CHECK_OK(ployi_signal_set_payload(&percept.signal, "hello", 6));
    CHECK_INT(ployi_signal_set_payload(&percept.signal, "far too long for it", 19),
              PLOY_ERR_CAPACITY);
    ploy_message message = ploy_percept_message(&percept, table);
    CHECK(ploy_id_equal(message.receiver.id, crowd_agent(1).id));
    CHECK(ploy_id_equal(message.sender.id, crowd_agent(2).id));
    CHECK(ploy_name_equal(message.kind, ploy_name_of("noise")));
    CHECK_NEAR(message.due, 1.5, 0);
    ploy_percept_note note;
    CHECK(ployi_percept_note_get(&message, &note));
    CHECK_NEAR(note.intensity, 0.5, 0);
    CHECK_NEAR(note.position.y, 4, 0);
    CHECK_TEXT((const char *)note.payload, "hello");
    percept.signal.cause = ploy_name_of(NULL);
    message = ploy_percept_message(&percept, table);
    CHECK(ploy_name_equal(message.kind, ploy_name_of("sound")));
    message.size = 3;
    CHECK(!ployi_percept_note_get(&message, &note));
    CHECK(!ployi_percept_note_get(NULL, &note));
    ploy_modalities_destroy(table);
}

static uint64_t sense_hash(const ploy_percept *percept, const ploy_sensor *sensor) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_percept_describe(percept, "percept", PLOY_STATE, &out);
    ploy_sensor_describe(sensor, "sensor", PLOY_STATE, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(descriptions_tell_every_difference) {
    ploy_percept percept;
    memset(&percept, 0, sizeof percept);
    percept.signal = sense_signal(0, 1, 2, 3);
    CHECK_OK(ployi_signal_set_payload(&percept.signal, "abcdefghijkl", 12));
    ploy_sensor sensor = ploy_sensor_make(crowd_agent(1));
    CHECK_OK(ploy_sensor_set(&sensor, 2, 1));
    uint64_t base = sense_hash(&percept, &sensor);
    CHECK_UINT(sense_hash(&percept, &sensor), base);
    ploy_percept other = percept;
    other.signal.payload[11] = 'm';
    CHECK(sense_hash(&other, &sensor) != base);
    other = percept, other.method = PLOY_SENSE_LINGERING;
    CHECK(sense_hash(&other, &sensor) != base);
    other = percept, other.signal.order = 9;
    CHECK(sense_hash(&other, &sensor) != base);
    CHECK_OK(ployi_sensor_dull(&sensor, 2, 0.5f, 3.0));
    CHECK(sense_hash(&percept, &sensor) != base);
}
