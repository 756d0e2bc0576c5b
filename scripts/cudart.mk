# SPDX-License-Identifier: Apache-2.0
# The CUDA runtime behind `quern cc`. The static library holds it alone and goes in front of libquern.a; the
# shared one holds both, as the engine's does.

cudart_src := $(sort $(wildcard cudart/*.c))
cudart_kernels := $(sort $(wildcard cudart/kernels/*.cu))
cudart_obj := $(call obj,$(cudart_src)) $(B)/gen/cudart_kernels.c.o
cudart_headers := $(sort $(shell find cudart/include -type f 2>/dev/null))
$(cudart_obj): CPPFLAGS += -isystem compiler/frontend/include

all: $(B)/libquern-cudart.a $(B)/libquern-cudart.so
$(B)/libquern-cudart.a: $(cudart_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/libquern-cudart.so.$(VERSION): $(cudart_obj) $(lib_obj) scripts/libquern-cudart.map
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(filter-out -Wl%,$(LDFLAGS)) -shared -Wl,-z,now,-soname,libquern-cudart.so.$(SOVERSION) \
	    -Wl,--version-script=scripts/libquern-cudart.map -o $@ $(cudart_obj) $(lib_obj) $(LDLIBS)
$(B)/libquern-cudart.so: $(B)/libquern-cudart.so.$(VERSION)
	$(Q)ln -sf libquern-cudart.so.$(VERSION) $(B)/libquern-cudart.so.$(SOVERSION)
	$(Q)ln -sf libquern-cudart.so.$(SOVERSION) $@

docs: docs/runtime-api.md
docs/runtime-api.md: $(B)/scripts/runtime_api_doc
	$(Q)$< >$@
$(B)/scripts/runtime_api_doc: cudart/calls.def $(wildcard compiler/frontend/include/*.def)

# The kernels of the libraries that host code calls.
$(B)/gen/cudart_kernels.c: $(cudart_kernels) scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh qn__cudart_kernels cudart/kernels $(cudart_kernels) >$@

# The headers that `quern cc` gives clang: the translator's, and those of the host's own.
$(B)/gen/cudart_headers.c: $(cudart_headers) cudart/calls.def scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh qn__cudart_headers cudart/include $(cudart_headers) cudart/calls.def >$@
$(B)/quern: $(B)/gen/cudart_headers.c.o $(B)/gen/standin_headers.c.o
