// The lab of behavior trees edits its XML as a text: an element and its next sibling change places.
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
