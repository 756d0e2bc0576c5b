/* SPDX-License-Identifier: Apache-2.0
 *
 * Methods of strings in chat templates. Parts of a string keep their marks of what is foreign. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <string.h>

#define METHOD(name)                                                                               \
    static qn_status name(struct qn__value *out, struct qn__template_run *run,                     \
                          const struct qn__value *self, const struct qn__arguments *args)

static struct qn__value text_value(struct qn__template_text t)
{
    return (struct qn__value){.kind = QN__VALUE_TEXT, .as.text = t};
}

static struct qn__template_text from(struct qn__template_text t, size_t start)
{
    return qn__text_part(t, start, t.n - start);
}

/* -- ends -- */

static qn_status strip(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__value *self, const struct qn__arguments *args,
                       enum qn__text_side side)
{
    struct qn__template_text set = {0};
    const bool has_set = args->n > 0 && args->values[0].kind != QN__VALUE_NONE;
    if (has_set)
        QN_TRY(qn__argument_text(&set, run, args, 0, "chars"));
    QN_TRY(qn__template_step(run, self->as.text.n / 64 * (1 + (has_set ? set.n : 0) / 16)));
    *out = text_value(qn__text_strip(self->as.text, has_set ? &set : NULL, side));
    return QN_OK;
}

METHOD(strip_both)
{
    return strip(out, run, self, args, QN__BOTH);
}
METHOD(strip_left)
{
    return strip(out, run, self, args, QN__LEFT);
}
METHOD(strip_right)
{
    return strip(out, run, self, args, QN__RIGHT);
}

static bool has_end(struct qn__template_text t, struct qn__template_text end, bool front)
{
    return end.n <= t.n &&
           (end.n == 0 || !memcmp(front ? t.bytes : t.bytes + t.n - end.n, end.bytes, end.n));
}

static qn_status is_end(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *self, const struct qn__arguments *args, bool front)
{
    const struct qn__value *v = qn__argument(args, 0, "prefix");
    struct qn__template_text end;
    *out = QN__BOOL(false);
    if (!v || v->kind != QN__VALUE_LIST) {
        QN_TRY(qn__argument_text(&end, run, args, 0, "prefix"));
        *out = QN__BOOL(has_end(self->as.text, end, front));
        return QN_OK;
    }
    for (size_t i = 0; i < v->as.list->n; i++)
        if (v->as.list->items[i].kind == QN__VALUE_TEXT &&
            has_end(self->as.text, v->as.list->items[i].as.text, front))
            *out = QN__BOOL(true);
    return QN_OK;
}

METHOD(starts_with)
{
    return is_end(out, run, self, args, true);
}
METHOD(ends_with)
{
    return is_end(out, run, self, args, false);
}

METHOD(remove_prefix)
{
    struct qn__template_text end;
    QN_TRY(qn__argument_text(&end, run, args, 0, "prefix"));
    const bool has = has_end(self->as.text, end, true);
    *out = text_value(from(self->as.text, has ? end.n : 0));
    return QN_OK;
}

METHOD(remove_suffix)
{
    struct qn__template_text end, t = self->as.text;
    QN_TRY(qn__argument_text(&end, run, args, 0, "suffix"));
    t.n -= has_end(t, end, false) ? end.n : 0;
    *out = text_value(t);
    return QN_OK;
}

/* -- splitting -- */

static qn_status add_piece(struct qn__template_run *run, struct qn__value_list *l,
                           struct qn__template_text t)
{
    QN_TRY(qn__template_step(run, 1));
    return qn__list_add(run, l, text_value(t));
}

static qn_status split_at_space(struct qn__template_run *run, struct qn__value_list *l,
                                struct qn__template_text t, int64_t most)
{
    for (t = qn__text_strip(t, NULL, QN__LEFT); t.n; most--) {
        size_t end = 0;
        while (end < t.n && !qn__is_space(qn__text_code_point(t, end)))
            end += qn__text_character_bytes(t, end);
        if (most == 0) /* the rest, less the white space at its end */
            return add_piece(run, l, qn__text_strip(t, NULL, QN__RIGHT));
        QN_TRY(add_piece(run, l, qn__text_part(t, 0, end)));
        t = qn__text_strip(from(t, end), NULL, QN__LEFT);
    }
    return QN_OK;
}

static qn_status split_at(struct qn__template_run *run, struct qn__value_list *l,
                          struct qn__template_text t, struct qn__template_text at, int64_t most)
{
    for (size_t found; most != 0 && (found = qn__text_find(t, at, 0)) != SIZE_MAX; most--) {
        QN_TRY(add_piece(run, l, qn__text_part(t, 0, found)));
        t = from(t, found + at.n);
    }
    return add_piece(run, l, t);
}

/* What looking for `what` from the end on may cost. */
static qn_status pay_for_last(struct qn__template_run *run, struct qn__template_text t,
                              struct qn__template_text what)
{
    return qn__template_step(run, t.n / 64 * (1 + what.n / 16));
}

/* From the end on, so the pieces come in the wrong order. */
static qn_status split_from_right(struct qn__template_run *run, struct qn__value_list *l,
                                  struct qn__template_text t, struct qn__template_text at,
                                  int64_t most)
{
    QN_TRY(pay_for_last(run, t, at));
    for (size_t found; most != 0 && (found = qn__text_find_last(t, at)) != SIZE_MAX; most--) {
        QN_TRY(add_piece(run, l, from(t, found + at.n)));
        t.n = found;
    }
    QN_TRY(add_piece(run, l, t));
    for (size_t i = 0; i < l->n / 2; i++) {
        const struct qn__value swap = l->items[i];
        l->items[i] = l->items[l->n - 1 - i];
        l->items[l->n - 1 - i] = swap;
    }
    return QN_OK;
}

static qn_status split(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__value *self, const struct qn__arguments *args, bool right)
{
    const struct qn__value *v = qn__argument(args, 0, "sep");
    struct qn__template_text at;
    int64_t most;
    QN_TRY(qn__argument_int(&most, run, args, 1, "maxsplit", -1));
    QN_TRY(qn__value_new_list(out, run, 0));
    QN_TRY(qn__template_step(run, self->as.text.n / 64));
    if (!v || v->kind == QN__VALUE_NONE) {
        if (right && most >= 0)
            return qn__template_fail(run, QN_E_UNSUPPORTED,
                                     "rsplit() with maxsplit at white space");
        return split_at_space(run, out->as.list, self->as.text, most);
    }
    QN_TRY(qn__argument_text(&at, run, args, 0, "sep"));
    if (!at.n)
        return qn__template_fail(run, QN_E_INVALID, "split() at an empty string");
    return right ? split_from_right(run, out->as.list, self->as.text, at, most)
                 : split_at(run, out->as.list, self->as.text, at, most);
}

METHOD(split_left)
{
    return split(out, run, self, args, false);
}
METHOD(split_right)
{
    return split(out, run, self, args, true);
}

METHOD(split_lines)
{
    const struct qn__value *v = qn__argument(args, 0, "keepends");
    const bool keeps = v && qn__value_is_true(v);
    struct qn__template_text t = self->as.text;
    QN_TRY(qn__value_new_list(out, run, 0));
    while (t.n) {
        size_t n = 0, end = 0;
        for (; n < t.n; n += qn__text_character_bytes(t, n)) {
            const uint32_t c = qn__text_code_point(t, n);
            if ((c >= 10 && c <= 13) || (c >= 28 && c <= 30) || c == 0x85 || c == 0x2028 ||
                c == 0x2029) {
                end = qn__text_character_bytes(t, n);
                end += c == '\r' && n + 1 < t.n && t.bytes[n + 1] == '\n';
                break;
            }
        }
        QN_TRY(add_piece(run, out->as.list, qn__text_part(t, 0, n + (keeps ? end : 0))));
        t = from(t, n + end);
    }
    return QN_OK;
}

static qn_status partition(struct qn__value *out, struct qn__template_run *run,
                           const struct qn__value *self, const struct qn__arguments *args,
                           bool right)
{
    const struct qn__template_text t = self->as.text, none = {"", NULL, 0};
    struct qn__template_text at;
    QN_TRY(qn__argument_text(&at, run, args, 0, "sep"));
    if (!at.n)
        return qn__template_fail(run, QN_E_INVALID, "partition() at an empty string");
    QN_TRY(pay_for_last(run, t, at));
    const size_t found = right ? qn__text_find_last(t, at) : qn__text_find(t, at, 0);
    const bool is_there = found != SIZE_MAX;
    QN_TRY(qn__value_new_list(out, run, 3));
    out->as.list->is_tuple = true;
    const struct qn__template_text whole[3] = {right ? none : t, none, right ? t : none};
    for (int i = 0; i < 3; i++)
        QN_TRY(add_piece(run, out->as.list,
                         !is_there ? whole[i]
                         : i == 0  ? qn__text_part(t, 0, found)
                         : i == 1  ? qn__text_part(t, found, at.n)
                                   : from(t, found + at.n)));
    return QN_OK;
}

METHOD(partition_left)
{
    return partition(out, run, self, args, false);
}
METHOD(partition_right)
{
    return partition(out, run, self, args, true);
}

/* -- searching -- */

static qn_status find(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__value *self, const struct qn__arguments *args, bool last,
                      bool must)
{
    struct qn__template_text what, t = self->as.text;
    int64_t start;
    QN_TRY(qn__argument_text(&what, run, args, 0, "sub"));
    QN_TRY(qn__argument_int(&start, run, args, 1, "start", 0));
    QN_TRY(pay_for_last(run, t, what));
    if (start < 0)
        return qn__template_fail(run, QN_E_UNSUPPORTED, "find() from a negative place on");
    const size_t skip = qn__text_offset(t, (size_t)start);
    const struct qn__template_text rest = from(t, skip);
    const size_t at = last ? qn__text_find_last(rest, what) : qn__text_find(rest, what, 0);
    if (at == SIZE_MAX && must)
        return qn__template_fail(run, QN_E_INVALID, "index(): the string is not there");
    *out =
        QN__INT(at == SIZE_MAX ? -1 : (int64_t)qn__text_characters(qn__text_part(t, 0, skip + at)));
    return QN_OK;
}

METHOD(find_first)
{
    return find(out, run, self, args, false, false);
}
METHOD(find_last)
{
    return find(out, run, self, args, true, false);
}
METHOD(index_first)
{
    return find(out, run, self, args, false, true);
}
METHOD(index_last)
{
    return find(out, run, self, args, true, true);
}

METHOD(count)
{
    struct qn__template_text what;
    int64_t n = 0;
    QN_TRY(qn__argument_text(&what, run, args, 0, "sub"));
    QN_TRY(qn__template_step(run, self->as.text.n / 16));
    if (!what.n)
        n = (int64_t)qn__text_characters(self->as.text) + 1;
    for (size_t at = 0; what.n && (at = qn__text_find(self->as.text, what, at)) != SIZE_MAX;
         at += what.n)
        n++;
    *out = QN__INT(n);
    return QN_OK;
}

METHOD(replace)
{
    const struct qn__template_text t = self->as.text;
    struct qn__template_text old, new;
    struct qn__text_builder b = {0};
    int64_t most;
    QN_TRY(qn__argument_text(&old, run, args, 0, "old"));
    QN_TRY(qn__argument_text(&new, run, args, 1, "new"));
    QN_TRY(qn__argument_int(&most, run, args, 2, "count", -1));
    QN_TRY(qn__template_step(run, t.n / 64));
    size_t done = 0;
    if (!old.n) { /* between all characters */
        for (; most != 0; most--) {
            QN_TRY(qn__template_step(run, 1));
            QN_TRY(qn__builder_add(run, &b, new));
            if (done >= t.n)
                break;
            const size_t n = qn__text_character_bytes(t, done);
            QN_TRY(qn__builder_add(run, &b, qn__text_part(t, done, n)));
            done += n;
        }
    }
    for (size_t at; old.n && most != 0 && (at = qn__text_find(t, old, done)) != SIZE_MAX; most--) {
        QN_TRY(qn__template_step(run, 1));
        QN_TRY(qn__builder_add(run, &b, qn__text_part(t, done, at - done)));
        QN_TRY(qn__builder_add(run, &b, new));
        done = at + old.n;
    }
    QN_TRY(qn__builder_add(run, &b, from(t, done)));
    *out = qn__builder_value(&b);
    return QN_OK;
}

/* -- making others -- */

METHOD(join)
{
    struct qn__value_list l;
    struct qn__text_builder b = {0};
    if (args->n != 1)
        return qn__template_fail(run, QN_E_INVALID, "join() takes one list");
    QN_TRY(qn__value_elements(&l, run, &args->values[0]));
    for (size_t i = 0; i < l.n; i++) {
        if (l.items[i].kind != QN__VALUE_TEXT)
            return qn__template_fail(run, QN_E_INVALID, "join() of %s",
                                     qn__value_kind_name(&l.items[i]));
        QN_TRY(qn__builder_add(run, &b, qn__text_part(self->as.text, 0, i ? self->as.text.n : 0)));
        QN_TRY(qn__builder_add(run, &b, l.items[i].as.text));
    }
    *out = qn__builder_value(&b);
    return QN_OK;
}

METHOD(upper)
{
    return qn__text_change_case(out, run, ((void)args, self->as.text), QN__UPPER);
}
METHOD(lower)
{
    return qn__text_change_case(out, run, ((void)args, self->as.text), QN__LOWER);
}
METHOD(title)
{
    return qn__text_change_case(out, run, ((void)args, self->as.text), QN__TITLE);
}
METHOD(capitalize)
{
    (void)args;
    return qn__text_change_case(out, run, self->as.text, QN__CAPITALIZE);
}
METHOD(format)
{
    return qn__format_braces(out, run, self->as.text, args);
}

/* -1: on the left, 0: on both sides, 1: on the right */
static qn_status pad(struct qn__value *out, struct qn__template_run *run,
                     const struct qn__value *self, const struct qn__arguments *args, int side,
                     const char *fill)
{
    const size_t n = qn__text_characters(self->as.text);
    struct qn__text_builder b = {0};
    int64_t width;
    QN_TRY(qn__argument_int(&width, run, args, 0, "width", 0));
    const int64_t all = width > (int64_t)n ? width - (int64_t)n : 0;
    const int64_t left = side < 0 ? all : side > 0 ? 0 : all / 2 + (all & width & 1);
    for (int64_t i = 0; i < all; i++) {
        QN_TRY(qn__template_step(run, 1));
        if (i == left)
            QN_TRY(qn__builder_add(run, &b, self->as.text));
        QN_TRY(qn__builder_add_bytes(run, &b, fill, 1, false));
    }
    if (left == all)
        QN_TRY(qn__builder_add(run, &b, self->as.text));
    *out = qn__builder_value(&b);
    return QN_OK;
}

METHOD(left_justified)
{
    return pad(out, run, self, args, 1, " ");
}
METHOD(right_justified)
{
    return pad(out, run, self, args, -1, " ");
}
METHOD(centered)
{
    return pad(out, run, self, args, 0, " ");
}

METHOD(zero_filled)
{
    const struct qn__template_text t = self->as.text;
    if (t.n && (*t.bytes == '-' || *t.bytes == '+'))
        return qn__template_fail(run, QN_E_UNSUPPORTED, "zfill() of a number with a sign");
    return pad(out, run, self, args, -1, "0");
}

/* -- classes -- */

static qn_status is_of(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__value *self, enum qn__text_class what)
{
    QN_TRY(qn__template_step(run, self->as.text.n / 16));
    *out = QN__BOOL(qn__text_is(self->as.text, what));
    return QN_OK;
}

METHOD(is_alpha)
{
    return is_of(out, run, ((void)args, self), QN__ALPHA);
}
METHOD(is_digit)
{
    return is_of(out, run, ((void)args, self), QN__DIGIT);
}
METHOD(is_alnum)
{
    return is_of(out, run, ((void)args, self), QN__ALNUM);
}
METHOD(is_space)
{
    return is_of(out, run, ((void)args, self), QN__SPACE);
}
METHOD(is_upper)
{
    return is_of(out, run, ((void)args, self), QN__IS_UPPER);
}
METHOD(is_lower)
{
    return is_of(out, run, ((void)args, self), QN__IS_LOWER);
}

const struct qn__function_row qn__text_methods[] = {
    {"strip", strip_both, "chars"},
    {"lstrip", strip_left, "chars"},
    {"rstrip", strip_right, "chars"},
    {"startswith", starts_with, "prefix"},
    {"endswith", ends_with, "prefix"},
    {"removeprefix", remove_prefix, "prefix"},
    {"removesuffix", remove_suffix, "suffix"},
    {"split", split_left, "sep maxsplit"},
    {"rsplit", split_right, "sep maxsplit"},
    {"splitlines", split_lines, "keepends"},
    {"partition", partition_left, "sep"},
    {"rpartition", partition_right, "sep"},
    {"find", find_first, "sub start"},
    {"rfind", find_last, "sub start"},
    {"index", index_first, "sub start"},
    {"rindex", index_last, "sub start"},
    {"count", count, "sub"},
    {"replace", replace, "old new count"},
    {"join", join, "list"},
    {"upper", upper, ""},
    {"lower", lower, ""},
    {"title", title, ""},
    {"capitalize", capitalize, ""},
    {"format", format, NULL},
    {"ljust", left_justified, "width"},
    {"rjust", right_justified, "width"},
    {"center", centered, "width"},
    {"zfill", zero_filled, "width"},
    {"isalpha", is_alpha, ""},
    {"isdigit", is_digit, ""},
    {"isnumeric", is_digit, ""},
    {"isdecimal", is_digit, ""},
    {"isalnum", is_alnum, ""},
    {"isspace", is_space, ""},
    {"isupper", is_upper, ""},
    {"islower", is_lower, ""},
    {NULL, NULL, NULL},
};
