# SPDX-License-Identifier: Apache-2.0
# The tests of translated kernels, devices and the engine on cpu:0, whatever else this machine has.

cpu_quick := accuracy assert casts compiler_c cooperative cpu cpu_abi cpu_fault cpu_image device_functions engine \
    engine_fused features instructions masked_index meaning print quirks recursion rtc_cpu runtime runtime_arguments \
    runtime_fault runtime_queue runtime_rules warp wide_integers
cpu_more := cccl compiler_run cub differential dots ops random_numbers rtc_build std tensor_cores texture
cpu_tests = $(patsubst %,$(B)/tests/check_%,$(1))
cpu_env = QUERN_BACKEND=cpu QN_REQUIRE=cpu TEST_TIMES=$(abspath $(B)/cpu-times)

check-cpu: test_programs ## every test that runs kernels, on cpu:0, and all shipped kernels
	$(call run_tests,$(cpu_env),$(call cpu_tests,$(cpu_quick) $(cpu_more)) tests/kernels/check_selftest.sh tests/kernels/check_kernel_threads.sh)
check-cpu-quick: all $(call cpu_tests,$(cpu_quick)) ## half a minute of it on two processors
	$(call run_tests,$(cpu_env),$(call cpu_tests,$(cpu_quick)))

.PHONY: check-cpu check-cpu-quick
