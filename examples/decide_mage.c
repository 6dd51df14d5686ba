// A mage with 5 energy, two wounds to heal and an ogre to kill: you see what looking one step ahead
// makes him do, what two steps make of it, and how many worlds are looked at when what makes things
// worse is never tried. Shows ploy_goap_begin_value: the least discontentment within a depth.
#include <stdio.h>

#include "ploy/decide/goap.h"

typedef struct mage {
    ploy_goap_type *type;
    ploy_goap_var heal, ogre, energy;
} mage;

static void add(mage *self, const char *id, ploy_goap_var what, int32_t less, int32_t energy) {
    ploy_goap_action action = ploy_goap_action_make(id, 1.0);
    ploy_goap_need need = ploy_goap_need_make(self->energy, PLOY_GOAP_AT_LEAST, energy);
    ploy_goap_gain gains[] = {ploy_goap_add_to(what, -less),
                              ploy_goap_add_to(self->energy, -energy)};
    action.needs = &need;
    action.need_count = 1;
    action.gains = gains;
    action.gain_count = 2;
    (void)ploy_goap_type_action(self->type, &action); // finish reports faults
}

// Discontentment: the squares of what is left to do.
static double discontent(void *user, const ploy_goap_type *type, const uint64_t *world) {
    const mage *self = user;
    double heal = ploy_goap_world_get(type, world, self->heal);
    double ogre = ploy_goap_world_get(type, world, self->ogre);
    return heal * heal + ogre * ogre;
}

static void plan(mage *self, int32_t depth, bool prune, const ploy_env *env) {
    ploy_goap_def def = ploy_goap_def_default();
    def.method = PLOY_GOAP_IDA; // value searches are depth-first
    def.max_depth = depth;
    def.prune = prune;
    ploy_goap *goap = NULL;
    uint64_t world[1];
    ploy_goap_world_clear(self->type, world);
    (void)ploy_goap_world_set(self->type, world, self->heal, 4);
    (void)ploy_goap_world_set(self->type, world, self->ogre, 3);
    (void)ploy_goap_world_set(self->type, world, self->energy, 5);
    if (ploy_goap_create(&def, self->type, env, &goap) == PLOY_OK &&
        ploy_goap_begin_value(goap, world, discontent, self) == PLOY_OK &&
        ploy_goap_step(goap, NULL) == PLOY_OK) {
        int32_t actions[8], count = ploy_goap_plan(goap, actions, 8);
        printf("depth %d%s:", (int)depth, prune ? ", pruned" : "");
        for (int32_t i = 0; i < count; i++) {
            printf(" %s,", ploy_goap_type_action_id(self->type, actions[i]));
        }
        printf(" discontentment %.0f\n", ploy_goap_cost(goap));
    }
    ploy_goap_destroy(goap);
}

int main(void) {
    ploy_env env = ploy_env_default();
    mage self = {0};
    if (ploy_goap_type_create(&env, &self.type) != PLOY_OK) return 1;
    self.heal = ploy_goap_type_int(self.type, "heal", 0, 9);
    self.ogre = ploy_goap_type_int(self.type, "kill the ogre", 0, 9);
    self.energy = ploy_goap_type_int(self.type, "energy", 0, 9);
    add(&self, "fireball", self.ogre, 2, 3);
    add(&self, "lesser healing", self.heal, 2, 2);
    add(&self, "greater healing", self.heal, 4, 3);
    if (ploy_goap_type_finish(self.type) != PLOY_OK) return 1;
    for (int32_t depth = 1; depth <= 3; depth++) plan(&self, depth, false, &env);
    plan(&self, 3, true, &env);
    ploy_goap_type_destroy(self.type);
    return 0;
}
