// XML: reading, looking things up, writing, and what is wrong with a file.
#include "ploy/data/xml.h"

#include "tests/test.h"

static ploy_result load_as(const char *text, bool relaxed, ploy_diags *diags, ploy_xml **out) {
    ploy_env env = ploy_env_default();
    ploy_xml_def def = ploy_xml_def_default();
    def.relaxed = relaxed;
    return ploy_xml_load(text, strlen(text), "a.xml", &def, &env, diags, out);
}

TEST(elements_attributes_and_text_are_found) {
    static const char text[] =
        "\xef\xbb\xbf<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE root>\n"
        "<!-- before -->\n"
        "<root format='4'>\n"
        "  <t:tree ID=\"a&amp;b\" code=\"x &lt; 1&#10;&#x41;\">one</t:tree>\n"
        "  <tree ID='second'/>two <![CDATA[<raw> & ]]>three\n"
        "</root >\n<!-- behind -->";
    ploy_xml *doc = NULL;
    CHECK_OK(load_as(text, false, NULL, &doc));
    ploy_xml_node root = ploy_xml_root(doc), tree = ploy_xml_find(doc, root, "tree");
    CHECK_TEXT(ploy_xml_name(doc, root), "root");
    CHECK_TEXT(ploy_xml_get(doc, root, "format"), "4");
    CHECK(ploy_xml_get(doc, root, "form") == NULL);
    CHECK_INT(ploy_xml_count(doc, root), 2);
    CHECK_INT(ploy_xml_total(doc), 3);
    CHECK_TEXT(ploy_xml_name(doc, tree), "t:tree");
    CHECK_TEXT(ploy_xml_local(doc, tree), "tree");
    CHECK_TEXT(ploy_xml_get(doc, tree, "ID"), "a&b");
    CHECK_TEXT(ploy_xml_get(doc, tree, "code"), "x < 1\nA");
    CHECK_TEXT(ploy_xml_text(doc, tree, NULL), "one");
    CHECK_INT(ploy_xml_position_of(doc, tree).line, 5);
    CHECK_INT(ploy_xml_position_of(doc, tree).column, 3);
    CHECK_INT(ploy_xml_attribute_at(doc, tree, 1).position.column, 24);
    CHECK_UINT(ploy_xml_parent(doc, tree).index, root.index);
    tree = ploy_xml_find_next(doc, tree, "tree");
    CHECK_TEXT(ploy_xml_get(doc, tree, "ID"), "second");
    CHECK(ploy_xml_is_none(ploy_xml_next(doc, tree)));
    size_t size = 0;
    CHECK_TEXT(ploy_xml_text(doc, root, &size), "two <raw> & three\n");
    CHECK_UINT(size, 18);
    CHECK_TEXT(ploy_xml_source(doc), "a.xml");
    ploy_xml_destroy(doc);
}

TEST(asking_none_gives_none) {
    ploy_xml *doc = NULL;
    CHECK_OK(load_as("<a/>", false, NULL, &doc));
    ploy_xml_node none = ploy_xml_find(doc, ploy_xml_root(doc), "b");
    CHECK(ploy_xml_is_none(none));
    CHECK(ploy_xml_is_none(ploy_xml_first(doc, none)));
    CHECK(ploy_xml_is_none(ploy_xml_next(doc, none)));
    CHECK_TEXT(ploy_xml_name(doc, none), "");
    CHECK_TEXT(ploy_xml_text(doc, none, NULL), "");
    CHECK_INT(ploy_xml_attribute_count(doc, none), 0);
    CHECK(ploy_xml_attribute_at(doc, ploy_xml_root(doc), 0).name == NULL);
    CHECK_INT(ploy_xml_position_of(doc, none).line, 0);
    ploy_xml_destroy(doc);
}

TEST(faults_are_named_with_line_and_column) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column, faults;
    } rows[] = {
        {"nothing", "", PLOY_ERR_FORMAT, 1, 1, 1},
        {"blanks", " \n ", PLOY_ERR_FORMAT, 2, 2, 1},
        {"text alone", "\n hello", PLOY_ERR_FORMAT, 2, 2, 2},
        {"never closed", "<a>\n <b>", PLOY_ERR_FORMAT, 2, 2, 1},
        {"closed by another", "<a>\n <b></a>", PLOY_ERR_FORMAT, 2, 5, 1},
        {"closes nothing", "<a/></a>", PLOY_ERR_FORMAT, 1, 5, 1},
        {"two roots", "<a/>\n<b/>", PLOY_ERR_FORMAT, 2, 1, 1},
        {"no name", "<a>\n< b/></a>", PLOY_ERR_FORMAT, 2, 1, 1},
        {"no value", "<a b/>", PLOY_ERR_FORMAT, 1, 5, 2},
        {"no quotes", "<a b=c></a>", PLOY_ERR_FORMAT, 1, 6, 1},
        {"an open quote", "<a b=\"c>", PLOY_ERR_FORMAT, 1, 6, 2},
        {"twice", "<a b='1' b='2'/>", PLOY_ERR_FORMAT, 1, 10, 1},
        {"no blank between", "<a b='1'c='2'/>", PLOY_ERR_FORMAT, 1, 9, 1},
        {"an unknown reference", "<a>&nbsp;</a>", PLOY_ERR_FORMAT, 1, 4, 1},
        {"a reference to nothing", "<a b='&#0;'/>", PLOY_ERR_FORMAT, 1, 7, 1},
        {"half a pair", "<a>&#xD800;</a>", PLOY_ERR_FORMAT, 1, 4, 1},
        {"a bare ampersand", "<a>\n\nb & c</a>", PLOY_ERR_FORMAT, 3, 3, 1},
        {"a bracket in a value", "<a b='x<1'/>", PLOY_ERR_FORMAT, 1, 8, 1},
        {"a comment without end", "<a><!-- </a>", PLOY_ERR_FORMAT, 1, 4, 2},
        {"dashes in a comment", "<a><!-- -- --></a>", PLOY_ERR_FORMAT, 1, 9, 1},
        {"CDATA without end", "<a><![CDATA[ </a>", PLOY_ERR_FORMAT, 1, 4, 2},
        {"an instruction without end", "<?xml <a/>", PLOY_ERR_FORMAT, 1, 1, 2},
        {"declarations of its own", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", PLOY_ERR_FORMAT, 1, 1, 1},
        {"not UTF-8", "<a>\xff</a>", PLOY_ERR_FORMAT, 1, 4, 1},
        {"a control character", "<a>\n\x01</a>", PLOY_ERR_FORMAT, 2, 1, 1},
        {"several", "<a b='&x;' b='<'>\n</c>", PLOY_ERR_FORMAT, 1, 7, 5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_diags *diags = NULL;
        ploy_xml *doc = NULL;
        CHECK_OK(ploy_diags_create(16, &env, &diags));
        CHECK_INT(load_as(rows[i].text, false, diags, &doc), rows[i].want);
        CHECK(doc == NULL);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK(diag != NULL);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_INT(ploy_diags_count(diags), rows[i].faults);
        ploy_diags_destroy(diags);
    }
}

TEST(relaxed_reading_takes_raw_characters_in_values) {
    ploy_xml *doc = NULL;
    CHECK_OK(load_as("<a if='x < 3 && y &lt; 4'/>", true, NULL, &doc));
    CHECK_TEXT(ploy_xml_get(doc, ploy_xml_root(doc), "if"), "x < 3 && y < 4");
    ploy_xml_destroy(doc);
    CHECK_INT(load_as("<a>x & y</a>", true, NULL, &doc), PLOY_ERR_FORMAT);
}

TEST(limits_are_limits) {
    ploy_env env = ploy_env_default();
    static char text[4096];
    text[0] = 0;
    for (int32_t i = 0; i < 300; i++) strcat(text, "<a>");
    ploy_xml *doc = NULL;
    CHECK_INT(load_as(text, false, NULL, &doc), PLOY_ERR_LIMIT);
    ploy_xml_def def = ploy_xml_def_default();
    def.max_kib = 1;
    CHECK_INT(ploy_xml_load(text, 2000, "a", &def, &env, NULL, &doc), PLOY_ERR_LIMIT);
    def.max_kib = 0;
    CHECK_INT(ploy_xml_load("<a/>", 4, "a", &def, &env, NULL, &doc), PLOY_ERR_ARGUMENT);
    text[0] = 0;
    strcat(text, "<a");
    for (int32_t i = 0; i < 300; i++) {
        sprintf(text + strlen(text), " a%d=''", i);
    }
    strcat(text, "/>");
    CHECK_INT(load_as(text, false, NULL, &doc), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_xml_load(NULL, 4, "a", NULL, &env, NULL, &doc), PLOY_ERR_ARGUMENT);
}

static void print(const ploy_xml *doc, ploy_buffer *buffer) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_xml_write(doc, ploy_xml_root(doc), &writer);
}

TEST(what_is_written_reads_back_the_same) {
    static const char *const texts[] = {
        "<a/>",
        "<a b='&quot;&#10;&#9;&lt;&amp;' c=''>text &amp; more<d>inner</d>after<e/></a>",
        "<a>\r\nline\r\nline\rline</a>",
        "<p:a xmlns:p='u'><p:b>  x  </p:b></p:a>",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        ploy_xml *doc = NULL, *again = NULL;
        ploy_buffer first, second;
        CHECK_OK(load_as(texts[i], false, NULL, &doc));
        print(doc, &first);
        CHECK_OK(load_as(ploy_buffer_text(&first), false, NULL, &again));
        print(again, &second);
        CHECK_TEXT(ploy_buffer_text(&second), ploy_buffer_text(&first));
        CHECK_INT(ploy_xml_total(doc), ploy_xml_total(again));
        ploy_xml_destroy(doc);
        ploy_xml_destroy(again);
        ploy_buffer_fini(&first);
        ploy_buffer_fini(&second);
    }
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    static const char text[] = "<a b='1'>x<c d='2' e='3'/>y<c/>z</a>";
    ploy_xml *doc = NULL;
    (void)arg;
    ploy_result result = ploy_xml_load(text, strlen(text), "a", NULL, env, NULL, &doc);
    TEST_REPORT(result, env, doc, ploy_xml_memory);
    ploy_xml_destroy(doc);
    return result;
}

TEST(reading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_body, NULL);
}
