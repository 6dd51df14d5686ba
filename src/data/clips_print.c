// CLIPS's output: printing, and telling what is watched.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

void ployi_clips_out(ploy_clips *clips, const char *text) {
    ploy_write_text(&clips->out, text);
}

void ployi_clips_out_i64(ploy_clips *clips, int64_t value, int32_t width, bool left) {
    char text[PLOY_PRINT_I64_SIZE];
    int32_t size = (int32_t)ploy_print_i64(value, text);
    for (int32_t i = size; !left && i < width; i++) ployi_clips_out(clips, " ");
    ployi_clips_out(clips, text);
    for (int32_t i = size; left && i < width; i++) ployi_clips_out(clips, " ");
}

void ployi_clips_print(ploy_clips *clips, const ploy_rule_value *value, ploy_writer *out) {
    if (value->type == PLOY_RULE_STRING) {
        ploy_write_text(out, ployi_clips_get_text(clips, value));
    } else {
        ploy_rules_write_value(clips->rules, value, out);
    }
}

// ---- Watching -----------------------------------------------------------------------------------

void ployi_clips_show_bind(ploy_clips *clips, const ploy_fact *fact, int32_t i) {
    if (i > 0) ployi_clips_out(clips, ",");
    if (fact == NULL) {
        ployi_clips_out(clips, "*");
        return;
    }
    ployi_clips_out(clips, "f-");
    ployi_clips_out_i64(clips, ploy_fact_index(fact), 0, true);
}

void ployi_clips_show_basis(ploy_clips *clips, const ploy_rule_activation *activation) {
    int32_t count = ploy_rules_activation_patterns(activation);
    for (int32_t i = 0; i < count; i++) {
        ployi_clips_show_bind(clips, ploy_rules_activation_fact(activation, i), i);
    }
}

void ployi_clips_show_activation(ploy_clips *clips, const ploy_rule_activation *activation) {
    ployi_clips_out(clips, ploy_rulebase_rule_name(clips->base, activation->rule));
    ployi_clips_out(clips, ": ");
    ployi_clips_show_basis(clips, activation);
    ployi_clips_out(clips, "\n");
}

void ployi_clips_show_fact(ploy_clips *clips, const ploy_fact *fact) {
    ployi_clips_out(clips, "f-");
    ployi_clips_out_i64(clips, ploy_fact_index(fact), 5, true);
    ployi_clips_out(clips, " ");
    ploy_rules_write_fact(clips->rules, fact, &clips->out);
    ployi_clips_out(clips, "\n");
}

const char *ployi_clips_module_name(const ploy_clips *clips, int32_t module) {
    return PLOY_ARRAY_ITEMS(&clips->modules, const char *)[module];
}

void ployi_clips_watch(void *user, ploy_rule_event event, const ploy_fact *fact,
                       const ploy_rule_activation *activation, int32_t module) {
    ploy_clips *clips = user;
    bool on =
        event == PLOY_RULE_ASSERTED || event == PLOY_RULE_ACTIVATED || event == PLOY_RULE_FOCUSED;
    switch (event) {
    case PLOY_RULE_ASSERTED:
    case PLOY_RULE_RETRACTED:
        if ((clips->watch & PLOYI_WATCH_FACTS) == 0) return;
        ployi_clips_out(clips, on ? "==> " : "<== ");
        ployi_clips_show_fact(clips, fact);
        return;
    case PLOY_RULE_ACTIVATED:
    case PLOY_RULE_DEACTIVATED:
        if ((clips->watch & PLOYI_WATCH_ACTIVATIONS) == 0) return;
        ployi_clips_out(clips, on ? "==> Activation " : "<== Activation ");
        ployi_clips_out_i64(clips, activation->salience, 6, true);
        ployi_clips_out(clips, " ");
        ployi_clips_show_activation(clips, activation);
        return;
    case PLOY_RULE_FIRING:
        clips->run_fired++;
        if ((clips->watch & PLOYI_WATCH_RULES) == 0) return;
        ployi_clips_out(clips, "FIRE ");
        ployi_clips_out_i64(clips, clips->run_fired, 4, false);
        ployi_clips_out(clips, " ");
        ployi_clips_show_activation(clips, activation);
        return;
    default:
        if ((clips->watch & PLOYI_WATCH_FOCUS) == 0 || clips->rules == NULL) return;
        int32_t below = ploy_rules_current_focus(clips->rules, on ? 1 : 0);
        ployi_clips_out(clips, on ? "==> Focus " : "<== Focus ");
        ployi_clips_out(clips, ployi_clips_module_name(clips, module));
        if (below >= 0) {
            ployi_clips_out(clips, on ? " from " : " to ");
            ployi_clips_out(clips, ployi_clips_module_name(clips, below));
        }
        ployi_clips_out(clips, "\n");
    }
}

// Sets in the rules which events have a listener.
void ployi_clips_tell_events(ploy_clips *clips) {
    uint32_t events = 1u << PLOY_RULE_FIRING;
    if ((clips->watch & PLOYI_WATCH_FACTS) != 0) {
        events |= 1u << PLOY_RULE_ASSERTED | 1u << PLOY_RULE_RETRACTED;
    }
    if ((clips->watch & PLOYI_WATCH_ACTIVATIONS) != 0) {
        events |= 1u << PLOY_RULE_ACTIVATED | 1u << PLOY_RULE_DEACTIVATED;
    }
    if ((clips->watch & PLOYI_WATCH_FOCUS) != 0) {
        events |= 1u << PLOY_RULE_FOCUSED | 1u << PLOY_RULE_UNFOCUSED;
    }
    ploy_rules_set_events(clips->rules, events);
}

static ploy_rule_value print_watch(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    static const struct {
        const char *name;
        int32_t bit;
    } rows[] = {{"facts", PLOYI_WATCH_FACTS},
                {"rules", PLOYI_WATCH_RULES},
                {"activations", PLOYI_WATCH_ACTIVATIONS},
                {"focus", PLOYI_WATCH_FOCUS},
                {"statistics", PLOYI_WATCH_STATISTICS},
                {"compilations", PLOYI_WATCH_OTHER},
                {"globals", PLOYI_WATCH_OTHER},
                {"deffunctions", PLOYI_WATCH_OTHER},
                {"all", 63}};
    const char *what = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &what)) return ploy_rule_none();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, what) != 0) continue;
        clips->watch =
            x->function->name[0] == 'w' ? clips->watch | rows[i].bit : clips->watch & ~rows[i].bit;
        ployi_clips_tell_events(clips);
        return ploy_rule_none();
    }
    ployi_clips_arg_error(clips, x, 0, "watchable symbol");
    return ploy_rule_none();
}

// ---- Printing -----------------------------------------------------------------------------------

// True if the place is the terminal; nil is nowhere.
static bool print_to_terminal(ploy_clips *clips, const ploy_rule_value *to) {
    static const char *const names[] = {"t",        "stdout",  "werror", "wwarning",
                                        "wdisplay", "wdialog", "wtrace", "wclips"};
    const char *text = to->type == PLOY_RULE_SYMBOL ? ployi_clips_get_text(clips, to) : "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], text) == 0) return true;
    }
    if (strcmp(text, "nil") != 0) {
        ployi_clips_error(clips, "ROUTER1", "The logical name was not recognized by any routers");
    }
    return false;
}

static ploy_rule_value print_printout(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value to = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed || !print_to_terminal(clips, &to)) return ploy_rule_none();
    for (int32_t i = 1; i < x->count; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (clips->failed) break;
        const char *text =
            value.type == PLOY_RULE_SYMBOL ? ployi_clips_get_text(clips, &value) : "";
        if (strcmp(text, "crlf") == 0) {
            ployi_clips_out(clips, "\n");
        } else if (strcmp(text, "tab") == 0) {
            ployi_clips_out(clips, "\t");
        } else if (strcmp(text, "vtab") == 0) {
            ployi_clips_out(clips, "\v");
        } else if (strcmp(text, "ff") == 0) {
            ployi_clips_out(clips, "\f");
        } else {
            ployi_clips_print(clips, &value, &clips->out);
        }
    }
    return ploy_rule_none();
}

// One directive of format with its value, padded.
static void print_format_one(ploy_clips *clips, char kind, bool left, bool zeros, bool plus,
                             int32_t width, int32_t precision, const ploy_rule_value *value,
                             ploy_writer *out) {
    char number[PLOY_RULE_FLOAT_TEXT(100)];
    const char *text = number;
    size_t size = 0;
    double real = value->type == PLOY_RULE_INTEGER ? (double)value->as.integer : value->as.real;
    if (kind == 'd' || kind == 'u') {
        int64_t whole = value->type == PLOY_RULE_INTEGER ? value->as.integer : (int64_t)real;
        size = ploy_print_i64(whole, number);
    } else if (kind == 'x' || kind == 'o') {
        uint64_t bits = (uint64_t)value->as.integer, base = kind == 'x' ? 16 : 8;
        char digits[32];
        size_t count = 0;
        do {
            digits[count++] = "0123456789abcdef"[bits % base];
            bits /= base;
        } while (bits > 0);
        while (count > 0) number[size++] = digits[--count];
    } else if (kind == 's' || kind == 'c') {
        text = ployi_clips_get_text(clips, value);
        size = strlen(text);
        if (kind == 'c' && size > 1) size = 1;
        if (kind == 's' && precision >= 0 && size > (size_t)precision) size = (size_t)precision;
    } else {
        size = ploy_rule_print_float(real, kind, precision < 0 ? 6 : precision, number);
    }
    bool sign = text == number && size > 0 && number[0] == '-';
    if (plus && !sign && text == number) {
        memmove(number + 1, number, size);
        number[0] = '+';
        size++;
        sign = true;
    }
    int32_t pad = width - (int32_t)size;
    if (zeros && !left && text == number && pad > 0) {
        if (sign) ploy_write_char(out, number[0]);
        for (int32_t i = 0; i < pad; i++) ploy_write_char(out, '0');
        ploy_write_bytes(out, number + sign, size - sign);
        return;
    }
    for (int32_t i = 0; i < pad && !left; i++) ploy_write_char(out, ' ');
    if (size > 0) ploy_write_bytes(out, text, size);
    for (int32_t i = 0; i < pad && left; i++) ploy_write_char(out, ' ');
}

static ploy_rule_value print_format(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value to = ployi_clips_arg(clips, frame, x, 0);
    const char *form = NULL;
    if (clips->failed) return to;
    bool print = print_to_terminal(clips, &to);
    if (!ployi_clips_lexeme(clips, frame, x, 1, &form)) return ploy_rule_none();
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer out = ploy_buffer_writer(&text);
    int32_t next = 2;
    for (; *form != '\0' && !clips->failed; form++) {
        if (*form != '%') {
            ploy_write_char(&out, *form);
            continue;
        }
        bool left = false, zeros = false, plus = false;
        int32_t width = 0, precision = -1;
        for (form++; *form == '-' || *form == '0' || *form == '+' || *form == ' '; form++) {
            left = left || *form == '-';
            zeros = zeros || *form == '0';
            plus = plus || *form == '+';
        }
        for (; *form >= '0' && *form <= '9'; form++) {
            if (width < 1000) width = width * 10 + (*form - '0');
        }
        if (*form == '.') {
            precision = 0;
            for (form++; *form >= '0' && *form <= '9'; form++) {
                if (precision < 1000) precision = precision * 10 + (*form - '0');
            }
        }
        if (*form == 'l') form++;
        if (*form == '\0') break;
        if (*form == 'n' || *form == 'r' || *form == 't' || *form == 'v' || *form == '%') {
            static const char from[] = "nrtv%", made[] = "\n\r\t\v%";
            ploy_write_char(&out, made[strchr(from, *form) - from]);
            continue;
        }
        if (strchr("dufegxosc", *form) == NULL || next >= x->count) {
            ployi_clips_error(clips, "IOFUN3", "Invalid format or missing argument in format.");
            break;
        }
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, next++);
        bool number = value.type == PLOY_RULE_INTEGER || value.type == PLOY_RULE_FLOAT;
        bool word = value.type == PLOY_RULE_SYMBOL || value.type == PLOY_RULE_STRING;
        bool wants_word = *form == 's' || *form == 'c';
        if (!clips->failed && (wants_word ? !word : !number)) {
            ployi_clips_arg_error(clips, x, next - 1,
                                  wants_word ? "symbol or string" : "integer or float");
        }
        if (!clips->failed) {
            print_format_one(clips, *form, left, zeros, plus, width, precision, &value, &out);
        }
    }
    ploy_rule_value made = ployi_clips_text(clips, PLOY_RULE_STRING, ploy_buffer_text(&text));
    if (print && !clips->failed) ployi_clips_out(clips, ploy_buffer_text(&text));
    ploy_buffer_fini(&text);
    return made;
}

static ploy_rule_value print_eof(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    return ployi_clips_symbol(clips, "EOF"); // there is no user to ask
}

const ployi_function ployi_clips_prints[] = {
    {"printout", 1, -1, print_printout},
    {"format", 2, -1, print_format},
    {"read", 0, 1, print_eof},
    {"readline", 0, 1, print_eof},
    {"watch", 1, -1, print_watch},
    {"unwatch", 1, -1, print_watch},
    {NULL, 0, 0, NULL},
};
