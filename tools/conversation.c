/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages (conversation.h). */
#include "tools/conversation.h"

#include "tools/json_text.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

static const char *const roles[] = {"system", "user", "assistant"};

char *qn__copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

bool qn__conversation_add(struct qn__conversation *c, const char *role, char *text)
{
    if (text && c->n == c->room) {
        const uint32_t more = c->room ? 2 * c->room : 16;
        qn_chat_message *grown = realloc(c->messages, more * sizeof *grown);
        if (grown) {
            c->messages = grown;
            c->room = more;
        }
    }
    if (!text || c->n == c->room) {
        free(text);
        return qn__complain(false, "no memory for the conversation");
    }
    c->messages[c->n++] = (qn_chat_message){.role = role, .text = text};
    return true;
}

static void release_text(const qn_chat_message *m)
{
    union {
        const char *text;
        void *memory;
    } ours = {.text = m->text};
    free(ours.memory);
}

void qn__conversation_forget(struct qn__conversation *c, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++)
        release_text(&c->messages[i]);
    memmove(c->messages + first, c->messages + first + n, (c->n - first - n) * sizeof *c->messages);
    c->n -= n;
}

void qn__conversation_forget_last(struct qn__conversation *c)
{
    if (c->n)
        qn__conversation_forget(c, c->n - 1, 1);
}

void qn__conversation_release(struct qn__conversation *c)
{
    if (c->n)
        qn__conversation_forget(c, 0, c->n);
    free(c->messages);
    *c = (struct qn__conversation){0};
}

const char *qn__conversation_system(const struct qn__conversation *c)
{
    return c->n && strcmp(c->messages[0].role, "system") == 0 ? c->messages[0].text : NULL;
}

bool qn__conversation_set_system(struct qn__conversation *c, char *text)
{
    if (qn__conversation_system(c))
        qn__conversation_forget(c, 0, 1);
    if (!text)
        return true;
    if (!qn__conversation_add(c, "system", text))
        return false;
    const qn_chat_message m = c->messages[c->n - 1];
    memmove(c->messages + 1, c->messages, (c->n - 1) * sizeof *c->messages);
    c->messages[0] = m;
    return true;
}

bool qn__conversation_save(const struct qn__conversation *c, const char *path)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < c->n; i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "role", c->messages[i].role, "content",
                                              qn__json_string(c->messages[i].text)));
    json_t *all = json_pack("{s:o}", "messages", list);
    if (!all)
        return qn__complain(false, "no memory for the conversation");
    const bool good = qn__json_write(path, all);
    json_decref(all);
    return good;
}

static const char *find_role(const char *name)
{
    for (size_t i = 0; name && i < sizeof roles / sizeof *roles; i++)
        if (strcmp(roles[i], name) == 0)
            return roles[i];
    return NULL;
}

static bool add_loaded(struct qn__conversation *c, const char *path, size_t i, json_t *m)
{
    const char *role = find_role(json_string_value(json_object_get(m, "role")));
    const char *text = json_string_value(json_object_get(m, "content"));
    if (!role || !text)
        return qn__complain(false,
                            "%s: message %zu is not {\"role\": \"system\", \"user\" or "
                            "\"assistant\", \"content\": TEXT}",
                            path, i + 1);
    return qn__conversation_add(c, role, qn__copy_text(text));
}

bool qn__conversation_load(struct qn__conversation *c, const char *path)
{
    struct qn__conversation loaded = {0};
    json_error_t e;
    char *text = qn__read_text(path);
    if (!text)
        return false;
    json_t *all = json_loads(text, 0, &e);
    free(text);
    if (!all)
        return qn__complain(false, "%s: no JSON: line %d: %s", path, e.line, e.text);
    json_t *list = json_is_array(all) ? all : json_object_get(all, "messages");
    bool good = json_is_array(list);
    if (!good)
        qn__complain(0, "%s: no list of messages", path);
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = add_loaded(&loaded, path, i, json_array_get(list, i));
    json_decref(all);
    if (!good) {
        qn__conversation_release(&loaded);
        return false;
    }
    qn__conversation_release(c);
    *c = loaded;
    return true;
}
