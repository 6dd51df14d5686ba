// Settings of a behavior tree's nodes that come from keys, read where the walk needs them.
#include "decide/bt_walk.h"

// What a setting's key holds, as a number; NaN counts as 0.
static double bt_settings_number(const ployi_bt_walk *walk, uint32_t ref) {
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, ref);
    ploy_value value;
    double number = 0.0;
    if (key.board == NULL || ploy_blackboard_get(key.board, key.slot, &value) != PLOY_OK)
        return 0.0;
    return ploy_value_number(&value, &number) && number == number ? number : 0.0;
}

// A fraction is cut off.
static int32_t bt_settings_whole(const ployi_bt_walk *walk, uint32_t ref, int32_t least) {
    double number = bt_settings_number(walk, ref);
    return number < least ? least : number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

int32_t ployi_bt_count(const ployi_bt_walk *walk, const ployi_bt_extra *extra, int32_t least) {
    if (!ployi_bt_keyed(extra, PLOYI_BT_SETTING_COUNT)) return extra->count;
    return bt_settings_whole(walk, extra->keys[PLOYI_BT_SETTING_COUNT], least);
}

int32_t ployi_bt_threshold(const ployi_bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                           int32_t setting, bool *from_all) {
    *from_all = extra->flag;
    if (!ployi_bt_keyed(extra, setting)) {
        return setting == PLOYI_BT_SETTING_COUNT ? extra->count : extra->count2;
    }
    int32_t children = walk->nodes[node].children;
    int32_t count = bt_settings_whole(walk, extra->keys[setting], -children);
    *from_all = count < 0;
    if (count < 0) count += children + 1;
    return count < 1 ? 1 : count > children ? children : count;
}

double ployi_bt_seconds(const ployi_bt_walk *walk, const ployi_bt_extra *extra, int32_t setting) {
    if (!ployi_bt_keyed(extra, setting)) {
        return setting == PLOYI_BT_SETTING_SECONDS ? extra->seconds : extra->seconds_max;
    }
    double seconds = extra->scale * bt_settings_number(walk, extra->keys[setting]);
    return seconds < 0.0 ? 0.0 : seconds > 1e9 ? 1e9 : seconds;
}

bool ployi_bt_take(const ployi_bt_walk *walk, const ployi_bt_extra *extra, bool *wrong) {
    ploy_blackboard_ref queue =
        ployi_bt_ref_of(walk->instance, extra->keys[PLOYI_BT_SETTING_QUEUE]);
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, extra->ref);
    *wrong = false;
    if (queue.board == NULL || key.board == NULL) return false;
    // A copy: what is on the board is about to change.
    char text[PLOY_BLACKBOARD_TEXT_MAX + 1];
    const char *all = ploy_blackboard_get_text(queue.board, queue.slot);
    size_t size = strlen(all);
    if (size == 0 || size >= sizeof text) return false;
    memcpy(text, all, size + 1);
    size_t first = strcspn(text, ";");
    const char *rest = text[first] == ';' ? text + first + 1 : text + first;
    text[first] = 0;
    ploy_value value;
    ploy_value_type type =
        ploy_blackboard_layout_type(ploy_blackboard_layout_of(key.board), key.slot);
    if (ploy_value_parse(type, text, &value) != PLOY_OK) {
        *wrong = true;
        return false;
    }
    // Shorter than before, and of the key's type: neither is refused.
    (void)ploy_blackboard_set_text(queue.board, queue.slot, rest);
    (void)ploy_blackboard_set(key.board, key.slot, &value);
    return true;
}
