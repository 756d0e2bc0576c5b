# SPDX-License-Identifier: Apache-2.0
# The differential test: random kernels on a device against their interpretation (tests/generator).

generator_obj := $(call obj,$(sort $(wildcard tests/generator/*.c)))
$(generator_obj): override CFLAGS += -ffp-contract=off # the interpreter rounds after every operation
$(B)/tests/check_differential: $(B)/tests/check_differential.c.o $(generator_obj) $(B)/tools/plain_opencl.c.o $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(JANSSON) $(CHECKLIBS) $(LDLIBS)
