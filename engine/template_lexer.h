/* SPDX-License-Identifier: Apache-2.0
 *
 * A chat template as tokens: text between tags, and the words of the tags. White space around tags
 * is taken away here, as Jinja does with trim_blocks and lstrip_blocks, which is how chat templates
 * are run: the line end after a block's tag goes, and so do blanks in front of one that begins its
 * line; "-" takes all white space on its side, "+" leaves it. */
#ifndef QN_ENGINE_TEMPLATE_LEXER_H
#define QN_ENGINE_TEMPLATE_LEXER_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__word_kind {
    QN__WORD_END, /* of the template */
    QN__WORD_DATA,
    QN__WORD_OUTPUT_BEGIN,
    QN__WORD_OUTPUT_END,
    QN__WORD_BLOCK_BEGIN,
    QN__WORD_BLOCK_END,
    QN__WORD_NAME,
    QN__WORD_TEXT,
    QN__WORD_INT,
    QN__WORD_FLOAT,
    QN__WORD_OPERATOR,
};

struct qn__word {
    enum qn__word_kind kind;
    uint32_t line;
    const char *text; /* DATA, NAME, TEXT (what it stands for), OPERATOR */
    size_t n;
    int64_t integer;
    double real;
};

struct qn__words {
    struct qn__word *items; /* the last one is END; in the arena */
    size_t n, capacity;
};

/* QN_E_INVALID  the line and what is wrong there    QN_E_LIMIT  it is too large */
qn_status qn__template_lex(struct qn__words *out, struct qn__arena *arena, const char *text,
                           size_t n);

/* An error of reading a template. */
qn_status qn__template_error(uint32_t line, qn_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
