/* SPDX-License-Identifier: Apache-2.0
 *
 * The counters of all processes that used the cache folder: its file `totals`.
 *
 * Each process appends one line of what it has counted since its last line, when it stores an entry
 * and when it ends; a hit writes nothing. Appending needs no lock. A process that is killed loses
 * its last numbers, one that may not write loses all of them, and one that opened no folder
 * (bundles had everything) does not open it for this. It is a statistic: nothing depends on it.
 */
#ifndef QN_RTC_CACHE_TOTALS_H
#define QN_RTC_CACHE_TOTALS_H

/* Write down what was counted since the last time; trouble costs the numbers and nothing else. */
void qn__totals_write(void);

#endif
