// IDX files.
#include "ploy/data/idx.h"

#include "tests/test.h"

static const uint8_t idx_images[] = {0, 0, 8, 3, 0, 0,  0,   2,   0, 0, 0, 2,
                                     0, 0, 0, 2, 0, 50, 100, 255, 1, 2, 3, 4};
static const uint8_t idx_labels[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 0};

TEST(images_and_labels_are_a_table) {
    ploy_env env = ploy_env_default();
    ploy_examples *table = NULL;
    CHECK_OK(ploy_idx_load(idx_images, sizeof idx_images, "images", idx_labels, sizeof idx_labels,
                           "labels", &env, NULL, &table));
    CHECK_INT(ploy_examples_count(table), 2);
    CHECK_INT(ploy_schema_classes(ploy_examples_schema(table)), 8);
    CHECK_SAME(ploy_examples_at(table, 0)[3], 255.0);
    CHECK_SAME(ploy_examples_at(table, 0)[4], 7.0);
    CHECK_SAME(ploy_examples_at(table, 1)[0], 1.0);
    ploy_examples_destroy(table);
    // Signed words and floats, without labels.
    static const uint8_t words[] = {0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xfe, 1, 0};
    CHECK_OK(ploy_idx_load(words, sizeof words, "w", NULL, 0, NULL, &env, NULL, &table));
    CHECK_SAME(ploy_examples_at(table, 0)[0], -2.0);
    CHECK_SAME(ploy_examples_at(table, 0)[1], 256.0);
    ploy_examples_destroy(table);
    static const uint8_t floats[] = {0, 0, 0x0D, 1, 0, 0, 0, 2, 0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
    CHECK_OK(ploy_idx_load(floats, sizeof floats, "f", NULL, 0, NULL, &env, NULL, &table));
    CHECK_SAME(ploy_examples_at(table, 1)[0], -2.0);
    ploy_examples_destroy(table);
}

TEST(idx_files_that_do_not_match_are_refused) {
    static const struct {
        const char *row;
        size_t at, size;
        uint8_t value;
        ploy_result want;
        int32_t column;
    } rows[] = {{"not zero", 0, sizeof idx_images, 1, PLOY_ERR_FORMAT, 1},
                {"unknown type", 2, sizeof idx_images, 7, PLOY_ERR_FORMAT, 3},
                {"no dimensions", 3, sizeof idx_images, 0, PLOY_ERR_FORMAT, 4},
                {"too many images", 7, sizeof idx_images, 3, PLOY_ERR_FORMAT, 5},
                {"too large images", 8, sizeof idx_images, 9, PLOY_ERR_LIMIT, 9},
                {"cut off", 0, sizeof idx_images - 1, 0, PLOY_ERR_FORMAT, 5}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        uint8_t bytes[sizeof idx_images];
        memcpy(bytes, idx_images, sizeof bytes);
        bytes[rows[i].at] = rows[i].value;
        ploy_diags *diags = NULL;
        ploy_examples *table = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_idx_load(bytes, rows[i].size, "images", idx_labels, sizeof idx_labels,
                                "labels", &env, diags, &table),
                  rows[i].want);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
    ploy_examples *table = NULL;
    static const uint8_t three[] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 1};
    CHECK_INT(ploy_idx_load(idx_images, sizeof idx_images, "i", three, sizeof three, "l", &env,
                            NULL, &table),
              PLOY_ERR_FORMAT);
}

static ploy_result idx_once(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_examples *table = NULL;
    ploy_result result = ploy_idx_load(idx_images, sizeof idx_images, "i", idx_labels,
                                       sizeof idx_labels, "l", env, NULL, &table);
    ploy_examples_destroy(table);
    return result;
}

TEST(memory_may_fail_while_idx_is_read) {
    CHECK_FAIL_NTH(idx_once, NULL);
}
