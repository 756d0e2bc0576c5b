# SPDX-License-Identifier: Apache-2.0
# Linking tests and fuzzers: tests/FOLDER/check_x.c is the program $(B)/tests/check_x. A program links
# the library, those of tests/engine/ the engine as well, and those named check_compiler* the
# translator with LLVM.

compiler_obj := $(filter-out $(B)/rtc/helper/quern_translate.c.o,$(translate_obj))
compiler_tests := $(filter $(B)/tests/check_compiler%,$(tests))
engine_tests := $(filter $(patsubst %.c,$(B)/tests/%,$(notdir $(filter tests/engine/%,$(test_src) $(fuzz_src)))),$(tests) $(fuzzers)) \
    $(B)/tests/seeds
library_tests := $(filter-out $(compiler_tests) $(engine_tests),$(tests) $(fuzzers))

# the object of program NAME, whatever its folder
test_obj = $(call obj,$(filter %/$(1).c,$(test_src) $(fuzz_src) tests/seeds.c))
.SECONDEXPANSION:
$(compiler_tests): $(B)/tests/%: $$(call test_obj,$$*)
$(engine_tests): $(B)/tests/%: $$(call test_obj,$$*) $(B)/libquern-engine.a $(B)/libquern.a
$(library_tests): $(B)/tests/%: $$(call test_obj,$$*) $(B)/libquern.a
$(engine_tests): TESTLIBS = $(ENGINELIBS)
$(library_tests): TESTLIBS = $(JANSSON)
$(compiler_tests): TESTLIBS = $(llvm_libs) $(JANSSON)

# more than that
$(filter-out $(B)/tests/check_compiler $(B)/tests/check_compiler_run,$(compiler_tests)): $(compiler_obj)
$(B)/tests/check_compiler: $(translator_obj)
$(B)/tests/check_compiler_run: $(translator_obj) $(B)/libquern.a# which has the OpenCL driver's table, to run them
$(B)/tests/check_compiler_language: $(call obj,$(wildcard kernels/ref/*.c))
$(B)/tests/check_differential: $(generator_obj) $(B)/tools/plain_opencl.c.o
$(B)/tests/check_launch_args: $(B)/tools/launch_args.c.o $(B)/tools/number.c.o
$(B)/tests/check_terminal: $(B)/tools/terminal.c.o
$(B)/tests/check_tune_space: $(B)/tools/tune_space.c.o $(B)/tools/tune_search.c.o
$(B)/tests/fuzz_tune: $(B)/tools/tune_space.c.o
$(B)/tests/fuzz_manifest: $(B)/tools/manifest.c.o
$(B)/tests/fuzz_logits_file $(B)/tests/seeds: $(B)/tools/logits_file.c.o
$(B)/tests/check_device_half $(B)/tests/fuzz_device_half: $(call obj,$(addprefix rtc/helper/,device_half.c device_headers.c device_items.c gnu_forms.c))
$(B)/tests/fuzz_source: $(B)/rtc/helper/diagnostics.c.o
$(B)/tests/fuzz_loaded_image: $(B)/cudart/loaded_image.c.o
$(B)/tests/cc/fuzz_loaded_image.c.o: CPPFLAGS += -isystem compiler/frontend/include

# archives after all objects, in the order they are named
$(tests) $(fuzzers) $(B)/tests/seeds:
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(TESTLIBS) $(CHECKLIBS) $(LDLIBS)
