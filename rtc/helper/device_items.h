/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of a file: functions, classes and the rest, at the level of namespaces and in
 * classes, and whether their own words put them on the device. */
#ifndef QN_RTC_HELPER_DEVICE_ITEMS_H
#define QN_RTC_HELPER_DEVICE_ITEMS_H

#include "base/arena.h"
#include "rtc/job/job.h"

/* The words of the device (__global__, ...) and the macros of the job that stand for one. */
struct qn__device_words {
    const char **list;
    size_t *lengths;
    uint32_t n, capacity;
};

enum qn__item_kind { QN__ITEM_FUNCTION, QN__ITEM_CLASS, QN__ITEM_OTHER };

struct qn__device_item {
    size_t begin, end;
    size_t body; /* of a function: where its body, or the list of initialisers, begins; else end */
    enum qn__item_kind kind;
    bool is_device, is_kernel;
    bool is_kept; /* a type, constant or data member: it is left out only if it cannot be read */
    bool in_class, gone;
};

struct qn__device_items {
    struct qn__device_item *list; /* what holds others comes after them */
    uint32_t n, capacity;
};

/* False where there is no memory. */
bool qn__device_words_read(struct qn__device_words *out, struct qn__arena *arena,
                           const struct qn__job *job);

/* code: of qn__cxx_text_blank(). A file whose braces do not match has none. */
bool qn__device_items_read(struct qn__device_items *out, struct qn__arena *arena,
                           const struct qn__device_words *words, const char *code, size_t n);

#endif
