# SPDX-License-Identifier: Apache-2.0
# What the backends' own tests need beside the tree: official headers to compare our small type
# headers with, the toolkit's stub driver, and the AMD emulator. All of it may be missing.

CUDA_HOME ?= $(firstword $(wildcard /usr/local/cuda /opt/cuda))
ROCM_PATH ?= $(firstword $(wildcard /opt/rocm))
cuda_stubs := $(firstword $(wildcard $(CUDA_HOME)/lib64/stubs/libcuda.so $(CUDA_HOME)/lib/stubs/libcuda.so \
                                     $(CUDA_HOME)/targets/*/lib/stubs/libcuda.so))
$(B)/tests/runtime/check_cuda.c.o: CPPFLAGS += $(if $(cuda_stubs),-DQN_CUDA_STUBS='"$(dir $(cuda_stubs))"')
$(B)/tests/runtime/check_cuda_types.c.o: CPPFLAGS += $(patsubst %,-isystem %,$(wildcard $(CUDA_HOME)/include))
$(B)/tests/runtime/check_hip_types.c.o: CPPFLAGS += $(patsubst %,-isystem %,$(wildcard $(ROCM_PATH)/include))

# TINYGRAD: a checkout of github.com/tinygrad/tinygrad; AMD_TOOLS: the emulated libamdhip64. The
# emulator is slow: each op once over its small shapes, not check_ops, and a generous time limit.
amd_tests = $(filter $(foreach t,hip runtime runtime_queue runtime_fault,$(B)/tests/check_$(t)),$(tests)) \
    $(wildcard tests/kernels/check_selftest.sh)
check-amd: test_programs ## HIP tests and ops on an emulated AMD GPU (TINYGRAD, AMD_TOOLS)
	$(Q)RUN_JOBS=1 TEST_TIMEOUT=5400 $(test_env) bash scripts/amd.sh $(B)/amd $(amd_tests)

.PHONY: check-amd
