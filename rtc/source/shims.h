/* SPDX-License-Identifier: Apache-2.0
 *
 * Headers that the run-time compilers do not have. */
#ifndef QN_RTC_SOURCE_SHIMS_H
#define QN_RTC_SOURCE_SHIMS_H

/* Which gaps to fill: the run-time compilers have no <stdint.h> and the like, and sources include
 * them. The translator brings headers of its own. */
enum qn__shims { QN__SHIMS_NONE, QN__SHIMS_NVRTC, QN__SHIMS_HIPRTC, QN__SHIMS_CLANG };

/* Text that stands in for that header, NULL where there is none. */
const char *qn__shim_find(enum qn__shims shims, const char *spelling);

#endif
