// A troll at its bridge plans by recipes: it fights if it has something to fight with, and
// otherwise looks after the bridge. You see each plan, a choice taken back, and when a running plan
// gives way to a better one. Shows ploy_htn: tasks, methods in an order of preference, records.
#include <stdio.h>

#include "ploy/decide/htn.h"

typedef struct troll {
    ploy_goap_type *domain;
    ploy_htn_type *type;
    ploy_goap_var enemy, tree, club, bridge;
} troll;

static void add_action(troll *self, const char *id, ploy_goap_need need, ploy_goap_gain gain) {
    ploy_goap_action action = ploy_goap_action_make(id, 1.0);
    action.needs = &need;
    action.need_count = 1;
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(self->domain, &action); // finish tells of the first fault
}

static ploy_result add_recipes(troll *self) {
    ploy_htn_type *type = self->type;
    ploy_htn_task thump = ploy_htn_type_task(type, "thump"), arm = ploy_htn_type_task(type, "arm");
    ploy_htn_task uproot = ploy_htn_type_action(type, "uproot a tree");
    ploy_htn_task fight[] = {arm, ploy_htn_type_action(type, "strike")};
    ploy_htn_task patrol[] = {ploy_htn_type_action(type, "walk to the bridge")};
    ploy_goap_need enemy = ploy_goap_is(self->enemy, 1), club = ploy_goap_is(self->club, 1);
    // Methods in the order of preference; "armed" has nothing to do.
    (void)ploy_htn_type_method(type, thump, "fight", &enemy, 1, fight, 2);
    (void)ploy_htn_type_method(type, thump, "patrol", NULL, 0, patrol, 1);
    (void)ploy_htn_type_method(type, arm, "armed", &club, 1, NULL, 0);
    (void)ploy_htn_type_method(type, arm, "find a club", NULL, 0, &uproot, 1);
    return ploy_htn_type_finish(type);
}

// Plans, given the record of what runs, and says what came of it. Returns the length of the record.
static int32_t plan(const troll *self, ploy_htn *htn, const char *when, bool enemy, bool tree,
                    int32_t *record, int32_t running) {
    uint64_t world[1];
    int32_t actions[8];
    ploy_goap_world_clear(self->domain, world);
    (void)ploy_goap_world_set(self->domain, world, self->enemy, enemy);
    (void)ploy_goap_world_set(self->domain, world, self->tree, tree);
    ploy_htn_task thump = ploy_htn_type_find(self->type, "thump");
    if (ploy_htn_begin(htn, world, thump, running > 0 ? record : NULL, running) != PLOY_OK ||
        ploy_htn_step(htn, NULL) != PLOY_OK) {
        return 0;
    }
    int32_t count = ploy_htn_plan(htn, actions, 8);
    printf("%s:", when);
    if (count < 0) printf(running > 0 ? " nothing better, go on" : " no plan");
    for (int32_t i = 0; i < count; i++) {
        printf("%s %s", i > 0 ? "," : "", ploy_goap_type_action_id(self->domain, actions[i]));
    }
    printf("\n");
    return count < 0 ? running : ploy_htn_record(htn, record, 8);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    troll self = {0};
    if (ploy_goap_type_create(&env, &self.domain) != PLOY_OK) return 1;
    self.enemy = ploy_goap_type_bool(self.domain, "enemy");
    self.tree = ploy_goap_type_bool(self.domain, "tree");
    self.club = ploy_goap_type_bool(self.domain, "club");
    self.bridge = ploy_goap_type_bool(self.domain, "at the bridge");
    add_action(&self, "uproot a tree", ploy_goap_is(self.tree, 1), ploy_goap_set_to(self.club, 1));
    add_action(&self, "strike", ploy_goap_is(self.club, 1), ploy_goap_set_to(self.enemy, 0));
    add_action(&self, "walk to the bridge", ploy_goap_is(self.bridge, 0),
               ploy_goap_set_to(self.bridge, 1));
    if (ploy_goap_type_finish(self.domain) != PLOY_OK ||
        ploy_htn_type_create(self.domain, &env, &self.type) != PLOY_OK ||
        add_recipes(&self) != PLOY_OK || ploy_htn_create(&def, self.type, &env, &htn) != PLOY_OK) {
        return 1;
    }
    int32_t record[8], count = plan(&self, htn, "nobody there", false, true, record, 0);
    count = plan(&self, htn, "still nobody", false, true, record, count);
    count = plan(&self, htn, "an enemy", true, true, record, count);
    (void)plan(&self, htn, "an enemy, and no tree left", true, false, record, 0);
    ploy_htn_destroy(htn);
    ploy_htn_type_destroy(self.type);
    ploy_goap_type_destroy(self.domain);
    return 0;
}
