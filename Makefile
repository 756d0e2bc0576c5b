# Quern. `make help` lists the targets; config=debug|release|asan|ubsan|tsan|cov|fuzz picks flags and
# build/$(config). Objects keep their whole source name: build/debug/base/arena.c.o

VERSION := 0.1.0
SOVERSION := 0
config ?= release
B := build/$(config)
PREFIX ?= /usr/local
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(2))

# LLVM for the translator, the one best tried first (tried: 18, 19, 20; 22 lacks calls it needs).
# LLVM_CONFIG= names one.
LLVM_CONFIG ?= $(firstword $(foreach v,19 20 18,$(shell command -v llvm-config-$(v) 2>/dev/null)) \
                 $(shell command -v llvm-config 2>/dev/null))
PKG_CONFIG ?= pkg-config

flags_debug := -O0 -g3
flags_release := -O2 -g -DNDEBUG
flags_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
flags_ubsan := -O1 -g -fsanitize=undefined -fno-sanitize-recover=undefined
flags_tsan := -O1 -g -fsanitize=thread
flags_cov := -O0 -g --coverage
flags_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -DQN_FUZZING
ifeq ($(config),fuzz)
CC := $(firstword $(foreach v,19 20 14,$(shell command -v clang-$(v) 2>/dev/null)) clang)
endif
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wvla
CFLAGS ?= $(flags_$(config))
CPPFLAGS += -I. -Iinclude -D_POSIX_C_SOURCE=200809L -DQN_VERSION='"$(VERSION)"'
override CFLAGS += -std=c11 -fPIC -fvisibility=hidden $(warnings) $(if $(WERROR),-Werror)
LDFLAGS += $(filter -fsanitize=% --coverage,$(CFLAGS)) -Wl,-z,defs,-z,now
LDLIBS := $(shell $(PKG_CONFIG) --libs libsodium libxxhash libzstd 2>/dev/null || echo -lsodium -lxxhash -lzstd) -lpthread -ldl -lm
JANSSON := $(shell $(PKG_CONFIG) --libs jansson 2>/dev/null || echo -ljansson)
CHECKLIBS := $(shell $(PKG_CONFIG) --libs check 2>/dev/null || echo -lcheck) -lm

# What is built from what
lib_src := $(sort $(wildcard base/*.c runtime/*.c runtime/*/*.c kernels/*.c kernels/ref/*.c) $(filter-out rtc/helper/%,$(wildcard rtc/*.c rtc/*/*.c)))
compiler_src := $(sort $(wildcard compiler/*.c compiler/*/*.c compiler/*/*/*.c))
# the two helper programs: all compilers but one, without LLVM, and drivers on trial; the translator, with it
helper_src := $(sort $(wildcard base/*.c rtc/job/*.c)) $(addprefix rtc/helper/,serve.c diagnostics.c loaded_files.c real_program.c run_program.c)
rtc_src := $(helper_src) $(sort $(wildcard runtime/*.c runtime/*/*.c)) $(addprefix rtc/helper/,quern_rtc.c try_driver.c file_view.c job_nvrtc.c job_hiprtc.c job_clang.c name_variables.c rtc_program.c device_half.c device_headers.c device_items.c gnu_forms.c)
translate_src := $(helper_src) $(addprefix rtc/helper/,quern_translate.c job_translator.c job_cpu.c cpu_compile.c) $(compiler_src)
helper_env = QUERN_RTC=$(abspath $(B)/quern-rtc) QUERN_TRANSLATE=$(abspath $(B)/quern-translate)
tool_src := $(sort $(wildcard tools/*.c doctor/*.c))
test_src := $(sort $(wildcard tests/*/check_*.c))
bench_src := $(sort $(wildcard bench/*.c))
fuzz_src := $(sort $(wildcard tests/*/fuzz_*.c))
kernel_files := $(sort $(wildcard kernels/*.cu kernels/*.cuh))
standin_files := $(sort $(shell find compiler/frontend/include -type f 2>/dev/null))
obj = $(patsubst %,$(B)/%.o,$(1))

lib_obj := $(call obj,$(lib_src)) $(B)/gen/kernel_sources.c.o
rtc_obj := $(call obj,$(rtc_src)) $(B)/gen/hip_prelude.c.o
translate_obj := $(call obj,$(translate_src)) $(B)/gen/standin_headers.c.o
tool_obj := $(call obj,$(tool_src))
tests := $(patsubst %.c,$(B)/tests/%,$(notdir $(test_src)))
benches := $(patsubst bench/%.c,$(B)/bench/%,$(bench_src))

all: $(B)/libquern.a $(B)/libquern.so $(B)/quern $(B)/quern-rtc $(B)/quern-translate ## library, program, helpers

$(B)/%.c.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/gen/%.c.o: $(B)/gen/%.c
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/gen/kernel_sources.c: $(kernel_files) scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh qn__kernel_sources kernels $(kernel_files) >$@
$(B)/gen/standin_headers.c: $(standin_files) scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh qn__standin_headers compiler/frontend/include $(standin_files) >$@
$(B)/gen/hip_prelude.c: rtc/helper/hip_prelude.h scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh qn__hip_prelude rtc/helper rtc/helper/hip_prelude.h >$@

# LLVM is the compiler's alone, and of its program and tests
$(call obj,$(compiler_src) $(wildcard tests/compiler/check_compiler*.c)): CPPFLAGS += $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep '^-I' | sed 's/^-I/-isystem /')
llvm_libs = $(shell $(LLVM_CONFIG) --link-shared --ldflags --libs 2>/dev/null || $(LLVM_CONFIG) --ldflags --libs --system-libs)

$(B)/libquern.a: $(lib_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/libquern.so.$(VERSION): $(lib_obj) scripts/libquern.map
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(filter-out -Wl%,$(LDFLAGS)) -shared -Wl,-z,now,-soname,libquern.so.$(SOVERSION) \
	    -Wl,--version-script=scripts/libquern.map -o $@ $(lib_obj) $(LDLIBS)
$(B)/libquern.so: $(B)/libquern.so.$(VERSION)
	$(Q)ln -sf libquern.so.$(VERSION) $(B)/libquern.so.$(SOVERSION)
	$(Q)ln -sf libquern.so.$(SOVERSION) $@
$(B)/quern: $(tool_obj) $(B)/libquern-engine.a $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(ENGINELIBS) $(LDLIBS)
$(B)/quern-rtc: $(rtc_obj)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)
$(B)/quern-translate: $(translate_obj)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(llvm_libs) $(JANSSON) $(LDLIBS)

# Tests: tests/FOLDER/check_x.c is the program $(B)/tests/check_x (scripts/test_programs.mk)
$(B)/bench/%: $(B)/bench/%.c.o $(B)/libquern-engine.a $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(ENGINELIBS) $(JANSSON) $(LDLIBS)

include $(wildcard scripts/*.mk)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1|\2/p' Makefile scripts/*.mk | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'
clean: ## remove build/$(config)
	rm -rf $(B)

.PHONY: all help clean
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
