// The counting and the failing allocator, and the memory report.
#include "ploy/base/alloc.h"
#include "base/base_internal.h"

#include <string.h>

// Bytes before each block that hold its size, when sizes are checked; keeps the alignment.
#define ALLOC_HEADER PLOY_ALIGNMENT

static ploy_allocator alloc_or_default(const ploy_allocator *inner) {
    return inner != NULL ? *inner : ploy_env_default().allocator;
}

static void *alloc_pass_on(const ploy_allocator *inner, void *ptr, size_t old_size,
                           size_t new_size) {
    return inner->resize(inner->user, ptr, old_size, new_size);
}

// The inner call of the counting allocator; moves between the caller's pointer and the block.
static void *alloc_counting_inner(ploy_counting_allocator *counting, void *ptr, size_t old_size,
                                  size_t new_size) {
    if (!counting->check_sizes) return alloc_pass_on(&counting->inner, ptr, old_size, new_size);
    if (new_size > SIZE_MAX - ALLOC_HEADER) return NULL;
    unsigned char *block = ptr == NULL ? NULL : (unsigned char *)ptr - ALLOC_HEADER;
    block = alloc_pass_on(&counting->inner, block, block == NULL ? 0 : old_size + ALLOC_HEADER,
                          new_size == 0 ? 0 : new_size + ALLOC_HEADER);
    if (block == NULL || new_size == 0) return NULL;
    memcpy(block, &new_size, sizeof new_size);
    return block + ALLOC_HEADER;
}

static void *alloc_counting_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ploy_counting_allocator *counting = user;
    if (ptr == NULL && new_size == 0) return NULL;
    if (ptr != NULL && counting->check_sizes) {
        size_t known = 0;
        memcpy(&known, (unsigned char *)ptr - ALLOC_HEADER, sizeof known);
        if (known != old_size) counting->wrong_sizes++;
        old_size = known; // so that one mistake is counted once and the sums stay right
    }
    if (new_size == 0) {
        alloc_counting_inner(counting, ptr, old_size, 0);
        counting->frees++;
        counting->live_bytes -= (int64_t)old_size;
        counting->live_blocks--;
        return NULL;
    }
    counting->allocations++;
    void *got = alloc_counting_inner(counting, ptr, old_size, new_size);
    if (got == NULL) {
        counting->failures++;
        return NULL;
    }
    counting->live_bytes += (int64_t)new_size - (ptr == NULL ? 0 : (int64_t)old_size);
    counting->live_blocks += ptr == NULL ? 1 : 0;
    if (counting->live_bytes > counting->peak_bytes) counting->peak_bytes = counting->live_bytes;
    if (counting->live_blocks > counting->peak_blocks) {
        counting->peak_blocks = counting->live_blocks;
    }
    return got;
}

void ploy_counting_allocator_init(ploy_counting_allocator *counting, const ploy_allocator *inner,
                                  bool check_sizes) {
    memset(counting, 0, sizeof *counting);
    counting->inner = alloc_or_default(inner);
    counting->check_sizes = check_sizes;
}

bool ploy_counting_allocator_fini(ploy_counting_allocator *counting) {
    return counting->live_bytes == 0 && counting->live_blocks == 0 && counting->wrong_sizes == 0;
}

ploy_allocator ploy_counting_allocator_get(ploy_counting_allocator *counting) {
    ploy_allocator allocator = {alloc_counting_resize, counting};
    return allocator;
}

static void *alloc_failing_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ploy_failing_allocator *failing = user;
    if (new_size != 0) {
        int64_t number = ++failing->allocations;
        if (failing->fail_at > 0 &&
            (number == failing->fail_at || (failing->from_then_on && number > failing->fail_at))) {
            failing->failures++;
            return NULL;
        }
    }
    return alloc_pass_on(&failing->inner, ptr, old_size, new_size);
}

void ploy_failing_allocator_init(ploy_failing_allocator *failing, const ploy_allocator *inner,
                                 int64_t fail_at, bool from_then_on) {
    memset(failing, 0, sizeof *failing);
    failing->inner = alloc_or_default(inner);
    failing->fail_at = fail_at;
    failing->from_then_on = from_then_on;
}

ploy_allocator ploy_failing_allocator_get(ploy_failing_allocator *failing) {
    ploy_allocator allocator = {alloc_failing_resize, failing};
    return allocator;
}

// Columns of the report, in characters.
#define ALLOC_NAME_WIDTH 26
#define ALLOC_BYTES_WIDTH 10
#define ALLOC_BLOCKS_WIDTH 7

static void alloc_write_blanks(ploy_writer *writer, int64_t count) {
    for (int64_t i = 0; i < count; i++) ploy_write_char(writer, ' ');
}

// A number at the right of a column; a longer one pushes the rest on.
static void alloc_write_number(ploy_writer *writer, uint64_t value, int64_t width) {
    int64_t digits = 1;
    for (uint64_t rest = value; rest >= 10; rest /= 10) digits++;
    alloc_write_blanks(writer, width - digits);
    ploy_write_u64(writer, value);
}

static void alloc_write_line(ploy_writer *writer, int64_t indent, const char *name, uint64_t bytes,
                             int64_t blocks) {
    alloc_write_blanks(writer, indent);
    ploy_write_text(writer, name);
    int64_t gap = ALLOC_NAME_WIDTH - indent - (int64_t)strlen(name);
    alloc_write_blanks(writer, gap < 1 ? 1 : gap);
    alloc_write_number(writer, bytes, ALLOC_BYTES_WIDTH);
    ploy_write_text(writer, bytes == 1 ? " byte " : " bytes");
    alloc_write_number(writer, blocks < 0 ? 0 : (uint64_t)blocks, ALLOC_BLOCKS_WIDTH);
    ploy_write_text(writer, blocks == 1 ? " block\n" : " blocks\n");
}

void ploy_memory_report_init(ploy_memory_report *report, ploy_writer *writer) {
    report->writer = writer;
    report->bytes = 0;
    report->blocks = 0;
}

void ployi_memory_report_section(ploy_memory_report *report, const char *name) {
    ploy_write_text(report->writer, name);
    ploy_write_char(report->writer, '\n');
}

void ploy_memory_report_add(void *report, const ploy_memory_item *item) {
    ploy_memory_report *self = report;
    alloc_write_line(self->writer, 2, item->name, item->bytes, item->blocks);
    self->bytes += item->bytes;
    self->blocks += item->blocks;
}

ploy_result ploy_memory_report_fini(ploy_memory_report *report) {
    alloc_write_line(report->writer, 0, "total", report->bytes, report->blocks);
    return ploy_writer_result(report->writer);
}

#undef ALLOC_HEADER
#undef ALLOC_NAME_WIDTH
#undef ALLOC_BYTES_WIDTH
#undef ALLOC_BLOCKS_WIDTH
