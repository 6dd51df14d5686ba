// Golden hashes: the texts and hashes of seeded random games of each set of rules. A changed one is a changed rule, order
// of moves or text.
#include "ploy/board/atoms.h"
#include "ploy/board/backgammon.h"
#include "ploy/board/draughts.h"
#include "ploy/board/go.h"
#include "ploy/board/othello.h"
#include "tests/board/board_test.h"

TEST(random_games_have_their_golden_hashes) {
    static const struct {
        const char *game, *setting, *value;
        uint64_t hash;
    } rows[] = {
        {"othello", "size", "8", UINT64_C(0xedcab1003a4e4d15)},
        {"othello", "size", "6", UINT64_C(0xbf4aba4bfad7f58d)},
        {"draughts", "rules", "english", UINT64_C(0xef2d409d19b1753)},
        {"draughts", "rules", "international", UINT64_C(0x869eb981babf3f93)},
        {"draughts", "rules", "russian", UINT64_C(0x88bc6d24ef115c24)},
        {"draughts", "rules", "frisian", UINT64_C(0x4990aa44b4436da0)},
        {"go", "size", "9", UINT64_C(0x2be43467c03c3d1b)},
        {"go", "ko", "situational", UINT64_C(0x2be43467c03c3d1b)},
        {"backgammon", "limit", "1000", UINT64_C(0x129975807ee42426)},
        {"atoms", "columns", "5", UINT64_C(0xedeaa975ff4b3f)},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].value;
        const ploy_board_type *type = ploy_boards_find(rows[i].game);
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        CHECK_OK(
            ploy_fields_set_text(type->fields(), &rules, rows[i].setting, rows[i].value, NULL));
        CHECK_UINT(board_games_hash(board, 3, 150), rows[i].hash);
    }
}
