/* SPDX-License-Identifier: Apache-2.0
 *
 * The folders of CUB, Thrust and libcu++. */
#include "base/toolkit_names.h"

#include "base/str.h"

#include <stddef.h>

bool qn__is_of_toolkit(const char *name)
{
    static const char *const folders[] = {"cub/", "thrust/", "cuda/", "nv/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (qn__starts_with(name, folders[i]))
            return true;
    return false;
}
