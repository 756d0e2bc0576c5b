# SPDX-License-Identifier: Apache-2.0
# The translator alone, for its tests; golden files.
translator_obj := $(call obj,$(compiler_src) $(wildcard base/*.c)) $(B)/gen/standin_headers.c.o

# the clang of this LLVM is tried first, and its library is what the translator's program misses
$(call obj,rtc/job/locate.c rtc/client/helper_find.c): CPPFLAGS += -DQN_LLVM_MAJOR='"$(firstword $(subst ., ,$(shell $(LLVM_CONFIG) --version 2>/dev/null)))"'

# what the assembler includes is no dependency the compiler sees
$(B)/compiler/lang/library.c.o: compiler/lang/library.cl compiler/lang/library_c.inc
$(B)/compiler/lang/c.c.o: compiler/lang/quern_c.h

golden: $(B)/tests/check_compiler $(B)/tests/check_compiler_c ## rewrite tests/compiler/{ok,err,c}; review the diff
	$(Q)$(B)/tests/check_compiler --golden
	$(Q)$(B)/tests/check_compiler_c --golden

# The reference of the accuracy test is MPFR, where it is installed.
MPFR := $(if $(wildcard /usr/include/mpfr.h /usr/local/include/mpfr.h),-lmpfr -lgmp)
$(call obj,tests/compiler/check_accuracy.c): CPPFLAGS += $(if $(MPFR),-DQN_HAVE_MPFR)
$(B)/tests/check_accuracy: LDLIBS += $(MPFR)

# docs/builtins.md, docs/passes.md and docs/keys.md are printed from their .def files (tests/compiler/check_docs.sh).
$(B)/scripts/builtins_doc: compiler/model/builtins.def $(wildcard compiler/model/builtins/*.def)
$(B)/scripts/passes_doc: compiler/passes.def base/profiles.def
$(B)/scripts/keys_doc: engine/model_keys.def
$(B)/scripts/%_doc: scripts/%_doc.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<
docs: docs/builtins.md docs/passes.md docs/keys.md
docs/%.md: $(B)/scripts/%_doc
	$(Q)$< >$@

stress: $(B)/tests/check_compiler ## translate random LLVM IR; only a crash fails
	$(Q)tests/compiler/stress.sh $< 1 $(or $(STRESS),300)
