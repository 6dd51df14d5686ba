// A rule program in the language of CLIPS: who carries the radio? Shows loading, running, adding a
// fact from the game, and asking why a fact is there.
#include <stdio.h>
#include <string.h>

#include "ploy/data/clips.h"

static const char program[] =
    "(deftemplate person (slot name) (slot health))\n"
    "(deffacts squad (person (name Captain) (health 57)) (person (name Whisker) (health 12))\n"
    "                (radio Whisker))\n"
    "(defrule swap-radio\n"
    "   (person (name ?weak) (health ?h1&:(< ?h1 15)))\n"
    "   ?old <- (radio ?weak)\n"
    "   (person (name ?strong) (health ?h2&:(> ?h2 45)))\n"
    "   =>\n"
    "   (retract ?old)\n"
    "   (assert (radio ?strong))\n"
    "   (printout t ?strong \" takes the radio from \" ?weak crlf))\n"
    "(defrule call (radio ?who) (enemy ?where)\n"
    "   => (printout t ?who \" calls: enemy at \" ?where crlf) (assert (reported ?where)))\n";

static ploy_result print(void *user, const void *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static ploy_result run(ploy_clips *clips) {
    ploy_result result = ploy_clips_load(clips, program, strlen(program), "squad.clp", NULL);
    if (result == PLOY_OK) result = ploy_clips_reset(clips);
    if (result == PLOY_OK) result = ploy_clips_run(clips, -1, NULL);
    // The game sees something.
    const char *seen = "(enemy hill)";
    if (result == PLOY_OK) result = ploy_clips_load_facts(clips, seen, strlen(seen), "game", NULL);
    if (result == PLOY_OK) result = ploy_clips_run(clips, -1, NULL);
    if (result != PLOY_OK) return result;
    ploy_rules *rules = ploy_clips_rules(clips);
    int32_t reported = ploy_rulebase_find_template(ploy_clips_base(clips), "reported");
    ploy_writer out = ploy_writer_make(print, NULL);
    return ploy_rules_why(rules, ploy_fact_index(ploy_rules_next_of(rules, reported, NULL)), &out);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_clips_def def = ploy_clips_def_default();
    def.audit = true; // facts remember where they came from
    def.write = print;
    ploy_clips *clips = NULL;
    ploy_result result = ploy_clips_create(&def, &env, &clips);
    if (result == PLOY_OK) result = run(clips);
    ploy_clips_destroy(clips);
    if (result != PLOY_OK) printf("%s\n", ploy_result_text(result));
    return result == PLOY_OK ? 0 : 1;
}
