// CLIPS's functions of multifields: making them, looking into them, changing them.
#include <string.h>

#include "data/clips_internal.h"

// All arguments from `first` on in one list, lists opened.
static ploy_rule_value multi_gather(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                    int32_t first) {
    int32_t count = x->count - first;
    if (count == 1) { // the usual case, without a second copy
        ploy_rule_value only = ployi_clips_arg(clips, frame, x, first);
        if (only.type == PLOY_RULE_MULTI || clips->failed) return only;
        ploy_rule_value *item = ployi_clips_items(clips, 1);
        if (item == NULL) return ploy_rule_none();
        *item = only;
        return ploy_rule_multi(item, 1);
    }
    ploy_rule_value *args = ployi_clips_items(clips, count + 1);
    int64_t total = 0;
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        args[i] = ployi_clips_arg(clips, frame, x, first + i);
        total += args[i].type == PLOY_RULE_MULTI  ? args[i].count
                 : args[i].type == PLOY_RULE_NONE ? 0
                                                  : 1;
    }
    if (clips->failed) return ploy_rule_none();
    if (total == count) {
        bool flat = true;
        for (int32_t i = 0; i < count; i++) flat = flat && args[i].type != PLOY_RULE_MULTI;
        if (flat) return ploy_rule_multi(args, count);
    }
    ploy_rule_value *items = ployi_clips_items(clips, total + 1);
    int32_t used = 0;
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        if (args[i].type == PLOY_RULE_NONE) continue;
        if (args[i].type != PLOY_RULE_MULTI) {
            items[used++] = args[i];
            continue;
        }
        for (int32_t k = 0; k < args[i].count; k++) items[used++] = args[i].as.items[k];
    }
    return ploy_rule_multi(items, used);
}

static ploy_rule_value multi_create(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return multi_gather(clips, frame, x, 0);
}

static ploy_rule_value multi_nth(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t n = 0;
    ploy_rule_value list;
    if (!ployi_clips_integer(clips, frame, x, 0, &n) ||
        !ployi_clips_multi(clips, frame, x, 1, &list)) {
        return ploy_rule_symbol(clips->nil);
    }
    if (n < 1 || n > list.count) return ploy_rule_symbol(clips->nil);
    return list.as.items[n - 1];
}

static ploy_rule_value multi_length(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed) return ploy_rule_integer(-1);
    if (value.type == PLOY_RULE_MULTI) return ploy_rule_integer(value.count);
    if (x->function->name[6] == '\0' &&
        (value.type == PLOY_RULE_SYMBOL || value.type == PLOY_RULE_STRING)) {
        return ploy_rule_integer((int64_t)strlen(ployi_clips_get_text(clips, &value)));
    }
    ployi_clips_arg_error(
        clips, x, 0, x->function->name[6] == '\0' ? "multifield, symbol, or string" : "multifield");
    return ploy_rule_integer(-1);
}

// Where a value, or a run of values, begins in a list, from `from` on; -1 if nowhere.
static int32_t multi_find(const ploy_rule_value *list, const ploy_rule_value *what, int32_t from) {
    const ploy_rule_value *items = what->type == PLOY_RULE_MULTI ? what->as.items : what;
    int32_t count = what->type == PLOY_RULE_MULTI ? what->count : 1;
    for (int32_t i = from; i + count <= list->count; i++) {
        int32_t k = 0;
        while (k < count && ploy_rule_equal(&list->as.items[i + k], &items[k])) k++;
        if (k == count && count > 0) return i;
    }
    return -1;
}

static ploy_rule_value multi_member(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value what = ployi_clips_arg(clips, frame, x, 0), list;
    if (!ployi_clips_multi(clips, frame, x, 1, &list)) return ployi_clips_bool(clips, false);
    int32_t at = multi_find(&list, &what, 0);
    if (at < 0) return ployi_clips_bool(clips, false);
    if (what.type != PLOY_RULE_MULTI || what.count == 1) return ploy_rule_integer(at + 1);
    ploy_rule_value *range = ployi_clips_items(clips, 2);
    if (range == NULL) return ploy_rule_none();
    range[0] = ploy_rule_integer(at + 1);
    range[1] = ploy_rule_integer(at + what.count);
    return ploy_rule_multi(range, 2);
}

static ploy_rule_value multi_subset(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_multi(clips, frame, x, 0, &a) || !ployi_clips_multi(clips, frame, x, 1, &b)) {
        return ployi_clips_bool(clips, false);
    }
    for (int32_t i = 0; i < a.count; i++) {
        if (multi_find(&b, &a.as.items[i], 0) < 0) return ployi_clips_bool(clips, false);
    }
    return ployi_clips_bool(clips, true);
}

static ploy_rule_value multi_first(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list.as.items, list.count > 0 ? 1 : 0);
}

static ploy_rule_value multi_rest(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return ploy_rule_multi(NULL, 0);
    if (list.count < 2) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list.as.items + 1, list.count - 1);
}

static ploy_rule_value multi_slice(const ploy_rule_value *list, int64_t from, int64_t to) {
    if (from < 1) from = 1;
    if (to > list->count) to = list->count;
    if (to < from) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list->as.items + from - 1, (int32_t)(to - from + 1));
}

// (subseq$ list from to), and (mv-subseq from to list), which is older.
static ploy_rule_value multi_subseq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list = ploy_rule_multi(NULL, 0);
    int64_t from = 0, to = 0;
    bool old = x->function->name[0] == 'm';
    bool fine = old || ployi_clips_multi(clips, frame, x, 0, &list);
    fine = fine && ployi_clips_integer(clips, frame, x, old ? 0 : 1, &from) &&
           ployi_clips_integer(clips, frame, x, old ? 1 : 2, &to);
    if (fine && old) fine = ployi_clips_multi(clips, frame, x, 2, &list);
    return fine ? multi_slice(&list, from, to) : ploy_rule_multi(NULL, 0);
}

static void multi_range_error(ploy_clips *clips, const ployi_x *x, int64_t from, int64_t to,
                              int64_t count) {
    if (clips->failed) return;
    clips->failed = true;
    ployi_clips_out(clips, "[MULTIFUN1] Multifield index ");
    if (from != to) ployi_clips_out(clips, "range ");
    ployi_clips_out_i64(clips, from, 0, true);
    if (from != to) {
        ployi_clips_out(clips, "..");
        ployi_clips_out_i64(clips, to, 0, true);
    }
    ployi_clips_out(clips, " out of range 1..");
    ployi_clips_out_i64(clips, count, 0, true);
    ployi_clips_out(clips, " in function ");
    ployi_clips_out(clips, x->function->name);
    ployi_clips_out(clips, ".\n");
}

// The list with [from, to] replaced by other values.
static ploy_rule_value multi_splice(ploy_clips *clips, const ploy_rule_value *list, int64_t from,
                                    int64_t to, const ploy_rule_value *with) {
    int64_t total = list->count - (to - from + 1) + with->count;
    ploy_rule_value *items = ployi_clips_items(clips, total + 1);
    if (items == NULL) return ploy_rule_none();
    int32_t used = 0;
    for (int64_t i = 1; i < from; i++) items[used++] = list->as.items[i - 1];
    for (int32_t i = 0; i < with->count; i++) items[used++] = with->as.items[i];
    for (int64_t i = to + 1; i <= list->count; i++) items[used++] = list->as.items[i - 1];
    return ploy_rule_multi(items, used);
}

static ploy_rule_value multi_edit(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list, with = ploy_rule_multi(NULL, 0);
    int64_t from = 0, to = 0;
    char kind = x->function->name[0]; // insert$, delete$, replace$
    if (!ployi_clips_multi(clips, frame, x, 0, &list) ||
        !ployi_clips_integer(clips, frame, x, 1, &from)) {
        return ploy_rule_multi(NULL, 0);
    }
    if (kind == 'i') {
        to = from - 1;
        with = multi_gather(clips, frame, x, 2);
        if (!clips->failed && from < 1) {
            multi_range_error(clips, x, from, from, list.count);
        }
        if (from > list.count + 1) {
            from = list.count + 1;
            to = list.count;
        }
    } else {
        if (!ployi_clips_integer(clips, frame, x, 2, &to)) return ploy_rule_multi(NULL, 0);
        if (kind == 'r') with = multi_gather(clips, frame, x, 3);
        if (!clips->failed && (from < 1 || to < from || to > list.count)) {
            multi_range_error(clips, x, from, to, list.count);
        }
    }
    if (clips->failed) return ploy_rule_multi(NULL, 0);
    return multi_splice(clips, &list, from, to, &with);
}

// (mv-delete n list) and (mv-replace n list value), which are older than delete$ and replace$.
static ploy_rule_value multi_edit_one(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list, with = ploy_rule_multi(NULL, 0);
    int64_t n = 0;
    if (!ployi_clips_integer(clips, frame, x, 0, &n) ||
        !ployi_clips_multi(clips, frame, x, 1, &list)) {
        return with;
    }
    if (x->count > 2) with = multi_gather(clips, frame, x, 2);
    if (!clips->failed && (n < 1 || n > list.count)) {
        multi_range_error(clips, x, n, n, list.count);
    }
    if (clips->failed) return ploy_rule_multi(NULL, 0);
    return multi_splice(clips, &list, n, n, &with);
}

static ploy_rule_value multi_delete_member(ploy_clips *clips, ployi_frame *frame,
                                           const ployi_x *x) {
    ploy_rule_value list, none = ploy_rule_multi(NULL, 0);
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return none;
    bool replace = x->function->name[0] == 'r';
    ploy_rule_value with = none;
    if (replace) {
        with = ployi_clips_arg(clips, frame, x, 1);
        if (with.type != PLOY_RULE_MULTI) {
            ploy_rule_value *item = ployi_clips_items(clips, 1);
            if (item == NULL) return none;
            *item = with;
            with = ploy_rule_multi(item, 1);
        }
    }
    for (int32_t i = replace ? 2 : 1; i < x->count && !clips->failed; i++) {
        ploy_rule_value what = ployi_clips_arg(clips, frame, x, i);
        int32_t count = what.type == PLOY_RULE_MULTI ? what.count : 1;
        int32_t at = 0;
        while (!clips->failed && (at = multi_find(&list, &what, at)) >= 0) {
            list = multi_splice(clips, &list, at + 1, at + count, &with);
            at += with.count;
        }
    }
    return list;
}

const ployi_function ployi_clips_multis[] = {
    {"create$", 0, -1, multi_create},
    {"mv-append", 0, -1, multi_create},
    {"nth$", 2, 2, multi_nth},
    {"nth", 2, 2, multi_nth},
    {"length$", 1, 1, multi_length},
    {"length", 1, 1, multi_length},
    {"member$", 2, 2, multi_member},
    {"member", 2, 2, multi_member},
    {"subsetp", 2, 2, multi_subset},
    {"subset", 2, 2, multi_subset},
    {"first$", 1, 1, multi_first},
    {"rest$", 1, 1, multi_rest},
    {"subseq$", 3, 3, multi_subseq},
    {"mv-subseq", 3, 3, multi_subseq},
    {"mv-delete", 2, 2, multi_edit_one},
    {"mv-replace", 3, 3, multi_edit_one},
    {"insert$", 3, -1, multi_edit},
    {"delete$", 3, 3, multi_edit},
    {"replace$", 4, -1, multi_edit},
    {"delete-member$", 2, -1, multi_delete_member},
    {"replace-member$", 3, -1, multi_delete_member},
    {NULL, 0, 0, NULL},
};
