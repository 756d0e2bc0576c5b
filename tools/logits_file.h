/* SPDX-License-Identifier: Apache-2.0
 *
 * Distributions of a text's tokens in a file, as llama.cpp's perplexity program writes and reads
 * them
 * (--save-all-logits): what a quantised model is compared with, without the original at hand.
 *
 *   "_logits_", then as 32-bit numbers: positions of a piece, tokens of the vocabulary, pieces
 *   the tokens of all pieces, 32 bits each
 *   a row for each token that is scored: f32 step, f32 least, then for each token of the vocabulary
 *   16 bits: its log-probability is least + step times that; an even number of them
 *
 * Of a piece of n positions those from n / 2 to n - 2 are scored. A row keeps 16 nats: what is less
 * likely counts as if it were there. Numbers are little-endian. */
#ifndef QN_TOOLS_LOGITS_FILE_H
#define QN_TOOLS_LOGITS_FILE_H

#include "base/str.h"

#include <stdint.h>
#include <stdio.h>

struct qn__logits_file {
    uint32_t context, n_vocab, n_pieces;
    int32_t *tokens; /* (n_pieces, context) */

    FILE *file;
    char *path, *part; /* what is written is there until it is whole; NULL: it is read */
    uint16_t *row;     /* (n_vocab, made even) */
};

/* Below this a row of a file says nothing, in nats. */
#define QN__LOGITS_FILE_LEAST (-16.0)

/* Begin a file for n_pieces of `context` tokens. QN_E_IO, QN_E_MEMORY */
qn_status qn__logits_file_create(struct qn__logits_file *f, const char *path, uint32_t context,
                                 uint32_t n_vocab, uint32_t n_pieces, const int32_t *tokens);
/* The next row: n_vocab logits. */
qn_status qn__logits_file_add(struct qn__logits_file *f, const float *logits);
/* All rows are there: from now on it is at its path. */
qn_status qn__logits_file_finish(struct qn__logits_file *f);

/* QN_E_CORRUPT  another file, or one that was cut short; QN_E_IO, QN_E_MEMORY */
qn_status qn__logits_file_open(struct qn__logits_file *f, const char *path);
/* The next row: n_vocab log-probabilities. */
qn_status qn__logits_file_next(struct qn__logits_file *f, float *log_probs);

/* What was begun and not finished is removed. */
void qn__logits_file_close(struct qn__logits_file *f);

#endif
