# SPDX-License-Identifier: Apache-2.0
# Fuzzers, by clang's libFuzzer under the address and undefined-behaviour sanitizers.

FUZZ_SECONDS ?= 60
fuzzers := $(patsubst %.c,$(B)/tests/%,$(notdir $(fuzz_src)))
$(fuzzers): LDFLAGS += -fsanitize=fuzzer
$(fuzzers) $(B)/tests/seeds: CHECKLIBS :=# few libraries, so that they run elsewhere
ifeq ($(config),fuzz)
fuzzers: $(fuzzers) $(B)/tests/seeds ## build the fuzzers; scripts/fuzz.sh runs them, also elsewhere
fuzz: fuzzers ## run each fuzzer for FUZZ_SECONDS, as many at once as there are processors
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) bash scripts/fuzz.sh $(B)/tests
else
fuzzers fuzz:
	@$(MAKE) --no-print-directory config=fuzz $@
endif

.PHONY: fuzz fuzzers
