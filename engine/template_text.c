/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters of texts. Cases and classes beyond ASCII are the C library's, in the locale C.UTF-8,
 * which is asked for by name and set nowhere. */
#define _GNU_SOURCE
#include "engine/template_text.h"

#include "engine/utf8.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

uint32_t qn__text_character_bytes(struct qn__template_text t, size_t at)
{
    const uint32_t n = qn__utf8_bytes(t.bytes + at, t.n - at);
    return n ? n : 1;
}

uint32_t qn__text_code_point(struct qn__template_text t, size_t at)
{
    uint32_t c;
    return qn__utf8_read(&c, t.bytes + at, t.n - at) ? c : 0xfffd;
}

size_t qn__text_characters(struct qn__template_text t)
{
    size_t n = 0;
    for (size_t at = 0; at < t.n; at += qn__text_character_bytes(t, at))
        n++;
    return n;
}

size_t qn__text_offset(struct qn__template_text t, size_t character)
{
    size_t at = 0;
    while (character-- && at < t.n)
        at += qn__text_character_bytes(t, at);
    return at;
}

struct qn__template_text qn__text_part(struct qn__template_text t, size_t start, size_t n)
{
    return (struct qn__template_text){t.bytes + start, t.foreign ? t.foreign + start : NULL, n};
}

size_t qn__text_find(struct qn__template_text t, struct qn__template_text what, size_t start)
{
    if (start > t.n || what.n > t.n - start)
        return SIZE_MAX;
    if (what.n == 0)
        return start;
    const char *p = memmem(t.bytes + start, t.n - start, what.bytes, what.n);
    return p ? (size_t)(p - t.bytes) : SIZE_MAX;
}

size_t qn__text_find_last(struct qn__template_text t, struct qn__template_text what)
{
    if (what.n > t.n)
        return SIZE_MAX;
    for (size_t at = t.n - what.n + 1; at-- > 0;)
        if (what.n == 0 || !memcmp(t.bytes + at, what.bytes, what.n))
            return at;
    return SIZE_MAX;
}

bool qn__is_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

static bool is_stripped(struct qn__template_text t, size_t at, size_t n,
                        const struct qn__template_text *set)
{
    if (!set)
        return qn__is_space(qn__text_code_point(t, at));
    return qn__text_find(*set, qn__text_part(t, at, n), 0) != SIZE_MAX;
}

struct qn__template_text qn__text_strip(struct qn__template_text t,
                                        const struct qn__template_text *set,
                                        enum qn__text_side side)
{
    while (side & QN__LEFT && t.n) {
        const size_t n = qn__text_character_bytes(t, 0);
        if (!is_stripped(t, 0, n, set))
            break;
        t = qn__text_part(t, n, t.n - n);
    }
    while (side & QN__RIGHT && t.n) {
        size_t at = t.n - 1;
        while (at > 0 && t.n - at < 4 && ((unsigned char)t.bytes[at] & 0xc0) == 0x80)
            at--;
        if (qn__text_character_bytes(t, at) != t.n - at)
            at = t.n - 1; /* not UTF-8 */
        if (!is_stripped(t, at, t.n - at, set))
            break;
        t.n = at;
    }
    return t;
}

/* -- cases -- */

static qn_status add_code_point(struct qn__template_run *run, struct qn__text_builder *b,
                                uint32_t c, bool foreign)
{
    char bytes[4];
    const size_t n = qn__utf8_write(bytes, c);
    return qn__builder_add_bytes(run, b, bytes, n, foreign);
}

static qn_status change_with(struct qn__text_builder *b, struct qn__template_run *run,
                             struct qn__template_text t, enum qn__text_case to, locale_t locale)
{
    bool inside = false; /* of a word, or past the first character */
    for (size_t at = 0, n; at < t.n; at += n) {
        n = qn__text_character_bytes(t, at);
        const uint32_t c = qn__text_code_point(t, at);
        const bool upper =
            to == QN__UPPER || ((to == QN__TITLE || to == QN__CAPITALIZE) && !inside);
        inside = to == QN__TITLE ? iswalpha_l((wint_t)c, locale) != 0 : true;
        if (n == 1 && c == 0xfffd) {
            QN_TRY(qn__builder_add(run, b, qn__text_part(t, at, n)));
            continue;
        }
        if (upper && c == 0xdf)
            return qn__template_fail(run, QN_E_UNSUPPORTED,
                                     "upper case of a character that becomes two");
        const wint_t changed =
            upper ? towupper_l((wint_t)c, locale) : towlower_l((wint_t)c, locale);
        QN_TRY(add_code_point(run, b, (uint32_t)changed, t.foreign && t.foreign[at]));
    }
    return QN_OK;
}

static locale_t open_locale(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return locale ? locale : newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
}

qn_status qn__text_change_case(struct qn__value *out, struct qn__template_run *run,
                               struct qn__template_text t, enum qn__text_case to)
{
    struct qn__text_builder b = {0};
    *out = QN__NONE;
    QN_TRY(qn__template_step(run, t.n / 4));
    locale_t locale = open_locale();
    if (!locale)
        return qn__template_fail(run, QN_E_MEMORY, "no memory for a locale");
    const qn_status s = change_with(&b, run, t, to, locale);
    freelocale(locale);
    *out = qn__builder_value(&b);
    return s;
}

static bool is_of(uint32_t c, enum qn__text_class what, locale_t locale)
{
    switch (what) {
    case QN__ALPHA: return iswalpha_l((wint_t)c, locale) && !(c >= '0' && c <= '9');
    case QN__DIGIT: return c >= '0' && c <= '9';
    case QN__ALNUM: return iswalnum_l((wint_t)c, locale);
    case QN__SPACE: return qn__is_space(c);
    case QN__IS_UPPER: return iswupper_l((wint_t)c, locale);
    case QN__IS_LOWER: return iswlower_l((wint_t)c, locale);
    }
    return false;
}

bool qn__text_is(struct qn__template_text t, enum qn__text_class what)
{
    locale_t locale = open_locale();
    bool all = locale != (locale_t)0 && t.n > 0, any = false;
    const bool is_case = what == QN__IS_UPPER || what == QN__IS_LOWER;
    for (size_t at = 0; at < t.n && all; at += qn__text_character_bytes(t, at)) {
        const uint32_t c = qn__text_code_point(t, at);
        if (!is_case)
            all = is_of(c, what, locale);
        else if (is_of(c, what, locale))
            any = true; /* characters without a case do not count */
        else
            all = !is_of(c, what == QN__IS_UPPER ? QN__IS_LOWER : QN__IS_UPPER, locale);
    }
    if (locale)
        freelocale(locale);
    return all && (any || !is_case);
}

bool qn__is_printable(uint32_t c)
{
    if (c < 0x7f)
        return c >= 0x20;
    if (c <= 0xa0 || c == 0xad || c == 0x1680 || c == 0x180e || c == 0xfeff)
        return false;
    if ((c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) ||
        (c >= 0x205f && c <= 0x206f) || c == 0x3000)
        return false;
    return !(c >= 0xd800 && c <= 0xf8ff) && c < 0xe0000; /* surrogates, private use */
}
