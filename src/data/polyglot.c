// Polyglot opening books; the format is in the header.
#include "ploy/data/polyglot.h"

#include <string.h>

enum { POLYGLOT_ENTRY = 16 };

static uint64_t polyglot_get(const uint8_t *bytes, int32_t size) {
    uint64_t value = 0;
    for (int32_t i = 0; i < size; i++) value = value << 8 | bytes[i];
    return value;
}

static void polyglot_put(uint8_t *bytes, uint64_t value, int32_t size) {
    for (int32_t i = size - 1; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

static ploy_result polyglot_fault(ploy_diags *diags, const char *name, const char *message,
                                  const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 0, 0, message, expected,
                   NULL);
    return PLOY_ERR_FORMAT;
}

ploy_result ploy_polyglot_load(const void *bytes, size_t size, const char *name,
                               ploy_board_book *book, ploy_diags *diags) {
    const uint8_t *at = bytes;
    if (size % POLYGLOT_ENTRY != 0)
        return polyglot_fault(diags, name, "the size is not that of a book",
                              "a multiple of 16 bytes");
    for (size_t i = POLYGLOT_ENTRY; i < size; i += POLYGLOT_ENTRY) {
        if (polyglot_get(at + i, 8) < polyglot_get(at + i - POLYGLOT_ENTRY, 8))
            return polyglot_fault(diags, name, "the keys are not sorted", "ascending keys");
    }
    for (size_t i = 0; i < size; i += POLYGLOT_ENTRY) {
        ploy_board_book_entry entry;
        memset(&entry, 0, sizeof entry);
        entry.key = polyglot_get(at + i, 8);
        entry.code = polyglot_get(at + i + 8, 2);
        entry.strength = (int32_t)polyglot_get(at + i + 10, 2);
        entry.line = -1;
        int64_t games = (int64_t)polyglot_get(at + i + 12, 2),
                points = (int64_t)polyglot_get(at + i + 14, 2);
        if (points <= 2 * games) { // as we write it
            entry.games = games;
            entry.wins = points / 2;
            entry.draws = entry.wins + points % 2 <= games ? points % 2 : 0;
        }
        ploy_result result = ploy_board_book_add(book, &entry);
        if (result != PLOY_OK) return result;
    }
    return ploy_board_book_seal(book);
}

ploy_result ploy_polyglot_save(const ploy_board_book *book, ploy_writer *writer) {
    for (int32_t i = 0; i < ploy_board_book_count(book); i++) {
        const ploy_board_book_entry *entry = ploy_board_book_at(book, i);
        int32_t weight = ploy_board_book_weight(book, entry);
        if (weight <= 0) continue;
        uint8_t bytes[POLYGLOT_ENTRY];
        int64_t games = entry->games < 65535 ? entry->games : 65535;
        int64_t points = 2 * entry->wins + entry->draws;
        if (entry->games > games) points = points * games / entry->games;
        if (points > 65535) points = 65535;
        polyglot_put(bytes, entry->key, 8);
        polyglot_put(bytes + 8, entry->code, 2);
        polyglot_put(bytes + 10, (uint64_t)(weight < 65535 ? weight : 65535), 2);
        polyglot_put(bytes + 12, (uint64_t)games, 2);
        polyglot_put(bytes + 14, (uint64_t)points, 2);
        ploy_write_bytes(writer, bytes, sizeof bytes);
    }
    return ploy_writer_result(writer);
}
