/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers and compilers by dlopen: open the first library that is there, fill a table of function
 * pointers from a symbol list.
 *
 * A symbol list is a file of QN_SYM(name, symbol, ret, args) and QN_OPT(...) lines, included
 * several times: once for the table's members, once for its rows (see runtime/cuda/cuda_driver.h).
 */
#ifndef QN_BASE_DL_H
#define QN_BASE_DL_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct qn__dl_symbol {
    const char *symbol; /* exported name, with its version suffix */
    size_t offset;      /* of the function pointer in the table */
    bool required;
};

/* dlopen the first of `names` (NULL-terminated) that exists. The handle stays open for the process.
 * *which is the name that worked.
 * QN_E_NO_DEVICE  the message has the loader's own reason for the first name */
qn_status qn__dl_open(void **handle, const char **which, const char *const *names);

/* Fill `table` from `handle`; an absent optional symbol leaves NULL.
 * QN_E_NO_DEVICE  a required symbol is missing: the message names it */
qn_status qn__dl_load(void *table, void *handle, const struct qn__dl_symbol *rows, size_t n_rows);

/* A library that is loaded and started once a process: what came of it is kept, with its message,
 * for every later caller. Starts as {.lock = PTHREAD_MUTEX_INITIALIZER}. */
struct qn__dl_once {
    pthread_mutex_t lock;
    struct qn__dl_once *next; /* of those that were asked for */
    bool is_listed;
    bool is_done;
    qn_status status;
    struct qn__message message;
};
/* Has that happened? Then nothing of it is loaded any more. */
bool qn__dl_is_done(struct qn__dl_once *once);
qn_status qn__dl_load_once(struct qn__dl_once *once, qn_status (*load)(void));

/* File the library was loaded from, by one of its functions' addresses; "" where unknown. */
void qn__dl_path(char *out, size_t capacity, void *handle, const char *symbol);

#endif
