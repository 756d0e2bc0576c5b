/* SPDX-License-Identifier: Apache-2.0
 *
 * The device half of a whole program, for compilers that take nothing else (NVRTC, hipRTC).
 *
 * What is no device code by its own words is made blank: functions of the host, its variables, and
 * includes of headers that are not there. Lines and columns stay. Then the compiler says what else
 * it cannot read: a declaration that is not marked for the device goes as a whole; a device
 * function loses its body, so that what calls it is an error of the linker and never another
 * function; with -keep-going a kernel goes, too. What stays is what the user wrote. */
#ifndef QN_RTC_HELPER_DEVICE_HALF_H
#define QN_RTC_HELPER_DEVICE_HALF_H

#include "base/arena.h"
#include "rtc/job/job.h"

struct qn__device_half;

/* *out is NULL where nothing was left out. include: the toolkit's folder of headers, or NULL.
 * QN_E_MEMORY */
qn_status qn__device_half_create(struct qn__device_half **out, struct qn__arena *arena,
                                 const struct qn__job *job, const char *include);

/* Has the source launches or main()? Else what was left out may be a device function without its
 * mark, or a header that is wanted, and the compiler's first words say more. */
bool qn__device_half_is_program(const struct qn__device_half *h);

/* The job with what is left of its files and names. QN_E_MEMORY */
qn_status qn__device_half_part(struct qn__job *part, struct qn__device_half *h);

/* Leave out what a compiler complains of, in its diagnostics ("name:line:column: error: ...").
 * False where that cannot be. */
bool qn__device_half_leave_out(struct qn__device_half *h, const char *diagnostics);

void qn__device_half_release(struct qn__device_half *h); /* NULL is fine */

/* Append what was left out, as a warning, and why device functions were, as errors where the
 * program did not compile. */
void qn__device_half_say(struct qn__str *out, const struct qn__device_half *h, bool failed);

#endif
