/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an image was made, as far as this machine knows: the cache keeps it with each entry. The
 * bytes that came from elsewhere have no say in it.
 *
 *     here            compiled on this machine, by this user
 *     server URL      from the shared cache there, without user and password
 *     bundle FILE     from that bundle
 *                     (nothing) stored by an older version, or loaded from a file
 *
 * An image is verified when it was made here, or when its signer is one whom QUERN_BUNDLE_KEYS
 * trusts now. Only such images are signed again or put into a bundle from the cache: else a
 * signature would vouch for code that anybody may have put on a server. */
#ifndef QN_RTC_CACHE_ORIGIN_H
#define QN_RTC_CACHE_ORIGIN_H

#include "runtime/image.h"

extern const struct qn__image_origin qn__origin_here;

bool qn__origin_is_verified(const struct qn__image_origin *origin);

#endif
