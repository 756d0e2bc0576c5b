/* SPDX-License-Identifier: Apache-2.0
 *
 * Environment variables that are numbers: one table with their ranges, one reader, one complaint.
 * And the complaints about configuration files, which may stand for any variable.
 */
#ifndef QN_BASE_SETTINGS_H
#define QN_BASE_SETTINGS_H

#include "base/error.h"

#include <stdint.h>

enum qn__setting {
    QN__SETTING_CACHE_BYTES,     /* QUERN_CACHE_MAX_BYTES */
    QN__SETTING_CACHE_ENTRIES,   /* QUERN_CACHE_MAX_ENTRIES */
    QN__SETTING_COMPILE_SECONDS, /* QUERN_COMPILE_TIMEOUT */
    QN__SETTING_COMPILE_MEMORY,  /* QUERN_COMPILE_MEMORY */
    QN__SETTING_THREADS,         /* QUERN_THREADS; 0: not set */
    QN__SETTING_WATCHDOG,        /* QUERN_WATCHDOG */
    QN__SETTING_CPU_WATCHDOG,    /* QUERN_CPU_WATCHDOG */
    QN__SETTING_REMOTE_SECONDS,  /* QUERN_REMOTE_TIMEOUT */
    QN__SETTING_REMOTE_PUT,      /* QUERN_REMOTE_PUT */
    QN__SETTING_TRUST_DRIVERS,   /* QUERN_TRUST_DRIVERS */
    QN__SETTINGS
};

/* The variable's value, or its default. Nonsense and what is out of range is said once a process,
 * with the variable's name, and the default is used. */
uint64_t qn__setting(enum qn__setting which);

/* May the variable have this text? QN_OK for variables that are not in the table.
 * QN_E_INVALID  with what was expected */
qn_status qn__setting_check(const char *variable, const char *text);

/* Where the variable's value comes from, for messages: "QUERN_THREADS", or
 * "/etc/quern/config:3: QUERN_THREADS". */
enum { QN__WHERE_BYTES = 512 };
const char *qn__setting_where(char out[QN__WHERE_BYTES], const char *variable);

/* A warning for each line of the configuration files that is not understood, once a process. */
void qn__conf_warn(void);

/* "123", "4K", "500M", "2G"; binary. QN_E_INVALID */
qn_status qn__size_parse(uint64_t *out, const char *text);

#endif
