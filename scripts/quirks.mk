# SPDX-License-Identifier: Apache-2.0
# Which workarounds for OpenCL drivers (compiler/quirks/) do the drivers of this machine still need?
check-quirks: all $(B)/tests/check_quirks ## each workaround on each OpenCL driver here: still needed?
	$(Q)$(test_env) $(B)/tests/check_quirks --report

.PHONY: check-quirks
