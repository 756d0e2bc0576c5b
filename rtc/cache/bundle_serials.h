/* SPDX-License-Identifier: Apache-2.0
 *
 * No way back to an older bundle: somebody who can put files in a bundle's place, but cannot sign,
 * could still put one there that was right once and has a fault since known. So the highest serial
 * number seen is kept in the cache's folder for each signer and name, in serials/KEY where KEY is
 * the digest of both, and a bundle with a lower one is refused. Bundles of one signer with one name
 * are taken for versions of one thing.
 *
 * Only where QUERN_BUNDLE_KEYS asks for signatures: else the file could as well be replaced by one
 * that is not signed. Without a cache folder, or one that may not be written, nothing is kept. */
#ifndef QN_RTC_CACHE_BUNDLE_SERIALS_H
#define QN_RTC_CACHE_BUNDLE_SERIALS_H

#include "rtc/cache/bundle_file.h"

/* keep: note the number where it is the highest.
 * QN_E_CORRUPT  a higher one was seen: the message says how to go back all the same */
qn_status qn__serial_check(const qn_bundle_info *info, bool keep);

#endif
