// Levels as one block of bytes; see the header.
//
//     head (64 bytes) | objects (32 each) | slots (32 each) | texts, each ended by a zero
//
// Invariants of a level that was opened:
//   (1) objects, slots and texts follow each other without gaps and end with the block;
//   (2) every text begins within the texts, which end with a zero;
//   (3) an object's slots are a range of all slots, in the order of the objects;
//   (4) every slot's type is one that a value has, its bool 0 or 1 and its rest zero.
#include "ploy/data/level.h"

#include <string.h>

#include "ploy/base/hash.h"

static const char level_magic[8] = {'P', 'L', 'O', 'Y', 'L', 'V', 'L', '\n'};
enum { LEVEL_VERSION = 1 };
static const uint32_t level_order =
    0x01020304u; // reads otherwise on a machine of another byte order

typedef struct level_head {
    char magic[8];
    uint32_t version;
    uint32_t order;
    uint64_t size; // of the whole block
    uint64_t hash; // of everything behind the head
    uint32_t object_count, slot_count;
    uint32_t text_size;
    uint32_t reserved[5];
} level_head;

typedef struct level_object {
    uint32_t name, type; // places in the texts
    float position[3];
    uint32_t first_slot, slot_count;
    uint32_t reserved;
} level_object;

typedef struct level_slot {
    uint32_t key;
    uint32_t type;
    unsigned char value[16];
    uint32_t text; // place of a text; 0 otherwise
    uint32_t reserved;
} level_slot;

// The layout is the file's: it must not depend on the compiler.
typedef char level_check_head[sizeof(level_head) == 64 ? 1 : -1];
typedef char level_check_object[sizeof(level_object) == 32 ? 1 : -1];
typedef char level_check_slot[sizeof(level_slot) == 32 ? 1 : -1];

struct ploy_level_builder {
    ploy_env env;
    ploy_buffer objects, slots, texts;
};

// ---- building

ploy_result ploy_level_builder_create(const ploy_env *env, ploy_level_builder **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_level_builder *builder = ploy_env_alloc_zero(env, sizeof *builder);
    if (builder == NULL) return PLOY_ERR_MEMORY;
    builder->env = *env;
    ploy_buffer_init(&builder->objects, 0, env);
    ploy_buffer_init(&builder->slots, 0, env);
    ploy_buffer_init(&builder->texts, 0, env);
    *out = builder;
    return PLOY_OK;
}

void ploy_level_builder_destroy(ploy_level_builder *builder) {
    if (builder == NULL) return;
    ploy_env env = builder->env;
    ploy_buffer_fini(&builder->texts);
    ploy_buffer_fini(&builder->slots);
    ploy_buffer_fini(&builder->objects);
    ploy_env_free(&env, builder, sizeof *builder);
}

// Room for everything first, so that what follows cannot fail halfway.
static ploy_result level_reserve(ploy_level_builder *builder, ploy_buffer *records, size_t record,
                                 size_t texts) {
    size_t used =
        sizeof(level_head) + builder->objects.size + builder->slots.size + builder->texts.size;
    if (texts > PLOY_LEVEL_BYTES_MAX || used + record + texts > PLOY_LEVEL_BYTES_MAX) {
        return PLOY_ERR_CAPACITY;
    }
    ploy_result result = ploy_buffer_reserve(records, record);
    return result == PLOY_OK ? ploy_buffer_reserve(&builder->texts, texts) : result;
}

static uint32_t level_put_text(ploy_level_builder *builder, const char *text) {
    uint32_t place = (uint32_t)builder->texts.size;
    (void)ploy_buffer_append(&builder->texts, text, strlen(text) + 1); // there is room
    return place;
}

ploy_result ploy_level_builder_add(ploy_level_builder *builder, const char *name, const char *type,
                                   ploy_vec3 position) {
    if (builder == NULL || name == NULL || type == NULL || !ploy_vec3_is_finite(position)) {
        return PLOY_ERR_ARGUMENT;
    }
    level_object object;
    memset(&object, 0, sizeof object);
    ploy_result result =
        level_reserve(builder, &builder->objects, sizeof object, strlen(name) + strlen(type) + 2);
    if (result != PLOY_OK) return result;
    object.name = level_put_text(builder, name);
    object.type = level_put_text(builder, type);
    object.position[0] = position.x;
    object.position[1] = position.y;
    object.position[2] = position.z;
    object.first_slot = (uint32_t)(builder->slots.size / sizeof(level_slot));
    return ploy_buffer_append(&builder->objects, &object, sizeof object);
}

// The bytes of a value that count, zero behind them.
static void level_pack(const ploy_value *value, unsigned char *out) {
    switch (value->type) {
    case PLOY_VALUE_BOOL: out[0] = value->as.b ? 1 : 0; break;
    case PLOY_VALUE_F32: memcpy(out, &value->as.f32, sizeof value->as.f32); break;
    case PLOY_VALUE_VEC2: memcpy(out, value->as.vec, 2 * sizeof(float)); break;
    case PLOY_VALUE_VEC3: memcpy(out, value->as.vec, 3 * sizeof(float)); break;
    case PLOY_VALUE_VEC4: memcpy(out, value->as.vec, 4 * sizeof(float)); break;
    case PLOY_VALUE_TEXT: break; // is elsewhere
    default: memcpy(out, &value->as.u64, sizeof value->as.u64); break;
    }
}

ploy_result ploy_level_builder_set(ploy_level_builder *builder, const char *key, ploy_value value) {
    if (builder == NULL || key == NULL || value.type <= PLOY_VALUE_NONE ||
        value.type > PLOY_VALUE_TEXT || (value.type == PLOY_VALUE_TEXT && value.as.text == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (builder->objects.size == 0) return PLOY_ERR_STATE;
    level_object object;
    unsigned char *last =
        (unsigned char *)builder->objects.bytes + builder->objects.size - sizeof object;
    memcpy(&object, last, sizeof object);
    for (uint32_t i = 0; i < object.slot_count; i++) {
        level_slot other;
        memcpy(&other,
               (const unsigned char *)builder->slots.bytes +
                   (size_t)(object.first_slot + i) * sizeof other,
               sizeof other);
        if (strcmp((const char *)builder->texts.bytes + other.key, key) == 0) {
            return PLOY_ERR_EXISTS;
        }
    }
    level_slot slot;
    memset(&slot, 0, sizeof slot);
    bool text = value.type == PLOY_VALUE_TEXT;
    ploy_result result = level_reserve(builder, &builder->slots, sizeof slot,
                                       strlen(key) + 1 + (text ? strlen(value.as.text) + 1 : 0));
    if (result != PLOY_OK) return result;
    slot.key = level_put_text(builder, key);
    slot.type = (uint32_t)value.type;
    level_pack(&value, slot.value);
    if (text) slot.text = level_put_text(builder, value.as.text);
    (void)ploy_buffer_append(&builder->slots, &slot, sizeof slot); // there is room
    object.slot_count++;
    memcpy(last, &object, sizeof object);
    return PLOY_OK;
}

ploy_result ploy_level_builder_save(const ploy_level_builder *builder, ploy_writer *out) {
    if (builder == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_buffer *parts[] = {&builder->objects, &builder->slots, &builder->texts};
    level_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, level_magic, sizeof head.magic);
    head.version = LEVEL_VERSION;
    head.order = level_order;
    head.size = sizeof head;
    head.object_count = (uint32_t)(builder->objects.size / sizeof(level_object));
    head.slot_count = (uint32_t)(builder->slots.size / sizeof(level_slot));
    head.text_size = (uint32_t)builder->texts.size;
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    for (size_t i = 0; i < 3; i++) {
        head.size += parts[i]->size;
        if (parts[i]->size > 0) ploy_hasher_add(&hasher, parts[i]->bytes, parts[i]->size);
    }
    head.hash = ploy_hasher_result(&hasher);
    ploy_write_bytes(out, &head, sizeof head);
    for (size_t i = 0; i < 3; i++) {
        if (parts[i]->size > 0) ploy_write_bytes(out, parts[i]->bytes, parts[i]->size);
    }
    return ploy_writer_result(out);
}

// ---- reading

static level_object level_object_at(const ploy_level *level, int32_t index) {
    level_object object;
    memcpy(&object, level->bytes + level->objects + (size_t)index * sizeof object, sizeof object);
    return object;
}

static level_slot level_slot_at(const ploy_level *level, uint32_t index) {
    level_slot slot;
    memcpy(&slot, level->bytes + level->slots + (size_t)index * sizeof slot, sizeof slot);
    return slot;
}

static const char *level_text(const ploy_level *level, uint32_t place) {
    return (const char *)level->bytes + level->texts + place;
}

static ploy_value level_unpack(const ploy_level *level, const level_slot *slot) {
    ploy_value value = ploy_value_none();
    value.type = (ploy_value_type)slot->type;
    switch (value.type) {
    case PLOY_VALUE_BOOL: value.as.b = slot->value[0] != 0; break;
    case PLOY_VALUE_F32: memcpy(&value.as.f32, slot->value, sizeof value.as.f32); break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: memcpy(value.as.vec, slot->value, sizeof value.as.vec); break;
    case PLOY_VALUE_TEXT: value.as.text = level_text(level, slot->text); break;
    default: memcpy(&value.as.u64, slot->value, sizeof value.as.u64); break;
    }
    return value;
}

// (4): packed again, a value must give the same bytes.
static bool level_slot_fits(const ploy_level *level, const level_slot *slot, uint32_t text_size) {
    if (slot->key >= text_size || slot->reserved != 0) return false;
    if (slot->type <= PLOY_VALUE_NONE || slot->type > PLOY_VALUE_TEXT) return false;
    if (slot->type == PLOY_VALUE_TEXT ? slot->text >= text_size : slot->text != 0) return false;
    unsigned char again[sizeof slot->value] = {0};
    ploy_value value = level_unpack(level, slot);
    level_pack(&value, again);
    return memcmp(again, slot->value, sizeof again) == 0;
}

static bool level_objects_fit(const ploy_level *level, uint32_t text_size) {
    uint32_t next = 0;
    for (int32_t i = 0; i < level->object_count; i++) {
        level_object object = level_object_at(level, i);
        ploy_vec3 position = {object.position[0], object.position[1], object.position[2]};
        if (object.name >= text_size || object.type >= text_size || object.reserved != 0 ||
            object.first_slot != next || object.slot_count > (uint32_t)level->slot_count - next ||
            !ploy_vec3_is_finite(position)) {
            return false;
        }
        next += object.slot_count; // keeps (3)
    }
    return next == (uint32_t)level->slot_count;
}

ploy_result ploy_level_open(const void *bytes, size_t size, ploy_level *out) {
    if (bytes == NULL || out == NULL || (uintptr_t)bytes % 8 != 0) return PLOY_ERR_ARGUMENT;
    level_head head;
    if (size < sizeof head || size > PLOY_LEVEL_BYTES_MAX) return PLOY_ERR_FORMAT;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, level_magic, sizeof head.magic) != 0) return PLOY_ERR_FORMAT;
    if (head.order != level_order || head.version != LEVEL_VERSION) return PLOY_ERR_VERSION;
    uint64_t objects = (uint64_t)head.object_count * sizeof(level_object);
    uint64_t slots = (uint64_t)head.slot_count * sizeof(level_slot);
    if (head.size != size || sizeof head + objects + slots + head.text_size != size) {
        return PLOY_ERR_FORMAT;
    }
    static const uint32_t nothing[5] = {0};
    if (memcmp(head.reserved, nothing, sizeof nothing) != 0) return PLOY_ERR_FORMAT;
    const unsigned char *data = bytes;
    if (ploy_hash_bytes(data + sizeof head, size - sizeof head, 0) != head.hash) {
        return PLOY_ERR_FORMAT;
    }
    if (head.text_size > 0 && data[size - 1] != 0) return PLOY_ERR_FORMAT; // keeps (2)
    ploy_level level;
    memset(&level, 0, sizeof level);
    level.bytes = data;
    level.size = size;
    level.object_count = (int32_t)head.object_count; // both fit: the block is small enough
    level.slot_count = (int32_t)head.slot_count;
    level.objects = sizeof head;
    level.slots = level.objects + (size_t)objects;
    level.texts = level.slots + (size_t)slots;
    if (!level_objects_fit(&level, head.text_size)) return PLOY_ERR_FORMAT;
    for (uint32_t i = 0; i < head.slot_count; i++) {
        level_slot slot = level_slot_at(&level, i);
        if (!level_slot_fits(&level, &slot, head.text_size)) return PLOY_ERR_FORMAT;
    }
    *out = level;
    return PLOY_OK;
}

bool ploy_level_at(const ploy_level *level, int32_t index, ploy_level_object *out) {
    if (index < 0 || index >= level->object_count) return false;
    level_object object = level_object_at(level, index);
    out->name = level_text(level, object.name);
    out->type = level_text(level, object.type);
    out->position = ploy_vec3_make(object.position[0], object.position[1], object.position[2]);
    out->slot_count = (int32_t)object.slot_count;
    return true;
}

int32_t ploy_level_find(const ploy_level *level, const char *name) {
    for (int32_t i = 0; i < level->object_count; i++) {
        if (strcmp(level_text(level, level_object_at(level, i).name), name) == 0) return i;
    }
    return -1;
}

int32_t ploy_level_next(const ploy_level *level, int32_t after, const char *type) {
    if (after >= level->object_count) return -1; // before adding to it
    for (int32_t i = after < 0 ? 0 : after + 1; i < level->object_count; i++) {
        if (strcmp(level_text(level, level_object_at(level, i).type), type) == 0) return i;
    }
    return -1;
}

bool ploy_level_slot(const ploy_level *level, int32_t object, int32_t slot, const char **key,
                     ploy_value *out) {
    if (object < 0 || object >= level->object_count || slot < 0) return false;
    level_object holder = level_object_at(level, object);
    if ((uint32_t)slot >= holder.slot_count) return false;
    level_slot one = level_slot_at(level, holder.first_slot + (uint32_t)slot);
    if (key != NULL) *key = level_text(level, one.key);
    *out = level_unpack(level, &one);
    return true;
}

bool ploy_level_get(const ploy_level *level, int32_t object, const char *key, ploy_value *out) {
    const char *name = NULL;
    ploy_value value;
    for (int32_t i = 0; ploy_level_slot(level, object, i, &name, &value); i++) {
        if (strcmp(name, key) != 0) continue;
        *out = value;
        return true;
    }
    return false;
}
