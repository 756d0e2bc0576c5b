/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose signatures count: QUERN_BUNDLE_KEYS, a list of public keys or a file with one.
 *
 *     5f3c...              trusted
 *     5f3c...@2027-12-31   until the end of that day (UTC); later nothing it has signed is taken
 *     !9ab0...             revoked, whatever else the list says of it
 *     # a comment          to the end of the line
 *
 * Words are separated by blanks, commas, colons and ends of lines. Where the variable is not set
 * nobody is asked for a signature. Set, and unreadable or without a key, it trusts nobody. An
 * expiry is compared with the clock and not with the time of a signature, which a thief could
 * choose.
 */
#ifndef QN_RTC_CACHE_TRUSTED_KEYS_H
#define QN_RTC_CACHE_TRUSTED_KEYS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__key_standing {
    QN__KEY_UNKNOWN, /* the list does not name it */
    QN__KEY_TRUSTED,
    QN__KEY_EXPIRED,
    QN__KEY_REVOKED,
};

/* What a list says of a key (64 hex digits, or "").
 *   odd, odd_n  the first word that is no key, NULL where all are */
enum qn__key_standing qn__keys_look(const char **odd, size_t *odd_n, const char *list,
                                    const char *key, int64_t now_s);

/* Is a signature asked for at all? */
bool qn__keys_are_set(void);

/* May something with this signer ("": not signed) be taken? `what` begins the message.
 * QN_E_CORRUPT  by QUERN_BUNDLE_KEYS it may not */
qn_status qn__keys_check(const char *what, const char *signer);

/* Does QUERN_BUNDLE_KEYS trust that signer; does it revoke him? Not set: neither. */
bool qn__keys_trust(const char *signer);
bool qn__keys_revoke(const char *signer);

#endif
