// What the tests of messages and events share: entities in one call.
#pragma once

#include "ploy/world/entity.h"
#include "tests/test.h"

static inline ploy_agent_id world_add_at(test_context *t, ploy_entities *entities, const char *type,
                                         float x, float y) {
    ploy_entity entity = ploy_entity_make(ploy_name_of(type));
    entity.pose = ploy_pose_make2(ploy_vec2_make(x, y), 0.0f, 0.5f);
    ploy_agent_id id = ploy_agent_id_none();
    CHECK_OK(ploy_entities_add(entities, &entity, &id));
    return id;
}

static inline ploy_agent_id world_add(test_context *t, ploy_entities *entities, const char *type) {
    return world_add_at(t, entities, type, 0.0f, 0.0f);
}
