/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tokens end a text, or a speaker's turn. Files say it in many ways: eos, eot and eom by
 * number, several of them in generation_config.json, by the token's text alone, or only in that the
 * chat template ends a turn with it. */
#ifndef QN_ENGINE_END_TOKENS_H
#define QN_ENGINE_END_TOKENS_H

#include "engine/vocabulary.h"

enum { QN__END_TOKENS_MAX = 64 };
struct qn__end_tokens {
    int32_t ids[QN__END_TOKENS_MAX];
    uint32_t n;
    int32_t eos, eot; /* -1: none */
    int32_t never;    /* is no end, whatever says so; -1: none */
};

/* From the file's keys and the vocabulary's texts. A token that is found by its text counts as a
 * control token from here on, whatever type the file gives it.
 * QN_E_CORRUPT  a number outside the vocabulary */
qn_status qn__end_tokens_init(struct qn__end_tokens *out, struct qn__vocabulary *v,
                              const struct qn__model_file *f, int32_t eos);
bool qn__end_tokens_have(const struct qn__end_tokens *e, int32_t id);
void qn__end_tokens_add(struct qn__end_tokens *e, int32_t id);

/* Marks of a turn ("<|im_start|>") that the chat template writes and the file takes for words: they
 * count as control tokens. Old converters wrote such files. */
void qn__end_tokens_mark_template(struct qn__vocabulary *v, const struct qn__model_file *f);

/* The key of a token by number; -1 where the file says so (0xffffffff), or has no such key.
 * QN_E_CORRUPT  it is not in the vocabulary */
qn_status qn__token_id_read(int32_t *out, const struct qn__vocabulary *v,
                            const struct qn__model_file *f, const char *key);

#endif
