// The same library from C++.
#include <cstdio>
#include <string>

#include "ploy/ploy.h"

int main() {
    std::printf("%s\n", ploy_version_text());
    return std::string(ploy_version_text()) == PLOY_VERSION_TEXT ? 0 : 1;
}
