# SPDX-License-Identifier: Apache-2.0
# The translator alone, for its tests; golden files.
translator_obj := $(call obj,$(wildcard compiler/*.c base/*.c)) $(B)/gen/standin_headers.c.o

# what the assembler includes is no dependency the compiler sees
$(B)/compiler/library.c.o: compiler/library.cl

$(B)/tests/check_compiler: $(B)/tests/check_compiler.c.o $(translator_obj)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(llvm_libs) $(JANSSON) $(CHECKLIBS) $(LDLIBS)

golden: $(B)/tests/check_compiler ## rewrite tests/compiler/{ok,err}; review the diff
	$(Q)$(B)/tests/check_compiler --golden
