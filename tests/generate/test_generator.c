// The front: every generator in the list keeps the contract of ploy/generate/generator.h.
#include "ploy/generate/generator.h"
#include "tests/test.h"

#include <string.h>

TEST(streams_are_independent_of_each_other) {
    ploy_rng_key key = ploy_rng_key_make(7);
    CHECK(ploy_generate_stream(key, "rooms").bits != ploy_generate_stream(key, "doors").bits);
    CHECK_UINT(ploy_generate_stream(key, "rooms").bits, ploy_generate_stream(key, "rooms").bits);
    ploy_rng rng = ploy_rng_from_key(key, 0);
    CHECK_UINT(ploy_generate_draws(&rng), 0);
    for (uint64_t i = 1; i < 20; i++) {
        ploy_rng_u32(&rng);
        CHECK_UINT(ploy_generate_draws(&rng), i);
    }
}

TEST(generators_have_different_names) {
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        const ploy_generator_type *type = ploy_generators_at(i);
        t->row = type->name;
        CHECK(ploy_generators_find(type->name) == type);
        CHECK(strlen(type->help) > 0 && strlen(type->unit) > 0 && type->makes != 0);
        CHECK_OK(ploy_fields_check_table(type->fields(), NULL));
    }
    CHECK(ploy_generators_find("nothing") == NULL);
}
