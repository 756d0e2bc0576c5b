/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the list of trusted signers; trusted_keys.h has its form. It is read anew each time, so
 * that a running program notices a key that was revoked. */
#include "rtc/cache/trusted_keys.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { KEYS_LIMIT_BYTES = 1 << 20, KEY_DIGITS = QN__HASH_HEX - 1, DATE_CHARS = 10 };

static const char variable[] = "QUERN_BUNDLE_KEYS";
static const char between[] = " \t\r\n,:"; /* words */

/* -- one list -- */

static bool read_number(int *out, const char *text, size_t n)
{
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

/* "2027-12-31": the first second after that day. */
static bool read_date(int64_t *end_s, const char *text)
{
    static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    int y, m, d;
    if (text[4] != '-' || text[7] != '-' || !read_number(&y, text, 4) ||
        !read_number(&m, text + 5, 2) || !read_number(&d, text + 8, 2) || y < 1970 || m < 1 ||
        m > 12 || d < 1)
        return false;
    const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    if (d > days_before[m] - days_before[m - 1] + (leap && m == 2))
        return false;
    const int last = y - 1; /* the last year that is over */
    const int64_t leap_days = (last / 4 - last / 100 + last / 400) - (1969 / 4 - 1969 / 100 + 4);
    const int64_t days =
        (int64_t)(y - 1970) * 365 + leap_days + days_before[m - 1] + d + (leap && m > 2);
    *end_s = days * 86400;
    return true;
}

/* One word: what it says of the key. False: it is no key. */
static bool read_word(enum qn__key_standing *says, const char *word, size_t n, const char *key,
                      int64_t now_s)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    const bool is_revoked = word[0] == '!';
    int64_t end_s = INT64_MAX;
    *says = QN__KEY_UNKNOWN;
    word += is_revoked;
    n -= is_revoked;
    if (n < KEY_DIGITS || strspn(word, hex) < KEY_DIGITS)
        return false;
    const bool has_date = n == KEY_DIGITS + 1 + DATE_CHARS && word[KEY_DIGITS] == '@' &&
                          !is_revoked && read_date(&end_s, word + KEY_DIGITS + 1);
    if (n != KEY_DIGITS && !has_date)
        return false;
    if (strncasecmp(word, key, KEY_DIGITS) == 0 && strlen(key) == KEY_DIGITS)
        *says = is_revoked ? QN__KEY_REVOKED : now_s >= end_s ? QN__KEY_EXPIRED : QN__KEY_TRUSTED;
    return true;
}

/* A key that is revoked anywhere in the list is; of two days the later one counts. */
static enum qn__key_standing join(enum qn__key_standing a, enum qn__key_standing b)
{
    if (a == QN__KEY_REVOKED || b == QN__KEY_REVOKED)
        return QN__KEY_REVOKED;
    if (a == QN__KEY_TRUSTED || b == QN__KEY_TRUSTED)
        return QN__KEY_TRUSTED;
    return a == QN__KEY_EXPIRED ? a : b;
}

enum qn__key_standing qn__keys_look(const char **odd, size_t *odd_n, const char *list,
                                    const char *key, int64_t now_s)
{
    enum qn__key_standing standing = QN__KEY_UNKNOWN, says;
    *odd = NULL;
    *odd_n = 0;
    for (const char *p = list; *p;) {
        p += strspn(p, between);
        const bool is_comment = *p == '#';
        const size_t n = is_comment ? strcspn(p, "\n") : strcspn(p, between);
        if (n && !is_comment && !read_word(&says, p, n, key, now_s)) {
            *odd_n = *odd ? *odd_n : n;
            *odd = *odd ? *odd : p;
        } else if (n && !is_comment) {
            standing = join(standing, says);
        }
        p += n;
    }
    return standing;
}

/* -- the variable -- */

bool qn__keys_are_set(void)
{
    const char *keys = qn__getenv(variable);
    return keys && keys[0];
}

struct answer {
    enum qn__key_standing standing;
    char odd[80]; /* a word that is no key, as far as there is room; "" */
};

/* QN_E_IO, QN_E_LIMIT: a file with keys that cannot be read. */
static qn_status ask(struct answer *out, const char *signer)
{
    const char *keys = qn__getenv(variable), *odd;
    char *text = NULL;
    size_t n, odd_n;
    *out = (struct answer){0};
    if (!keys)
        return QN_OK;
    if (strchr(keys, '/'))
        QN_TRY(qn__file_read(&text, &n, keys, KEYS_LIMIT_BYTES));
    out->standing = qn__keys_look(&odd, &odd_n, text ? text : keys, signer, (int64_t)time(NULL));
    if (odd) {
        odd_n = odd_n < sizeof out->odd ? odd_n : sizeof out->odd - 1;
        memcpy(out->odd, odd, odd_n);
    }
    free(text);
    return QN_OK;
}

qn_status qn__keys_check(const char *what, const char *signer)
{
    struct answer a;
    const char *by = signer[0] ? "signed by " : "not signed";
    if (!qn__keys_are_set())
        return QN_OK;
    if (ask(&a, signer) != QN_OK)
        return qn__fail_prefix(QN_E_CORRUPT, "%s: not trusted: %s", what, variable);
    switch (a.standing) {
    case QN__KEY_TRUSTED: return QN_OK;
    case QN__KEY_EXPIRED:
        return qn__fail(QN_E_CORRUPT,
                        "%s: signed by %s, whose time in %s is over (give the key a later day "
                        "there, or sign with a new one)",
                        what, signer, variable);
    case QN__KEY_REVOKED:
        return qn__fail(QN_E_CORRUPT, "%s: signed by %s, which %s revokes", what, signer, variable);
    case QN__KEY_UNKNOWN: break;
    }
    if (a.odd[0])
        return qn__fail(QN_E_CORRUPT,
                        "%s: %s%s; %s does not name that key, but '%s', which is no key (64 hex "
                        "digits, @YEAR-MONTH-DAY after or a ! before them; a file has a / in its "
                        "name)",
                        what, by, signer, variable, a.odd);
    return qn__fail(QN_E_CORRUPT, "%s: %s%s, and %s asks for another signer", what, by, signer,
                    variable);
}

bool qn__keys_trust(const char *signer)
{
    struct answer a;
    return signer[0] && qn__keys_are_set() && ask(&a, signer) == QN_OK &&
           a.standing == QN__KEY_TRUSTED;
}

bool qn__keys_revoke(const char *signer)
{
    struct answer a;
    return signer[0] && qn__keys_are_set() && ask(&a, signer) == QN_OK &&
           a.standing == QN__KEY_REVOKED;
}
