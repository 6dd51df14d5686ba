// Any bytes as an OBF file: refused with a reason, or every problem is a position that Othello reads.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/board/othello.h"
#include "ploy/data/obf.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_obf *obf = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_obf_load(data, size, "fuzz", &env, diags, &obf);
    must((result == PLOY_OK) == (obf != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    for (int32_t i = 0; obf != NULL && i < ploy_obf_count(obf); i++) {
        const ploy_obf_problem *problem = ploy_obf_at(obf, i);
        ploy_board_othello_def rules = ploy_board_othello_def_default();
        rules.size = problem->size;
        ploy_board_othello_position p;
        must(ploy_board_othello()->parse(&rules, problem->position, "fuzz", &p, NULL) == PLOY_OK);
        for (int32_t k = 0; k < problem->count; k++) {
            ploy_board_move move = 0;
            const char *text = ploy_obf_move_at(obf, problem, k)->text;
            (void)ploy_board_othello()->move_parse(&rules, &p, text, "fuzz", &move, NULL);
        }
    }
    ploy_obf_destroy(obf);
    ploy_diags_destroy(diags);
    return 0;
}
