// fuzzylite's side of `decide.fuzzy`: the same system and inputs as bench/bench_decide_fuzzy.c. The
// argument is the number of evaluations. Lines in: "pass" does them five times and answers
// nanoseconds an evaluation of the fastest; "sum" answers the sum of the outputs.
#include <fl/Headers.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const char *names[] = {"low", "middle", "high"};
    const int cells[9] = {0, 0, 1, 0, 1, 2, 1, 2, 2};
    fl::Engine engine("bench");
    auto *a = new fl::InputVariable("a", 0.0, 10.0), *b = new fl::InputVariable("b", 0.0, 10.0);
    auto *y = new fl::OutputVariable("y", 0.0, 10.0);
    for (int k = 0; k < 3; k++) {
        a->addTerm(new fl::Triangle(names[k], 5.0 * (k - 1), 5.0 * k, 5.0 * (k + 1)));
        b->addTerm(new fl::Triangle(names[k], 5.0 * (k - 1), 5.0 * k, 5.0 * (k + 1)));
        y->addTerm(new fl::Triangle(names[k], 5.0 * (k - 1), 5.0 * k, 5.0 * (k + 1)));
    }
    y->setAggregation(new fl::Maximum);
    y->setDefuzzifier(new fl::Centroid(100));
    engine.addInputVariable(a);
    engine.addInputVariable(b);
    engine.addOutputVariable(y);
    auto *rules = new fl::RuleBlock;
    rules->setConjunction(new fl::Minimum);
    rules->setDisjunction(new fl::Maximum);
    rules->setImplication(new fl::Minimum);
    rules->setActivation(new fl::General);
    for (int i = 0; i < 9; i++) {
        rules->addRule(fl::Rule::parse(std::string("if a is ") + names[i / 3] + " and b is " +
                                           names[i % 3] + " then y is " + names[cells[i]],
                                       &engine));
    }
    engine.addRuleBlock(rules);
    std::cout << "ready fuzzylite " << fl::fuzzylite::version() << std::endl;
    double sum = 0.0;
    std::string word;
    while (std::cin >> word) {
        double answer = sum;
        for (int slice = 0; slice < 5 && word == "pass"; slice++) {
            auto begin = std::chrono::steady_clock::now();
            sum = 0.0;
            for (int i = 0; i < count; i++) {
                a->setValue(static_cast<double>(i * 37 % 1000) / 100.0);
                b->setValue(static_cast<double>(i * 71 % 1000) / 100.0);
                engine.process();
                sum += y->getValue();
            }
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            double now = spent.count() / count;
            answer = slice == 0 || now < answer ? now : answer;
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    return 0;
}
