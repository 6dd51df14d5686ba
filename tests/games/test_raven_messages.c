// The messages of Raven: each reaches the brain of its receiver, once, with its payload.
#include "tests/games/raven_test.h"

typedef struct messages_heard {
    int32_t ready, none, gunshots, hits, killed, died, opened, added, removed;
    raven_hit_note hit;
    raven_path_note path;
    raven_door_note door;
} messages_heard;

static ploy_result messages_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self, (void)context;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result messages_message(void *self, ploy_step_context *context,
                                    const ploy_message *message, bool *handled) {
    messages_heard *heard = self;
    const struct {
        const char *kind;
        int32_t *count;
    } kinds[] = {{RAVEN_MSG_PATH_READY, &heard->ready}, {RAVEN_MSG_NO_PATH, &heard->none},
                 {RAVEN_MSG_GUNSHOT, &heard->gunshots}, {RAVEN_MSG_HIT, &heard->hits},
                 {RAVEN_MSG_KILLED, &heard->killed},    {RAVEN_MSG_DIED, &heard->died},
                 {RAVEN_MSG_OPEN, &heard->opened},      {RAVEN_MSG_ADDED, &heard->added},
                 {RAVEN_MSG_REMOVED, &heard->removed}};
    (void)context;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (!ploy_name_equal(message->kind, ploy_name_of(kinds[i].kind))) continue;
        ++*kinds[i].count;
        if (i < 2) memcpy(&heard->path, message->payload, sizeof heard->path);
        if (i == 3) memcpy(&heard->hit, message->payload, sizeof heard->hit);
        if (i == 6) memcpy(&heard->door, message->payload, sizeof heard->door);
    }
    *handled = true;
    return PLOY_OK;
}

static const ploy_behavior_type messages_type = {
    .name = "listener", .step = messages_step, .message = messages_message};

static void messages_still(raven_def *def) {
    def->bots = 2;
    def->still = true;
    def->skill.vision_rate = -1.0f;
}

static void messages_listen(raven_scene *scene, int32_t bot, messages_heard *heard) {
    raven_bot *one = &scene->match->bots[bot];
    memset(heard, 0, sizeof *heard);
    one->brain.behavior.type = &messages_type; // the region frees the brain that was there
    one->brain.behavior.self = heard;
    one->brain.entered = true;
}

TEST(messages_reach_the_brains) {
    static const char level[] = "wall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
                                "wall 10 0 10 4\nwall 10 6 10 10\n"
                                "door middle 10 4 10 6 button 8 8 button 12 2\n"
                                "spawn 3 5\nspawn 17 5\nspawn 3 8\nspawn 17 2\n";
    raven_scene scene;
    messages_heard first, second;
    raven_scene_begin(t, &scene, 1, messages_still, level);
    raven_scene_run(t, &scene, 1);
    raven_bot *a = raven_scene_put(&scene, 0, 3.0f, 2.0f, 0.0f);
    raven_bot *b = raven_scene_put(&scene, 1, 7.0f, 2.0f, 0.0f);
    messages_listen(&scene, 0, &first);
    messages_listen(&scene, 1, &second);
    // A shot: heard by the other alone, and it hurts.
    raven_fire(scene.match, a, b->body.position);
    raven_scene_run(t, &scene, 40);
    CHECK_INT(first.gunshots, 0);
    CHECK_INT(second.gunshots, 1);
    CHECK_INT(second.hits, 1);
    CHECK_INT(second.hit.bot, 0);
    CHECK_NEAR(second.hit.damage, 1.0, 0.0);
    // A killing one: the shooter learns whom, the others that somebody died.
    b->health = 1.0f;
    raven_fire(scene.match, a, b->body.position);
    raven_scene_run(t, &scene, 40);
    CHECK_INT(first.killed, 1);
    CHECK_INT(first.died, 1);
    // A button: all bots but the one at the button.
    messages_listen(&scene, 1, &second);
    raven_scene_put(&scene, 0, 8.0f, 8.0f, 0.0f);
    raven_scene_run(t, &scene, 20);
    CHECK_INT(second.opened, 1);
    CHECK_INT(second.door.door, 0);
    CHECK_INT(second.door.bot, 0);
    // Paths: one that is found, one to a place that nobody can reach.
    ploy_path_ticket ticket;
    raven_scene_put(&scene, 0, 3.0f, 2.0f, 0.0f);
    CHECK_OK(raven_request_path(a, ploy_vec2_make(17.0f, 8.0f), &ticket));
    raven_scene_run(t, &scene, 5);
    CHECK_INT(first.ready, 1);
    CHECK_INT(first.path.outcome, PLOY_PATH_FOUND);
    raven_cancel_path(a, ticket);
    CHECK_OK(raven_request_path(a, ploy_vec2_make(17.0f, 30.0f), &ticket));
    raven_scene_run(t, &scene, 5);
    CHECK_INT(first.none, 1);
    CHECK_INT(first.path.outcome, PLOY_PATH_NONE);
    // Bots that come and go.
    raven_scene_command(t, &scene, "add", RAVEN_NOBODY, ploy_value_none());
    raven_scene_command(t, &scene, "remove", RAVEN_NOBODY, ploy_value_none());
    CHECK_INT(first.added, 1);
    CHECK_INT(first.removed, 1);
    raven_scene_end(&scene);
}
