// Any bytes as XML, strict and relaxed: what loads is walked whole, written, read again and written
// again; both texts must be the same. A fault is always reported, and only then.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/xml.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void print(const ploy_xml *doc, ploy_buffer *buffer) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_xml_write(doc, ploy_xml_root(doc), &writer);
    must(ploy_writer_result(&writer) == PLOY_OK);
}

static void walk(const ploy_xml *doc) {
    for (uint32_t i = 1; i <= (uint32_t)ploy_xml_total(doc); i++) {
        ploy_xml_node node = {i};
        size_t size = 0;
        must(ploy_xml_text(doc, node, &size)[size] == 0);
        must(ploy_xml_name(doc, node)[0] != 0);
        must(ploy_xml_position_of(doc, node).line > 0);
        must(ploy_xml_parent(doc, node).index < i);
        for (ploy_xml_node in = ploy_xml_first(doc, node); in.index != 0;
             in = ploy_xml_next(doc, in)) {
            must(ploy_xml_parent(doc, in).index == i && in.index > i);
        }
        for (int32_t k = 0; k < ploy_xml_attribute_count(doc, node); k++) {
            ploy_xml_attribute attribute = ploy_xml_attribute_at(doc, node, k);
            must(ploy_xml_get(doc, node, attribute.name) == attribute.value);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    bool strict_reads = false;
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        ploy_xml_def def = ploy_xml_def_default();
        def.relaxed = relaxed != 0;
        ploy_xml *doc = NULL, *again = NULL;
        ploy_diags_clear(diags);
        ploy_result result = ploy_xml_load(data, size, "fuzz", &def, &env, diags, &doc);
        must((result == PLOY_OK) == (doc != NULL));
        must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
        if (doc != NULL) {
            ploy_buffer first, second;
            walk(doc);
            print(doc, &first);
            must(ploy_xml_load(first.bytes, first.size, "again", NULL, &env, NULL, &again) ==
                 PLOY_OK);
            print(again, &second);
            must(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
            ploy_buffer_fini(&first);
            ploy_buffer_fini(&second);
        }
        ploy_xml_destroy(doc);
        ploy_xml_destroy(again);
        if (relaxed == 0) {
            strict_reads = result == PLOY_OK;
        } else {
            must(!strict_reads || result == PLOY_OK); // relaxed reads all that strict reads
        }
    }
    ploy_diags_destroy(diags);
    return 0;
}
