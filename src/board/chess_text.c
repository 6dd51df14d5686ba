// FEN, UCI moves, SAN and long algebraic moves.
#include "chess_internal.h"

#include <string.h>

static const char chess_letters[] = "PNBRQK";

static ploy_result chess_fault(ploy_diags *diags, const char *name, const char *text,
                               const char *at, const char *message, const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1,
                   at != NULL ? (int32_t)(at - text) + 1 : 0, message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

static int32_t chess_letter_type(char c) {
    for (int32_t i = 0; i < CHESS_NONE; i++) {
        if (chess_letters[i] == c) return i;
    }
    return CHESS_NONE;
}

static bool chess_is_blank(char c) {
    return c == ' ' || c == '\t';
}

// ---- FEN ----

typedef struct chess_reader {
    const char *text, *at;
    const char *name;
    ploy_diags *diags;
    ployi_chess p;
} chess_reader;

static ploy_result chess_read_fault(const chess_reader *r, const char *message,
                                    const char *expected) {
    return chess_fault(r->diags, r->name, r->text, r->at, message, expected);
}

static void chess_read_blanks(chess_reader *r) {
    while (chess_is_blank(*r->at)) r->at++;
}

static ploy_result chess_read_pieces(chess_reader *r) {
    int32_t file = 0, rank = 7;
    for (; *r->at != 0 && !chess_is_blank(*r->at); r->at++) {
        char c = *r->at;
        if (c == '/') {
            if (file != 8) return chess_read_fault(r, "missing squares in a rank", "eight squares");
            if (rank == 0) return chess_read_fault(r, "unexpected ninth rank", "a blank");
            rank--;
            file = 0;
            continue;
        }
        if (c >= '1' && c <= '8') {
            file += c - '0';
            if (file > 8)
                return chess_read_fault(r, "unexpected square in a full rank", "eight squares");
            continue;
        }
        bool black = c >= 'a' && c <= 'z';
        int32_t type = chess_letter_type(black ? (char)(c - 'a' + 'A') : c);
        if (type == CHESS_NONE)
            return chess_read_fault(r, "unknown piece", "one of PNBRQKpnbrqk, 1 to 8 or /");
        if (file > 7)
            return chess_read_fault(r, "unexpected square in a full rank", "eight squares");
        uint64_t bit = chess_bit(8 * rank + file++);
        r->p.piece[type] |= bit;
        r->p.color[black ? CHESS_BLACK : CHESS_WHITE] |= bit;
    }
    if (rank != 0 || file != 8)
        return chess_read_fault(r, "missing squares", "eight ranks of eight squares");
    for (int32_t side = 0; side < 2; side++) {
        if (chess_count(r->p.piece[CHESS_KING] & r->p.color[side]) != 1) {
            return chess_read_fault(r,
                                    side == CHESS_WHITE ? "invalid number of white kings"
                                                        : "invalid number of black kings",
                                    NULL);
        }
        if (chess_count(r->p.color[side]) > 16)
            return chess_read_fault(r, "invalid number of pieces of one side", NULL);
    }
    if ((r->p.piece[CHESS_PAWN] & UINT64_C(0xff000000000000ff)) != 0) {
        return chess_read_fault(r, "invalid pawn on the first or last rank", NULL);
    }
    return PLOY_OK;
}

// The rook that a castling letter names: the outermost one for K and Q, that of the file otherwise.
static int32_t chess_castling_rook(const ployi_chess *p, int32_t side, char upper, int32_t *wing) {
    int32_t row = side == CHESS_WHITE ? 0 : 56, king = chess_king_of(p, side);
    uint64_t rooks = p->piece[CHESS_ROOK] & p->color[side] & UINT64_C(255) << row;
    if ((king & 56) != row) return CHESS_NO_SQUARE;
    uint64_t right = rooks & ~((chess_bit(king) << 1) - 1), left = rooks & (chess_bit(king) - 1);
    if (upper == 'K') {
        *wing = 0;
        return right != 0 ? ployi_highest_bit(right) : CHESS_NO_SQUARE;
    }
    if (upper == 'Q') {
        *wing = 1;
        return left != 0 ? chess_first(left) : CHESS_NO_SQUARE;
    }
    int32_t square = row + (upper - 'A');
    *wing = square > king ? 0 : 1;
    return (rooks >> square & 1) != 0 ? square : CHESS_NO_SQUARE;
}

static ploy_result chess_read_castling(chess_reader *r) {
    if (*r->at == '-') {
        r->at++;
        return PLOY_OK;
    }
    const char *first = r->at;
    for (; *r->at != 0 && !chess_is_blank(*r->at); r->at++) {
        char c = *r->at;
        bool black = c >= 'a' && c <= 'z';
        char upper = black ? (char)(c - 'a' + 'A') : c;
        if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H')) {
            return chess_read_fault(r, "unknown castling right",
                                    "a subset of KQkq, file letters or -");
        }
        int32_t side = black ? CHESS_BLACK : CHESS_WHITE, wing = 0;
        int32_t rook = chess_castling_rook(&r->p, side, upper, &wing);
        if (rook == CHESS_NO_SQUARE)
            return chess_read_fault(
                r, "invalid castling right without king and rook on the back rank", NULL);
        r->p.rights = (uint8_t)(r->p.rights | 1u << (2 * side + wing));
        r->p.rook[2 * side + wing] = (uint8_t)rook;
    }
    return r->at != first ? PLOY_OK
                          : chess_read_fault(r, "missing castling rights",
                                             "a subset of KQkq, file letters or -");
}

// The square is accepted after every double step and kept only where a pawn attacks it (invariant 4).
static ploy_result chess_read_ep(chess_reader *r) {
    if (*r->at == '-') {
        r->at++;
        return PLOY_OK;
    }
    bool white = r->p.side == CHESS_WHITE;
    if (r->at[0] < 'a' || r->at[0] > 'h' || r->at[1] != (white ? '6' : '3')) {
        return chess_read_fault(r, "invalid en-passant square",
                                white ? "a6 to h6 or -" : "a3 to h3 or -");
    }
    int32_t square = 8 * (r->at[1] - '1') + (r->at[0] - 'a');
    int32_t up = white ? 8 : -8;
    uint64_t enemy_pawns = r->p.piece[CHESS_PAWN] & r->p.color[1 - r->p.side];
    uint64_t free = ~chess_occupied(&r->p);
    if ((enemy_pawns >> (square - up) & 1) == 0 || (free >> square & 1) == 0 ||
        (free >> (square + up) & 1) == 0) {
        return chess_read_fault(r, "invalid en-passant square without a pawn that passed it", NULL);
    }
    r->at += 2;
    uint64_t own = r->p.piece[CHESS_PAWN] & r->p.color[r->p.side];
    if ((chess_pawns(1 - r->p.side, chess_bit(square)) & own) != 0) r->p.ep = (uint8_t)square;
    return PLOY_OK;
}

static ploy_result chess_read_number(chess_reader *r, int32_t least, uint16_t *out) {
    int32_t value = 0, digits = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++, digits++) {
        value = value * 10 + (*r->at - '0');
        if (value > 60000) return chess_read_fault(r, "invalid number: too large", "at most 60000");
    }
    if (digits == 0) return chess_read_fault(r, "invalid number", "a whole number");
    *out = (uint16_t)(value < least ? least : value);
    return PLOY_OK;
}

static ploy_result chess_read(chess_reader *r) {
    chess_read_blanks(r);
    ploy_result result = chess_read_pieces(r);
    if (result != PLOY_OK) return result;
    chess_read_blanks(r);
    if (*r->at != 'w' && *r->at != 'b')
        return chess_read_fault(r, "missing side to move", "w or b");
    r->p.side = *r->at++ == 'w' ? CHESS_WHITE : CHESS_BLACK;
    if (!chess_is_blank(*r->at))
        return chess_read_fault(r, "unexpected text after the side to move", "a blank");
    chess_read_blanks(r);
    result = chess_read_castling(r);
    if (result != PLOY_OK) return result;
    chess_read_blanks(r);
    result = chess_read_ep(r);
    if (result != PLOY_OK) return result;
    chess_read_blanks(r);
    if (*r->at != 0) {
        result = chess_read_number(r, 0, &r->p.clock);
        if (result != PLOY_OK) return result;
        chess_read_blanks(r);
    }
    if (*r->at != 0) {
        result = chess_read_number(r, 1, &r->p.number);
        if (result != PLOY_OK) return result;
        chess_read_blanks(r);
    }
    if (*r->at != 0) return chess_read_fault(r, "unexpected text after the position", "the end");
    if (ployi_chess_checked(&r->p, 1 - r->p.side)) {
        return chess_fault(r->diags, r->name, r->text, NULL,
                           "the side that is not to move is in check", NULL);
    }
    return PLOY_OK;
}

ploy_result ployi_chess_parse(const void *rules, const char *text, const char *name, void *position,
                              ploy_diags *diags) {
    (void)rules;
    chess_reader r;
    memset(&r, 0, sizeof r);
    r.text = r.at = text;
    r.name = name;
    r.diags = diags;
    r.p.ep = CHESS_NO_SQUARE;
    r.p.number = 1;
    memset(r.p.rook, CHESS_NO_SQUARE, sizeof r.p.rook);
    ploy_result result = chess_read(&r);
    if (result != PLOY_OK) return result;
    r.p.key = ployi_chess_key(&r.p);
    memcpy(position, &r.p, sizeof r.p);
    return PLOY_OK;
}

static char *chess_write_square(char *out, int32_t square) {
    *out++ = (char)('a' + (square & 7));
    *out++ = (char)('1' + (square >> 3));
    return out;
}

static char *chess_write_number(char *out, uint32_t value) {
    char digits[12];
    int32_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) *out++ = digits[--count];
    return out;
}

static char *chess_write_castling(const ployi_chess *p, char *out) {
    if (p->rights == 0) *out++ = '-';
    for (int32_t i = 0; i < 4; i++) {
        if ((p->rights >> i & 1) == 0) continue;
        int32_t wing = 0, side = i / 2;
        char letter = i % 2 == 0 ? 'K' : 'Q';
        if (chess_castling_rook(p, side, letter, &wing) != p->rook[i])
            letter = (char)('A' + (p->rook[i] & 7));
        *out++ = side == CHESS_WHITE ? letter : (char)(letter - 'A' + 'a');
    }
    return out;
}

void ployi_chess_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const ployi_chess *p = position;
    for (int32_t rank = 7; rank >= 0; rank--) {
        int32_t empty = 0;
        for (int32_t file = 0; file < 8; file++) {
            int32_t square = 8 * rank + file, type = ployi_chess_at(p, square);
            if (type == CHESS_NONE) {
                empty++;
                continue;
            }
            if (empty > 0) *out++ = (char)('0' + empty);
            empty = 0;
            bool white = (p->color[CHESS_WHITE] >> square & 1) != 0;
            *out++ = white ? chess_letters[type] : (char)(chess_letters[type] - 'A' + 'a');
        }
        if (empty > 0) *out++ = (char)('0' + empty);
        *out++ = rank > 0 ? '/' : ' ';
    }
    *out++ = p->side == CHESS_WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = chess_write_castling(p, out);
    *out++ = ' ';
    if (p->ep == CHESS_NO_SQUARE) {
        *out++ = '-';
    } else {
        out = chess_write_square(out, p->ep);
    }
    *out++ = ' ';
    out = chess_write_number(out, p->clock);
    *out++ = ' ';
    out = chess_write_number(out, p->number);
    *out = 0;
}

// ---- moves ----

// Where the king of a castling move ends.
static int32_t chess_castled(ploy_board_move move) {
    int32_t from = CHESS_FROM(move);
    return (from & 56) + (CHESS_TO(move) > from ? 6 : 2);
}

void ployi_chess_move_text(const void *rules, const void *position, ploy_board_move move,
                           char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)position;
    const ploy_board_chess_def *def = rules;
    bool castled = CHESS_KIND(move) == CHESS_CASTLE && !def->chess960;
    out = chess_write_square(out, CHESS_FROM(move));
    out = chess_write_square(out, castled ? chess_castled(move) : CHESS_TO(move));
    if (CHESS_KIND(move) == CHESS_PROMOTE)
        *out++ = (char)(chess_letters[CHESS_PLACED(move)] - 'A' + 'a');
    *out = 0;
}

void ploy_board_chess_san(const void *position, ploy_board_move move,
                          char out[PLOY_BOARD_MOVE_TEXT]) {
    const ployi_chess *p = position;
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move), piece = CHESS_PIECE(move);
    bool captures = CHESS_CAPTURED(move) != CHESS_NONE;
    if (move == CHESS_PASS) {
        memcpy(out, "--", 3);
        return;
    }
    if (CHESS_KIND(move) == CHESS_CASTLE) {
        const char *text = to > from ? "O-O" : "O-O-O";
        while (*text != 0) *out++ = *text++;
    } else if (piece == CHESS_PAWN) {
        if (captures) *out++ = (char)('a' + (from & 7));
    } else {
        *out++ = chess_letters[piece];
        ploy_board_move moves[CHESS_MOVES_MAX];
        int32_t count = ployi_chess_moves(p, moves);
        bool other = false, same_file = false, same_rank = false;
        for (int32_t i = 0; i < count; i++) {
            int32_t also = CHESS_FROM(moves[i]);
            if (CHESS_PIECE(moves[i]) != piece || CHESS_TO(moves[i]) != to || also == from ||
                CHESS_KIND(moves[i]) == CHESS_CASTLE) {
                continue;
            }
            other = true;
            same_file = same_file || (also & 7) == (from & 7);
            same_rank = same_rank || also >> 3 == from >> 3;
        }
        if (other && (!same_file || same_rank)) *out++ = (char)('a' + (from & 7));
        if (same_file) *out++ = (char)('1' + (from >> 3));
    }
    if (CHESS_KIND(move) != CHESS_CASTLE) {
        if (captures) *out++ = 'x';
        out = chess_write_square(out, to);
        if (CHESS_KIND(move) == CHESS_PROMOTE) {
            *out++ = '=';
            *out++ = chess_letters[CHESS_PLACED(move)];
        }
    }
    ployi_chess next = *p;
    ployi_chess_make(&next, move);
    if (ployi_chess_checked(&next, next.side)) *out++ = ployi_chess_can_move(&next) ? '+' : '#';
    *out = 0;
}

// What a text says about a move; -1 where it says nothing.
typedef struct chess_spoken {
    int32_t piece; // CHESS_NONE: any
    int32_t file, rank, to;
    int32_t promoted; // CHESS_NONE: none
    int32_t castle;   // 0 short, 1 long
} chess_spoken;

static bool chess_speak_castle(const char *text, int32_t length, chess_spoken *said) {
    int32_t marks = 0;
    for (int32_t i = 0; i < length; i++) {
        bool mark = text[i] == 'O' || text[i] == '0' || text[i] == 'o';
        if (i % 2 == 0 ? !mark : text[i] != '-') return false;
        if (mark) marks++;
    }
    if (length % 2 == 0 || (marks != 2 && marks != 3)) return false;
    said->castle = marks - 2;
    return true;
}

// Reads [piece][file][rank][x-]square[=piece] and the coordinate form.
static bool chess_speak(const char *text, int32_t length, chess_spoken *said) {
    *said = (chess_spoken){CHESS_NONE, -1, -1, -1, CHESS_NONE, -1};
    if (chess_speak_castle(text, length, said)) return true;
    int32_t at = 0, end = length;
    bool named = false;
    if (at < end && chess_letter_type(text[at]) != CHESS_NONE) {
        said->piece = chess_letter_type(text[at++]);
        named = true;
    }
    if (end - at >= 3) {
        char c = text[end - 1];
        char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        int32_t type = chess_letter_type(upper);
        if (type != CHESS_NONE && (text[end - 2] < 'a' || text[end - 2] > 'z')) {
            said->promoted = type;
            end--;
            if (text[end - 1] == '=' || text[end - 1] == '/') end--;
        }
    }
    int32_t files[2], ranks[2], count = 0; // squares, possibly without one half
    for (; at < end; at++) {
        char c = text[at];
        if (c == 'x' || c == '-' || c == ':') continue;
        bool is_file = c >= 'a' && c <= 'h', is_rank = c >= '1' && c <= '8';
        if (!is_file && !is_rank) return false;
        bool joins = is_rank && count > 0 && ranks[count - 1] < 0 && text[at - 1] >= 'a' &&
                     text[at - 1] <= 'h';
        if (joins) {
            ranks[count - 1] = c - '1';
            continue;
        }
        if (count == 2) return false;
        files[count] = is_file ? c - 'a' : -1;
        ranks[count++] = is_rank ? c - '1' : -1;
    }
    if (count == 0 || files[count - 1] < 0 || ranks[count - 1] < 0) return false;
    said->to = 8 * ranks[count - 1] + files[count - 1];
    if (count == 2) {
        said->file = files[0];
        said->rank = ranks[0];
    }
    bool coordinates = said->file >= 0 && said->rank >= 0;
    if (!named && !coordinates) said->piece = CHESS_PAWN;
    return true;
}

static bool chess_said(const chess_spoken *said, ploy_board_move move, bool chess960) {
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move);
    bool castle = CHESS_KIND(move) == CHESS_CASTLE;
    if (said->castle >= 0) return castle && (to > from) == (said->castle == 0);
    if (castle) {
        bool two = chess_castled(move) - from == 2 || from - chess_castled(move) == 2;
        if (said->file < 0 || said->rank < 0) return false;
        if (said->to != to && (chess960 || !two || said->to != chess_castled(move))) return false;
    } else if (said->to != to) {
        return false;
    }
    if (said->piece != CHESS_NONE && said->piece != CHESS_PIECE(move)) return false;
    if (said->file >= 0 && said->file != (from & 7)) return false;
    if (said->rank >= 0 && said->rank != from >> 3) return false;
    int32_t promoted = CHESS_KIND(move) == CHESS_PROMOTE ? CHESS_PLACED(move) : CHESS_NONE;
    return promoted == said->promoted;
}

ploy_result ployi_chess_move_parse(const void *rules, const void *position, const char *text,
                                   const char *name, ploy_board_move *out, ploy_diags *diags) {
    const ploy_board_chess_def *def = rules;
    int32_t length = 0;
    while (text[length] != 0 && length < PLOY_BOARD_MOVE_TEXT) length++;
    while (length > 0 && strchr("+#!?", text[length - 1]) != NULL) length--;
    chess_spoken said;
    if (!chess_speak(text, length, &said)) {
        return chess_fault(diags, name, text, text, "invalid move",
                           "a move such as e2e4, Nf3 or O-O");
    }
    ploy_board_move moves[CHESS_MOVES_MAX];
    int32_t count = ployi_chess_moves(position, moves), found = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!chess_said(&said, moves[i], def->chess960)) continue;
        found++;
        *out = moves[i];
    }
    if (found == 1) return PLOY_OK;
    *out = PLOY_BOARD_NO_MOVE;
    return chess_fault(diags, name, text, text,
                       found == 0 ? "invalid move: not legal" : "invalid move: ambiguous",
                       found == 0 ? "a legal move" : "the file or rank of the piece");
}

// ---- Polyglot ----

uint16_t ploy_board_chess_book_move(ploy_board_move move) {
    int32_t promoted = CHESS_KIND(move) == CHESS_PROMOTE ? CHESS_PLACED(move) : 0;
    return (uint16_t)(CHESS_TO(move) | CHESS_FROM(move) << 6 | promoted << 12);
}

ploy_board_move ploy_board_chess_from_book(const void *position, uint16_t move) {
    ploy_board_move moves[CHESS_MOVES_MAX];
    int32_t count = ployi_chess_moves(position, moves);
    for (int32_t i = 0; i < count; i++) {
        if (ploy_board_chess_book_move(moves[i]) == move) return moves[i];
    }
    return PLOY_BOARD_NO_MOVE;
}
