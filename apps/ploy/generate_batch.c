// `ploy generate --batch N`: what many seeds come to.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/generate.h"
#include "ploy/base/os.h"

enum { BATCH_NAMES = 64, BATCH_BUCKETS = 40 };

// A number by name: a limit and how often it was reached, or a statistic and its sum.
typedef struct batch_sum {
    char name[48];
    double sum, most;
    int64_t count;
} batch_sum;

typedef struct batch {
    batch_sum limits[BATCH_NAMES], statistics[BATCH_NAMES];
    int32_t limit_count, statistic_count;
    int64_t made, failed, attempts[BATCH_BUCKETS];
    int32_t depth, inside; // open groups; depth of the open "statistics", or 0
} batch;

static void batch_add(batch_sum *sums, int32_t *count, const char *name, double value) {
    int32_t i = 0;
    while (i < *count && strcmp(sums[i].name, name) != 0) i++;
    if (i == BATCH_NAMES) return;
    if (i == *count) {
        memset(&sums[i], 0, sizeof sums[i]);
        snprintf(sums[i].name, sizeof sums[i].name, "%s", name);
        (*count)++;
    }
    sums[i].sum += value;
    sums[i].count++;
    if (sums[i].count == 1 || value > sums[i].most) sums[i].most = value;
}

// Sums the numbers of every group "statistics" that is described.
static void batch_begin(void *user, const char *name, ploy_id owner) {
    batch *b = user;
    (void)owner;
    b->depth++;
    if (b->inside == 0 && strcmp(name, "statistics") == 0) b->inside = b->depth;
}

static void batch_end(void *user) {
    batch *b = user;
    if (b->inside == b->depth) b->inside = 0;
    b->depth--;
}

static void batch_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    batch *b = user;
    double number;
    (void)mark;
    if (b->inside == 0 || !ploy_value_number(value, &number)) return;
    batch_add(b->statistics, &b->statistic_count, name, number);
}

// Bucket 0 holds 0 and 1, bucket k up to 2^k.
static int32_t batch_bucket(int64_t attempts) {
    int32_t bucket = 0;
    while (bucket + 1 < BATCH_BUCKETS && attempts > (int64_t)1 << bucket) bucket++;
    return bucket;
}

static void batch_count(batch *b, const generate_subject *subject) {
    ploy_generate_outcome outcome = generate_outcome(subject);
    if (outcome.partial) {
        b->failed++;
        batch_add(b->limits, &b->limit_count, outcome.limit, 1.0);
    } else {
        b->made++;
    }
    b->attempts[batch_bucket(outcome.attempts)]++;
    ploy_describe out = {batch_begin, batch_end, batch_value, b};
    generate_describe(subject, &out);
}

static void batch_print_json(const batch *b, const generate_subject *subject, double us) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "generator");
    ploy_json_write_text(&json, generate_name(subject));
    ploy_json_write_key(&json, "made");
    ploy_json_write_i64(&json, b->made);
    ploy_json_write_key(&json, "failed");
    ploy_json_write_begin_object(&json);
    for (int32_t i = 0; i < b->limit_count; i++) {
        ploy_json_write_key(&json, b->limits[i].name);
        ploy_json_write_i64(&json, b->limits[i].count);
    }
    ploy_json_write_end_object(&json);
    ploy_json_write_key(&json, "attempts");
    ploy_json_write_begin_object(&json);
    for (int32_t i = 0; i < BATCH_BUCKETS; i++) {
        if (b->attempts[i] == 0) continue;
        char key[24];
        snprintf(key, sizeof key, "%lld", (long long)((int64_t)1 << i));
        ploy_json_write_key(&json, key);
        ploy_json_write_i64(&json, b->attempts[i]);
    }
    ploy_json_write_end_object(&json);
    for (int32_t i = 0; i < b->statistic_count; i++) {
        ploy_json_write_key(&json, b->statistics[i].name);
        ploy_json_write_f64(&json, b->statistics[i].sum);
    }
    ploy_json_write_key(&json, "us");
    ploy_json_write_f64(&json, us);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static void batch_print_text(const batch *b, double us) {
    printf("made      %lld\nfailed    %lld\n", (long long)b->made, (long long)b->failed);
    for (int32_t i = 0; i < b->limit_count; i++) {
        printf("  %-20s %lld\n", b->limits[i].name, (long long)b->limits[i].count);
    }
    printf("attempts\n");
    for (int32_t i = 0; i < BATCH_BUCKETS; i++) {
        if (b->attempts[i] == 0) continue;
        printf("  up to %-14lld %lld\n", (long long)((int64_t)1 << i), (long long)b->attempts[i]);
    }
    if (b->statistic_count > 0) printf("%-22s %12s %12s %12s\n", "", "sum", "mean", "most");
    for (int32_t i = 0; i < b->statistic_count; i++) {
        const batch_sum *s = &b->statistics[i];
        printf("  %-20s %12g %12g %12g\n", s->name, s->sum, s->sum / (double)s->count, s->most);
    }
    printf("us        %.1f\n", us);
}

int generate_batch(generate_subject *subject, uint64_t first, int64_t count, bool json,
                   const ploy_env *env) {
    batch b;
    memset(&b, 0, sizeof b);
    cli_progress progress = cli_progress_begin("generating", (uint64_t)count, true);
    uint64_t nanoseconds = 0;
    int status = -1;
    for (int64_t i = 0; i < count && status < 0; i++) {
        uint64_t begun = ploy_os_clock_ns();
        ploy_result result = generate_run(subject, first + (uint64_t)i, NULL, false, env);
        nanoseconds += ploy_os_clock_ns() - begun;
        if (result != PLOY_OK) {
            status = cli_error_result(generate_name(subject), result);
        } else {
            batch_count(&b, subject);
        }
        generate_end(subject);
        cli_progress_step(&progress, (uint64_t)i);
    }
    cli_progress_end(&progress);
    if (status >= 0) return status;
    double us = count > 0 ? (double)nanoseconds / 1000.0 / (double)count : 0.0;
    if (json) {
        batch_print_json(&b, subject, us);
    } else {
        batch_print_text(&b, us);
    }
    return b.failed == 0 ? CLI_OK : CLI_NO;
}
