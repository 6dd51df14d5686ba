// Elements of an XML text that change places, get other tags, and go.
#include "labs/tree_text.h"
#include "tests/test.h"

TEST(an_element_goes_one_place_to_the_right) {
    static const struct {
        const char *row, *text, *name, *want; // NULL: nothing to move
    } rows[] = {
        {"the first", "<r><a name=\"1\"/> <b name=\"2\"/></r>", "1",
         "<r><b name=\"2\"/> <a name=\"1\"/></r>"},
        {"the last to the front", "<r><a name='1'/><b name='2'/>  <c name='3'/></r>", "3",
         "<r><c name='3'/>  <a name='1'/><b name='2'/></r>"},
        {"with all that is in it", "<r><a name='1'><x name='5'/><x/></a><b name='2'>t</b></r>", "1",
         "<r><b name='2'>t</b><a name='1'><x name='5'/><x/></a></r>"},
        {"inside of another", "<r><a><x name='5'/><y/></a><b/></r>", "5",
         "<r><a><y/><x name='5'/></a><b/></r>"},
        {"past a remark that has tags in it", "<r><a name='1'/><!-- <c> --><b name='>'/></r>", "1",
         "<r><b name='>'/><!-- <c> --><a name='1'/></r>"},
        {"behind a head", "<?xml a='>'?><r><a name='1'/><b/></r>", "1",
         "<?xml a='>'?><r><b/><a name='1'/></r>"},
        {"an only child", "<r><a name='1'/></r>", "1", NULL},
        {"nobody of that name", "<r><a name='12'/><b/></r>", "1", NULL},
        {"a text that ends too early", "<r><a name='1'", "1", NULL},
        {"nothing", "", "1", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char moved[128] = "";
        t->row = rows[i].row;
        bool good = tree_text_shift(rows[i].text, strlen(rows[i].text), rows[i].name, moved);
        CHECK_INT(good, rows[i].want != NULL);
        if (good) CHECK_TEXT(moved, rows[i].want);
    }
}

TEST(whoever_goes_on_and_on_comes_back) {
    static const char text[] =
        "<r>\n  <a name='1'/>\n  <b name='2'><x/></b>\n  <c name='3'/>\n</r>";
    char now[sizeof text], next[sizeof text];
    memcpy(now, text, sizeof text);
    memcpy(next, text, sizeof text);
    for (int32_t i = 0; i < 3; i++) {
        CHECK(tree_text_shift(now, sizeof text - 1, "2", next));
        CHECK(i == 2 || strcmp(next, text) != 0);
        memcpy(now, next, sizeof text);
    }
    CHECK_TEXT(now, text);
}

TEST(an_element_gets_another_tag_or_goes) {
    static const struct {
        const char *row, *text, *renamed, *cut; // NULL: nothing happens
    } rows[] = {
        {"empty", "<r> <a name='1'/> <b/></r>", "<r> <Long name='1'/> <b/></r>", "<r> <b/></r>"},
        {"with content", "<r><b/><ab name='1'>t<x/></ab></r>",
         "<r><b/><Long name='1'>t<x/></Long></r>", "<r><b/></r>"},
        {"with its like inside", "<r><a name='1'><a/></a><b/></r>",
         "<r><Long name='1'><a/></Long><b/></r>", "<r><b/></r>"},
        {"an only child", "<r><a name='1'/></r>", "<r><Long name='1'/></r>", NULL},
        {"blanks in the end tag", "<r><a\n name='1'></a ></r>", "<r><Long\n name='1'></Long ></r>",
         NULL},
        {"nobody of that name", "<r><a/><b/></r>", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char out[128] = "";
        size_t size = strlen(rows[i].text);
        t->row = rows[i].row;
        out[tree_text_rename(rows[i].text, size, "1", "Long", out)] = '\0';
        CHECK_TEXT(out, rows[i].renamed == NULL ? "" : rows[i].renamed);
        out[tree_text_cut(rows[i].text, size, "1", out)] = '\0';
        CHECK_TEXT(out, rows[i].cut == NULL ? "" : rows[i].cut);
    }
}
