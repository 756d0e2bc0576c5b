/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens that will probably come: guessed, so that the model can look at several positions at once.
 * What it would not have chosen itself is thrown away, so the text stays the same. */
#ifndef QN_TOOLS_DRAFT_H
#define QN_TOOLS_DRAFT_H

#include <quern/model.h>

enum { QN__DRAFT_MAX = 64 };

/* What came after the last tokens when they (two to four of them) stood in the text before; at most
 * `most`. */
uint32_t qn__draft_look_up(int32_t *out, uint32_t most, const int32_t *ids, uint32_t n);

/* A smaller model with the same vocabulary. */
struct qn__draft_model {
    qn_model *model; /* NULL: none */
    qn_session *session;
    qn_sampler *sampler; /* greedy */
    int32_t *fed;        /* (context) what its cache holds */
};

/* QN_E_INVALID  another vocabulary */
qn_status qn__draft_model_open(struct qn__draft_model *d, const char *path, const qn_model *m,
                               qn_device *dev, uint32_t context);
void qn__draft_model_close(struct qn__draft_model *d);
/* Its likeliest text behind these tokens: *n of at most `most`. */
qn_status qn__draft_by_model(int32_t *out, uint32_t *n, uint32_t most, struct qn__draft_model *d,
                             const int32_t *ids, uint32_t n_ids);

#endif
