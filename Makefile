# The front door. Every target does its own set-up on a fresh Debian machine.
#   make demo    build the program and walk through it: a world, a mesh, a route, pictures in demo/; ends with the tour in
#                the browser, if started from a terminal
#   make view    build the program and its page, and start it: worlds to look at and change in the browser
#   make test    build everything, run all tests and short fuzzing (with address and undefined-behaviour sanitizers)
#   make bench   run the benchmarks; CSV in build/bench/
#   make sanitize  the unit tests with all assertions on: unoptimised, and under the address, undefined-behaviour and
#                thread sanitizers
#   make soak    sanitizers over the slow tests too, random worlds for the medial axis and random soups for extraction
#                (WORLDS_SECONDS for each, default 1200), MUTATED_FILES changed files (default 100000),
#                and long fuzzing, without sanitizers and with them (SOAK_SECONDS per fuzz target, default 600)
#   make browser opens the pages of `wend view`, `wend compare` and `wend report` in Chromium, as `make test` does
#   make peers   five scenarios with wend and JuPedSim, measured by PedPy, in one table (installs both in build/peers)
#   make lint    clang-format, which folder includes which, names that are defined twice, and clang-tidy
#   make core    wend-core alone with GCC and clang, with and without oneTBB
#   make docs    write docs/commands.md and docs/commands/ anew from --help
JOBS ?= $(shell nproc)
SOAK_SECONDS ?= 600
WORLDS_SECONDS ?= 1200
FUZZ_SECONDS ?= 10
MUTATED_FILES ?= 100000
# The longest property runs wait for `make soak`.
LONGEST = ClearanceSlow|VolumeWorldsLongest|ContestSlow|GrowthSlow|WorldEditLong|LiveDoorsLong|UpdateAxisLong|UpdateMeshLong|EcmOpenSlow|EcmSlow|NeogenSlow|CorridorBulk|ValidationSlow.Rimea4|ValidationSlow.Rimea8|ValidationSlow.Rimea9|ValidationSlow.Rimea11|ValidationSlow.CrossingStreams|ExamplesSlow|FurnitureSoak|FaultsLongest|PromisesLongest|KillsLongest|viewer.hour
WEND = build/release/apps/wend/wend

.PHONY: all demo view page test sanitize bench soak browser peers lint core format docs release clean
all: release

# Only the program and its page: no test framework needed.
demo: page
	@test -f build/release/build.ninja || cmake --preset release -DWEND_BUILD_TESTS=OFF -DWEND_BUILD_BENCH=OFF
	@cmake --build build/release -j $(JOBS) --target wend_app
	@scripts/demo.sh $(WEND)

page:
	@scripts/setup.sh page
	@scripts/page.sh

# Files to look at: make view FILES="level.glb run.sqlite"
view: page
	@test -f build/release/build.ninja || cmake --preset release -DWEND_BUILD_TESTS=OFF -DWEND_BUILD_BENCH=OFF
	@cmake --build build/release -j $(JOBS) --target wend_app
	@$(WEND) view $(FILES)

release:
	@scripts/setup.sh test
	@scripts/page.sh
	@cmake --preset release -DWEND_BUILD_TESTS=ON -DWEND_BUILD_BENCH=ON
	@cmake --build build/release -j $(JOBS)

test: release
	@scripts/format.sh --check
	@scripts/includes.sh
	ctest --test-dir build/release --output-on-failure -j $(JOBS) -E '$(LONGEST)'
	@scripts/install_test.sh build/release
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

sanitize:
	@scripts/setup.sh test
	@scripts/sanitize.sh debug $(JOBS)
	@scripts/sanitize.sh asan $(JOBS)
	@scripts/sanitize.sh tsan $(JOBS)

bench: release
	@scripts/bench.sh build/release

soak: release
	ctest --test-dir build/release --output-on-failure -j $(JOBS)
	@scripts/soak_worlds.sh $(WORLDS_SECONDS) $(JOBS)
	@scripts/mutate_files.sh $(MUTATED_FILES) build/release
	@scripts/memcheck.sh build/release
	@WEND_SOAK=1 scripts/sanitize.sh asan $(JOBS)
	@WEND_SOAK=1 scripts/sanitize.sh tsan $(JOBS)
	@scripts/fuzz_bulk.sh $(SOAK_SECONDS) 1 $(JOBS)
	@scripts/fuzz.sh $(SOAK_SECONDS) $(JOBS)

browser: release
	@scripts/setup.sh browser
	ctest --test-dir build/release --output-on-failure -R "ComparePage|ReportPage|viewer.browser"

peers:
	@test -f build/release/build.ninja || cmake --preset release -DWEND_BUILD_TESTS=OFF -DWEND_BUILD_BENCH=OFF
	@cmake --build build/release -j $(JOBS) --target wend_app
	@scripts/peers.sh $(WEND) build/peers/runs

lint:
	@scripts/setup.sh test
	@scripts/format.sh --check
	@scripts/includes.sh
	@scripts/one_definition.sh $(JOBS)
	@scripts/tidy.sh $(JOBS)

core:
	@scripts/setup.sh test
	@scripts/core_build.sh $(JOBS)

format:
	@scripts/format.sh

docs: release
	@scripts/commands_doc.sh $(WEND) docs

clean:
	rm -rf build demo
