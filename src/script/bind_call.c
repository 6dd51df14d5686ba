// One call of a bound function: arguments from Lua by its table, the thunk, results back.
//
// Invariants:
//   (1) everything that can fail happens before the thunk runs, or after its results are in boxes that the state
//       knows, so that no object is lost;
//   (2) every box of the call is used while it runs: a callback may release it, its content stays.
#include <stdio.h>
#include <string.h>

#include "ploy/base/budget.h"
#include "script/bind_internal.h"

// Most elements of an out array, in bytes.
#define CALL_OUT_MAX ((int64_t)1 << 26)

typedef struct call_frame {
    ployi_call call;
    void *a[PLOYI_BIND_PARAMETERS];
    int64_t counts[PLOYI_BIND_PARAMETERS]; // of arrays and counts; -1: not known
    int args[PLOYI_BIND_PARAMETERS];       // the Lua argument; 0: none
    ployi_box *boxes[PLOYI_BIND_PARAMETERS +
                     1]; // made for out objects and structs; the last for the result
    int pushed[PLOYI_BIND_PARAMETERS + 1]; // where their handles are on the stack
    union {
        int64_t i;
        double d;
        void *p;
        ployi_bind_any fn;
    } slots[PLOYI_BIND_PARAMETERS + 1];
    void *result;
    ploy_budget own;     // instead of none
    ploy_budget *budget; // NULL: the function takes none
    int64_t withheld;    // units beyond those that one call may spend
    int64_t spent;       // of the budget before the call
} call_frame;

static bool call_is_array(const ployi_bind_item *item) {
    return item->role >= PLOYI_BIND_ARRAY_IN && item->role <= PLOYI_BIND_ARRAY_INOUT;
}

static int call_error(call_frame *frame) {
    ployi_bind *bind = frame->call.bind;
    lua_State *L = frame->call.L;
    if (frame->call.root != NULL) ployi_box_forget(frame->call.root);
    return luaL_error(L, "%s: %s", frame->call.fn->name, bind->message);
}

// Room for a parameter passed by value.
static void *call_slot(call_frame *frame, int32_t i, const ployi_bind_item *item) {
    size_t size = ployi_bind_size(item);
    if (size <= sizeof frame->slots[i]) return &frame->slots[i];
    void *room = ployi_bind_memory(&frame->call, size);
    if (room == NULL)
        ployi_bind_fail(&frame->call, "needs more memory than is available%s%s", "", "");
    return room;
}

static bool call_has_arg(const ployi_bind_function *fn, int32_t i) {
    const ployi_bind_item *item = &fn->parameters[i];
    switch ((ployi_bind_role)item->role) {
    case PLOYI_BIND_IN:
    case PLOYI_BIND_INOUT:
    case PLOYI_BIND_ARRAY_IN:
    case PLOYI_BIND_ARRAY_INOUT:
    case PLOYI_BIND_CAPACITY:
    case PLOYI_BIND_OWNED:
    case PLOYI_BIND_CALL: return true;
    default: return false;
    }
}

static bool call_read_in(call_frame *frame, int32_t i, int arg) {
    ployi_call *call = &frame->call;
    const ployi_bind_item *item = &call->fn->parameters[i];
    switch ((ployi_bind_role)item->role) {
    case PLOYI_BIND_ARRAY_IN:
    case PLOYI_BIND_ARRAY_INOUT:
        if (!ployi_bind_read_array(call, arg, item, &frame->a[i], &frame->counts[i])) return false;
        if (item->fixed > 0 && frame->counts[i] >= 0 && frame->counts[i] != (int64_t)item->fixed) {
            char expected[24];
            (void)snprintf(expected, sizeof expected, "%u", item->fixed);
            return ployi_bind_fail(call, "has another length; expected %s elements%s", expected,
                                   "");
        }
        return true;
    case PLOYI_BIND_CALL:
        frame->slots[i].fn = NULL;
        frame->a[i] = &frame->slots[i].fn;
        {
            void *user = NULL;
            if (!ployi_bind_read_callback(call, arg, item, &frame->slots[i].fn, &user))
                return false;
            if (item->link >= 0) frame->a[item->link] = user;
        }
        return true;
    default: break;
    }
    if ((item->flags & PLOYI_BIND_POINTER) != 0) {
        if (item->kind == PLOYI_BIND_TEXT) {
            frame->slots[i].p = NULL;
            if (!ployi_bind_read(call, arg, item, &frame->slots[i].p)) return false;
            frame->a[i] = frame->slots[i].p;
            return true;
        }
        return ployi_bind_read_pointer(call, arg, item, &frame->a[i]);
    }
    frame->a[i] = call_slot(frame, i, item);
    if (frame->a[i] == NULL || !ployi_bind_read(call, arg, item, frame->a[i])) return false;
    if (item->role == PLOYI_BIND_CAPACITY) {
        int64_t n = item->kind == PLOYI_BIND_SIZE  ? (int64_t) * (size_t *)frame->a[i]
                    : item->kind == PLOYI_BIND_I64 ? *(int64_t *)frame->a[i]
                                                   : *(int32_t *)frame->a[i];
        if (n < 0)
            return ployi_bind_fail(call, "is negative; expected a number of elements%s%s", "", "");
        frame->counts[i] = n;
    }
    return true;
}

static int64_t call_integer(const call_frame *frame, int32_t i) {
    const ployi_bind_item *item = &frame->call.fn->parameters[i];
    switch (item->kind) {
    case PLOYI_BIND_I32: return *(int32_t *)frame->a[i];
    case PLOYI_BIND_U32: return *(uint32_t *)frame->a[i];
    case PLOYI_BIND_SIZE: return (int64_t) * (size_t *)frame->a[i];
    case PLOYI_BIND_I64:
    case PLOYI_BIND_U64: return *(int64_t *)frame->a[i];
    default: return 0;
    }
}

// Counts follow from the sequences that were read; those that share one must be equally long.
static bool call_counts(call_frame *frame) {
    ployi_call *call = &frame->call;
    const ployi_bind_function *fn = call->fn;
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        if (!call_is_array(item) || item->role == PLOYI_BIND_ARRAY_OUT || item->link < 0 ||
            frame->counts[i] < 0 || item->second >= 0)
            continue;
        call->at = item;
        const ployi_bind_item *count = &fn->parameters[item->link];
        if (count->role == PLOYI_BIND_COUNT) {
            if (frame->counts[item->link] >= 0 && frame->counts[item->link] != frame->counts[i]) {
                return ployi_bind_fail(call, "has another length than the sequences before it%s%s",
                                       "", "");
            }
            frame->counts[item->link] = frame->counts[i];
            continue;
        }
        if (call_integer(frame, item->link) != frame->counts[i])
            return ployi_bind_fail(call, "has another length than its parameters state%s%s", "",
                                   "");
    }
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        if (item->role != PLOYI_BIND_COUNT) continue;
        int64_t n = frame->counts[i] < 0 ? 0 : frame->counts[i];
        frame->counts[i] = n;
        frame->a[i] = &frame->slots[i];
        if (item->kind == PLOYI_BIND_SIZE)
            *(size_t *)frame->a[i] = (size_t)n;
        else if (item->kind == PLOYI_BIND_I64 || item->kind == PLOYI_BIND_U64)
            *(int64_t *)frame->a[i] = n;
        else
            *(int32_t *)frame->a[i] = (int32_t)n;
    }
    for (int32_t i = 0; i < fn->count; i++) { // products such as columns * rows
        const ployi_bind_item *item = &fn->parameters[i];
        if (!call_is_array(item) || item->role == PLOYI_BIND_ARRAY_OUT || item->second < 0 ||
            frame->counts[i] < 0)
            continue;
        call->at = item;
        int64_t a = call_integer(frame, item->link);
        int64_t b = call_integer(frame, item->second);
        bool valid = a >= 0 && b >= 0 && a <= INT32_MAX && b <= INT32_MAX;
        if (!valid || a * b != frame->counts[i])
            return ployi_bind_fail(call, "has another length than its parameters state%s%s", "",
                                   "");
    }
    return true;
}

// Memory and boxes for what the function writes.
static bool call_outs(call_frame *frame) {
    ployi_call *call = &frame->call;
    ployi_bind *bind = call->bind;
    const ployi_bind_function *fn = call->fn;
    lua_State *L = call->L;
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        call->at = item;
        call->path[0] = 0;
        if (item->role == PLOYI_BIND_ENV)
            frame->a[i] = &bind->env;
        else if (item->role == PLOYI_BIND_DIAGS)
            frame->a[i] = bind->diags;
        else if (item->role == PLOYI_BIND_UNUSED)
            frame->a[i] = NULL;
        else if (item->role == PLOYI_BIND_ARRAY_OUT) {
            int64_t n = item->fixed > 0                  ? (int64_t)item->fixed
                        : item->link < 0                 ? 0
                        : frame->counts[item->link] >= 0 ? frame->counts[item->link]
                                                         : call_integer(frame, item->link);
            if (item->second >= 0) {
                int64_t factor = call_integer(frame, item->second);
                if (n < 0 || factor < 0 || n > INT32_MAX || factor > INT32_MAX)
                    return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
                n *= factor;
            }
            if (n < 0 || n > CALL_OUT_MAX / (int64_t)ployi_bind_size(item))
                return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
            frame->counts[i] = n;
            call->work += n / 16;
            frame->a[i] = ployi_bind_memory(call, (size_t)n * ployi_bind_size(item));
            if (frame->a[i] == NULL)
                return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
        } else if (item->role == PLOYI_BIND_OUT) {
            if (item->kind == PLOYI_BIND_OBJECT || item->kind == PLOYI_BIND_LIVE) {
                const ployi_bind_type *type = &ployi_bind_types[item->type];
                bool live = item->kind == PLOYI_BIND_LIVE;
                frame->boxes[i] =
                    ployi_bind_push_box(bind, L, live ? PLOYI_BOX_STRUCT : PLOYI_BOX_OBJECT, type,
                                        live ? type->size : 0);
                frame->pushed[i] = lua_gettop(L);
                frame->slots[i].p = NULL;
                frame->a[i] = live ? frame->boxes[i]->ptr : &frame->slots[i].p;
                continue;
            }
            frame->a[i] = ployi_bind_memory(call, ployi_bind_size(item));
            if (frame->a[i] == NULL)
                return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
        }
    }
    frame->result = &frame->slots[fn->count];
    ployi_bind_item result = {.kind = fn->result_kind, .type = fn->result_type};
    bool pointer = (fn->result_flags & PLOYI_BIND_POINTER) != 0;
    if (fn->result_kind == PLOYI_BIND_LIVE || fn->result_kind == PLOYI_BIND_OBJECT) {
        const ployi_bind_type *type = &ployi_bind_types[fn->result_type];
        size_t size = pointer ? 0 : type->size;
        frame->boxes[fn->count] =
            ployi_bind_push_box(bind, L, pointer ? PLOYI_BOX_OBJECT : PLOYI_BOX_STRUCT, type, size);
        frame->pushed[fn->count] = lua_gettop(L);
        if (!pointer) frame->result = frame->boxes[fn->count]->ptr;
    } else if (!pointer && ployi_bind_size(&result) > sizeof frame->slots[0]) {
        frame->result = ployi_bind_memory(call, ployi_bind_size(&result));
        if (frame->result == NULL)
            return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
    }
    return true;
}

// What the library trusts: indices below their bounds, states, lengths that belong together.
static bool call_guard(call_frame *frame) {
    ployi_call *call = &frame->call;
    const ployi_bind_function *fn = call->fn;
    int32_t broken = fn->guard == NULL ? -1 : fn->guard(frame->a);
    if (broken < 0) return true;
    call->at = &fn->parameters[fn->rules[broken].parameter];
    call->path[0] = 0;
    return ployi_bind_fail(call, "%s%s", fn->rules[broken].text, "");
}

static bool call_is_given(const ployi_call *call, const ployi_box *box) {
    for (int32_t i = 0; i < call->give_count; i++) {
        if (call->gives[i] == box) return true;
    }
    return false;
}

// Does the call give objects to the box: one that it makes, or the object that it changes?
static bool call_takes(const call_frame *frame, const ployi_box *box) {
    const ployi_bind_function *fn = frame->call.fn;
    for (int32_t i = 0; i <= fn->count; i++) {
        if (frame->boxes[i] == box) return true;
    }
    return (fn->flags & PLOYI_BIND_CHANGES) != 0 && frame->call.used_count > 0 &&
           frame->call.used[0] == box;
}

// An object that is given lives as long as its new owner: it holds the owner, and the owner holds what it held. For a
// struct such as a behavior the same is true of the object that it was made from.
static bool call_hand_over(const call_frame *frame, ployi_box *given, ployi_box *owner) {
    bool stands = given->kind == PLOYI_BOX_STRUCT && !given->owned;
    for (int32_t i = 0; i < given->hold_count; i++) {
        ployi_box *held = given->holds[i];
        if (call_takes(frame, held)) continue;
        if (stands && held->kind == PLOYI_BOX_OBJECT && held->owned) {
            if (!call_hand_over(frame, held, owner)) return false;
        } else if (!ployi_box_hold(owner, held))
            return false;
    }
    return ployi_box_hold(given, owner);
}

// The boxes that must live as long as what the call makes, or as the object that it changes.
static bool call_hold(call_frame *frame, ployi_box *holder) {
    ployi_call *call = &frame->call;
    for (int32_t i = 0; i < call->used_count; i++) {
        ployi_box *used = call->used[i];
        bool held = used != holder && call_is_given(call, used)
                        ? call_hand_over(frame, used, holder)
                        : ployi_box_hold(holder, used);
        if (!held) return false;
    }
    return call->root == NULL || ployi_box_hold(holder, call->root);
}

static bool call_holds(call_frame *frame) {
    ployi_call *call = &frame->call;
    if (!call->keeps) return true;
    const ployi_bind_function *fn = call->fn;
    for (int32_t i = 0; i <= fn->count; i++) {
        if (frame->boxes[i] != NULL && !call_hold(frame, frame->boxes[i])) return false;
    }
    bool kept = false;
    for (int32_t i = 0; i < call->used_count; i++) {
        if ((call->used_at[i]->flags & PLOYI_BIND_KEEPER) == 0) continue;
        if (!call_hold(frame, call->used[i])) return false;
        kept = true;
    }
    // A live struct that is passed as the first parameter is in used[0], as an object is.
    if (!kept && (fn->flags & PLOYI_BIND_CHANGES) != 0 && call->used_count > 0 &&
        !call_hold(frame, call->used[0]))
        return false;
    return true;
}

// Refuses a maker inside the object that it makes, directly or through others, and very deep nests: checks and makes
// follow them by recursion. Refuses also what was borrowed from another object of the same type as the first argument.
static bool call_belongs(call_frame *frame) {
    enum { NESTS_MAX = 64 };
    ployi_call *call = &frame->call;
    const ployi_bind_function *fn = call->fn;
    bool changes = (fn->flags & PLOYI_BIND_CHANGES) != 0 && call->used_count > 0;
    ployi_box *self = call->used_count > 0 ? call->used[0] : NULL;
    int32_t nests = 0;
    call->path[0] = 0;
    for (int32_t i = 0; i < call->used_count; i++) {
        ployi_box *used = call->used[i];
        call->at = call->used_at[i];
        if (i > 0 && used->kind == PLOYI_BOX_OBJECT && used->owner != NULL && used->owner != self &&
            used->owner->type == self->type && (fn->flags & PLOYI_BIND_SELF) != 0)
            return ployi_bind_fail(call, "is a %s of another %s", used->type->name,
                                   self->type->name);
        if (!call->keeps || used->type == NULL) continue;
        bool maker = (used->type->flags & PLOYI_BIND_NESTS) != 0;
        if (maker && changes && used != self && ployi_box_reaches(used, self))
            return ployi_bind_fail(call, "is a %s that would contain itself%s", self->type->name,
                                   "");
        int32_t deep = used->nests + (maker ? 1 : 0);
        if (deep > nests) nests = deep;
    }
    if (!call->keeps) return true;
    call->at = &fn->parameters[0];
    if (nests > NESTS_MAX)
        return ployi_bind_fail(call, "is nested too deep; expected at most 64 levels%s%s", "", "");
    if (changes && self->nests < nests) self->nests = nests;
    for (int32_t i = 0; i <= fn->count; i++) {
        if (frame->boxes[i] != NULL) frame->boxes[i]->nests = nests;
    }
    return true;
}

static void call_borrow(call_frame *frame, ployi_box *box, void *ptr) {
    ployi_call *call = &frame->call;
    box->ptr = ptr;
    if (call->used_count == 0) return; // static data
    box->owner = call->used[0];
    box->stamp = box->owner->version;
    box->stamped = true;
    ployi_box_use(box->owner);
}

static void call_stamp(call_frame *frame, ployi_box *box) {
    if ((box->type->flags & PLOYI_BIND_VIEW) != 0 && box->owner == NULL)
        call_borrow(frame, box, box->ptr);
}

static int64_t call_written(const call_frame *frame, const ployi_bind_item *item, int32_t i) {
    int64_t n = frame->counts[i];
    int64_t written = n;
    if (item->written == PLOYI_BIND_RETURNED)
        written = *(int32_t *)frame->result;
    else if (item->written >= 0)
        written = call_integer(frame, item->written);
    return written < 0 ? 0 : written > n ? n : written;
}

static int call_results(call_frame *frame, bool done) {
    ployi_call *call = &frame->call;
    ployi_bind *bind = call->bind;
    const ployi_bind_function *fn = call->fn;
    lua_State *L = call->L;
    int first = lua_gettop(L);
    ployi_bind_item result = {.name = "result",
                              .kind = fn->result_kind,
                              .type = fn->result_type,
                              .link = -1,
                              .second = -1,
                              .written = -1};
    luaL_checkstack(L, fn->count + 4, "results");
    if (fn->result_kind != PLOYI_BIND_VOID && (fn->flags & PLOYI_BIND_STATUS) == 0) {
        bool pointer = (fn->result_flags & PLOYI_BIND_POINTER) != 0;
        const void *at = pointer ? frame->slots[fn->count].p : frame->result;
        if (fn->result_kind == PLOYI_BIND_TEXT)
            ployi_bind_push(bind, L, &result, frame->result);
        else if (frame->boxes[fn->count] != NULL) {
            if (pointer && at == NULL)
                lua_pushnil(L);
            else
                lua_pushvalue(L, frame->pushed[fn->count]);
        } else if (pointer && at == NULL)
            lua_pushnil(L);
        else if (pointer && fn->result_written >= 0) {
            int64_t n = call_integer(frame, fn->result_written);
            ployi_bind_push_array(bind, L, &result, at, n < 0 ? 0 : n);
        } else
            ployi_bind_push(bind, L, &result, at);
        // An id remembers the object that it belongs to, so that it has that object's methods.
        if (fn->result_kind == PLOYI_BIND_PLAIN && !pointer && (fn->flags & PLOYI_BIND_SELF) != 0 &&
            frame->args[0] > 0 && ployi_bind_handle(L, -1) != NULL) {
            lua_pushvalue(L, frame->args[0]);
            lua_setiuservalue(L, -2, 1);
        }
    }
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        if (item->role == PLOYI_BIND_OUT) {
            if (frame->boxes[i] != NULL) {
                if (frame->boxes[i]->ptr == NULL)
                    lua_pushnil(L);
                else
                    lua_pushvalue(L, frame->pushed[i]);
            } else {
                ployi_bind_push(bind, L, item, frame->a[i]);
                if (item->kind == PLOYI_BIND_PLAIN && (fn->flags & PLOYI_BIND_SELF) != 0 &&
                    frame->args[0] > 0 && ployi_bind_handle(L, -1) != NULL) {
                    lua_pushvalue(L, frame->args[0]);
                    lua_setiuservalue(L, -2, 1);
                }
            }
        } else if (item->role == PLOYI_BIND_ARRAY_OUT)
            ployi_bind_push_array(bind, L, item, frame->a[i], call_written(frame, item, i));
        else if (item->role == PLOYI_BIND_ARRAY_INOUT && frame->a[i] != NULL) {
            ployi_bind_write_back(bind, L, frame->args[i], item, frame->a[i], frame->counts[i]);
        } else if (item->role == PLOYI_BIND_INOUT && frame->a[i] != NULL) {
            bool scalar = item->kind < PLOYI_BIND_PLAIN || item->kind == PLOYI_BIND_VALUE;
            const ployi_bind_type *type = &ployi_bind_types[item->type];
            // A host's vector cannot be changed, so the new one is a result.
            scalar = scalar || (item->kind == PLOYI_BIND_PLAIN &&
                                ployi_bind_object(bind, L, frame->args[i], type) != NULL);
            if (scalar)
                ployi_bind_push(bind, L, item, frame->a[i]);
            else
                ployi_bind_write_back(bind, L, frame->args[i], item, frame->a[i], 0);
        } else if (item->role == PLOYI_BIND_IN && item->kind == PLOYI_BIND_LIVE &&
                   frame->a[i] != NULL && frame->args[i] > 0) {
            ployi_bind_write_back(bind, L, frame->args[i], item, frame->a[i],
                                  0); // views whose arrays are written
        }
    }
    if ((fn->flags & PLOYI_BIND_STATUS) != 0) lua_pushboolean(L, done);
    return lua_gettop(L) - first;
}

// Publishes what the call made: objects go into their boxes.
static void call_publish(call_frame *frame, bool failed) {
    ployi_call *call = &frame->call;
    const ployi_bind_function *fn = call->fn;
    for (int32_t i = 0; i < fn->count; i++) {
        ployi_box *box = frame->boxes[i];
        if (box == NULL) continue;
        const ployi_bind_item *item = &fn->parameters[i];
        bool takes = (item->flags & PLOYI_BIND_TAKES) != 0;
        if (box->kind == PLOYI_BOX_STRUCT) {
            if (failed)
                box->ptr = NULL;
            else if (takes)
                box->owned = true;
            else
                call_stamp(frame, box);
        } else if (frame->slots[i].p != NULL) {
            if (takes) {
                box->ptr = frame->slots[i].p;
                box->owned = true;
            } else if (!failed)
                call_borrow(frame, box, frame->slots[i].p);
        }
    }
    ployi_box *box = frame->boxes[fn->count];
    if (box == NULL || failed) return;
    if (box->kind == PLOYI_BOX_STRUCT) {
        if ((fn->result_flags & PLOYI_BIND_TAKES) != 0)
            box->owned = true;
        else
            call_stamp(frame, box);
    } else if (frame->slots[fn->count].p != NULL) {
        if ((fn->result_flags & PLOYI_BIND_TAKES) != 0) {
            box->ptr = frame->slots[fn->count].p;
            box->owned = true;
        } else
            call_borrow(frame, box, frame->slots[fn->count].p);
    }
}

// Refuses to change an object that a call further out is reading or changing.
static bool call_lock(call_frame *frame) {
    ployi_call *call = &frame->call;
    const ployi_bind_function *fn = call->fn;
    for (int32_t i = 0; i < call->used_count; i++) {
        ployi_box *box = call->used[i];
        bool writes =
            (i == 0 && (fn->flags & PLOYI_BIND_CHANGES) != 0) || (call->changed >> i & 1) != 0;
        if (!writes || (box->reading == 0 && box->writing == 0)) continue;
        call->at = call->used_at[i];
        call->path[0] = 0;
        return ployi_bind_fail(call, "is a %s that is in use by the call around this one%s",
                               box->type->name, "");
    }
    return true;
}

// The library owns these from now on. A struct such as a behavior stands for the object that it was made from.
static void call_give(call_frame *frame) {
    for (int32_t i = 0; i < frame->call.give_count; i++) {
        ployi_box *box = frame->call.gives[i];
        if (box->kind == PLOYI_BOX_STRUCT && !box->owned) {
            for (int32_t k = 0; k < box->hold_count; k++) {
                ployi_box *held = box->holds[k];
                if (held->kind != PLOYI_BOX_OBJECT || !held->owned || call_takes(frame, held))
                    continue;
                held->owned = false;
                held->given = true;
            }
        }
        box->owned = false;
        box->given = true;
    }
}

// A budget without a limit would let one call run for hours, past every limit of the sandbox. What a call leaves is in
// progress, and the script calls again.
static void call_limit(call_frame *frame) {
    const ployi_bind_function *fn = frame->call.fn;
    frame->budget = NULL;
    frame->withheld = 0;
    if ((fn->flags & PLOYI_BIND_BUDGET) == 0) return;
    for (int32_t i = 0; i < fn->count && frame->budget == NULL; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        if (item->kind != PLOYI_BIND_LIVE || item->type != ployi_bind_type_budget) continue;
        if (frame->a[i] == NULL) {
            frame->own = ploy_budget_unlimited();
            frame->a[i] = &frame->own;
        }
        frame->budget = frame->a[i];
    }
    if (frame->budget == NULL) return;
    frame->spent = frame->budget->spent;
    int64_t most =
        (fn->flags & PLOYI_BIND_HEAVY) != 0 ? PLOYI_BIND_UNITS_HEAVY : PLOYI_BIND_UNITS_MAX;
    if (frame->budget->units > most) {
        frame->withheld = frame->budget->units - most;
        frame->budget->units = most;
    }
}

static void call_unlimit(call_frame *frame) {
    if (frame->budget == NULL) return;
    frame->budget->units += frame->withheld;
    int64_t spent = frame->budget->spent - frame->spent;
    frame->call.work += (frame->call.fn->flags & PLOYI_BIND_HEAVY) != 0 ? spent * 32 : spent / 4;
}

static void call_run(call_frame *frame) {
    ployi_call *call = &frame->call;
    ployi_bind *bind = call->bind;
    const ployi_bind_function *fn = call->fn;
    bool changes = (fn->flags & PLOYI_BIND_CHANGES) != 0;
    for (int32_t i = 0; i < call->used_count; i++) {
        ployi_box_use(call->used[i]); // (2)
        if (i == 0 && changes)
            call->used[i]->writing += 1;
        else
            call->used[i]->reading += 1;
    }
    lua_State *running = bind->running;
    bind->running = call->L;
    bind->depth += 1;
    call_limit(frame);
    fn->thunk(frame->a, frame->result);
    call_unlimit(frame);
    bind->depth -= 1;
    bind->running = running;
    for (int32_t i = 0; i < call->used_count; i++) {
        bool wrote = i == 0 && changes;
        if (wrote)
            call->used[i]->writing -= 1;
        else
            call->used[i]->reading -= 1;
        if (wrote || (call->changed >> i & 1) != 0) call->used[i]->version += 1;
    }
}

static void call_end(call_frame *frame) {
    ployi_call *call = &frame->call;
    for (int32_t i = 0; i < call->used_count; i++) ployi_box_unuse(call->used[i]);
    if (call->root != NULL) ployi_box_forget(call->root);
    call->root = NULL;
    if (call->bind->dead != NULL) ployi_box_drain(call->bind);
}

static int call_refused(call_frame *frame, ploy_result result) {
    ployi_bind *bind = frame->call.bind;
    const char *why = bind->log[0] != 0 ? bind->log : NULL;
    const ploy_diag *diag =
        ploy_diags_count(bind->diags) > 0 ? ploy_diags_get(bind->diags, 0) : NULL;
    char place[256] = "";
    if (diag != NULL) {
        if (diag->line > 0)
            (void)snprintf(place, sizeof place, "%.80s:%d:%d: ", diag->name, (int)diag->line,
                           (int)diag->column);
        why = diag->message;
    }
    (void)snprintf(bind->message, sizeof bind->message, "%s (%s)%s%s%.160s",
                   ploy_result_text(result), ploy_result_name(result), why == NULL ? "" : ": ",
                   place, why == NULL ? "" : why);
    if (diag != NULL && diag->nearest[0] != 0) {
        size_t used = strlen(bind->message);
        (void)snprintf(bind->message + used, sizeof bind->message - used,
                       " (did you mean '%.80s'?)", diag->nearest);
    }
    ploy_diags_clear(bind->diags);
    call_end(frame);
    return luaL_error(frame->call.L, "%s: %s", frame->call.fn->name, bind->message);
}

static int call_destroy(call_frame *frame) {
    ployi_call *call = &frame->call;
    const ployi_bind_item *item = &call->fn->parameters[0];
    const ployi_bind_type *type = &ployi_bind_types[item->type];
    call->at = item;
    if (lua_isnoneornil(call->L, 1) && (item->flags & PLOYI_BIND_NULLABLE) != 0) return 0;
    ployi_handle *handle = ployi_bind_handle(call->L, 1);
    if (handle == NULL || handle->type != type || handle->box == NULL) {
        ployi_bind_fail(call, "is %s; expected %s",
                        handle != NULL ? handle->type->name : luaL_typename(call->L, 1),
                        type->name);
        return call_error(frame);
    }
    const char *fault =
        handle->box->bind != call->bind ? "belongs to another state" : ployi_box_state(handle->box);
    if (fault == NULL && !handle->box->owned) fault = "the script does not own";
    if (fault != NULL) {
        ployi_bind_fail(call, "is a %s that %s", type->name, fault);
        return call_error(frame);
    }
    ployi_box_release(handle->box);
    return 0;
}

static int call_raise(ployi_bind *bind, lua_State *L) {
    bind->failed = false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bind->failed);
    lua_pushboolean(L, false);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &bind->failed);
    if (bind->rethrow != NULL) bind->rethrow(L); // a limit passes as a limit
    return lua_error(L);
}

// The common case without any of the rest: objects, numbers and booleans in, one of these out. Returns -1, with nothing
// done, for arguments that need the slow path, such as all that are wrong.
static int call_fast(ployi_bind *bind, lua_State *L, const ployi_bind_function *fn) {
    union {
        int32_t i;
        float f;
        double d;
        bool b;
        uint8_t u8;
    } slots[9];
    void *a[8];
    ployi_box *boxes[8];
    int32_t box_count = 0;
    if (lua_gettop(L) != fn->count) return -1;
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        int exact = 0;
        a[i] = &slots[i];
        switch (item->kind) {
        case PLOYI_BIND_OBJECT: {
            const ployi_handle *handle = ployi_bind_handle(L, i + 1);
            if (handle == NULL || handle->type != &ployi_bind_types[item->type]) return -1;
            ployi_box *box = handle->box;
            if (box == NULL || box->bind != bind || box->released || box->given ||
                box->ptr == NULL || box->owner != NULL)
                return -1;
            bool writes = (i == 0 && (fn->flags & PLOYI_BIND_CHANGES) != 0) ||
                          (item->flags & PLOYI_BIND_CONST) == 0;
            if (writes && (box->reading > 0 || box->writing > 0)) return -1;
            boxes[box_count++] = box;
            a[i] = box->ptr;
            break;
        }
        case PLOYI_BIND_I32: {
            lua_Integer value =
                lua_type(L, i + 1) == LUA_TNUMBER ? lua_tointegerx(L, i + 1, &exact) : 0;
            if (!exact || value < INT32_MIN || value > INT32_MAX) return -1;
            slots[i].i = (int32_t)value;
            break;
        }
        case PLOYI_BIND_BOOL:
            if (lua_type(L, i + 1) != LUA_TBOOLEAN) return -1;
            slots[i].b = lua_toboolean(L, i + 1) != 0;
            break;
        default: {
            double value = lua_type(L, i + 1) == LUA_TNUMBER ? lua_tonumberx(L, i + 1, &exact) : 0;
            if (!exact || !(value >= -(double)FLT_MAX && value <= (double)FLT_MAX))
                return -1; // false for NaN
            if (item->kind == PLOYI_BIND_F32)
                slots[i].f = (float)value;
            else
                slots[i].d = value;
            break;
        }
        }
    }
    if (fn->guard != NULL && fn->guard(a) >= 0) return -1;
    bool changes = (fn->flags & PLOYI_BIND_CHANGES) != 0;
    for (int32_t i = 0; i < box_count; i++) {
        ployi_box_use(boxes[i]); // (2)
        if (i == 0 && changes)
            boxes[i]->writing += 1;
        else
            boxes[i]->reading += 1;
    }
    lua_State *running = bind->running;
    bind->running = L;
    fn->thunk(a, &slots[8]);
    bind->running = running;
    for (int32_t i = 0; i < box_count; i++) {
        if (i == 0 && changes) {
            boxes[i]->writing -= 1;
            boxes[i]->version += 1;
        } else
            boxes[i]->reading -= 1;
        ployi_box_unuse(boxes[i]);
    }
    if (bind->failed) return call_raise(bind, L);
    if (fn->result_kind == PLOYI_BIND_VOID) return 0;
    ployi_bind_item result = {.kind = fn->result_kind};
    ployi_bind_push(bind, L, &result, &slots[8]);
    return 1;
}

int ployi_bind_call(lua_State *L) {
    const ployi_bind_function *fn = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    if (bind->closing) return luaL_error(L, "%s: the state is closing", fn->name);
    if (bind->charge != NULL)
        bind->charge(bind->charge_user, L, 1); // may raise, so nothing is held yet
    if ((fn->flags & PLOYI_BIND_FAST) != 0) {
        int pushed = call_fast(bind, L, fn);
        if (pushed >= 0) return pushed;
    }
    call_frame frame;
    ployi_call *call = &frame.call;
    call->bind = bind;
    call->L = L;
    static const ployi_bind_item returned = {.name = "result"}; // of a function without parameters
    call->fn = fn;
    call->at = &returned;
    call->keeps = (fn->flags & PLOYI_BIND_KEEPS) != 0;
    call->work = 0;
    call->root = NULL;
    call->used_count = 0;
    call->changed = 0;
    call->give_count = 0;
    call->stack_used = 0;
    call->path[0] = 0;
    int given = lua_gettop(L);
    luaL_checkstack(L, PLOYI_BIND_PARAMETERS + 16, "arguments");
    // entity:pose() is world:pose(entity): an id carries the object that made it.
    if (given > 0 && fn->count > 1 && fn->parameters[0].kind == PLOYI_BIND_OBJECT) {
        const ployi_handle *handle = ployi_bind_handle(L, 1);
        if (handle != NULL && handle->box == NULL &&
            handle->type != &ployi_bind_types[fn->parameters[0].type] &&
            lua_getiuservalue(L, 1, 1) == LUA_TUSERDATA) {
            lua_insert(L, 1);
            given += 1;
        }
        lua_settop(L, given);
    }
    if (fn->count > 0 && fn->parameters[0].role == PLOYI_BIND_OWNED) {
        if (given > 1) return luaL_error(L, "%s: too many arguments", fn->name);
        return call_destroy(&frame);
    }
    int arg = 0;
    for (int32_t i = 0; i < fn->count; i++) {
        frame.counts[i] = -1;
        frame.boxes[i] = NULL;
        frame.args[i] = 0;
        if (fn->parameters[i].role == PLOYI_BIND_USER) frame.a[i] = NULL;
    }
    frame.boxes[fn->count] = NULL;
    for (int32_t i = 0; i < fn->count; i++) {
        if (!call_has_arg(fn, i)) continue;
        arg += 1;
        frame.args[i] = arg;
        call->at = &fn->parameters[i];
        call->path[0] = 0;
        if (arg > given) lua_settop(L, arg);
        if (!call_read_in(&frame, i, arg)) return call_error(&frame);
    }
    if (given > arg) {
        (void)snprintf(bind->message, sizeof bind->message, "too many arguments; expected %d", arg);
        return call_error(&frame);
    }
    luaL_checkstack(L, fn->count + 8, "results");
    if (!call_counts(&frame) || !call_outs(&frame) || !call_lock(&frame) || !call_guard(&frame) ||
        !call_belongs(&frame))
        return call_error(&frame);
    if (!call_holds(&frame)) {
        (void)snprintf(bind->message, sizeof bind->message, "out of memory");
        return call_error(&frame);
    }
    bind->log[0] = 0;
    if (bind->depth == 0)
        ploy_diags_clear(bind->diags); // what an earlier call that succeeded reported
    call_give(&frame);
    call_run(&frame);
    ploy_result result =
        (fn->flags & PLOYI_BIND_STATUS) != 0 ? (ploy_result) * (int32_t *)frame.result : PLOY_OK;
    call_publish(&frame, result < PLOY_OK);
    if (bind->failed) { // a callback's error is the call's
        call_end(&frame);
        return call_raise(bind, L);
    }
    if (result < PLOY_OK) return call_refused(&frame, result);
    // The results may point into the arguments' memory, so they are pushed before that goes. Running out of memory
    // here leaves the boxes of the call to the state, which frees them when it closes.
    int pushed = call_results(&frame, result == PLOY_OK);
    call_end(&frame);
    if (bind->charge != NULL && call->work > 0) bind->charge(bind->charge_user, L, call->work);
    return pushed;
}
