/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files: lines `key = value` that stand for Quern's own environment variables where
 * these are not set. `cache-max-bytes = 4G` is QUERN_CACHE_MAX_BYTES=4G; the variable's own name is
 * taken as a key, too. A # begins a comment line; "~/" in front of a value is the home folder.
 *
 * /etc/quern/config is read first, then $XDG_CONFIG_HOME/quern/config (else ~/.config), whose lines
 * win. QUERN_CONFIG=FILE is read in place of both; QUERN_CONFIG=none reads none. A file that was
 * merely found is left out when somebody else could have written it.
 *
 * base/environment.c asks here; nobody else needs to. A line that is not understood is an error in
 * the list, and the others count. */
#ifndef QN_BASE_CONFIGURATION_H
#define QN_BASE_CONFIGURATION_H

#include "base/options.h"
#include "base/str.h"

enum { QN__CONF_FILES = 2, QN__CONF_ENTRIES = 64, QN__CONF_BYTES_MAX = 64 << 10 };

struct qn__conf_entry {
    const struct qn__variable *variable; /* that it stands for */
    char *value;
    uint32_t file, line; /* index into files; lines count from 1 */
};

struct qn__conf {
    struct qn__conf_entry entries[QN__CONF_ENTRIES]; /* of the same variable the last counts */
    uint32_t n_entries;
    char *files[QN__CONF_FILES]; /* that were looked for */
    bool is_read[QN__CONF_FILES];
    uint32_t n_files;
    struct qn__str errors; /* "FILE:LINE: why", one a line */
    uint32_t n_errors;
};

/* Where the files are is said by three variables; NULL: not set. */
void qn__conf_read(struct qn__conf *out, const char *named, const char *config_home,
                   const char *home);
void qn__conf_release(struct qn__conf *c);

/* The lines of one text, as those of files[file]. `home` is what "~" means; NULL: "~/" is an error.
 */
void qn__conf_parse(struct qn__conf *out, uint32_t file, const char *text, size_t n,
                    const char *home);

/* NULL: no line says anything about it. */
const struct qn__conf_entry *qn__conf_find(const struct qn__conf *c, const char *variable);

/* "QUERN_CACHE_DIR" as a key: "cache-dir". */
enum { QN__CONF_KEY_BYTES = 64 };
void qn__conf_key(char out[QN__CONF_KEY_BYTES], const char *variable);

/* The variable of that key, or NULL. "; did you mean 'cache-dir'?" or "" goes to meant. */
const struct qn__variable *qn__conf_variable(const char *key, char meant[QN__MEANT_BYTES]);

#endif
