# SPDX-License-Identifier: Apache-2.0
# make coverage CORPORA=FOLDER: the tables of docs/coverage.md (scripts/coverage.py).

CORPORA ?= ../corpora
$(B)/build_cl: $(B)/scripts/build_cl.c.o $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
coverage: all $(B)/build_cl ## translate and build the corpora below CORPORA, print the report
	$(Q)QUERN_RTC=$(abspath $(B)/quern-rtc) python3 scripts/coverage.py --quern $(B)/quern --build-cl $(B)/build_cl $(CORPORA)

bench-foreign: all ## time the kernels of bench/foreign.list, translated and by NVRTC, on one GPU
	$(Q)QUERN_RTC=$(abspath $(B)/quern-rtc) python3 bench/foreign.py --quern $(B)/quern $(CORPORA)

.PHONY: coverage bench-foreign
