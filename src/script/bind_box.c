// Boxes: what the library may point to, counted.
//
// Invariants:
//   (1) refs counts the handles, the holding boxes and the calls of a box; users counts the last two. The box is
//       freed with its last ref; its content is dropped when it has no user and no handle that still counts;
//   (2) a box's holds are released after its content is dropped, so that a destroy may use what it points to;
//   (3) all boxes of a state are in one list by age. Closing drops a box after those that hold it; of what cycles
//       have kept, the newest first.
#include "script/bind_internal.h"

ployi_box *ployi_box_make(ployi_bind *bind, ployi_box_kind kind, const ployi_bind_type *type,
                          size_t size) {
    size_t whole = 0;
    if (size > (size_t)INT64_MAX / 2 ||
        !ploy_size_add_array(sizeof(ployi_box), (int64_t)size, 1, &whole))
        return NULL;
    ployi_box *box = ploy_env_alloc_zero(&bind->host, whole);
    if (box == NULL) return NULL;
    box->bind = bind;
    box->kind = (uint8_t)kind;
    box->type = type;
    box->size = whole;
    box->refs = 1;
    box->ref = LUA_NOREF;
    box->older = bind->newest;
    if (bind->newest != NULL) bind->newest->newer = box;
    bind->newest = box;
    if (kind == PLOYI_BOX_STRUCT || kind == PLOYI_BOX_MEMORY) box->ptr = box->content.bytes;
    return box;
}

static void box_free(ployi_box *box) {
    ployi_bind *bind = box->bind;
    if (box->newer != NULL)
        box->newer->older = box->older;
    else
        bind->newest = box->older;
    if (box->older != NULL) box->older->newer = box->newer;
    ploy_env_free(&bind->host, box->holds, (size_t)box->hold_capacity * sizeof(ployi_box *));
    ploy_env_free(&bind->host, box, box->size);
}

static void box_unref(ployi_box *box, bool user);

// Drops the content and what it held. A destroy may call back into Lua and release more, so the dead wait in a
// list instead of on the C stack.
static void box_drop(ployi_box *box) {
    void *ptr = box->ptr;
    box->ptr = NULL;
    if (ptr != NULL && box->owned && box->type != NULL && box->type->drop != NULL)
        box->type->drop(ptr);
    if (box->ref != LUA_NOREF && !box->bind->closing) ployi_bind_unref(box->bind->main, box->ref);
    box->ref = LUA_NOREF;
    while (box->hold_count > 0) box_unref(box->holds[--box->hold_count], true); // (2)
}

void ployi_box_drain(ployi_bind *bind) {
    // What a running call uses may reach the content through pointers that no box knows: a cast's minds are in an engine. So it
    // goes after the outermost call.
    if (bind->dropping || bind->depth > 0) return;
    bind->dropping = true;
    while (bind->dead != NULL) {
        ployi_box *box = bind->dead;
        bind->dead = box->owner;
        box->owner = NULL;
        box->waits = false;
        box_drop(box);
        if (--box->refs == 0) box_free(box);
    }
    bind->dropping = false;
}

// A box whose content can go: it keeps one ref while it waits.
static void box_check(ployi_box *box) {
    if (box->waits) return;
    bool gone = box->users == 0 && (box->released || box->refs == 0);
    if (gone && (box->ptr != NULL || box->hold_count > 0 || box->ref != LUA_NOREF)) {
        box->refs += 1;
        if (box->owner != NULL) { // no longer borrowed; the field links the dead
            ployi_box *owner = box->owner;
            box->owner = NULL;
            box_unref(owner, true);
        }
        box->waits = true;
        box->owner = box->bind->dead;
        box->bind->dead = box;
        ployi_box_drain(box->bind);
    } else if (box->refs == 0) {
        ployi_box *owner = box->owner;
        box_free(box);
        if (owner != NULL) box_unref(owner, true);
    }
}

static void box_unref(ployi_box *box, bool user) {
    if (user) box->users -= 1;
    box->refs -= 1;
    box_check(box);
}

bool ployi_box_hold(ployi_box *box, ployi_box *held) {
    if (box == held) return true;
    // The same thing given again and again, such as a scene in each step, is held once.
    for (int32_t i = box->hold_count - 1; i >= 0 && i >= box->hold_count - 32; i--) {
        if (box->holds[i] == held) return true;
    }
    if (box->hold_count == box->hold_capacity) {
        int32_t capacity = box->hold_capacity == 0 ? 4 : box->hold_capacity * 2;
        ployi_box **grown = ploy_env_resize(&box->bind->host, box->holds,
                                            (size_t)box->hold_capacity * sizeof(ployi_box *),
                                            (size_t)capacity * sizeof(ployi_box *));
        if (grown == NULL) return false;
        box->holds = grown;
        box->hold_capacity = capacity;
    }
    box->holds[box->hold_count++] = held;
    ployi_box_use(held);
    return true;
}

bool ployi_box_reaches(ployi_box *from, const ployi_box *to) {
    uint32_t mark = ++from->bind->marks;
    from->todo = NULL;
    from->mark = mark;
    for (ployi_box *todo = from; todo != NULL;) { // a list instead of recursion: chains may be long
        ployi_box *box = todo;
        todo = box->todo;
        if (box == to) return true;
        for (int32_t i = 0; i <= box->hold_count; i++) {
            ployi_box *next = i < box->hold_count ? box->holds[i] : box->owner;
            if (next == NULL || next->mark == mark) continue;
            next->mark = mark;
            next->todo = todo;
            todo = next;
        }
    }
    return false;
}

void ployi_box_use(ployi_box *box) {
    box->refs += 1;
    box->users += 1;
}

void ployi_box_unuse(ployi_box *box) {
    box_unref(box, true);
}

void ployi_box_forget(ployi_box *box) {
    box_unref(box, false);
}

void ployi_box_release(ployi_box *box) {
    box->released = true;
    box->refs += 1; // the caller still reads it
    box_check(box);
    box->refs -= 1;
}

const char *ployi_box_state(const ployi_box *box) {
    if (box->given) return "was given to an object that owns it now";
    if (box->released) return "is already released";
    if (box->ptr == NULL) return "is no longer valid";
    if (box->owner != NULL) {
        const char *owner = ployi_box_state(box->owner);
        if (owner != NULL) return "belongs to an object that is already released";
        if (box->stamped && box->owner->version != box->stamp)
            return "is stale; the object that it was borrowed from has changed";
    }
    return NULL;
}

// Drops a box, and then what nothing holds any longer.
static void box_close(ployi_box *first) {
    first->todo = NULL;
    for (ployi_box *todo = first; todo != NULL;) {
        ployi_box *box = todo;
        todo = box->todo;
        box->closed = true;
        void *ptr = box->ptr;
        box->ptr = NULL;
        if (ptr != NULL && box->owned && box->type != NULL && box->type->drop != NULL)
            box->type->drop(ptr);
        for (int32_t i = 0; i <= box->hold_count; i++) {
            ployi_box *held = i < box->hold_count ? box->holds[i] : box->owner;
            if (held == NULL || --held->users > 0 || held->closed) continue;
            held->todo = todo;
            todo = held;
        }
    }
}

void ployi_box_close(ployi_bind *bind) {
    bind->closing = true;
    bind->dropping = true;                           // nothing is freed below but by this loop
    for (int32_t cycles = 0; cycles < 2; cycles++) { // (3)
        for (ployi_box *box = bind->newest; box != NULL; box = box->older) {
            if (!box->closed && (cycles > 0 || box->users == 0)) box_close(box);
        }
    }
    while (bind->newest != NULL) box_free(bind->newest);
}
