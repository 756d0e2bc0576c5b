# SPDX-License-Identifier: Apache-2.0
# make coverage CORPORA=FOLDER: the tables of docs/coverage.md (scripts/coverage.py);
# make programs: its whole programs (scripts/programs.py).

CORPORA ?= ../corpora
$(B)/build_cl: $(B)/scripts/build_cl.c.o $(B)/libquern.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
coverage: all $(B)/build_cl ## translate and build the corpora below CORPORA, print the report
	$(Q)$(helper_env) python3 scripts/coverage.py --quern $(B)/quern --build-cl $(B)/build_cl $(CORPORA)

# Launches that do nothing, put in front of the runtime library: a check that passes then checks nothing.
$(B)/no_launches.so: scripts/coverage/no_launches.c
	$(call say,LD,$@)
	$(Q)$(CC) -std=c11 -O1 -fPIC -shared -o $@ $<
programs: all $(B)/no_launches.so ## build the whole programs of the corpora below CORPORA by quern cc, and run them
	$(Q)$(helper_env) python3 scripts/programs.py --quern $(B)/quern --no-launches $(B)/no_launches.so $(CORPORA)

bench-foreign: all ## time the kernels of bench/foreign.list, translated and by NVRTC, on one GPU
	$(Q)$(helper_env) python3 bench/foreign.py --quern $(B)/quern $(CORPORA)

.PHONY: coverage programs bench-foreign
