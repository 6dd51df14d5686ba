// Random fuzzy systems, evaluated by ploy and by libfuzzylite from one FLL text: they must agree.
// usage: fuzzylite_random [ROUNDS [SEED]]
//
// Left out is what the two define differently on purpose: Tsukamoto's inverse of S, Z and concave
// sets and of sigmoids near 0 and 1, and equal degrees where only some rules may fire.
#include <fl/Headers.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ploy/base/rng.h"
#include "ploy/data/fuzzy_file.h"

namespace {

ploy_rng rng;

int pick(int count) {
    return ploy_rng_int(&rng, 0, count - 1);
}
double number(double from, double to) {
    // Three digits, as files have them; both sides read the same text.
    return std::round((from + (to - from) * ploy_rng_double(&rng)) * 1000.0) / 1000.0;
}
std::string text(double x) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, " %.3f", x);
    return buffer;
}

// A set somewhere on [0, 10].
std::string shape() {
    double a = number(-2, 8), b = a + number(0.2, 3), c = b + number(0.2, 3),
           d = c + number(0.2, 3);
    double slope = number(1, 5);
    switch (pick(17)) {
    case 0: return "Triangle" + text(a) + text(b) + text(c);
    case 1: return "Trapezoid" + text(a) + text(b) + text(c) + text(d);
    case 2: return "Rectangle" + text(a) + text(c);
    case 3: return "Ramp" + text(a) + text(c);
    case 4: return "Ramp" + text(c) + text(a);
    case 5: return "Gaussian" + text(b) + text(number(0.3, 3));
    case 6: return "GaussianProduct" + text(a) + text(number(0.3, 2)) + text(c) + text(1.5);
    case 7: return "Bell" + text(b) + text(number(0.3, 3)) + text(number(0.5, 4));
    case 8: return "Sigmoid" + text(b) + text(pick(2) == 0 ? slope : -slope);
    case 9: return "SigmoidDifference" + text(a) + text(slope) + text(slope + 1) + text(c);
    case 10: return "SigmoidProduct" + text(a) + text(slope) + text(-slope) + text(c);
    case 11: return "PiShape" + text(a) + text(b) + text(c) + text(d);
    case 12: return pick(2) == 0 ? "SShape" + text(a) + text(c) : "ZShape" + text(a) + text(c);
    case 13: return "Cosine" + text(b) + text(number(1, 6));
    case 14: return "Spike" + text(b) + text(number(1, 6));
    case 15: return "Concave" + text(a) + text(c);
    default: return "Discrete" + text(a) + text(0.1) + text(b) + text(1) + text(c) + text(0.4);
    }
}

const char *const t_norms[] = {"Minimum",         "AlgebraicProduct", "BoundedDifference",
                               "DrasticProduct",  "EinsteinProduct",  "HamacherProduct",
                               "NilpotentMinimum"};
const char *const s_norms[] = {"Maximum",          "AlgebraicSum",  "BoundedSum",
                               "DrasticSum",       "EinsteinSum",   "HamacherSum",
                               "NilpotentMaximum", "NormalizedSum", "UnboundedSum"};
const char *const areas[] = {"Centroid", "Bisector", "SmallestOfMaximum", "LargestOfMaximum",
                             "MeanOfMaximum"};
const char *const hedges[] = {"", "", "", "not ", "very ", "somewhat ", "extremely ", "seldom "};
const char *const activations[] = {"General",         "General",      "First 2 0.2",
                                   "Last 2 0.1",      "Proportional", "Threshold > 0.300",
                                   "Threshold < 0.7", "Highest 2",    "Lowest 2"};

struct system_text {
    std::string fll;
    bool chosen = false; // rules are, by their degrees
};

std::string proposition(int inputs) {
    std::string variable(1, static_cast<char>('a' + pick(inputs)));
    return variable + " is " + hedges[pick(8)] + "t" + std::to_string(pick(3));
}

system_text make_system() {
    system_text made;
    int inputs = 1 + pick(3), kind = pick(4); // by area, twice as often; Sugeno; Tsukamoto
    std::string &fll = made.fll;
    fll = "Engine: random\n";
    for (int i = 0; i < inputs; i++) {
        fll += std::string("InputVariable: ") + static_cast<char>('a' + i) + "\n";
        fll += "  enabled: true\n  range: 0 10\n  lock-range: " +
               std::string(pick(2) == 0 ? "true" : "false") + "\n";
        for (int k = 0; k < 3; k++) fll += "  term: t" + std::to_string(k) + " " + shape() + "\n";
    }
    bool area = kind < 2;
    int which = pick(5);
    fll += "OutputVariable: y\n  enabled: true\n  range: 0 10\n  lock-range: false\n";
    fll += std::string("  aggregation: ") + (area ? s_norms[pick(9)] : "none") + "\n";
    fll += std::string("  defuzzifier: ");
    if (area) {
        fll += areas[which] + std::string(" ") + std::to_string(20 + pick(200));
    } else {
        fll += std::string(pick(2) == 0 ? "WeightedAverage" : "WeightedSum") +
               (kind == 2 ? " TakagiSugeno" : " Tsukamoto");
    }
    fll += "\n  default: 3.5\n  lock-previous: false\n";
    for (int k = 0; k < 3; k++) {
        fll += "  term: t" + std::to_string(k) + " ";
        if (area) {
            fll += shape();
        } else if (kind == 3) {
            fll += "Ramp" + text(number(0, 4)) + text(number(5, 10));
        } else if (k == 0) {
            fll += "Constant" + text(number(0, 10));
        } else if (k == 1) {
            fll += "Linear";
            for (int i = 0; i <= inputs; i++) fll += text(number(-2, 2));
        } else {
            fll += "Function sin(a)+a^2/(1.5+abs(a))*2-min(a,3)";
        }
        fll += "\n";
    }
    fll += "RuleBlock: r\n  enabled: true\n";
    fll += std::string("  conjunction: ") + t_norms[pick(7)] + "\n";
    fll += std::string("  disjunction: ") + s_norms[pick(8)] + "\n";
    fll += std::string("  implication: ") + (area ? t_norms[pick(2)] : "none") + "\n";
    int activation = pick(9);
    made.chosen = activation >= 7;
    fll += std::string("  activation: ") + activations[activation] + "\n";
    for (int r = 0; r < 5; r++) {
        fll += "  rule: if " + proposition(inputs);
        for (int k = pick(3); k > 0; k--) {
            fll += (pick(2) == 0 ? " and " : " or ") + proposition(inputs);
        }
        fll += " then y is " + std::string(hedges[pick(8)]) + "t" + std::to_string(pick(3));
        if (pick(3) == 0) {
            fll += " and y is " + std::string(hedges[pick(8)]) + "t" + std::to_string(pick(3));
        }
        if (pick(3) == 0) fll += " with" + text(number(0.1, 1));
        fll += "\n";
    }
    return made;
}

// True if two rules that could fire are equally high: then it is open which of them is chosen.
bool has_ties(const ploy_fuzzy *fuzzy) {
    for (int32_t i = 0; i < 5; i++) {
        for (int32_t k = 0; k < i; k++) {
            double a = ploy_fuzzy_rule_degree(fuzzy, 0, i), b = ploy_fuzzy_rule_degree(fuzzy, 0, k);
            if (a > 0.0 && std::fabs(a - b) < 1e-6) return true;
        }
    }
    return false;
}

// Where a sum rounds to a hair beyond 1 fuzzylite's hedges take the root of what is below 0, and a
// conclusion without a degree becomes a number again in some norms.
bool has_roots(const fl::Engine *engine) {
    for (const fl::Activated &term : engine->getOutputVariable("y")->fuzzyOutput()->terms()) {
        if (std::isnan(term.getDegree())) return true;
    }
    return false;
}

bool agree(double ours, double theirs) {
    if (std::isnan(ours) || std::isnan(theirs)) return std::isnan(ours) && std::isnan(theirs);
    return std::fabs(ours - theirs) <= 1e-6 * std::fmax(1.0, std::fabs(theirs));
}

} // namespace

int main(int argc, char **argv) {
    int rounds = argc > 1 ? std::atoi(argv[1]) : 300, compared = 0, differ = 0;
    uint64_t seed = argc > 2 ? static_cast<uint64_t>(std::atoll(argv[2])) : 1;
    ploy_env env = ploy_env_default();
    for (int round = 0; round < rounds; round++) {
        rng = ploy_rng_make(seed + static_cast<uint64_t>(round));
        system_text made = make_system();
        ploy_fuzzy_type *type = nullptr;
        ploy_fuzzy *fuzzy = nullptr;
        if (ploy_fll_load(made.fll.data(), made.fll.size(), "random", &env, nullptr, &type) !=
                PLOY_OK ||
            ploy_fuzzy_create(type, &env, &fuzzy) != PLOY_OK) {
            std::printf("ploy does not load seed %d:\n%s\n", round, made.fll.c_str());
            return 1;
        }
        fl::Engine *engine = fl::FllImporter().fromString(made.fll);
        for (int i = 0; i < 20; i++) {
            for (std::size_t k = 0; k < engine->inputVariables().size(); k++) {
                double x = -1 + 12 * ploy_rng_double(&rng);
                engine->getInputVariable(k)->setValue(x);
                ploy_fuzzy_set_input(fuzzy, static_cast<int32_t>(k), x);
            }
            engine->process();
            ploy_fuzzy_step(fuzzy, nullptr);
            double ours = ploy_fuzzy_output(fuzzy, 0);
            double theirs = engine->getOutputVariable("y")->getValue();
            if (made.chosen && has_ties(fuzzy)) continue;
            if (has_roots(engine)) continue;
            compared++;
            if (agree(ours, theirs)) continue;
            if (differ++ < 3) {
                std::printf("seed %llu, step %d: %.12g, fuzzylite %.12g\n%s\n",
                            static_cast<unsigned long long>(seed) + round, i, ours, theirs,
                            made.fll.c_str());
            }
        }
        delete engine;
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
    }
    std::printf("%d evaluations compared, %d differ\n", compared, differ);
    return compared > 0 && differ == 0 ? 0 : 1;
}
