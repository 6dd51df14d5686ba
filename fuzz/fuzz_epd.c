// Any bytes as an EPD file: positions are read by the rules, and what loads is written and read again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/epd.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_epd *first = NULL, *second = NULL;
    ploy_board_chess_def rules = ploy_board_chess_def_default();
    if (ploy_epd_load(data, size, "fuzz", &env, NULL, &first) != PLOY_OK) return 0;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    for (int32_t i = 0; i < ploy_epd_count(first); i++) {
        const ploy_epd_record *record = ploy_epd_at(first, i);
        must(ploy_epd_save(first, record, &writer) == PLOY_OK);
        uint64_t position[64], again[64];
        if (ploy_epd_position(record, &rules, "fuzz", position, NULL) != PLOY_OK) continue;
        char text[PLOY_BOARD_TEXT];
        ploy_board_chess()->text(&rules, position, text);
        must(ploy_board_chess()->parse(&rules, text, "again", again, NULL) == PLOY_OK);
        must(memcmp(position, again, ploy_board_chess()->position_bytes(&rules)) == 0);
        (void)ploy_board_chess()->evaluate(&rules, position, 0);
        (void)ploy_board_chess_perft(position, 1);
        const ploy_epd_operation *best = ploy_epd_find(first, record, "bm");
        for (int32_t k = 0; best != NULL && k < best->count; k++) {
            ploy_board_move move = PLOY_BOARD_NO_MOVE;
            const char *operand = ploy_epd_operand(first, best->first + k);
            if (ploy_board_chess()->move_parse(&rules, position, operand, "bm", &move, NULL) ==
                PLOY_OK)
                must(move != PLOY_BOARD_NO_MOVE);
        }
    }
    if (buffer.size > 0)
        must(ploy_epd_load(buffer.bytes, buffer.size, "again", &env, NULL, &second) == PLOY_OK);
    must(second == NULL || ploy_epd_count(second) == ploy_epd_count(first));
    ploy_buffer_fini(&buffer);
    ploy_epd_destroy(second);
    ploy_epd_destroy(first);
    return 0;
}
