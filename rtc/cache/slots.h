/* SPDX-License-Identifier: Apache-2.0
 *
 * No more compiles at once than there are processors for them, counted over all processes that
 * share a cache folder: four ranks that start cold with a compiler per processor each would run out
 * of memory together. A slot is a lock of a file, so it is free again when its owner dies. */
#ifndef QN_RTC_CACHE_SLOTS_H
#define QN_RTC_CACHE_SLOTS_H

#include <stdint.h>

/* As many as there are processors that this process may use. */
uint32_t qn__slots(void);

/* Wait for a free slot, at most until that moment of qn__now_ms(). -1: there is none to be had (no
 * folder, no locks, a network, too long a wait), and the caller goes on without. */
int qn__slot_take(double until_ms);
void qn__slot_give(int slot);

#endif
