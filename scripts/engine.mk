# SPDX-License-Identifier: Apache-2.0
# The engine: a library of its own, so that libquern stays free of PCRE2 and jansson. The static one
# holds the engine alone and goes in front of libquern.a; the shared one holds both, because they
# share the thread's error message: a program links one of the two shared libraries.

PCRE2 := $(shell $(PKG_CONFIG) --libs libpcre2-8 2>/dev/null || echo -lpcre2-8)
ENGINELIBS := $(PCRE2) $(JANSSON)
engine_src := $(sort $(wildcard engine/*.c))
engine_obj := $(call obj,$(engine_src))

all: $(B)/libquern-engine.a $(B)/libquern-engine.so
$(B)/libquern-engine.a: $(engine_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/libquern-engine.so.$(VERSION): $(engine_obj) $(lib_obj) scripts/libquern.map
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(filter-out -Wl%,$(LDFLAGS)) -shared -Wl,-soname,libquern-engine.so.$(SOVERSION) \
	    -Wl,--version-script=scripts/libquern.map -o $@ $(engine_obj) $(lib_obj) $(ENGINELIBS) $(LDLIBS)
$(B)/libquern-engine.so: $(B)/libquern-engine.so.$(VERSION)
	$(Q)ln -sf libquern-engine.so.$(VERSION) $(B)/libquern-engine.so.$(SOVERSION)
	$(Q)ln -sf libquern-engine.so.$(SOVERSION) $@

# Real models, into a folder outside the tree; each says what it is, its licence, and how to run it.
model-smollm2: ## fetch SmolLM2 135M (chat model, Apache-2.0, 89 MiB)
	@QUERN=$(B)/quern bash scripts/fetch_model.sh smollm2
model-gemma3: ## fetch Gemma 3 270M (base model, Gemma's terms, 227 MiB)
	@QUERN=$(B)/quern bash scripts/fetch_model.sh gemma3

.PHONY: model-smollm2 model-gemma3
