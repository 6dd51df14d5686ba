// Scripts that try to run for ever, take all memory, or reach what they should not: each file in
// attacks/ ends within 10 budgets and the cap, as its first line expects, and the next call works.
#include <dirent.h>
#include <stdlib.h>

#include "tests/script/script_help.h"

enum { ATTACKS_UNITS = 200000, ATTACKS_KB = 3072, ATTACKS_MAX = 400, ATTACKS_SAID = 1 << 22 };

static int attacks_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool attacks_ended_as(const char *text, ploy_result result) {
    static const struct {
        const char *word;
        ploy_result result;
    } words[] = {{"limit", PLOY_ERR_LIMIT},
                 {"memory", PLOY_ERR_MEMORY},
                 {"error", PLOY_ERR_CALLBACK},
                 {"refused", PLOY_ERR_FORMAT},
                 {"ok", PLOY_OK}};
    const char *expect = "-- expect: ";
    if (strncmp(text, expect, strlen(expect)) != 0) return false;
    text += strlen(expect);
    if (strncmp(text, "any", 3) == 0) return true;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strncmp(text, words[i].word, strlen(words[i].word)) == 0) {
            return words[i].result == result;
        }
    }
    return false;
}

static void attacks_print(void *user, const char *text, size_t size) {
    (void)text;
    *(size_t *)user += size;
}

// Returns whether it ended as expected.
static bool attacks_one(test_context *t, const char *name, const char *text, size_t size) {
    ploy_lua_def def = ploy_lua_def_default();
    def.call_units = ATTACKS_UNITS;
    def.memory_kb = ATTACKS_KB;
    def.string_kb = 256;
    ploy_lua *lua = script_create(t, &def);
    size_t said = 0;
    ploy_lua_set_print(lua, attacks_print, &said);
    t->row = name;
    ploy_result result = ploy_lua_run(lua, text, size, name, NULL);
    ploy_lua_stats stats = ploy_lua_get_stats(lua);
    bool good = attacks_ended_as(text, result);
    if (!good) printf("%s: %s, %s\n", name, ploy_result_text(result), ploy_lua_error(lua));
    CHECK(stats.last_units <= 10 * (int64_t)ATTACKS_UNITS);
    CHECK(stats.peak_bytes <= (size_t)ATTACKS_KB * 1024);
    CHECK(said < ATTACKS_SAID);
    // The next call works, also through library functions that the script may have removed.
    CHECK_OK(script_try(lua, "local s = 0 for i = 1, 100 do s = s + i end result = s"));
    CHECK_INT(script_integer(t, lua, "result"), 5050);
    CHECK(ploy_lua_hash(lua) != 0);
    ploy_lua_destroy(lua);
    return good;
}

TEST(every_attack_ends_within_its_limits) {
    char *names[ATTACKS_MAX];
    int count = 0;
    char path[1024];
    DIR *folder = opendir(PLOY_SOURCE_DIR "/tests/script/attacks");
    CHECK(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strstr(entry->d_name, ".lua") == NULL || count == ATTACKS_MAX) continue;
        names[count] = malloc(strlen(entry->d_name) + 1);
        memcpy(names[count++], entry->d_name, strlen(entry->d_name) + 1);
    }
    closedir(folder);
    qsort(names, (size_t)count, sizeof names[0], attacks_compare);
    CHECK(count >= 80);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, PLOY_SOURCE_DIR "/tests/script/attacks/%s", names[i]);
        size_t size = 0;
        char *text = test_read_file(path, &size);
        CHECK(text != NULL);
        if (!attacks_one(t, names[i], text, size)) wrong++;
        free(text);
        free(names[i]);
    }
    t->row = NULL;
    CHECK_INT(wrong, 0);
}
