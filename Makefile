# The front door: every common task by one word. The builds themselves are CMake's, see CMakePresets.json.
#
# Each target first runs tools/setup, which installs what is missing or says how, and is silent otherwise;
# `make SETUP=no ...` leaves that out.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SOAK ?= 20
SETUP ?= yes
CORES := $(shell nproc 2>/dev/null || echo 2)
# What a folder's package-lock.json asks for is there, once npm has written this.
NPM_DONE = node_modules/.package-lock.json
CTEST_FLAGS = --output-on-failure --no-tests=error --no-label-summary

.DEFAULT_GOAL := all
.PHONY: all program page peers run screenshots test matrix soak bench fuzz docs golden amalgamation format clean distclean install help \
        setup-build setup-test setup-bench
.DELETE_ON_ERROR:
.NOTPARALLEL:

all: program ## build/ploy and the studio's page

help: ## this list
	@sed -n 's/^\([a-z]*\):.* ## /\1|/p' Makefile | awk -F'|' '{printf "make %-14s %s\n", $$1, $$2}'

setup-build:
	@[ $(SETUP) = no ] || tools/setup build
setup-bench:
	@[ $(SETUP) = no ] || tools/setup bench
setup-test:
	@[ $(SETUP) = no ] || tools/setup test

# Packages of Node, fetched again when a lock file is newer than what is there.
%/$(NPM_DONE): %/package-lock.json | setup-build
	cd $* && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

ifneq ($(wildcard studio/package.json),)
page: studio/dist/index.html
STUDIO_SOURCES := $(shell find studio/src -type f) $(wildcard studio/*.mjs studio/*.json) \
	docs/techniques.md $(wildcard docs/guide/*.md)
studio/dist/index.html: studio/$(NPM_DONE) $(STUDIO_SOURCES)
	cd studio && npm run --silent build
	@touch $@
else
page:
endif

peers: $(patsubst %package.json,%$(NPM_DONE),$(wildcard bench/peers/package.json))

# Configured again when the presets change; ninja sees to the rest.
build/%/build.ninja: CMakePresets.json
	@mkdir -p build
	@cmake --preset $* >build/$*.log 2>&1 || { cat build/$*.log; exit 1; }
	@touch $@

program: setup-build page
	@$(MAKE) --no-print-directory build/release/build.ninja
	@cmake --build build/release --target ploy_program

screenshots: all ## the studio's views in both themes at three widths; renews those in docs/images
	node tools/screenshots.mjs build/ploy

run: all ## serve the studio: every lab, live, in the browser
	build/ploy studio

test: setup-test page ## one build with all unit tests, text checks, examples, commands and the browser: before each commit
	@$(MAKE) --no-print-directory build/ci/build.ninja
	@cmake --build build/ci
	@ctest --test-dir build/ci -j $(CORES) -LE matrix $(CTEST_FLAGS) --output-junit times-test.xml

matrix: setup-test page ## every other build and check: compilers, sanitizers, WebAssembly, Windows, packages; CI runs both
	@$(MAKE) --no-print-directory build/ci/build.ninja
	@cmake --build build/ci
	@ctest --test-dir build/ci -j $(CORES) -L matrix $(CTEST_FLAGS) --output-junit times-matrix.xml; \
	status=$$?; node tools/times.mjs build/ci/times-matrix.xml; exit $$status

soak: setup-test page tests/soak/$(NPM_DONE) ## the long tests, ending with a table: SOAK times as many seeds, random scenes in several builds, sanitizers
	@$(MAKE) --no-print-directory build/ci/build.ninja build/clang/build.ninja build/wasm/build.ninja build/asan/build.ninja build/debug/build.ninja build/clang-debug/build.ninja
	@cmake --build build/ci && cmake --build build/clang
	@cmake --build build/wasm --target ploy_golden
	@cmake --build build/debug --target ploy_golden && cmake --build build/clang-debug --target ploy_golden
	@cmake --build build/asan --target ploy_test_games
	node tools/soak.mjs --rounds $(SOAK) --jobs $(CORES) $(ARGS)

bench: setup-bench peers page ## nanoseconds, ours beside a peer's (ARGS="move.seek --json" for some)
	@mkdir -p build
	@cmake --preset release >build/release.log 2>&1 || { cat build/release.log; exit 1; } # finds peers installed since
	@cmake --build build/release --target ploy_program
	build/ploy bench $(ARGS)

fuzz: setup-test ## each fuzz target for FUZZ_SECONDS
	@$(MAKE) --no-print-directory build/fuzz/build.ninja
	@cmake --build build/fuzz
	FUZZ_SECONDS=$(FUZZ_SECONDS) ctest --test-dir build/fuzz -R '^fuzz\.' -j $(CORES) --timeout 86400 --verbose --no-label-summary

docs: setup-test ## build/ploy_api.json for bindings, snippets in the guides, and a check of every link
	node tools/api-json.mjs build/ploy_api.json
	node tools/docs.mjs --update

golden: setup-build ## which golden hashes changed and where (UPDATE=1 rewrites them)
	@$(MAKE) --no-print-directory build/release/build.ninja
	@cmake --build build/release --target ploy_golden
	node tools/golden.mjs $(if $(UPDATE),--update) --workers 1,2,4 -- build/release/golden

amalgamation: setup-build ## the core as build/amalgamation/ploy.c and ploy.h (MODULES="path move" for a part)
	node tools/amalgamate.mjs build/amalgamation $(MODULES)

format: setup-test ## every C file as .clang-format says
	tests/tree/format.sh --fix

install: all ## the library, headers and program, to PREFIX (and DESTDIR)
	@cmake --build build/release --target ploy_installed
	cmake --install build/release --prefix $(PREFIX)

clean: ## remove what was built
	rm -rf build studio/dist

distclean: clean ## and what was fetched
	rm -rf studio/node_modules bench/peers/node_modules tests/soak/node_modules
