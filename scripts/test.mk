# SPDX-License-Identifier: Apache-2.0
# The README's two commands, tests, and what keeps the tree clean.

# Each test finds the programs, the sources and private caches through its environment.
test_scripts := $(sort $(wildcard tests/*/check_*.sh))
test_env = QUERN=$(abspath $(B)/quern) $(helper_env) QN_BUILD=$(abspath $(B)) \
    QN_SOURCE=$(CURDIR) QN_CONFIG=$(config) QUERN_CACHE_DIR=$(abspath $(B)/test-cache) \
    POCL_CACHE_DIR=$(abspath $(B)/pocl-cache) CC="$(CC)" MAKEFLAGS= \
    LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0
run_tests = $(Q)rm -rf $(B)/test-cache && $(test_env) $(1) bash scripts/run_tests.sh $(2)

# As many jobs as there are cores, unless the user chose a number.
jobs = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
stories := models/quern-stories-q8_0.gguf
run: ## install what is missing, build, and let the bundled model write a story on what this machine has
	@sh scripts/setup.sh run
	@$(MAKE) --no-print-directory $(jobs) all
	@$(B)/quern run $(stories) -p "Once upon a time"
	@printf '\nOnce more: now every kernel comes from the cache.\n\n'
	@$(B)/quern run $(stories) -p "One day, a little fox"
test: ## install what is missing, build, and run the tests
	@sh scripts/setup.sh test
	@$(MAKE) --no-print-directory $(jobs) check

test_programs: all $(tests)
check: test_programs ## all tests that need no GPU
	$(call run_tests,,$(tests) $(test_scripts))

# The same API and op tests on an NVIDIA GPU: through the CUDA driver, then through NVIDIA's OpenCL.
gpu_tests = $(filter-out $(B)/tests/check_compiler%,$(tests)) tests/kernels/check_selftest.sh
check-gpu: test_programs $(B)/nvidia.icd ## tests and ops on an NVIDIA GPU, by CUDA and by OpenCL
	$(call run_tests,QN_REQUIRE=cuda QUERN_BACKEND=cuda QN_SHAPES=all,$(gpu_tests))
	$(call run_tests,QN_REQUIRE=opencl QUERN_BACKEND=opencl QN_SHAPES=all OCL_ICD_VENDORS=$(abspath $(B)/nvidia.icd),$(gpu_tests))
$(B)/nvidia.icd:
	@mkdir -p $(@D)
	@echo libnvidia-opencl.so.1 >$@
check-long: test_programs ## everything in check, and what takes minutes
	$(call run_tests,QN_LONG=1 TEST_TIMEOUT=3600 QN_SHAPES=all,$(tests) $(test_scripts))
check-fresh: ## both README commands on a minimal Debian 12 (root; debootstrap)
	@bash scripts/fresh.sh

bench: all $(benches) ## run the benchmarks on the preferred device
	$(Q)for b in $(benches); do $(helper_env) $$b || exit 1; done

# Sources as git sees them, so that a file is never forgotten.
format: ## clang-format every C file
	$(Q)git ls-files -co --exclude-standard -- '*.c' '*.h' | xargs -r $$(command -v clang-format-19 || echo clang-format) -i
lint: ## include directions, circles, forbidden calls, names, formatting, shell scripts
	$(Q)bash scripts/lint.sh
docs: all ## pages that are printed from tables
	$(Q)$(B)/quern help environment --markdown >docs/environment.md

.PHONY: run test test_programs check check-gpu check-long check-fresh bench format lint docs
