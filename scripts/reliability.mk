# SPDX-License-Identifier: Apache-2.0
# What docs/reliability.md promises, in full length. `make check` runs a small part of each.

reliability_tests = $(filter $(B)/tests/check_reliability% $(B)/tests/check_reports% $(B)/tests/check_remote \
    $(B)/tests/check_cache_threads,$(tests))
check-reliability: test_programs ## the cache under fire: kills, damage, cold starts, full disks
	$(call run_tests,RUN_JOBS=1 QN_LONG=1 TEST_TIMEOUT=7200,$(reliability_tests) tests/rtc/check_reports.sh)

# The library and the tests under the thread sanitizer; the helper, a program of its own, as released.
# QN_LONG=1 in the environment: in full length.
tsan_tests = $(addprefix $(B)-tsan/tests/check_,cache_threads cache_compile many remote totals runtime_queue engine)
check-tsan: $(B)/quern-rtc $(B)/quern-translate ## threads over one cache, many compiles, streams, the engine, watched by the thread sanitizer
	@$(MAKE) --no-print-directory config=tsan B=$(B)-tsan $(tsan_tests)
	$(Q)TSAN_OPTIONS=halt_on_error=1 QN_SOURCE=$(CURDIR) $(helper_env) \
	    QUERN_CACHE_DIR=$(abspath $(B)-tsan/test-cache) POCL_CACHE_DIR=$(abspath build/pocl-cache) \
	    bash scripts/run_tests.sh $(tsan_tests)

# All troubles at once; `make check` runs five seconds of it.
SOAK_SECONDS ?= 3600
SOAK_PROCESSES ?= 64
soak: all $(B)/tests/check_soak ## an hour of 64 processes on one cache, with kills, evictions, forks and a flapping server
	$(call run_tests,SOAK_SECONDS=$(SOAK_SECONDS) SOAK_PROCESSES=$(SOAK_PROCESSES) \
	    TEST_TIMEOUT=$$((2 * $(SOAK_SECONDS) + 900)),$(B)/tests/check_soak)

.PHONY: check-reliability check-tsan soak
