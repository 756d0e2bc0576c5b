# SPDX-License-Identifier: Apache-2.0
# The compiler's tables: the page printed from builtins.def, and what its text files are part of.

$(B)/scripts/builtins_doc: scripts/builtins_doc.c compiler/builtins.def
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<
docs: docs/builtins.md
docs/builtins.md: $(B)/scripts/builtins_doc
	$(Q)$< >$@
$(call obj,compiler/library.c): compiler/library.cl
