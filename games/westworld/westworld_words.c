// What people say, and what is remembered of it.
#include "games/westworld/westworld.h"

#include <stdio.h>

static const struct {
    int32_t who;
    const char *text; // '#' represents the number
} words_table[WEST_LINES] = {
    [WEST_RESTED] = {WEST_MINER, "Slept well. Now for gold!"},
    [WEST_WALK_MINE] = {WEST_MINER, "Up the hill to the mine."},
    [WEST_PICK] = {WEST_MINER, "Got a nugget!"},
    [WEST_LEAVE_MINE] = {WEST_MINER, "Out into the daylight."},
    [WEST_GO_BANK] = {WEST_MINER, "Pockets full. To the bank."},
    [WEST_DEPOSIT] = {WEST_MINER, "That makes # on my account."},
    [WEST_RICH] = {WEST_MINER, "That will do for today!"},
    [WEST_LEAVE_BANK] = {WEST_MINER, "Good day, Mr. Teller."},
    [WEST_WALK_HOME] = {WEST_MINER, "Home, at last."},
    [WEST_SLEEP] = {WEST_MINER, "Zzz..."},
    [WEST_THIRSTY_WALK] = {WEST_MINER, "So thirsty! To the saloon."},
    [WEST_LIQUOR] = {WEST_MINER, "Ah, that went down well."},
    [WEST_LEAVE_SALOON] = {WEST_MINER, "So long, everybody."},
    [WEST_COMING] = {WEST_MINER, "On my way, dear."},
    [WEST_SMELLS] = {WEST_MINER, "What a smell! My favourite."},
    [WEST_TASTES] = {WEST_MINER, "And it tastes as it smells."},
    [WEST_THANKS] = {WEST_MINER, "Thank you, that was good."},
    [WEST_TAKES_UP] = {WEST_MINER, "Say that again, outside!"},
    [WEST_MINER_HITS] = {WEST_MINER, "Take that!"},
    [WEST_MINER_MISSES] = {WEST_MINER, "Stand still, will you?"},
    [WEST_MINER_DOWN] = {WEST_MINER, "Enough! My head spins."},
    [WEST_MINER_WINS] = {WEST_MINER, "Now, where is my drink?"},
    [WEST_MOP] = {WEST_WIFE, "This floor wants a mop."},
    [WEST_DISHES] = {WEST_WIFE, "Dishes, dishes, dishes."},
    [WEST_BED] = {WEST_WIFE, "Beds never make themselves."},
    [WEST_BATHROOM] = {WEST_WIFE, "Excuse me for a moment."},
    [WEST_RELIEF] = {WEST_WIFE, "What a relief."},
    [WEST_LEAVE_BATHROOM] = {WEST_WIFE, "Where was I?"},
    [WEST_HOUSEWORK] = {WEST_WIFE, "Back to the housework."},
    [WEST_GREET] = {WEST_WIFE, "Welcome! I will make a stew."},
    [WEST_STEW_IN] = {WEST_WIFE, "In the oven with it."},
    [WEST_FUSS] = {WEST_WIFE, "A little more salt..."},
    [WEST_STEW_READY] = {WEST_WIFE, "The stew is ready, dear!"},
    [WEST_STEW_TABLE] = {WEST_WIFE, "Here it is, mind the pot."},
    [WEST_FLY_DRINKS] = {WEST_FLY, "One more. That makes #."},
    [WEST_INSULT] = {WEST_FLY, "What did the mule drag in?"},
    [WEST_SLEEVES] = {WEST_FLY, "With pleasure."},
    [WEST_FLY_HITS] = {WEST_FLY, "Right on the nose!"},
    [WEST_FLY_MISSES] = {WEST_FLY, "Which of you two is it?"},
    [WEST_FLY_DOWN] = {WEST_FLY, "The floor is nice and cool."},
    [WEST_FLY_WINS] = {WEST_FLY, "Next, please!"},
    [WEST_FLY_WAKES] = {WEST_FLY, "Who turned the light on?"},
};

const char *west_name(int32_t who) {
    static const char *const names[WEST_PEOPLE] = {"Hank", "Martha", "Slim"};
    return who >= 0 && who < WEST_PEOPLE ? names[who] : "nobody";
}

int32_t west_speaker(int32_t line) {
    return words_table[line].who;
}

void west_print(int32_t line, int32_t number, bool whole, char *out, size_t size) {
    const char *text = words_table[line].text;
    char digits[16], name[16] = "";
    snprintf(digits, sizeof digits, "%d", (int)number);
    if (whole) snprintf(name, sizeof name, "%s: ", west_name(west_speaker(line)));
    size_t head = 0;
    while (text[head] != '\0' && text[head] != '#') head++;
    bool numbered = text[head] == '#';
    snprintf(out, size, "%s%.*s%s%s", name, (int)head, text, numbered ? digits : "",
             numbered ? text + head + 1 : "");
}

void west_say(west_person *person, west_line line, int32_t number) {
    west_town *town = person->town;
    west_word *word = &town->words[town->word_count++ % WEST_WORDS];
    word->tick = town->tick;
    word->line = (int32_t)line;
    word->number = number;
    person->words = (int32_t)line;
    person->number = number;
    person->spoke = town->tick;
}
