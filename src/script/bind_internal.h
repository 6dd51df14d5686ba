// Bindings: what the generated tables and the files of the runtime share.
//
// tools/bind-lua.mjs writes, from the roles in ploy_api.json, tables of types and functions and one thunk
// for each function. A thunk only unpacks its arguments, `*(float *)r = ploy_vec2_length(*(ploy_vec2 *)a[0])`;
// one interpreter (bind_call.c) reads the arguments from Lua by the table. Compiling the tables takes seconds,
// compiling a whole lua_CFunction for each of 5,000 functions takes minutes.
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/value.h"

typedef enum ployi_bind_kind {
    PLOYI_BIND_VOID,
    PLOYI_BIND_BOOL,
    PLOYI_BIND_I8,
    PLOYI_BIND_U8,
    PLOYI_BIND_I16,
    PLOYI_BIND_U16,
    PLOYI_BIND_I32,
    PLOYI_BIND_U32,
    PLOYI_BIND_I64,
    PLOYI_BIND_U64,
    PLOYI_BIND_SIZE,
    PLOYI_BIND_F32,
    PLOYI_BIND_F64,
    PLOYI_BIND_CHAR,
    PLOYI_BIND_ENUM,
    PLOYI_BIND_TEXT,  // const char *, zero-terminated
    PLOYI_BIND_BYTES, // an array of bytes: a Lua string
    PLOYI_BIND_PLAIN, // a struct without pointers: a value
    PLOYI_BIND_LIVE,  // a struct with pointers: in a box
    PLOYI_BIND_OBJECT,
    PLOYI_BIND_CALLBACK,
    PLOYI_BIND_VALUE // ploy_value: a Lua value
} ployi_bind_kind;

typedef enum ployi_bind_role {
    PLOYI_BIND_IN,
    PLOYI_BIND_OUT,
    PLOYI_BIND_INOUT,
    PLOYI_BIND_ARRAY_IN,
    PLOYI_BIND_ARRAY_OUT,
    PLOYI_BIND_ARRAY_INOUT,
    PLOYI_BIND_COUNT,    // follows from the length of a sequence
    PLOYI_BIND_CAPACITY, // given by the script
    PLOYI_BIND_OWNED,    // destroy's argument
    PLOYI_BIND_CALL,
    PLOYI_BIND_USER,
    PLOYI_BIND_ENV,    // from the state
    PLOYI_BIND_DIAGS,  // from the state; its messages become the error's text
    PLOYI_BIND_STRIDE, // bytes from one element to the next
    PLOYI_BIND_UNUSED  // NULL
} ployi_bind_role;

enum {
    PLOYI_BIND_POINTER = 1,  // the C parameter is a pointer to the kind
    PLOYI_BIND_CONST = 2,    // a pointer to const
    PLOYI_BIND_NULLABLE = 4, // nil is NULL
    PLOYI_BIND_TAKES = 8,    // an out pointer that the script owns
    PLOYI_BIND_GIVES = 16,   // the function takes the object over
    PLOYI_BIND_BOXED = 32,   // a struct that the function may reallocate: not from a table
    PLOYI_BIND_LENDS = 64,   // an owner by value that stays the script's although it is kept
    PLOYI_BIND_KEEPER = 128  // keeps what the call is given, instead of the first parameter
};

#define PLOYI_BIND_PARAMETERS 24
#define PLOYI_BIND_RETURNED 100 // ployi_bind_item.written: the number is the function's result

// A parameter or a member. link is the index of the count of an array or of the user of a callback, -1 if
// there is none; second is a further factor of a count; written is the index of the out parameter with the
// number of elements that were written. Of a member, second is link if there are count * count elements, and
// written is the number of elements for each one counted if there are several.
typedef struct ployi_bind_item {
    const char *name;
    uint8_t kind, role, flags;
    int8_t link, second, written;
    uint16_t type;
    uint32_t offset; // of a member
    uint32_t fixed;  // the fixed count of an array
} ployi_bind_item;

enum {
    PLOYI_BIND_MAKEABLE = 1, // a struct with pointers that may be given as a table
    PLOYI_BIND_VECTOR = 2,   // floats only: + - * / and unary -
    PLOYI_BIND_VIEW = 4,     // points into an object's memory: stale once that changes
    PLOYI_BIND_NESTS = 16,   // makes what is inside another: never itself
    PLOYI_BIND_OWNER = 8     // owns what it points to: keeping one means taking it over
};

typedef void (*ployi_bind_any)(void);

typedef struct ployi_bind_type {
    const char *name; // "vec2"
    uint8_t kind, flags;
    uint16_t member_count;
    uint32_t size;
    const ployi_bind_item *members;
    void (*drop)(void *self);     // destroy or fini; NULL: none
    void (*initial)(void *value); // the def's default
    ploy_fields (*fields)(void);
    const char *const *names; // enum
    const int32_t *values;
    // callback: the trampoline, its parameters as members, and its result
    ployi_bind_any trampoline;
    uint8_t result_kind;
    uint16_t result_type;
    const char *(*check)(const void *value); // the member that is out of its range, or NULL
} ployi_bind_type;

// What a function needs beyond the types of its arguments.
typedef struct ployi_bind_rule {
    uint8_t parameter;
    const char *text; // "is out of range; expected a whole number from 0 to ..."
} ployi_bind_rule;

enum {
    PLOYI_BIND_KEEPS = 1,   // may keep pointers that it was given
    PLOYI_BIND_SELF = 2,    // the first parameter is a box or value of its type: a method
    PLOYI_BIND_STATUS = 4,  // returns a ploy_result
    PLOYI_BIND_CHANGES = 8, // the first parameter is not const
    PLOYI_BIND_FAST = 16,   // only objects, numbers and booleans in, at most one of them out
    PLOYI_BIND_BUDGET = 32, // takes a budget
    PLOYI_BIND_HEAVY = 64   // and one unit of it is much work, such as a game played to its end
};

// Most units that one call of a script may spend.
#define PLOYI_BIND_UNITS_MAX ((int64_t)1 << 16)
#define PLOYI_BIND_UNITS_HEAVY ((int64_t)1 << 9)

typedef struct ployi_bind_function {
    const char *name;   // "wander_create"
    const char *method; // "create"; NULL: none
    void (*thunk)(void **a, void *r);
    const ployi_bind_item *parameters;
    uint8_t count, flags, result_kind, result_flags;
    int8_t result_written; // an array: the out parameter with its length
    uint16_t result_type;
    uint16_t self; // type of the first parameter
    // Checks the arguments before the call: the number of the broken rule, or -1. NULL: nothing to check.
    int32_t (*guard)(void **a);
    const ployi_bind_rule *rules;
} ployi_bind_function;

typedef struct ployi_bind_module {
    const char *name;
    const ployi_bind_function *functions; // by name
    int32_t count;
} ployi_bind_module;

// Written by tools/bind-lua.mjs.
extern const ployi_bind_type ployi_bind_types[];
extern const int32_t ployi_bind_type_count;
extern const int32_t ployi_bind_api_count; // functions of the API, bound or not
extern const ployi_bind_module *const ployi_bind_modules[];
extern const int32_t ployi_bind_module_count;
extern const uint16_t ployi_bind_type_vec2, ployi_bind_type_vec3, ployi_bind_type_quat,
    ployi_bind_type_id, ployi_bind_type_name, ployi_bind_type_budget;

typedef struct ployi_bind ployi_bind;

typedef enum ployi_box_kind {
    PLOYI_BOX_OBJECT, // an object of the library
    PLOYI_BOX_STRUCT, // a struct with pointers, in bytes
    PLOYI_BOX_MEMORY, // memory that a call gave to the library
    PLOYI_BOX_LUA     // a Lua value in the registry: a callback, or a value whose address was given
} ployi_box_kind;

// Something the library may point to. Counted, so that nothing is freed while a script or another box uses it.
typedef struct ployi_box {
    ployi_bind *bind;
    struct ployi_box *older, *newer;
    const ployi_bind_type *type;
    void *ptr; // NULL once its content is gone
    struct ployi_box **holds;
    int32_t hold_count, hold_capacity;
    struct ployi_box *owner; // borrowed from it
    uint32_t stamp;          // the owner's version when it was borrowed
    uint32_t version;        // raised by each call that may change it
    int32_t refs;            // handles and users; the box itself lives while there is one
    int32_t users;           // boxes that hold it and calls that use it
    int32_t reading, writing;
    int ref;                // in the table of Lua values
    struct ployi_box *todo; // of a search
    uint32_t mark;          // the search that found it last
    int32_t nests;          // levels of makers inside
    uint8_t kind;
    bool owned;    // drop frees the content
    bool released; // the script gave it up
    bool stamped;  // stale once owner has changed
    bool lent;     // to a callback, for its duration
    bool given;    // to an object of the library that owns it now
    bool waits;    // among the dead
    bool closed;   // its content went while the state closed
    size_t size;
    union {
        max_align_t align;
        unsigned char bytes[1];
    } content;
} ployi_box;

// The userdata of every object, struct and value.
typedef struct ployi_handle {
    uint64_t magic; // of its address, so that no other userdata passes for one
    const ployi_bind_type *type;
    void *ptr; // value: its bytes, here or in a parent; NULL: expired
    ployi_box *box;
} ployi_handle;

// Memory of bound objects in a sandbox.
typedef struct ployi_bind_account {
    ploy_env env;
    size_t bytes, cap;
} ployi_bind_account;

// In front of each block that the library allocates, so that closing a state frees what its scripts lost.
typedef struct ployi_bind_block {
    struct ployi_bind_block *previous, *next;
    size_t size;
    size_t align;
} ployi_bind_block;

struct ployi_bind {
    lua_State *main;
    ploy_env env;  // what creates receive
    ploy_env host; // what it is made from
    ploy_diags *diags;
    ployi_bind_block *blocks;
    ployi_box *newest;
    ployi_box *dead; // content to drop, linked by owner
    uint32_t marks;  // searches so far
    bool dropping;
    bool closing;
    bool separate;      // each argument is in its own block, so that tests find what reads past one
    lua_State *running; // of the innermost call
    int32_t depth;      // of calls
    bool failed;        // a callback raised the error that is in the registry under &failed
    char message[512];
    char log[256]; // the latest error that the library logged
    // Charges units for a call before it runs; may raise an error. NULL: free.
    void (*charge)(void *user, lua_State *L, int64_t units);
    void *charge_user;
    // The host's, NULL without one: raises again what must pass through a protected call; vectors, ids and names as
    // the host's objects.
    void (*rethrow)(lua_State *L);
    const ploy_value *(*object)(lua_State *L, int index);
    void (*push)(lua_State *L, const ploy_value *value);
    uint32_t modules; // registered, one bit each
};

#define PLOYI_BIND_STACK 2048

// One call: its arguments and what must live while it runs.
typedef struct ployi_call {
    ployi_bind *bind;
    lua_State *L;
    const ployi_bind_function *fn;
    const ployi_bind_item *at; // the parameter being read
    bool keeps;
    int64_t work;
    ployi_box *root; // memory and Lua values of this call
    ployi_box *used[PLOYI_BIND_PARAMETERS * 2];
    const ployi_bind_item *used_at[PLOYI_BIND_PARAMETERS * 2]; // the parameter
    int32_t used_count;
    uint64_t changed;    // one bit for each of used: the function may change it
    ployi_box *gives[4]; // objects that the library takes over
    int32_t give_count;
    size_t stack_used;
    char path[96]; // inside the parameter: ".points[3]"
    union {
        max_align_t align;
        unsigned char bytes[PLOYI_BIND_STACK];
    } stack;
} ployi_call;

// bind.c
ploy_result ployi_bind_open(lua_State *L, const ploy_env *env, ployi_bind **out);
ploy_result ployi_bind_register(ployi_bind *bind, lua_State *L, const char *module);
ployi_bind *ployi_bind_of(lua_State *L);
void ployi_bind_push_metatable(ployi_bind *bind, lua_State *L, const ployi_bind_type *type);
// Lua values that boxes keep; the value is on top of the stack. Integer keys of the registry are the host's.
int ployi_bind_ref(lua_State *L);
int ployi_bind_push_ref(lua_State *L, int ref);
void ployi_bind_unref(lua_State *L, int ref);
const ployi_bind_function *ployi_bind_find(const char *module, const char *name);
// bind_box.c
ployi_box *ployi_box_make(ployi_bind *bind, ployi_box_kind kind, const ployi_bind_type *type,
                          size_t size);
bool ployi_box_hold(ployi_box *box, ployi_box *held);
// Does from, or anything that it holds, hold to?
bool ployi_box_reaches(ployi_box *from, const ployi_box *to);
void ployi_box_use(ployi_box *box);
void ployi_box_unuse(ployi_box *box);
void ployi_box_forget(ployi_box *box); // a handle was collected
void ployi_box_release(ployi_box *box);
void ployi_box_drain(ployi_bind *bind); // drops what calls have left to drop
void ployi_box_close(ployi_bind *bind);
const char *ployi_box_state(const ployi_box *box); // why it cannot be used; NULL: it can
// bind_read.c
ployi_handle *ployi_bind_handle(lua_State *L, int index);
// The bytes of a value; NULL once the callback that it, or what it is a part of, was lent to has returned. lent: it is
// in memory of the library.
void *ployi_bind_place(lua_State *L, int index, bool *lent);
bool ployi_bind_fail(ployi_call *call, const char *format, const char *a, const char *b);
// The bytes of a host object that is of the type, NULL otherwise.
const void *ployi_bind_object(const ployi_bind *bind, lua_State *L, int index,
                              const ployi_bind_type *type);
void *ployi_bind_memory(ployi_call *call, size_t size);
bool ployi_bind_read(ployi_call *call, int index, const ployi_bind_item *item, void *to);
bool ployi_bind_read_pointer(ployi_call *call, int index, const ployi_bind_item *item, void **to);
bool ployi_bind_read_array(ployi_call *call, int index, const ployi_bind_item *item, void **to,
                           int64_t *count);
bool ployi_bind_read_callback(ployi_call *call, int index, const ployi_bind_item *item,
                              ployi_bind_any *fn, void **user);
bool ployi_bind_keep(ployi_call *call, ployi_box *box);
size_t ployi_bind_size(const ployi_bind_item *item);
// Elements of an array in a struct whose count has the value.
int64_t ployi_bind_elements(const ployi_bind_item *item, int64_t count);
// bind_push.c
void ployi_bind_push(ployi_bind *bind, lua_State *L, const ployi_bind_item *item, const void *from);
void ployi_bind_push_array(ployi_bind *bind, lua_State *L, const ployi_bind_item *item,
                           const void *from, int64_t count);
void *ployi_bind_push_value(ployi_bind *bind, lua_State *L, const ployi_bind_type *type,
                            const void *from);
void ployi_bind_push_view(ployi_bind *bind, lua_State *L, const ployi_bind_type *type, void *at,
                          int parent);
ployi_box *ployi_bind_push_box(ployi_bind *bind, lua_State *L, ployi_box_kind kind,
                               const ployi_bind_type *type, size_t size);
void ployi_bind_write_back(ployi_bind *bind, lua_State *L, int index, const ployi_bind_item *item,
                           const void *from, int64_t count);
void ployi_bind_callback(void *user, const ployi_bind_type *type, void **a, void *r);
// bind_call.c
int ployi_bind_call(lua_State *L);
