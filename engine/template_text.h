/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of chat templates as characters: parts, searching, white space, cases. A byte that is no
 * part of UTF-8 counts as a character. */
#ifndef QN_ENGINE_TEMPLATE_TEXT_H
#define QN_ENGINE_TEMPLATE_TEXT_H

#include "engine/template_value.h"

uint32_t qn__text_character_bytes(struct qn__template_text t, size_t at);
uint32_t qn__text_code_point(struct qn__template_text t, size_t at);
size_t qn__text_characters(struct qn__template_text t);
/* Where the character with this number begins; t.n past the last one. */
size_t qn__text_offset(struct qn__template_text t, size_t character);
struct qn__template_text qn__text_part(struct qn__template_text t, size_t start, size_t n);

/* The first place of `what` from `start` on, or SIZE_MAX. */
size_t qn__text_find(struct qn__template_text t, struct qn__template_text what, size_t start);
size_t qn__text_find_last(struct qn__template_text t, struct qn__template_text what);

bool qn__is_space(uint32_t code_point); /* as Python's str.isspace() */
enum qn__text_side { QN__LEFT = 1, QN__RIGHT = 2, QN__BOTH = 3 };
/* Without the characters of `set` (white space where it is NULL) at its ends. */
struct qn__template_text qn__text_strip(struct qn__template_text t,
                                        const struct qn__template_text *set,
                                        enum qn__text_side side);

/* Letters and digits as Unicode has them, where the C library knows (it has "C.UTF-8"). */
enum qn__text_case { QN__UPPER, QN__LOWER, QN__TITLE, QN__CAPITALIZE };
qn_status qn__text_change_case(struct qn__value *out, struct qn__template_run *run,
                               struct qn__template_text t, enum qn__text_case to);
enum qn__text_class { QN__ALPHA, QN__DIGIT, QN__ALNUM, QN__SPACE, QN__IS_UPPER, QN__IS_LOWER };
bool qn__text_is(struct qn__template_text t, enum qn__text_class what);
/* Would Python's repr() print it as it is? */
bool qn__is_printable(uint32_t code_point);

#endif
