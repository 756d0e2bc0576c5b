/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the keys of model files (model_keys.def): which are computed with, which change
 * nothing, which are refused, and what the absence of one means. */
#ifndef QN_ENGINE_MODEL_KEYS_H
#define QN_ENGINE_MODEL_KEYS_H

#include "engine/model_build.h"

enum qn__key_use { QN__KEY_READ, QN__KEY_NOTE, QN__KEY_ONLY, QN__KEY_NEVER };

struct qn__model_key {
    const char *families; /* separated by blanks; "": all */
    const char *key;
    enum qn__key_use use;
    const char *only; /* the values that are not refused, separated by blanks */
    const char *absent, *says;
};

/* The row of "<family>.<key>"; NULL: it is not known. */
const struct qn__model_key *qn__fact_key(const char *family, const char *key);
/* The first row of n with this key that holds for the family. */
const struct qn__model_key *qn__model_key_find(const struct qn__model_key *rows, size_t n,
                                               const char *family, const char *key);

/* Is the value one of row->only? A number, or a word. */
bool qn__model_key_allows_number(const struct qn__model_key *row, double value);
bool qn__model_key_allows_word(const struct qn__model_key *row, const char *word);

/* The published value of a key that the family's files may leave out; false: there is none. */
bool qn__fact_default(float *out, const char *family, const char *key);

/* Every fact of the family: what changes numbers and is not computed is refused, what is not known
 * is warned of.  QN_E_UNSUPPORTED  the fact is named */
qn_status qn__facts_check(struct qn__model_file *f);
/* The same of an adapter's file: that it is one, and of "adapter.<key>". */
qn_status qn__adapter_facts_check(struct qn__model_file *f);

#endif
