/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages of a conversation, and their file. */
#ifndef QN_TOOLS_CONVERSATION_H
#define QN_TOOLS_CONVERSATION_H

#include <quern/model.h>

struct qn__conversation {
    qn_chat_message *messages; /* their texts are ours */
    uint32_t n, room;
};

/* Takes `text`, which was allocated; NULL is out of memory. False after a complaint. */
bool qn__conversation_add(struct qn__conversation *c, const char *role, char *text);
char *qn__copy_text(const char *text);
void qn__conversation_forget_last(struct qn__conversation *c);
/* Messages from `first` on, n of them. */
void qn__conversation_forget(struct qn__conversation *c, uint32_t first, uint32_t n);
void qn__conversation_release(struct qn__conversation *c);

/* The system's message, or NULL; put one there, in place of another (takes text; NULL: none). */
const char *qn__conversation_system(const struct qn__conversation *c);
bool qn__conversation_set_system(struct qn__conversation *c, char *text);

/* As JSON: {"messages": [{"role": ..., "content": ...}, ...]}, or the list alone. False after a
 * complaint; what was there before a load stays then. */
bool qn__conversation_save(const struct qn__conversation *c, const char *path);
bool qn__conversation_load(struct qn__conversation *c, const char *path);

#endif
