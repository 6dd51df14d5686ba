// Sets of tiles and lists of runs: faults have their place, and the published lists are run where the data is.
#include "ploy/data/wfc_file.h"
#include "tests/test.h"

#include <string.h>

static const char good_set[] =
    "<set unique='True'>\n"
    "  <tiles>\n"
    "    <tile name='road' symmetry='I' weight='2.5'/>\n"
    "    <tile name='grass'/>\n"
    "    <tile name='bend' symmetry='L'/>\n"
    "  </tiles>\n"
    "  <neighbors>\n"
    "    <neighbor left='grass' right='grass'/>\n"
    "    <neighbor left='grass' right='road'/>\n"
    "    <neighbor left='road 1' right='road 1'/>\n"
    "    <neighbor left='bend' right='road 1'/>\n"
    "  </neighbors>\n"
    "  <subsets><subset name='plain'><tile name='grass'/><tile name='road'/></subset></subsets>\n"
    "</set>\n";

static ploy_result load_set(const char *text, const char *subset, const ploy_env *env,
                            ploy_diags *diags, ploy_wfc_set **out) {
    return ploy_wfc_set_load(text, strlen(text), "s.xml", subset, env, diags, out);
}

TEST(a_set_has_its_tiles_and_pairs) {
    ploy_env env = ploy_env_default();
    ploy_wfc_set *set = NULL;
    CHECK_OK(load_set(good_set, NULL, &env, NULL, &set));
    CHECK_INT(ploy_wfc_set_count(set), 3);
    CHECK_TEXT(ploy_wfc_set_tile(set, 0), "road");
    CHECK(ploy_wfc_set_tile(set, 3) == NULL);
    CHECK(ploy_wfc_set_unique(set));
    const ploy_wfc_model *model = ploy_wfc_set_model(set);
    CHECK_INT(ploy_wfc_model_count(model), 2 + 1 + 4);
    CHECK_NEAR(ploy_wfc_model_at(model, 0).weight / ploy_wfc_model_at(model, 2).weight, 2.5, 1e-9);
    CHECK(ploy_wfc_model_allows(model, 2, 0, 0));  // grass beside the upright road
    CHECK(!ploy_wfc_model_allows(model, 2, 1, 0)); // not beside the end of a lying one
    ploy_wfc_set_destroy(set);
    CHECK_OK(load_set(good_set, "plain", &env, NULL, &set));
    CHECK_INT(ploy_wfc_set_count(set), 2);
    CHECK_INT(ploy_wfc_model_count(ploy_wfc_set_model(set)), 3);
    ploy_wfc_set_destroy(set);
}

// Loads a text that is wrong and compares the first fault.
static void check_fault(test_context *t, const char *text, const char *subset, int32_t line,
                        const char *message) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_wfc_set *set = NULL;
    CHECK(load_set(text, subset, &env, diags, &set) < 0);
    CHECK(set == NULL);
    CHECK(ploy_diags_count(diags) > 0);
    if (ploy_diags_count(diags) > 0) {
        CHECK_INT(ploy_diags_get(diags, 0)->line, line);
        CHECK(strstr(ploy_diags_get(diags, 0)->message, message) != NULL);
    }
    ploy_diags_destroy(diags);
}

TEST(faults_of_a_set_have_their_place) {
    check_fault(t, "<tiles/>", NULL, 1, "not a set");
    check_fault(t, "<set><tiles/></set>", NULL, 1, "no tiles");
    check_fault(t, "<set><tiles>\n<tile/></tiles></set>", NULL, 2, "no name");
    check_fault(t, "<set><tiles>\n<tile name='a' symmetry='Q'/></tiles></set>", NULL, 2,
                "unknown symmetry");
    check_fault(t, "<set><tiles>\n<tile name='a' weight='-1'/></tiles></set>", NULL, 2, "weight");
    check_fault(t,
                "<set><tiles><tile name='a'/></tiles><neighbors>\n<neighbor left='a' right='b "
                "1'/></neighbors></set>",
                NULL, 2, "unknown tile 'b'");
    check_fault(
        t,
        "<set><tiles><tile name='a'/></tiles><neighbors>\n<neighbor left='a'/></neighbors></set>",
        NULL, 2, "no such side");
    check_fault(t, good_set, "plane", 1, "unknown subset 'plane'");
    check_fault(t, "<set>", NULL, 1, "");
}

static ploy_result load_nth(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_wfc_set *set = NULL;
    ploy_result result = load_set(good_set, "plain", env, NULL, &set);
    ploy_wfc_set_destroy(set);
    return result;
}

static const char good_list[] =
    "<samples>\n"
    " <overlapping name='Maze' N='2' periodic='True' symmetry='1' ground='True'/>\n"
    " <simpletiled name='Knots' subset='Dense' size='12' height='9' heuristic='Scanline'/>\n"
    "</samples>";

static ploy_result list_nth(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_wfc_samples *samples = NULL;
    ploy_result result =
        ploy_wfc_samples_load(good_list, sizeof good_list - 1, "l.xml", env, NULL, &samples);
    ploy_wfc_samples_destroy(samples);
    return result;
}

TEST(a_list_of_runs_is_read) {
    ploy_env env = ploy_env_default();
    ploy_wfc_samples *samples = NULL;
    CHECK_OK(ploy_wfc_samples_load(good_list, sizeof good_list - 1, "l.xml", &env, NULL, &samples));
    CHECK_INT(ploy_wfc_samples_count(samples), 2);
    const ploy_wfc_sample *one = ploy_wfc_samples_at(samples, 0);
    CHECK(!one->tiled && one->def.periodic && one->def.ground && one->def.sample_periodic);
    CHECK_INT(one->def.n, 2);
    CHECK_INT(one->def.columns, 48);
    const ploy_wfc_sample *two = ploy_wfc_samples_at(samples, 1);
    CHECK(two->tiled && !two->def.periodic);
    CHECK_TEXT(two->subset, "Dense");
    CHECK_INT(two->def.columns, 12);
    CHECK_INT(two->def.rows, 9);
    CHECK_INT(two->def.order, PLOY_WFC_SCANLINE);
    CHECK(ploy_wfc_samples_at(samples, 2) == NULL);
    ploy_wfc_samples_destroy(samples);
    static const char *const bad[] = {"<sample/>", "<samples><other name='a'/></samples>",
                                      "<samples><overlapping/></samples>",
                                      "<samples><overlapping name='a' N='x'/></samples>"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(ploy_wfc_samples_load(bad[i], strlen(bad[i]), "l.xml", &env, NULL, &samples),
                  PLOY_ERR_FORMAT);
    }
}

TEST(out_of_memory_is_a_result) {
    CHECK_FAIL_NTH(load_nth, NULL);
    CHECK_FAIL_NTH(list_nth, NULL);
}
