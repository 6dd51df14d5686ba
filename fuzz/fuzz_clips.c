// Any bytes as a rule program: loaded, reset and run a little, then typed as commands.
#include <stdint.h>

#include "ploy/data/clips.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    def.depth = 100;
    def.work = 20000; // loops without end are cut short
    def.audit = true;
    if (size > 20000 || ploy_clips_create(&def, &env, &clips) != PLOY_OK) return 0;
    const char *text = (const char *)data;
    (void)ploy_clips_load(clips, text, size, "fuzz", NULL);
    if (ploy_clips_reset(clips) == PLOY_OK) (void)ploy_clips_run(clips, 30, NULL);
    (void)ploy_clips_batch(clips, text, size, "fuzz", true);
    ploy_clips_destroy(clips);
    return 0;
}
