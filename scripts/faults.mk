# SPDX-License-Identifier: Apache-2.0
# Every call that can fail fails once and from then on: the programs are linked a second time, with the
# calls of our own objects wrapped (tests/faults/wrapped_calls.c).

faults := $(addprefix $(B)/faults/,quern quern-rtc quern-translate)
wrapped_calls := $(B)/tests/faults/wrapped_calls.c.o
wraps = $$(nm $(wrapped_calls) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
$(B)/faults/quern: $(tool_obj) $(B)/gen/cudart_headers.c.o $(B)/gen/standin_headers.c.o $(B)/libquern-engine.a $(B)/libquern.a
$(B)/faults/quern: FAULTLIBS = $(ENGINELIBS)
$(B)/faults/quern-rtc: $(rtc_obj)
$(B)/faults/quern-translate: $(translate_obj)
$(B)/faults/quern-translate: FAULTLIBS = $(llvm_libs) $(JANSSON)
$(faults): $(B)/faults/%: $(wrapped_calls)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(wraps) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(FAULTLIBS) $(LDLIBS)
$(B)/faults/fail_calls: $(call obj,tests/faults/fail_calls.c tests/faults/scenarios.c) $(B)/libquern.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CHECKLIBS) $(LDLIBS)

# FAULTS_SECONDS: so long; all of it where that is empty, which takes hours on a busy machine.
check-faults: all $(faults) $(B)/faults/fail_calls ## every call that can fail fails: allocations, files, processes, sockets
	$(call run_tests,FAULTS_SECONDS=$(FAULTS_SECONDS) TEST_TIMEOUT=$(or $(TEST_TIMEOUT),14400),$(B)/faults/fail_calls)

.PHONY: check-faults
