# SPDX-License-Identifier: Apache-2.0
# A second OpenCL driver for the CPU, Intel's: what PoCL gets right may be wrong there, and what both get
# wrong is ours. What no driver has a part in (no_driver) is `make check`'s alone.
intel_tests = $(foreach t,accuracy casts compiler_run device_functions differential engine quirks runtime runtime_arguments \
    runtime_opencl runtime_queue warp,$(B)/tests/check_$(t)) tests/kernels/check_selftest.sh
intel_env = CK_EXCLUDE_TAGS=no_driver QUERN_CACHE_DIR=$(abspath $(B)/intel-cache) TEST_TIMES=$(abspath $(B)/intel-times) QN_PROGRAMS=$(or $(QN_PROGRAMS),1000)

check-intel: test_programs ## tests and random kernels (QN_PROGRAMS=1000) on Intel's OpenCL for CPUs, from PyPI
	$(Q)rm -rf $(B)/intel-cache && $(test_env) $(intel_env) bash scripts/intel.sh build/intel $(intel_tests)

.PHONY: check-intel
