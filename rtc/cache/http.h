/* SPDX-License-Identifier: Apache-2.0
 *
 * One HTTP transfer at a time per thread, by libcurl, which is loaded at the first call of a
 * process and not before. Proxies are found as curl always finds them, and certificates where none
 * are named. Redirects are not followed. */
#ifndef QN_RTC_CACHE_HTTP_H
#define QN_RTC_CACHE_HTTP_H

#include "base/str.h"

#include <stdint.h>

struct qn__http_limits {
    uint32_t connect_ms, total_ms;
    size_t bytes; /* of an answer's body */
};

/* Who asks, and whom to believe. NULL: not given. Strings are borrowed for the call. */
struct qn__http_identity {
    const char *password;    /* user:password */
    const char *token;       /* "Authorization: Bearer ..."; one of the two */
    const char *ca_file;     /* certificates of authorities (PEM) that count, and no others */
    const char *certificate; /* the client's (PEM) */
    const char *certificate_key;
};

/* Fetch; the body is appended to *body. *code is the answer's status (200, 404, ...).
 * QN_E_UNSUPPORTED  no libcurl here, or one that cannot do what the identity asks for
 * QN_E_IO           no whole answer within the limits */
qn_status qn__http_get(long *code, struct qn__str *body, const char *url,
                       const struct qn__http_identity *who, const struct qn__http_limits *limits);

/* Store. *code as above; the answer's body is dropped. */
qn_status qn__http_put(long *code, const char *url, const struct qn__http_identity *who,
                       const struct qn__str *body, const struct qn__http_limits *limits);

#endif
