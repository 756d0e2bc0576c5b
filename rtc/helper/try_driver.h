/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver on trial (rtc/job/trial.h). */
#ifndef QN_RTC_HELPER_TRY_DRIVER_H
#define QN_RTC_HELPER_TRY_DRIVER_H

/* The rest of main(): the exit status. arguments: backend or device, then libraries or nothing. */
int qn__try_driver(int n, char **arguments);
int qn__try_build(int n, char **arguments);

#endif
