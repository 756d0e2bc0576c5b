# SPDX-License-Identifier: Apache-2.0
# The README's two commands, tests, and what keeps the tree clean.

# Each test finds the programs, the sources and private caches through its environment. PoCL's cache is
# for all configurations: its kernels are the same in each, and half of the time of all tests.
test_scripts := $(sort $(wildcard tests/*/check_*.sh))
test_env = QUERN=$(abspath $(B)/quern) $(helper_env) QN_BUILD=$(abspath $(B)) \
    QN_SOURCE=$(CURDIR) QN_CONFIG=$(config) QUERN_CONFIG=none QUERN_CACHE_DIR=$(abspath $(B)/test-cache) \
    POCL_CACHE_DIR=$(abspath build/pocl-cache) TEST_TIMES=$(abspath $(B)/test-times) CC="$(CC)" MAKEFLAGS= \
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

api_tests := $(addprefix $(B)/tests/check_,runtime runtime_arguments runtime_queue runtime_fault assert \
    cooperative print features recursion wide_integers device_functions masked_index std)

# The tests that T names: check_rtc_key, rtc_key, and of a name that two have both.
named = $(foreach t,$(T),$(or $(strip $(filter $(B)/tests/check_$(t:check_%=%),$(tests)) \
    $(filter %/check_$(t:check_%=%).sh,$(test_scripts))),$(error no test is called $(t))))
test_programs: all $(tests)
ifdef T
check: all $(filter-out %.sh,$(named)) $(if $(filter %_races.sh,$(named)),$(B)/tests/check_compiler_run) \
    $(if $(filter %_threads.sh,$(named)),$(B)/tests/check_ops) \
    $(if $(filter %_processor.sh,$(named)),$(api_tests))
	$(call run_tests,,$(named))
else
check: test_programs ## all tests that need no GPU; T="rtc_key cli" only these
	$(call run_tests,,$(tests) $(test_scripts))
endif

# No test of these builds a kernel for a device.
quick_tests = $(filter $(foreach t,base options launch_args compiler compiler_builtins compiler_language \
    compiler_quirks compiler_standins bundle cache cache_layers rtc_key rtc_source helper_programs totals shapes target runtime_rules hip_metadata %_types formats ref chat \
    engine_plan engine_sampler model_% tokenizer,$(B)/tests/check_$(t)),$(tests)) \
    $(filter %/check_headers.sh %/check_docs.sh %/check_exports.sh %/check_reports.sh %/check_lint.sh,$(test_scripts))
check-quick: all $(filter-out %.sh,$(quick_tests)) ## under a minute: formats, keys, the cache, golden files, headers
	$(call run_tests,,$(quick_tests))

# Under the address sanitizer these run nothing of ours that the others do not, or look at files that
# are no different there.
beside_sanitizer = $(foreach t,accuracy casts compiler_run device_functions differential ops_compile warp,$(B)/tests/check_$(t)) \
    $(foreach t,docs exports fetch headers kernel_threads lint races reports selftest,%/check_$(t).sh)
check-sanitized: test_programs ## with config=asan: the tests in which a sanitizer finds more
	$(call run_tests,,$(filter-out $(beside_sanitizer),$(tests) $(test_scripts)))

# Hours: before a release. What a machine has no driver or compiler for is skipped, and said.
check-all: test_programs ## all there is, in full length: seeds, sanitizers, fuzzers, other drivers
	$(call run_tests,QN_LONG=1 TEST_TIMEOUT=7200 QN_SHAPES=all,$(tests) $(test_scripts))
	$(Q)$(MAKE) --no-print-directory $(jobs) config=asan test_programs
	$(Q)$(MAKE) --no-print-directory config=asan check
	$(Q)$(MAKE) --no-print-directory QN_LONG=1 check-tsan
	$(Q)$(MAKE) --no-print-directory soak check-faults
	$(Q)$(MAKE) --no-print-directory config=asan FAULTS_SECONDS=900 check-faults
	$(Q)$(MAKE) --no-print-directory STRESS=3000 stress
	$(Q)$(MAKE) --no-print-directory check-quirks check-amd
	$(Q)$(MAKE) --no-print-directory QN_SHAPES=all QN_LONG=1 check-cpu
	$(Q)$(MAKE) --no-print-directory QN_SHAPES=all check-intel
	$(Q)$(MAKE) --no-print-directory $(jobs) fuzzers
	$(Q)$(MAKE) --no-print-directory FUZZ_SECONDS=600 fuzz
	$(Q)if [ -e /dev/nvidiactl ]; then $(MAKE) --no-print-directory check-gpu; else echo 'skip: check-gpu: no NVIDIA GPU'; fi

# The same API and op tests on an NVIDIA GPU: through the CUDA driver, then through NVIDIA's OpenCL.
gpu_tests = $(filter-out $(B)/tests/check_compiler%,$(tests)) tests/kernels/check_selftest.sh
check-gpu: test_programs $(B)/nvidia.icd ## tests and ops on an NVIDIA GPU, by CUDA and by OpenCL
	$(call run_tests,RUN_JOBS=1 QN_REQUIRE=cuda QUERN_BACKEND=cuda QN_SHAPES=all,$(gpu_tests))
	$(call run_tests,RUN_JOBS=1 QN_REQUIRE=opencl QUERN_BACKEND=opencl QN_SHAPES=all OCL_ICD_VENDORS=$(abspath $(B)/nvidia.icd),$(gpu_tests))
$(B)/nvidia.icd:
	@mkdir -p $(@D)
	@echo libnvidia-opencl.so.1 >$@
check-fresh: ## both README commands on a minimal Debian 12 (root; debootstrap)
	@bash scripts/fresh.sh

bench: all $(benches) ## run the benchmarks on the preferred device
	$(Q)for b in $(benches); do $(helper_env) $$b || exit 1; done

# Sources as git sees them, so that a file is never forgotten.
format: ## clang-format every C file
	$(Q)git ls-files -co --exclude-standard -- '*.c' '*.h' | xargs -r $$(command -v clang-format-19 || echo clang-format) -i
lint: ## include directions, circles, forbidden calls, names, formatting, shell scripts
	$(Q)bash scripts/lint.sh
docs: all $(B)/scripts/doctor_doc ## pages that are printed from tables
	$(Q)$(B)/quern help environment --markdown >docs/environment.md
	$(Q)for page in troubleshooting compatibility rocm; do $(B)/scripts/doctor_doc $$page >docs/$$page.md || exit 1; done
$(B)/scripts/doctor_doc: doctor/findings.def doctor/compatibility.def

.PHONY: run test test_programs check check-quick check-sanitized check-all check-gpu check-fresh bench format lint docs
