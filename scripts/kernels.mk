# SPDX-License-Identifier: Apache-2.0
# The kernels alone: against their references on this machine's device, and through every compiler.

check-kernels: all $(B)/tests/check_ref $(B)/tests/check_ops $(B)/tests/check_ops_compile ## every kernel: run on a device, compile for all targets
	$(call run_tests,QN_LONG=1 TEST_TIMEOUT=3600,$(B)/tests/check_ref $(B)/tests/check_ops $(B)/tests/check_ops_compile)

.PHONY: check-kernels

check-kernels-sanitized: all ## every kernel that ships, as C, under clang's address and undefined-behaviour sanitizers
	$(Q)QN_SHAPES=all $(MAKE) --no-print-directory check T=sanitized

.PHONY: check-kernels-sanitized
