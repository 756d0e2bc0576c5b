/* SPDX-License-Identifier: Apache-2.0
 *
 * What an origin is worth; origin.h has the rule. */
#include "rtc/cache/origin.h"

#include "rtc/cache/trusted_keys.h"

#include <string.h>

const struct qn__image_origin qn__origin_here = {"here", ""};

bool qn__origin_is_verified(const struct qn__image_origin *origin)
{
    return strcmp(origin->from, qn__origin_here.from) == 0 || qn__keys_trust(origin->signer);
}

const char *qn_image_get_origin(const qn_image *image, const char **signer)
{
    if (signer)
        *signer = image->origin.signer;
    return image->origin.from;
}

bool qn_image_is_verified(const qn_image *image)
{
    return qn__origin_is_verified(&image->origin);
}
