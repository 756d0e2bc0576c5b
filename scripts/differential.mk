# SPDX-License-Identifier: Apache-2.0
# The differential test: random kernels on a device against their interpretation (tests/compiler/generator).

generator_obj := $(call obj,$(sort $(wildcard tests/compiler/generator/*.c)))
$(generator_obj): override CFLAGS += -ffp-contract=off # the interpreter rounds after every operation
