# SPDX-License-Identifier: Apache-2.0
# make install: PREFIX (default /usr/local) is baked into the library as the helpers' place and into
# quern.pc; DESTDIR goes in front of every path, for packages.

LIBDIR ?= $(PREFIX)/lib
to = $(DESTDIR)$(PREFIX)
bash_dir = $(to)/share/bash-completion/completions
zsh_dir = $(to)/share/zsh/site-functions
fish_dir = $(to)/share/fish/vendor_completions.d

# What holds the prefix is made anew when it is another one than the last time.
$(B)/gen/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX) $(LIBDIR)' | cmp -s - $@ || echo '$(PREFIX) $(LIBDIR)' >$@
FORCE:
with_prefix := $(call obj,rtc/client/helper_find.c rtc/cache/bundle_layers.c)
$(with_prefix): $(B)/gen/prefix
$(with_prefix): CPPFLAGS += -DQN_LIBEXECDIR='"$(PREFIX)/libexec/quern"' -DQN_BUNDLEDIR='"$(PREFIX)/share/quern/bundles"'

$(B)/%.pc: %.pc.in Makefile scripts/install.mk $(B)/gen/prefix
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' $< >$@
$(B)/quern.1: $(B)/quern
	$(Q)$(B)/quern help --man >$@
$(B)/quern.bash $(B)/_quern $(B)/quern.fish: $(B)/quern
	$(Q)$(B)/quern completion bash >$(B)/quern.bash
	$(Q)$(B)/quern completion zsh >$(B)/_quern
	$(Q)$(B)/quern completion fish >$(B)/quern.fish

install: all $(B)/quern.pc $(B)/quern-engine.pc $(B)/quern.1 $(B)/quern.bash $(B)/_quern $(B)/quern.fish ## to DESTDIR and PREFIX
	install -d $(to)/bin $(to)/include/quern $(DESTDIR)$(LIBDIR)/pkgconfig $(to)/libexec/quern $(to)/share/man/man1 $(bash_dir) $(zsh_dir) $(fish_dir)
	install -m 755 $(B)/quern $(to)/bin/quern
	install -m 755 $(B)/quern-rtc $(B)/quern-translate $(to)/libexec/quern/
	install -m 644 include/quern/*.h $(to)/include/quern/
	for l in libquern libquern-engine libquern-cudart; do \
	    install -m 644 $(B)/$$l.a $(DESTDIR)$(LIBDIR)/$$l.a && \
	    install -m 755 $(B)/$$l.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$$l.so.$(VERSION) && \
	    ln -sf $$l.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$$l.so.$(SOVERSION) && \
	    ln -sf $$l.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/$$l.so || exit 1; done
	install -m 644 $(B)/quern.pc $(B)/quern-engine.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -d $(to)/libexec/quern/bin # the names under which builds of other people look for a compiler
	ln -sf ../../../bin/quern $(to)/libexec/quern/bin/nvcc
	ln -sf ../../../bin/quern $(to)/libexec/quern/bin/hipcc
	install -m 644 $(B)/quern.1 $(to)/share/man/man1/quern.1
	install -m 644 $(B)/quern.bash $(bash_dir)/quern
	install -m 644 $(B)/_quern $(zsh_dir)/_quern
	install -m 644 $(B)/quern.fish $(fish_dir)/quern.fish
	for l in $(if $(catalogues),$(languages)); do \
	    install -d $(to)/share/locale/$$l/LC_MESSAGES && \
	    install -m 644 $(B)/locale/$$l/LC_MESSAGES/quern.mo $(to)/share/locale/$$l/LC_MESSAGES/quern.mo || exit 1; done
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig || true; fi # lets the loader see the library
uninstall: ## remove what install put there
	rm -f $(to)/bin/quern $(to)/share/man/man1/quern.1 $(bash_dir)/quern $(zsh_dir)/_quern $(fish_dir)/quern.fish
	rm -f $(DESTDIR)$(LIBDIR)/libquern.a $(DESTDIR)$(LIBDIR)/libquern.so* $(DESTDIR)$(LIBDIR)/pkgconfig/quern.pc
	rm -f $(DESTDIR)$(LIBDIR)/libquern-engine.* $(DESTDIR)$(LIBDIR)/libquern-cudart.* $(DESTDIR)$(LIBDIR)/pkgconfig/quern-engine.pc
	rm -f $(languages:%=$(to)/share/locale/%/LC_MESSAGES/quern.mo)
	rm -rf $(to)/include/quern $(to)/libexec/quern

.PHONY: install uninstall FORCE
