# SPDX-License-Identifier: Apache-2.0
# make coverage CORPORA=FOLDER: the tables of docs/coverage.md (scripts/coverage.py);
# make programs: its whole programs (scripts/programs.py).

CORPORA ?= ../corpora
$(B)/build_cl: $(B)/scripts/build_cl.c.o $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
coverage: all $(B)/build_cl ## translate and build the corpora below CORPORA, print the report
	$(Q)$(helper_env) python3 scripts/coverage.py --quern $(B)/quern --build-cl $(B)/build_cl $(CORPORA)

# The stand-in CUDA runtime that programs.py links: compiled with CUDA's own headers
CUDA_HOME ?= /usr/local/cuda
cudart_obj := $(call obj,$(wildcard scripts/coverage/cudart*.c))
$(cudart_obj): CPPFLAGS += -isystem $(CUDA_HOME)/include
$(B)/libcudart.a: $(cudart_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
programs: all $(B)/libcudart.a ## run the whole programs of the corpora below CORPORA with their kernels translated
	$(Q)$(helper_env) python3 scripts/programs.py --quern $(B)/quern --cudart $(B)/libcudart.a \
	    --libquern $(B)/libquern.a --nvcc $(CUDA_HOME)/bin/nvcc $(CORPORA)

bench-foreign: all ## time the kernels of bench/foreign.list, translated and by NVRTC, on one GPU
	$(Q)$(helper_env) python3 bench/foreign.py --quern $(B)/quern $(CORPORA)

.PHONY: coverage programs bench-foreign
