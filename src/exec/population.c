// Population on demand; the technique is described in the header.
//
//     struct | flow | heads | seen | target | places | named | born | gone | records | their bytes
//
// Invariants, from create to destroy, outside the functions here:
//   (1) every place is free or taken; free ones are in one list; `order` holds the taken ones, once
//       each, and a taken place knows where;
//   (2) the list of a district holds its ambient people, by rising number;
//   (3) a named one exists only while its district is in view, and knows its place;
//   (4) records are sorted by person, each with the moment of its storing.
#include "ploy/exec/population.h"

#include "exec/exec_internal.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const ploy_field population_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_population_def, capacity, 256, 1, 1 << 20, "", "most people at once"),
    PLOY_FIELD_I32_FIXED(ploy_population_def, regions, 1, 1, 1 << 16, "", "districts"),
    PLOY_FIELD_I32_FIXED(ploy_population_def, times, 1, 1, 1 << 12, "", "columns of the table"),
    PLOY_FIELD_F32(ploy_population_def, day_length, 1440, 1e-3, 1e6, "s", "length of a day"),
    PLOY_FIELD_I32_FIXED(ploy_population_def, records, 64, 0, 1 << 20, "",
                         "people whose story can be stored"),
    PLOY_FIELD_I32_FIXED(ploy_population_def, record_size, 16, 0, 1 << 16, "B",
                         "bytes of a stored story"),
    PLOY_FIELD_U64(ploy_population_def, seed, 1, "what the people's keys come from"),
};

static const ploy_field ambient_fields[] = {
    PLOY_FIELD_F32(ploy_ambient_def, target, 0.8, 0.01, 1, "",
                   "part of the allowed units that should be spent"),
    PLOY_FIELD_F32(ploy_ambient_def, rise, 0.1, 0, 100, "1/s", "largest growth of the scale"),
    PLOY_FIELD_F32(ploy_ambient_def, fall, 1, 0, 100, "1/s", "largest fall of the scale"),
    PLOY_FIELD_F32(ploy_ambient_def, min, 0, 0, 1, "", "least scale"),
};

typedef struct population_place {
    ploy_inhabitant who;
    int32_t next;     // in its district's list, or in that of the free; -1 ends both
    int32_t order_at; // in order
} population_place;

typedef struct population_named {
    uint64_t token;
    int32_t region;
    int32_t place; // or -1
} population_named;

typedef struct population_record {
    ploy_person who;
    uint64_t stored; // number of the store, for age
    int32_t bytes;   // which of the byte slots
    int32_t reserved;
} population_record;

struct ploy_population {
    ploy_env env;
    size_t size; // of this block
    ploy_population_def def;
    int32_t count, first_free, named_count, named_here;
    int32_t born_count, gone_count, record_count;
    int32_t reserved;
    uint64_t stores;
    float *flow;
    int32_t *heads;  // of the districts' lists, or -1
    uint8_t *seen;   // in the last step
    int32_t *wanted; // in this step
    population_place *places;
    int32_t *order;
    population_named *named;
    ploy_inhabitant *born, *gone;
    population_record *records;
    unsigned char *bytes;
};

ploy_fields ploy_population_fields(void) {
    return PLOY_FIELDS(ploy_population_def, population_fields);
}

ploy_population_def ploy_population_def_default(void) {
    ploy_population_def def;
    ploy_fields_default(ploy_population_fields(), &def);
    return def;
}

ploy_fields ploy_ambient_fields(void) {
    return PLOY_FIELDS(ploy_ambient_def, ambient_fields);
}

ploy_ambient_def ploy_ambient_def_default(void) {
    ploy_ambient_def def;
    ploy_fields_default(ploy_ambient_fields(), &def);
    return def;
}

// Puts an array behind what is there already, aligned for anything; false if it cannot be.
static bool population_append(size_t *size, int64_t count, size_t item, size_t *at) {
    size_t from = (*size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
    *at = from;
    return from >= *size && ploy_size_add_array(from, count, item, size);
}

static bool population_table_fine(const ploy_population_def *def) {
    if (def->flow == NULL) return false;
    for (int64_t i = 0; i < (int64_t)def->regions * def->times; i++) {
        if (!ploy_in_range(def->flow[i], 0.0f, 1e6f)) return false;
    }
    return true;
}

ploy_result ploy_population_create(const ploy_population_def *def, const ploy_env *env,
                                   ploy_population **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_population_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!population_table_fine(def)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "ploy_population_def: the table needs numbers from 0 to 1e6");
        return PLOY_ERR_ARGUMENT;
    }
    enum { FLOW, HEADS, SEEN, WANTED, PLACES, ORDER, NAMED, BORN, GONE, RECORDS, BYTES, PARTS };
    int64_t cells = (int64_t)def->regions * def->times;
    const struct {
        int64_t count;
        size_t item;
    } parts[PARTS] = {
        {cells, sizeof(float)},
        {def->regions, sizeof(int32_t)},
        {def->regions, 1},
        {def->regions, sizeof(int32_t)},
        {def->capacity, sizeof(population_place)},
        {def->capacity, sizeof(int32_t)},
        {def->capacity, sizeof(population_named)},
        {def->capacity, sizeof(ploy_inhabitant)},
        {def->capacity, sizeof(ploy_inhabitant)},
        {def->records, sizeof(population_record)},
        {(int64_t)def->records * def->record_size, 1},
    };
    size_t size = sizeof(ploy_population), at[PARTS];
    for (int32_t i = 0; i < PARTS; i++) {
        if (!population_append(&size, parts[i].count, parts[i].item, &at[i])) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_population *population = ploy_env_alloc_zero(env, size);
    if (population == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)population;
    population->env = *env;
    population->size = size;
    population->def = *def;
    population->flow = (float *)(void *)(block + at[FLOW]);
    population->heads = (int32_t *)(void *)(block + at[HEADS]);
    population->seen = block + at[SEEN];
    population->wanted = (int32_t *)(void *)(block + at[WANTED]);
    population->places = (population_place *)(void *)(block + at[PLACES]);
    population->order = (int32_t *)(void *)(block + at[ORDER]);
    population->named = (population_named *)(void *)(block + at[NAMED]);
    population->born = (ploy_inhabitant *)(void *)(block + at[BORN]);
    population->gone = (ploy_inhabitant *)(void *)(block + at[GONE]);
    population->records = (population_record *)(void *)(block + at[RECORDS]);
    population->bytes = block + at[BYTES];
    memcpy(population->flow, def->flow, (size_t)cells * sizeof(float));
    population->def.flow = NULL; // the caller's
    for (int32_t i = 0; i < def->regions; i++) population->heads[i] = -1;
    for (int32_t i = 0; i < def->capacity; i++) {
        population->places[i].who.id.generation = 0;
        population->places[i].next = i + 1 < def->capacity ? i + 1 : -1;
    }
    *out = population;
    return PLOY_OK;
}

void ploy_population_destroy(ploy_population *population) {
    if (population == NULL) return;
    ploy_env env = population->env;
    ploy_env_free(&env, population, population->size);
}

// ---- places

// The caller has made sure that one is free.
static int32_t population_take(ploy_population *population, ploy_person who) {
    int32_t index = population->first_free;
    population_place *place = &population->places[index];
    uint32_t generation = place->who.id.generation + 1;
    population->first_free = place->next;
    memset(&place->who, 0, sizeof place->who);
    place->who.id = ploy_id_make((uint32_t)index, generation != 0 ? generation : 1);
    place->who.who = who;
    place->next = -1;
    place->order_at = population->count;
    population->order[population->count++] = index; // keeps (1)
    return index;
}

// Takes a person out of the table; the lists of the districts are the caller's business.
static void population_free(ploy_population *population, int32_t index) {
    population_place *place = &population->places[index];
    int32_t last = population->order[--population->count];
    population->order[place->order_at] = last;
    population->places[last].order_at = place->order_at;
    place->order_at = -1; // keeps (1)
    place->next = population->first_free;
    population->first_free = index;
}

static void population_bear(ploy_population *population, int32_t index) {
    population->born[population->born_count++] = population->places[index].who;
}

static void population_bury(ploy_population *population, int32_t index) {
    population->gone[population->gone_count++] = population->places[index].who;
    population_free(population, index);
}

static int32_t population_find(const ploy_population *population, ploy_id id) {
    if (ploy_id_is_none(id) || id.index >= (uint32_t)population->def.capacity) return -1;
    const population_place *place = &population->places[id.index];
    bool taken = ploy_id_equal(place->who.id, id) && place->order_at >= 0 &&
                 place->order_at < population->count &&
                 population->order[place->order_at] == (int32_t)id.index;
    return taken ? (int32_t)id.index : -1;
}

// ---- the named

ploy_result ployi_population_add_named(ploy_population *population, int32_t region, uint64_t token,
                                       ploy_person *out) {
    if (!ploy_range_within(region, 1, population->def.regions)) return PLOY_ERR_ARGUMENT;
    if (population->named_count == population->def.capacity) return PLOY_ERR_CAPACITY;
    population_named *named = &population->named[population->named_count];
    named->token = token;
    named->region = region;
    named->place = -1;
    if (out != NULL) {
        out->region = region;
        out->number = -1 - population->named_count;
    }
    population->named_count++;
    return PLOY_OK;
}

ploy_result ployi_population_move_named(ploy_population *population, uint64_t token,
                                        int32_t region) {
    if (!ploy_range_within(region, 1, population->def.regions)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < population->named_count; i++) {
        population_named *named = &population->named[i];
        if (named->token != token) continue;
        named->region = region;
        if (named->place >= 0) population->places[named->place].who.who.region = region;
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}

static void population_step_named(ploy_population *population, const uint8_t *visible,
                                  bool leaving) {
    for (int32_t i = 0; i < population->named_count; i++) {
        population_named *named = &population->named[i];
        bool here = visible[named->region] != 0;
        if (leaving && named->place >= 0 && !here) {
            population_bury(population, named->place);
            named->place = -1;
            population->named_here--;
        } else if (!leaving && named->place < 0 && here) {
            ploy_person who = {named->region, -1 - i};
            named->place = population_take(population, who);
            ploy_inhabitant *born = &population->places[named->place].who;
            born->named = true;
            born->token = named->token;
            born->arriving = population->seen[named->region] != 0;
            population->named_here++;
            population_bear(population, named->place); // keeps (3)
        }
    }
}

// ---- the crowd

float ployi_population_flow(const ploy_population *population, int32_t region, double now) {
    if (!ploy_range_within(region, 1, population->def.regions) || !ploy_is_finite_d(now)) {
        return 0.0f;
    }
    const float *row = population->flow + (size_t)region * (size_t)population->def.times;
    double days = now / (double)population->def.day_length;
    double at = (days - floor(days)) * (double)population->def.times;
    int32_t from = ploy_clampi((int32_t)at, 0, population->def.times - 1);
    int32_t to = from + 1 < population->def.times ? from + 1 : 0;
    return ploy_lerpf(row[from], row[to], (float)(at - (double)from));
}

// How many each district in view gets. If they do not all fit, each gets its share of the room: the
// running sum is rounded, so that the shares add up to the room whatever they are.
static void population_share(ploy_population *population, double now, const uint8_t *visible,
                             float scale) {
    int64_t sum = 0, room = population->def.capacity, before = 0, given = 0;
    for (int32_t i = 0; i < population->named_count; i++) {
        if (visible[population->named[i].region] != 0) room--;
    }
    for (int32_t r = 0; r < population->def.regions; r++) {
        float flow = visible[r] != 0 ? ployi_population_flow(population, r, now) * scale : 0.0f;
        population->wanted[r] = (int32_t)(flow + 0.5f);
        sum += population->wanted[r];
    }
    if (sum <= room) return;
    for (int32_t r = 0; r < population->def.regions; r++) {
        before += population->wanted[r];
        int64_t upto = (2 * before * room + sum) / (2 * sum);
        population->wanted[r] = (int32_t)(upto - given);
        given = upto;
    }
}

// Out of view no person stays; in view the surplus is asked to go.
static void population_thin(ploy_population *population, int32_t region, bool visible) {
    int32_t *link = &population->heads[region];
    while (*link >= 0) {
        int32_t index = *link;
        population_place *place = &population->places[index];
        if (visible) {
            place->who.leaving = place->who.who.number >= population->wanted[region];
            link = &place->next;
        } else {
            *link = place->next;
            population_bury(population, index);
        }
    }
}

// Numbers 0 to target - 1 are to be there: those missing are put in between.
static void population_fill(ploy_population *population, int32_t region) {
    int32_t *link = &population->heads[region];
    int32_t room = population->def.capacity - population->count;
    for (int32_t number = 0; number < population->wanted[region] && room > 0; number++) {
        bool there = *link >= 0 && population->places[*link].who.who.number == number;
        if (!there) {
            ploy_person who = {region, number};
            int32_t after = *link;
            int32_t index = population_take(population, who);
            population->places[index].next = after;
            population->places[index].who.arriving = population->seen[region] != 0;
            *link = index; // keeps (2)
            population_bear(population, index);
            room--;
        }
        link = &population->places[*link].next;
    }
}

// Those asked to leave may still be where a named one is needed: the story goes first.
static void population_make_room(ploy_population *population, const uint8_t *visible) {
    int32_t needed = 0;
    for (int32_t i = 0; i < population->named_count; i++) {
        const population_named *named = &population->named[i];
        if (named->place < 0 && visible[named->region] != 0) needed++;
    }
    for (int32_t r = population->def.regions - 1; r >= 0; r--) {
        while (population->def.capacity - population->count < needed && population->heads[r] >= 0) {
            int32_t *link = &population->heads[r];
            while (population->places[*link].next >= 0) link = &population->places[*link].next;
            int32_t index = *link; // the highest number
            *link = -1;
            population_bury(population, index);
        }
    }
}

ploy_result ploy_population_step(ploy_population *population, double now, const uint8_t *visible,
                                 float scale) {
    if (visible == NULL || !ploy_is_finite_d(now) || !ploy_in_range(scale, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    population->born_count = 0;
    population->gone_count = 0;
    population_share(population, now, visible, scale);
    // First all that go, then the named, then the crowd in what room is left.
    population_step_named(population, visible, true);
    for (int32_t r = 0; r < population->def.regions; r++) {
        population_thin(population, r, visible[r] != 0);
    }
    population_make_room(population, visible);
    population_step_named(population, visible, false);
    for (int32_t r = 0; r < population->def.regions; r++) population_fill(population, r);
    for (int32_t r = 0; r < population->def.regions; r++) {
        population->seen[r] = visible[r] != 0 ? 1 : 0;
    }
    return PLOY_OK;
}

// ---- looking

int32_t ploy_population_count(const ploy_population *population) {
    return population->count;
}

ploy_result ploy_population_at(const ploy_population *population, int32_t index,
                               ploy_inhabitant *out) {
    if (!ploy_range_within(index, 1, population->count)) return PLOY_ERR_NOT_FOUND;
    *out = population->places[population->order[index]].who;
    return PLOY_OK;
}

ploy_result ploy_population_get(const ploy_population *population, ploy_id id,
                                ploy_inhabitant *out) {
    int32_t index = population_find(population, id);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    *out = population->places[index].who;
    return PLOY_OK;
}

ploy_result ploy_population_remove(ploy_population *population, ploy_id id) {
    int32_t index = population_find(population, id);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (!population->places[index].who.leaving) return PLOY_ERR_STATE;
    int32_t *link = &population->heads[population->places[index].who.who.region];
    while (*link != index) link = &population->places[*link].next;
    *link = population->places[index].next;
    population_free(population, index);
    return PLOY_OK;
}

int32_t ploy_population_born_count(const ploy_population *population) {
    return population->born_count;
}

const ploy_inhabitant *ployi_population_born(const ploy_population *population, int32_t index) {
    return ploy_range_within(index, 1, population->born_count) ? &population->born[index] : NULL;
}

int32_t ploy_population_gone_count(const ploy_population *population) {
    return population->gone_count;
}

ploy_rng_key ploy_population_key(const ploy_population *population, ploy_person who) {
    uint64_t part = who.number < 0 ? UINT64_MAX : (uint64_t)(uint32_t)who.region;
    return ploy_rng_key_split(ploy_rng_key_make(population->def.seed), part);
}

// ---- what is stored

// A named one is the same wherever it is.
static uint64_t population_rank(ploy_person who) {
    uint64_t region = who.number < 0 ? 0 : (uint64_t)(uint32_t)who.region + 1;
    return region << 32 | (uint32_t)who.number;
}

// Where the person's record is, or where it belongs.
static int32_t population_record_at(const ploy_population *population, ploy_person who) {
    int32_t low = 0, high = population->record_count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (population_rank(population->records[half].who) < population_rank(who)) {
            low = half + 1;
        } else {
            high = half;
        }
    }
    return low;
}

static bool population_record_is(const ploy_population *population, int32_t at, ploy_person who) {
    return at < population->record_count &&
           population_rank(population->records[at].who) == population_rank(who);
}

static unsigned char *population_record_bytes(const ploy_population *population, int32_t at) {
    return population->bytes +
           (size_t)population->records[at].bytes * (size_t)population->def.record_size;
}

// Forgets the oldest; its bytes are free then. The newest record's bytes are its own number.
static int32_t population_forget(ploy_population *population) {
    int32_t oldest = 0;
    for (int32_t i = 1; i < population->record_count; i++) {
        if (population->records[i].stored < population->records[oldest].stored) oldest = i;
    }
    int32_t bytes = population->records[oldest].bytes;
    population->record_count--;
    memmove(&population->records[oldest], &population->records[oldest + 1],
            (size_t)(population->record_count - oldest) * sizeof(population_record));
    return bytes;
}

ploy_result ploy_population_store(ploy_population *population, ploy_person who,
                                  const void *record) {
    if (population->def.records == 0 || population->def.record_size == 0) {
        return PLOY_ERR_UNSUPPORTED;
    }
    if (record == NULL || !ploy_range_within(who.region, 1, population->def.regions)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t at = population_record_at(population, who);
    if (!population_record_is(population, at, who)) {
        int32_t bytes = population->record_count;
        if (population->record_count == population->def.records) {
            bytes = population_forget(population);
            at = population_record_at(population, who);
        }
        memmove(&population->records[at + 1], &population->records[at],
                (size_t)(population->record_count - at) * sizeof(population_record));
        memset(&population->records[at], 0, sizeof(population_record));
        population->records[at].who = who;
        population->records[at].bytes = bytes;
        population->record_count++; // keeps (4)
    }
    population->records[at].stored = population->stores++;
    memcpy(population_record_bytes(population, at), record, (size_t)population->def.record_size);
    return PLOY_OK;
}

ploy_result ploy_population_recall(const ploy_population *population, ploy_person who,
                                   void *record) {
    int32_t at = population_record_at(population, who);
    if (!population_record_is(population, at, who)) return PLOY_ERR_NOT_FOUND;
    memcpy(record, population_record_bytes(population, at), (size_t)population->def.record_size);
    return PLOY_OK;
}

// ---- visiting

static void population_visit_person(ploy_visit *v, ploy_population *population, ploy_person *who) {
    ploy_visit_i32_in(v, "region", PLOY_STATE, &who->region, 0, population->def.regions - 1);
    ploy_visit_i32(v, "number", PLOY_STATE, &who->number);
}

static void population_describe_table(ploy_visit *v, ploy_population *population) {
    ploy_describe *out = v->describe;
    ploy_describe_i64(out, "people", PLOY_STATE, population->count);
    ploy_describe_i64(out, "of the story", PLOY_DERIVED, population->named_here);
    ploy_describe_i64(out, "born", PLOY_NOTE, population->born_count);
    ploy_describe_i64(out, "gone", PLOY_NOTE, population->gone_count);
    // Which place is handed out next decides ids to come.
    uint64_t free_list = 0;
    for (int32_t i = population->first_free; i >= 0; i = population->places[i].next) {
        free_list = ploy_hash_combine(free_list, (uint64_t)(uint32_t)i);
        free_list = ploy_hash_combine(free_list, population->places[i].who.id.generation);
    }
    ploy_describe_u64(out, "free places", PLOY_STATE, free_list);
    ploy_describe_u64(out, "seen", PLOY_STATE,
                      ploy_hash_bytes(population->seen, (size_t)population->def.regions, 0));
    ploy_describe_begin(out, "inhabitants");
    for (int32_t i = 0; i < population->count; i++) {
        ploy_inhabitant *who = &population->places[population->order[i]].who;
        ploy_describe_begin_item(out, i);
        ploy_describe_id(out, "id", PLOY_STATE, who->id);
        population_visit_person(v, population, &who->who);
        ploy_describe_bool(out, "arriving", PLOY_STATE, who->arriving);
        ploy_describe_bool(out, "leaving", PLOY_STATE, who->leaving);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

// The table as it is stored: places with their lists, the order, the districts.
static void population_visit_table(ploy_visit *v, ploy_population *population) {
    int32_t capacity = population->def.capacity, regions = population->def.regions;
    int32_t count = ploy_visit_fixed(v, "places", PLOY_SAVED, capacity);
    for (int32_t i = 0; i < count; i++) {
        population_place *place = &population->places[i];
        ploy_visit_struct(v, "place", place, sizeof *place);
        ploy_visit_struct(v, "inhabitant", &place->who, sizeof place->who);
        ploy_visit_begin(v, "place", PLOY_SAVED);
        ploy_visit_u32(v, "generation", PLOY_SAVED, &place->who.id.generation);
        ploy_visit_u32_in(v, "index", PLOY_SAVED, &place->who.id.index, 0, (uint32_t)i);
        population_visit_person(v, population, &place->who.who);
        ploy_visit_u64(v, "token", PLOY_SAVED, &place->who.token);
        ploy_visit_bool(v, "is named", PLOY_SAVED, &place->who.named);
        ploy_visit_bool(v, "arriving", PLOY_SAVED, &place->who.arriving);
        ploy_visit_bool(v, "leaving", PLOY_SAVED, &place->who.leaving);
        ploy_visit_i32_in(v, "next", PLOY_SAVED, &place->next, -1, capacity - 1);
        PLOY_VISIT_SCRATCH(v, place->order_at);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "first_free", PLOY_SAVED, &population->first_free, -1, capacity - 1);
    count = ploy_visit_list(v, "order", PLOY_SAVED, &population->count, capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "order", PLOY_SAVED, &population->order[i], 0, capacity - 1);
    }
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "heads", PLOY_SAVED, regions);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "head", PLOY_SAVED, &population->heads[i], -1, capacity - 1);
    }
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "seen", PLOY_SAVED, regions);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_u8_in(v, "seen", PLOY_SAVED, &population->seen[i], 0, 1);
    }
    ploy_visit_end(v);
}

static void population_visit_lists(ploy_visit *v, ploy_population *population) {
    int32_t capacity = population->def.capacity;
    int32_t count = ploy_visit_list(v, "named", PLOY_STATE, &population->named_count, capacity);
    for (int32_t i = 0; i < count; i++) {
        population_named *named = &population->named[i];
        ploy_visit_struct(v, "named", named, sizeof *named);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_u64(v, "token", PLOY_STATE, &named->token);
        ploy_visit_i32_in(v, "region", PLOY_STATE, &named->region, 0, population->def.regions - 1);
        ploy_visit_i32_in(v, "place", PLOY_STATE, &named->place, -1, capacity - 1);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_u64(v, "stores", PLOY_SAVED, &population->stores);
    count = ploy_visit_list(v, "stored", PLOY_STATE, &population->record_count,
                            population->def.records);
    for (int32_t i = 0; i < count; i++) {
        population_record *record = &population->records[i];
        ploy_visit_struct(v, "record", record, sizeof *record);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        population_visit_person(v, population, &record->who);
        ploy_visit_u64(v, "stored", PLOY_STATE, &record->stored);
        ploy_visit_i32_in(v, "bytes", PLOY_SAVED, &record->bytes, 0, population->def.records - 1);
        PLOY_VISIT_SCRATCH(v, record->reserved);
        ploy_visit_bytes(v, "record", PLOY_STATE, population_record_bytes(population, i),
                         (size_t)population->def.record_size);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

// Whether a list ends and holds only people of that district, the free ones for -1. Adds its length.
static bool population_list_is_sound(const ploy_population *population, int32_t first,
                                     int32_t region, int64_t *length) {
    int32_t number = -1;
    for (int32_t at = first; at >= 0; at = population->places[at].next) {
        const population_place *place = &population->places[at];
        bool taken = place->order_at >= 0;
        if (++*length > population->def.capacity || taken != (region >= 0)) return false;
        if (!taken) continue;
        if (place->who.who.region != region || place->who.named) return false;
        if (place->who.who.number <= number) return false;
        number = place->who.who.number;
    }
    return true;
}

static bool population_named_are_sound(ploy_population *population) {
    population->named_here = 0;
    for (int32_t i = 0; i < population->named_count; i++) {
        const population_named *named = &population->named[i];
        if (named->place < 0) continue;
        const population_place *place = &population->places[named->place];
        if (place->order_at < 0 || !place->who.named || place->who.who.number != -1 - i) {
            return false;
        }
        population->named_here++;
    }
    return true;
}

// Records by rising rank; their bytes are slots 0 to count - 1, each once: the sums of mixed numbers
// differ otherwise.
static bool population_records_are_sound(const ploy_population *population) {
    uint64_t used = 0, all = 0;
    for (int32_t i = 0; i < population->record_count; i++) {
        const population_record *record = &population->records[i];
        if (i > 0 && population_rank(record[-1].who) >= population_rank(record->who)) return false;
        if (record->bytes >= population->record_count) return false;
        used += ploy_hash_combine(1, (uint64_t)record->bytes);
        all += ploy_hash_combine(1, (uint64_t)i);
    }
    return used == all;
}

// Derived parts again, from the order; also how a load checks that each place is in it once.
static bool population_reorder(ploy_population *population) {
    bool once = true;
    for (int32_t i = 0; i < population->def.capacity; i++) population->places[i].order_at = -1;
    for (int32_t i = 0; i < population->count; i++) {
        population_place *place = &population->places[population->order[i]];
        once = once && place->order_at < 0 && place->who.id.generation != 0 &&
               place->who.id.index == (uint32_t)population->order[i];
        place->order_at = i;
    }
    return once;
}

static void population_rebuild(void *object) {
    ploy_population *population = object;
    (void)population_reorder(population);
    (void)population_named_are_sound(population);
    population->born_count = population->gone_count = 0;
}

static bool population_is_sound(ploy_population *population) {
    int64_t unused = 0, listed = 0;
    if (!population_reorder(population)) return false;
    if (!population_list_is_sound(population, population->first_free, -1, &unused)) return false;
    for (int32_t r = 0; r < population->def.regions; r++) {
        if (!population_list_is_sound(population, population->heads[r], r, &listed)) return false;
    }
    return population_named_are_sound(population) && population_records_are_sound(population) &&
           unused == population->def.capacity - population->count &&
           listed + population->named_here == population->count;
}

static void population_visit_scratch(ploy_visit *v, ploy_population *population) {
    PLOY_VISIT_SCRATCH(v, population->env);
    PLOY_VISIT_SCRATCH(v, population->size);
    PLOY_VISIT_SCRATCH(v, population->def);
    PLOY_VISIT_SCRATCH(v, population->named_here);
    PLOY_VISIT_SCRATCH(v, population->born_count); // who came and went in the last step
    PLOY_VISIT_SCRATCH(v, population->gone_count);
    PLOY_VISIT_SCRATCH(v, population->reserved);
    PLOY_VISIT_SCRATCH(v, population->flow);
    PLOY_VISIT_SCRATCH(v, population->heads);
    PLOY_VISIT_SCRATCH(v, population->seen);
    PLOY_VISIT_SCRATCH(v, population->wanted);
    PLOY_VISIT_SCRATCH(v, population->places);
    PLOY_VISIT_SCRATCH(v, population->order);
    PLOY_VISIT_SCRATCH(v, population->named);
    PLOY_VISIT_SCRATCH(v, population->born);
    PLOY_VISIT_SCRATCH(v, population->gone);
    PLOY_VISIT_SCRATCH(v, population->records);
    PLOY_VISIT_SCRATCH(v, population->bytes);
}

void ploy_population_visit(ploy_visit *v, void *object) {
    ploy_population *population = object;
    ploy_visit_struct(v, "population", population, sizeof *population);
    ploy_visit_block(v, "population", population, population->size);
    population_visit_scratch(v, population);
    ploy_visit_after(v, population_rebuild, population);
    if (v->describe != NULL) {
        population_describe_table(v, population);
    } else {
        population_visit_table(v, population);
    }
    population_visit_lists(v, population);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, population_is_sound(population), "inconsistent population lists", NULL);
    }
}

void ploy_population_describe(const ploy_population *population, ploy_describe *out) {
    ploy_visit_describe(ploy_population_visit, population, NULL, out);
}

void ploy_population_memory(const ploy_population *population, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_population_visit, population, fn, user);
}

float ploy_ambient_scale(const ploy_ambient_def *def, float scale, int64_t spent, int64_t allowed,
                         float dt) {
    scale = ploy_clampf(scale, def->min, 1.0f);
    if (allowed <= 0 || !(dt >= 0.0f)) return scale;
    float part = (float)((double)spent / (double)allowed) / def->target;
    // Above the target by half: half of the largest fall, and twice above all of it.
    float gap = ploy_clampf(1.0f - part, -1.0f, 1.0f);
    float change = gap * (gap < 0.0f ? def->fall : def->rise) * dt;
    return ploy_clampf(scale + change, def->min, 1.0f);
}
