/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report that is pasted for others must not hold. */
#ifndef QN_DOCTOR_SECRETS_H
#define QN_DOCTOR_SECRETS_H

#include "base/str.h"

#include <jansson.h>

struct qn__secrets { /* of this user and machine; "" is nothing */
    char home[512], user[128], host[256];
};
void qn__secrets_init(struct qn__secrets *out);

/* Add text in which these are masked: the home folder ("~"), other users' folders below /home, the
 * user's and the machine's name as whole words, mail addresses, user and password in URLs, network
 * addresses of cards (MAC), unique numbers (UUID, also behind GPU- and MIG-), keys of well-known
 * forms, and long words of letters and digits mixed, as tokens are. */
void qn__str_add_masked(struct qn__str *out, const char *text, const struct qn__secrets *s);

/* The same in every string of a tree, in place. What a variable holds whose name says that it is
 * secret (TOKEN, KEY, SECRET, PASSWORD, LOGIN) is masked whole. */
void qn__mask_json(json_t *value, const struct qn__secrets *s);

#endif
