// Cellular automata: a glider, an area of security that fills its bays, a city that grows between water and
// trees, and rule 90. Shows ploy/geom/automaton.h.
#include "ploy/geom/automaton.h"

#include <stdio.h>

static void print_cells(const ploy_automaton *automaton, const char *letters) {
    for (int32_t y = 0; ploy_automaton_row(automaton, y) != NULL; y++) {
        for (int32_t x = 0; x < 16; x++) putchar(letters[ploy_automaton_cell(automaton, x, y)]);
        putchar('\n');
    }
}

// 1 water, 2 tree, 3 and 4 buildings. A site between water and trees is built on; two small buildings make
// a large one beside them.
static uint8_t city(void *user, const ploy_automaton_site *site) {
    int32_t seen[PLOY_AUTOMATON_STATES] = {0};
    (void)user;
    for (int32_t i = 0; i < site->count; i++) seen[site->neighbours[i]]++;
    if (site->state != 0) return site->state; // buildings never decay
    if (seen[3] >= 2) return 4;
    return seen[1] > 0 && seen[2] > 0 ? 3 : 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = 16;
    def.height = 6;
    def.border = PLOY_AUTOMATON_OPEN;
    def.history = 4;
    ploy_automaton *automaton = NULL;
    if (ploy_automaton_create(&def, &env, &automaton) != PLOY_OK) return 1;

    ploy_automaton_rule life;
    if (ploy_automaton_rule_text("B3/S23", NULL, &life) != PLOY_OK) return 1;
    static const int32_t glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (int32_t i = 0; i < 5; i++) ploy_automaton_set(automaton, glider[i][0], glider[i][1], 1);
    for (int32_t i = 0; i < 8; i++) ploy_automaton_step(automaton, &life, NULL);
    printf("a glider after %d generations:\n", (int)ploy_automaton_generation(automaton));
    print_cells(automaton, ".#");
    for (int32_t i = 0; i < 24 && ploy_automaton_period(automaton) == 0; i++) {
        ploy_automaton_step(automaton, &life, NULL);
    }
    printf("at the edge it comes to rest: period %d, %d cells\n",
           (int)ploy_automaton_period(automaton), (int)ploy_automaton_count(automaton, 1));

    ploy_automaton_clear(automaton);
    static const uint8_t bay[3][16] = {{0, 1, 1, 1, 1, 1}, {0, 1, 0, 0, 0, 1}, {0, 1, 1, 0, 1, 1}};
    for (int32_t y = 0; y < 3; y++) ploy_automaton_set_row(automaton, y + 1, bay[y]);
    ploy_automaton_rule secure = ploy_automaton_rule_share(1, 0.5f, true);
    ploy_automaton_step(automaton, &secure, NULL);
    printf("half of the neighbours secure:\n");
    print_cells(automaton, ".#");

    ploy_automaton_clear(automaton);
    for (int32_t y = 0; y < 6; y++) ploy_automaton_set(automaton, 4, y, 1);
    for (int32_t y = 0; y < 6; y += 2) ploy_automaton_set(automaton, 6, y, 2);
    ploy_automaton_rule growth = ploy_automaton_rule_function(city, NULL);
    for (int32_t i = 0; i < 2; i++) ploy_automaton_step(automaton, &growth, NULL);
    printf("a city:\n");
    print_cells(automaton, ".~tbB");

    ploy_automaton_clear(automaton);
    ploy_automaton_set(automaton, 8, 0, 1);
    ploy_automaton_rule triangle = ploy_automaton_rule_elementary(90);
    printf("rule 90:");
    for (int32_t i = 0; i < 8; i++) {
        printf(" %d", (int)ploy_automaton_count(automaton, 1));
        ploy_automaton_step(automaton, &triangle, NULL);
    }
    printf(" cells\n");

    ploy_automaton_rule fire = ploy_automaton_rule_table(); // 1 burns, 2 is burnt, 0 catches fire
    for (int32_t n = 1; n <= 8; n++) fire.next[0][n] = 1;
    for (int32_t n = 0; n <= 8; n++) fire.next[1][n] = 2;
    fire.counted = 1;
    ploy_automaton_clear(automaton);
    ploy_automaton_set(automaton, 8, 3, 1);
    for (int32_t i = 0; i < 3; i++) ploy_automaton_step(automaton, &fire, NULL);
    printf("a fire after 3 generations:\n");
    print_cells(automaton, ".*-");
    ploy_automaton_destroy(automaton);
    return 0;
}
