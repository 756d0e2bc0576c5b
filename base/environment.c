/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel says whether the program got rights when it was started (AT_SECURE). */
#define _GNU_SOURCE
#include "base/environment.h"

#include <stdlib.h>
#include <sys/auxv.h>

bool qn__is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

const char *qn__getenv(const char *name)
{
    return qn__is_privileged() ? NULL : getenv(name);
}

const char *qn__program_path(void)
{
    return qn__is_privileged() ? "/usr/local/bin:/usr/bin:/bin" : getenv("PATH");
}
