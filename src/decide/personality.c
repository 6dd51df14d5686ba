// Personalities from files; described in the header.
#include "ploy/decide/personality.h"

#include "decide/decide_internal.h"

#include "ploy/base/fields_json.h"
#include "ploy/base/json.h"
#include "ploy/base/math.h"

// Biases must be of strategies, from 0 to 10. @return how many are not.
static int32_t personality_check(const ploy_arbiter *arbiter, const ploy_json *doc,
                                 ploy_json_node biases, ploy_diags *diags) {
    int32_t faults = 0;
    if (ploy_json_is_none(biases)) return 0;
    if (ploy_json_type_of(doc, biases) != PLOY_JSON_OBJECT || arbiter == NULL) {
        ploy_json_fault(doc, biases, diags,
                        arbiter == NULL ? "unexpected biases without strategies"
                                        : "expected an object",
                        NULL, NULL);
        return 1;
    }
    for (int32_t i = 0; i < ploy_json_count(doc, biases); i++) {
        ploy_json_node item = ploy_json_at(doc, biases, i);
        const char *key = ploy_json_key(doc, item, NULL);
        float known = ployi_arbiter_bias(arbiter, key);
        double value = -1.0;
        if (known != known) {
            ploy_json_fault(doc, item, diags, "unknown strategy", NULL,
                            ployi_arbiter_nearest(arbiter, key));
            faults++;
        } else if (ploy_json_f64(doc, item, &value) != PLOY_OK ||
                   !(value >= 0.0 && value <= 10.0)) {
            ploy_json_fault(doc, item, diags, "invalid bias", "a number from 0 to 10", NULL);
            faults++;
        }
    }
    return faults;
}

ploy_result ploy_personality_load(const void *bytes, size_t size, const char *name,
                                  ploy_fields fields, void *traits, ploy_arbiter *arbiter,
                                  ploy_diags *diags, const ploy_env *env) {
    static const char *const keys[] = {"bias", "traits"};
    if (bytes == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node biases = ploy_json_member(doc, root, "bias");
    ploy_json_node own = ploy_json_member(doc, root, "traits");
    int32_t faults = 0;
    if (ploy_json_type_of(doc, root) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, root, diags, "invalid personality", "{\"bias\": {}, \"traits\": {}}",
                        NULL);
        faults++;
    } else {
        faults += ploy_json_check_keys(doc, root, keys, 2, diags);
        faults += personality_check(arbiter, doc, biases, diags);
        if (!ploy_json_is_none(own) && traits == NULL) {
            ploy_json_fault(doc, own, diags, "unexpected traits", NULL, NULL);
            faults++;
        }
    }
    result = faults == 0 ? PLOY_OK : PLOY_ERR_FORMAT;
    // The traits are all or nothing by themselves, and the biases cannot fail any more.
    if (result == PLOY_OK && !ploy_json_is_none(own)) {
        result = ploy_fields_load_json(fields, traits, doc, own, diags);
    }
    for (int32_t i = 0; i < ploy_json_count(doc, biases) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(doc, biases, i);
        double value = 1.0;
        (void)ploy_json_f64(doc, item, &value);
        result = ploy_arbiter_set_bias(arbiter, ploy_json_key(doc, item, NULL), (float)value);
    }
    ploy_json_destroy(doc);
    return result;
}
