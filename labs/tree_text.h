// The lab of behavior trees edits its XML as a text: elements change places, get other tags, or go.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Moves the element whose attribute `name` is that one place to the right among its siblings, the
// last one to the front, comments and blanks staying where they are.
// @param text   that a loader accepted; size bytes.
// @param moved  room for as many bytes.
// @return false if there is no such element or it has no siblings.
bool tree_text_shift(const char *text, size_t size, const char *name, char *moved);

// Takes the element out, with the blanks before it.
// @return the new size; 0 if there is no such element or it has no siblings.
size_t tree_text_cut(const char *text, size_t size, const char *name, char *out);

// Gives the element another tag.
// @param out  room for `size` bytes and twice those of the tag.
// @return the new size; 0 if there is no such element.
size_t tree_text_rename(const char *text, size_t size, const char *name, const char *tag,
                        char *out);
