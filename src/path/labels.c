// Which cells hang together; labels.h says how.
#include "path/labels.h"

// How far a closed cell's neighbours are followed before giving up; a wall painted through open
// ground is settled within its ring of eight.
enum { LABELS_LOOK = 64 };

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

void ployi_labels_closed(ployi_labels *labels, const void *user, const int32_t *ends,
                         int32_t end_count) {
    if (labels->stale || end_count < 2) return;
    int32_t seen[LABELS_LOOK], seen_count = 1, found = 1;
    seen[0] = ends[0];
    for (int32_t at = 0; at < seen_count && found < end_count; at++) {
        int32_t next[8], count = labels->links(user, seen[at], next);
        for (int32_t i = 0; i < count && seen_count < LABELS_LOOK; i++) {
            bool fresh = true;
            for (int32_t k = 0; k < seen_count && fresh; k++) fresh = seen[k] != next[i];
            if (!fresh) continue;
            seen[seen_count++] = next[i];
            for (int32_t k = 1; k < end_count; k++) found += ends[k] == next[i];
        }
    }
    labels->stale = found < end_count;
}
