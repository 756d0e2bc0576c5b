/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel that ships with Quern once on one device, compared with plain C, in bounded time. */
#ifndef QN_DOCTOR_SELFTEST_H
#define QN_DOCTOR_SELFTEST_H

#include <jansson.h>

/* In a child, which a miscompiled kernel may end. First the first shape of each kernel, then the
 * others, as long as limit_s lasts; what was left out is counted.
 *   device  NULL: the preferred one */
json_t *qn__selftest(const char *device, unsigned limit_s);

#endif
