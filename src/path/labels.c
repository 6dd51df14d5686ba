// Which cells hang together; labels.h says how.
#include "path/labels.h"

// How many cells around a closed one are looked at before giving up: a wall painted through open
// floor is settled within its ring of eight, one that closes a gap between two others further off.
// Places of the table are a power of two, twice as many.
enum { LABELS_LOOK = 2048, LABELS_PLACES = 4096 };

int32_t ployi_labels_root(const ployi_labels *labels, int32_t cell) {
    while (labels->up[cell] != cell) cell = labels->up[cell];
    return cell;
}

// Joins under the lower root, which keeps (1).
static void labels_join(ployi_labels *labels, int32_t a, int32_t b) {
    int32_t root_a = ployi_labels_root(labels, a), root_b = ployi_labels_root(labels, b);
    int32_t low = root_a < root_b ? root_a : root_b;
    labels->up[root_a] = low;
    labels->up[root_b] = low;
    // Shortens what was walked, or a long wall erased cell by cell would make a long chain.
    while (labels->up[a] != low) {
        int32_t next = labels->up[a];
        labels->up[a] = low;
        a = next;
    }
}

void ployi_labels_rebuild(ployi_labels *labels, const void *user,
                          bool (*is_free)(const void *user, int32_t cell)) {
    int32_t ends[8];
    labels->stale = false;
    for (int32_t cell = 0; cell < labels->count; cell++) {
        labels->up[cell] = is_free(user, cell) ? cell : -1;
        if (labels->up[cell] < 0) continue;
        int32_t count = labels->links(user, cell, ends);
        for (int32_t i = 0; i < count; i++) {
            if (ends[i] < cell) labels_join(labels, cell, ends[i]);
        }
    }
    // Ascending, so that the cell pointed to is flat already, by (1).
    for (int32_t cell = 0; cell < labels->count; cell++) {
        if (labels->up[cell] >= 0) labels->up[cell] = labels->up[labels->up[cell]];
    }
}

void ployi_labels_opened(ployi_labels *labels, const void *user, int32_t cell) {
    int32_t ends[8];
    if (labels->stale) return;
    int32_t count = labels->links(user, cell, ends);
    bool known = labels->up[cell] < 0;
    if (known) labels->up[cell] = cell;
    // A cell that was free before may still carry others' pointers: it must come back to its part.
    int32_t root = ployi_labels_root(labels, cell);
    for (int32_t i = 0; i < count; i++) {
        known = known || ployi_labels_root(labels, ends[i]) == root;
    }
    for (int32_t i = 0; i < count; i++) labels_join(labels, cell, ends[i]);
    labels->stale = !known;
}

// Enters a cell into a table of indices + 1 into a list. False if it is there.
static bool labels_fresh(int16_t *table, const int32_t *seen, int32_t seen_count, int32_t cell) {
    uint32_t place = (uint32_t)cell * 2654435761u >> 20;
    for (; table[place] != 0; place = (place + 1) & (LABELS_PLACES - 1)) {
        if (seen[table[place] - 1] == cell) return false;
    }
    table[place] = (int16_t)(seen_count + 1);
    return true;
}

// Floods from one end until all others are found, or it is known whole, or there is too much of it.
// @return how many of the ends were found; seen holds what is connected with the first.
static int32_t labels_look(const ployi_labels *labels, const void *user, const int32_t *ends,
                           int32_t end_count, int32_t *seen, int32_t *seen_count) {
    int16_t table[LABELS_PLACES] = {0};
    int32_t found = 1;
    *seen_count = 1;
    seen[0] = ends[0];
    (void)labels_fresh(table, seen, 0, ends[0]);
    for (int32_t at = 0; at < *seen_count && found < end_count; at++) {
        int32_t next[8], count = labels->links(user, seen[at], next);
        for (int32_t i = 0; i < count && *seen_count < LABELS_LOOK; i++) {
            if (!labels_fresh(table, seen, *seen_count, next[i])) continue;
            seen[(*seen_count)++] = next[i];
            for (int32_t k = 1; k < end_count; k++) found += ends[k] == next[i];
        }
    }
    return found;
}

// Some cells are a separate part now. All others are made to point to their root first, so that
// none points through these.
static void labels_split(ployi_labels *labels, const int32_t *cells, int32_t count) {
    int32_t old = ployi_labels_root(labels, cells[0]), low = cells[0], other = -1;
    for (int32_t cell = 0; cell < labels->count; cell++) {
        int32_t up = labels->up[cell];
        if (up >= 0) labels->up[cell] = labels->up[up]; // flat already, by (1)
    }
    for (int32_t i = 0; i < count; i++) low = cells[i] < low ? cells[i] : low;
    for (int32_t i = 0; i < count; i++) labels->up[cells[i]] = low;
    if (low != old) return; // by (1) a root in the part is its lowest cell
    for (int32_t cell = old + 1; cell < labels->count; cell++) {
        bool mine = labels->up[cell] == old;
        for (int32_t i = 0; i < count && mine; i++) mine = cells[i] != cell;
        if (!mine) continue;
        if (other < 0) other = cell;
        labels->up[cell] = other;
    }
}

void ployi_labels_closed(ployi_labels *labels, const void *user, const int32_t *ends,
                         int32_t end_count) {
    int32_t seen[LABELS_LOOK], seen_count = 0, left[8], left_count = end_count;
    if (labels->stale || end_count < 2) return;
    for (int32_t i = 0; i < end_count; i++) left[i] = ends[i];
    // Whatever hangs together with the first of the ends that are left is settled in one round: all
    // of them; or a small separate part; or, too large to decide, it goes to the end of the row.
    for (int32_t tries = 0; left_count > 1 && tries < left_count;) {
        int32_t found = labels_look(labels, user, left, left_count, seen, &seen_count);
        if (found == left_count) return;
        int32_t first = left[0];
        if (seen_count == LABELS_LOOK) {
            for (int32_t i = 1; i < left_count; i++) left[i - 1] = left[i];
            left[left_count - 1] = first;
            tries++;
            continue;
        }
        labels_split(labels, seen, seen_count);
        int32_t kept = 0;
        for (int32_t i = 0; i < left_count; i++) {
            bool inside = false;
            for (int32_t k = 0; k < seen_count && !inside; k++) inside = seen[k] == left[i];
            if (!inside) left[kept++] = left[i];
        }
        left_count = kept;
        tries = 0;
    }
    labels->stale = left_count > 1;
}
