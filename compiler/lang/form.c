/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking the forms of builtins.def apart (form.h). */
#include "compiler/lang/form.h"

#include "compiler/lang/library.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char space_key[] = "SPACE", scratch[] = "SCRATCH";

static const char *after_blanks(const char *p)
{
    return p + strspn(p, " ");
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

/* $0 inside a call's parentheses stands alone; next to an operator it may need its own. */
static enum qn__binding least_at(const char *form, const char *at)
{
    const char *before = at, *const after = after_blanks(at + 2);
    while (before > form && before[-1] == ' ')
        before--;
    const bool alone = (before == form || before[-1] == '(' || before[-1] == ',') &&
                       (*after == ')' || *after == ',' || *after == 0);
    if (alone)
        return QN__BINDS_ASSIGN;
    return *after == '.' || *after == '[' ? QN__BINDS_POSTFIX : QN__BINDS_UNARY;
}

/* "name(...)" up to the very end is a postfix expression; other forms bind like ?: to be safe. */
static enum qn__binding binding_of(const char *form)
{
    if (form[0] == '@') /* "@1[...]" */
        return QN__BINDS_POSTFIX;
    if (form[0] == '(' && isalpha((unsigned char)form[1])) { /* a cast */
        const char *const rest =
            form + 1 + strspn(form + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
        return *rest == ')' &&
                       (qn__equal(rest + 1, "$0") || (isalpha((unsigned char)rest[1]) &&
                                                      binding_of(rest + 1) == QN__BINDS_POSTFIX))
                   ? QN__BINDS_UNARY
                   : QN__BINDS_CHOOSE;
    }
    const size_t n = word_length(form);
    if (form[n] == 0)
        return QN__BINDS_POSTFIX;
    int depth = 0;
    for (size_t i = n; n && form[n] == '(' && form[i]; i++) {
        depth += form[i] == '(' ? 1 : form[i] == ')' ? -1 : 0;
        if (depth == 0)
            return form[i + 1] == 0 ? QN__BINDS_POSTFIX : QN__BINDS_CHOOSE;
    }
    return QN__BINDS_CHOOSE;
}

static void find_functions(struct qn__unit *u, struct qn__form *form, const char *text)
{
    for (const char *p = text; (p = strstr(p, "qn_")) != NULL;) {
        const size_t n = word_length(p);
        if (p[n] == '(' && (p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')))
            QN__PUSH(u, form->functions, form->n_functions, form->functions_capacity,
                     qn__text(u, "%.*s", (int)n, p));
        p += n;
    }
}

/* "@1", "@a1", "@n1", "@a" */
static void lanes_at(struct qn__form_part *out, const char *p)
{
    const char *const word = p + 1, *const digit = word + (*word == 'a' || *word == 'n');
    out->kind = QN__FORM_LANES;
    out->n = (size_t)(digit - p);
    out->lanes = digit == word  ? QN__LANES_VALUE
                 : *word == 'n' ? QN__LANES_NEGATION
                                : QN__LANES_TRUTH;
    if (!isdigit((unsigned char)*digit)) {
        out->lanes = QN__LANES_ACTIVE;
        return;
    }
    out->argument = (unsigned)(*digit - '0');
    out->n++;
    out->least = digit[1] == '[' ? QN__BINDS_POSTFIX : QN__BINDS_ASSIGN;
}

/* The part that begins here, and its length. False: more text. */
static bool part_at(struct qn__form_part *out, const char *form, const char *p, unsigned highest)
{
    *out = (struct qn__form_part){.least = QN__BINDS_ASSIGN};
    if (*p == '$' && isdigit((unsigned char)p[1])) {
        out->kind = QN__FORM_ARGUMENT;
        out->argument = (unsigned)(p[1] - '0');
        out->is_format = qn__starts_with(p, "$0, ...");
        out->least = least_at(form, p);
        out->n = 2;
    } else if (*p == '@') {
        lanes_at(out, p);
    } else if (qn__starts_with(p, scratch)) {
        out->kind = QN__FORM_SCRATCH;
        char *end;
        out->bits = (unsigned)strtoul(p + strlen(scratch), &end, 10);
        out->n = (size_t)(end - p);
    } else if (qn__starts_with(p, "ACTIVE")) {
        out->kind = QN__FORM_ACTIVE;
        out->n = 6;
    } else if (qn__starts_with(p, "FAULT")) {
        out->kind = QN__FORM_FAULT;
        out->n = 5;
    } else if (qn__starts_with(p, "HEAP")) {
        out->kind = QN__FORM_HEAP;
        out->n = 4;
    } else if (qn__starts_with(p, "HERE")) {
        out->kind = QN__FORM_HERE;
        out->n = 4;
    } else if (qn__starts_with(p, ", ...")) {
        out->kind = QN__FORM_REST;
        out->argument = highest;
        out->n = 5;
    } else if (qn__starts_with(p, space_key)) {
        out->kind = QN__FORM_SPACE;
        out->n = 5;
    }
    return out->n != 0;
}

static struct qn__form *parsed(struct qn__unit *u, const char *text)
{
    struct qn__form *const form = QN__NEED(u, struct qn__form);
    struct qn__form_part *parts = NULL;
    unsigned next_argument = 0;
    for (const char *p = text; *p;) {
        struct qn__form_part part;
        const bool is_text = !part_at(&part, text, p, next_argument);
        if (is_text) {
            struct qn__form_part *const last = form->n ? &parts[form->n - 1] : NULL;
            part.text = p;
            part.n = 1;
            if (last && last->kind == QN__FORM_TEXT)
                last->n++;
            else
                QN__PUSH(u, parts, form->n, form->capacity, part);
        } else {
            QN__PUSH(u, parts, form->n, form->capacity, part);
        }
        form->reads_all |= part.kind == QN__FORM_LANES;
        if (part.kind == QN__FORM_ARGUMENT && part.argument >= next_argument)
            next_argument = part.argument + 1;
        p += part.n;
    }
    form->parts = parts;
    form->binding = binding_of(text);
    form->branches = strstr(text, " && ") != NULL;
    form->is_argument = qn__equal(text, "$0");
    find_functions(u, form, text);
    return form;
}

const struct qn__form *qn__form_of(struct qn__unit *u, const struct qn__builtin *b)
{
    struct qn__form *form = qn__map_get(&u->forms, b);
    if (!form) {
        form = parsed(u, b->form);
        qn__map_put(u, &u->forms, b, form);
    }
    return form;
}

void qn__form_use(struct qn__unit *u, LLVMValueRef where, const struct qn__form *form,
                  enum qn__space space)
{
    for (uint32_t i = 0; i < form->n_functions; i++) {
        const char *const name = form->functions[i];
        const size_t n = strlen(name) - strlen(space_key);
        qn__library_use(u, where,
                        qn__ends_with(name, space_key)
                            ? qn__text(u, "%.*s%s", (int)n, name, qn__space_word(space))
                            : name);
    }
}
