// Calls bound functions with arguments built from their roles: for the test of all bindings and for the fuzzer.
#pragma once

#include "script/bind_internal.h"

typedef enum driver_mode {
    DRIVER_PLAIN, // valid as far as roles can tell: default defs, created objects, short sequences
    DRIVER_WILD   // any value in any place
} driver_mode;

typedef struct driver {
    lua_State *L;
    ployi_bind *bind;
    uint64_t random;
    driver_mode mode;
    int32_t depth;
    int32_t calls; // of callbacks, in one call
    bool inside;   // a callback
    // Called in a callback for each function that takes what the callback was lent; NULL: none.
    void (*lent)(struct driver *d, const ployi_bind_type *type);
    uint32_t wild;  // one argument in this many is of any kind; DRIVER_WILD
    int32_t nested; // calls inside callbacks of calls
    // Told of each function before it is called; NULL: none.
    void (*watch)(const struct driver *d, const ployi_bind_function *fn);
} driver;

// All bound functions, by number.
int32_t driver_function_count(void);
const ployi_bind_function *driver_function(int32_t number);

// Opens the bindings in a plain Lua state; objects by type are in the registry under d.
bool driver_open(driver *d, const ploy_env *env, uint64_t seed);
void driver_close(driver *d);
// Runs the recipes in tools/api-recipes.lua under root and keeps what they make. Returns how many failed; the first
// error's text is in text.
int32_t driver_recipes(driver *d, const char *root, char *text, size_t size);
uint32_t driver_draw(driver *d, uint32_t below);
// Calls a function. Returns Lua's status; its message is in text.
int driver_call(driver *d, const ployi_bind_function *fn, char *text, size_t size);
// Pushes an argument for an item; returns false if no object of its type exists.
bool driver_push(driver *d, const ployi_bind_item *item);
int driver_arguments(driver *d, const ployi_bind_function *fn);
void driver_keep(driver *d, int index); // adds a result to the objects
// Reads and writes members of an object or struct of any type, compares it and prints it.
void driver_poke(driver *d);
bool driver_is_argument(const ployi_bind_item *item);
