# SPDX-License-Identifier: Apache-2.0
# Messages in other languages: po/quern.pot is drawn from the sources by `make pot`, which also brings
# po/LANGUAGE.po up to date; each of these becomes $(B)/locale/LANGUAGE/LC_MESSAGES/quern.mo, where gettext's
# msgfmt is installed. Without it messages are English.

languages := $(patsubst po/%.po,%,$(sort $(wildcard po/*.po)))
MSGFMT ?= $(shell command -v msgfmt 2>/dev/null)
catalogues := $(if $(MSGFMT),$(languages:%=$(B)/locale/%/LC_MESSAGES/quern.mo))
po_src := $(sort $(wildcard doctor/*.c tools/bench_*.c) tools/cmd_bench.c tools/cmd_doctor.c)
po_def := doctor/findings.def doctor/compatibility.def doctor/variables.def
xgettext := xgettext --language=C --from-code=UTF-8 --no-wrap --add-comments=translators --omit-header \
    --package-name=quern --sort-by-file --no-location --keyword=

all: $(catalogues)
$(B)/locale/%/LC_MESSAGES/quern.mo: po/%.po
	$(call say,MSGFMT,$<)
	@mkdir -p $(@D)
	$(Q)$(MSGFMT) --check-format -o $@ $<

# An argument of a macro at a time: xgettext takes two of one call for singular and plural. An empty text, which
# some rows have, is not a message.
$(B)/gen/quern.pot: $(po_src) $(po_def) scripts/po.mk
	@mkdir -p $(@D)
	$(Q)$(xgettext) --keyword=qn__tr:1 --keyword=QN__TR:1 --keyword=qn__report_add:3 --keyword=add_setting:4 -o $@ $(po_src)
	$(Q)$(xgettext) -j --keyword=QN_FINDING:5 --keyword=QN_FIX:3 --keyword=QN_GFX:4 --keyword=QN_VARIABLE:3 -o $@ $(po_def)
	$(Q)$(xgettext) -j --keyword=QN_FINDING:6 -o $@ doctor/findings.def
	$(Q)printf 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n' | cat - $@ | sed '6{/^msgid ""$$/{N;N;d}}' >$@.new && mv $@.new $@
pot: $(B)/gen/quern.pot ## po/quern.pot from the sources, and po/*.po with what is new in it
	cp $< po/quern.pot
	for l in $(languages); do msgmerge --quiet --no-wrap --no-fuzzy-matching --no-location --update --backup=none po/$$l.po po/quern.pot; done

.PHONY: pot
