// Elements of an XML text that change places.
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
