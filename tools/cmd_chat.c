/* SPDX-License-Identifier: Apache-2.0
 *
 * quern chat: a conversation with a chat model, line by line.
 *
 * The whole conversation is formatted anew for every turn and compared with the tokens that are
 * already in the cache; only what differs is computed. */
#include "base/file.h"
#include "tools/chat_prompt.h"
#include "tools/commands.h"
#include "tools/terminal.h"
#include "tools/write_text.h"

#include <errno.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    struct qn__generation_options g;
    struct qn__chat_prompt_options chat;
    const char *system;
};

static const struct qn__option options[] = {
    QN__GENERATION_ROWS(struct values),
    QN__CHAT_PROMPT_ROWS(struct values),
    QN__TEXT(struct values, system, 0, "system", "TEXT", "what the model is told first"),
};

struct chat {
    struct qn__generation g;
    struct qn__chat_prompt prompt;
    qn_chat_message *messages; /* their texts are ours */
    uint32_t n_messages, capacity;
    bool is_over;
};

/* Takes `text`, which was allocated; NULL is out of memory. */
static bool add_message(struct chat *c, const char *role, char *text)
{
    if (text && c->n_messages == c->capacity) {
        const uint32_t more = c->capacity ? 2 * c->capacity : 16;
        qn_chat_message *grown = realloc(c->messages, more * sizeof *grown);
        if (grown) {
            c->messages = grown;
            c->capacity = more;
        }
    }
    if (!text || c->n_messages == c->capacity) {
        free(text);
        return qn__complain(false, "no memory for the conversation");
    }
    c->messages[c->n_messages++] = (qn_chat_message){role, text, NULL};
    return true;
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void forget_last(struct chat *c)
{
    union {
        const char *text;
        void *memory;
    } last = {.text = c->messages[--c->n_messages].text};
    free(last.memory);
}

static void forget(struct chat *c)
{
    while (c->n_messages)
        forget_last(c);
}

/* A line without its end ("\n" or "\r\n"), "" after a complaint when it is no text. */
static char *take_line(struct qn__str *line)
{
    if (line->len && line->text[line->len - 1] == '\r')
        line->text[--line->len] = 0;
    if (line->len && strlen(line->text) != line->len) {
        qn__complain(0, "a message with a zero byte is left out: it is not text");
        qn__str_clear(line);
    }
    return qn__str_take(line);
}

/* A line from stdin; NULL at the end of the input, after Ctrl-C, or (*failed) after a complaint. */
static char *read_line(bool *failed)
{
    struct qn__str line = {0};
    if (isatty(STDIN_FILENO)) {
        printf("%s>%s ", qn__style_on(stdout, QN__STYLE_BOLD), qn__style_off(stdout));
        qn__flush_stdout();
    }
    for (int c; (c = getchar()) != EOF; qn__str_add_char(&line, (char)c))
        if (c == '\n')
            return take_line(&line);
    if (line.len && !ferror(stdin))
        return take_line(&line);
    if (ferror(stdin) && errno != EINTR)
        *failed = !qn__complain(false, "standard input: %s", strerror(errno));
    if (isatty(STDIN_FILENO))
        putchar('\n');
    qn__str_release(&line);
    return NULL;
}

struct answer {
    struct qn__str text;
};

static bool show_and_keep(const char *text, size_t n_bytes, void *payload)
{
    struct answer *a = payload;
    fwrite(text, 1, n_bytes, stdout);
    qn__str_add_bytes(&a->text, text, n_bytes);
    return qn__flush_stdout();
}

/* The conversation's tokens; *n_common of them are in the cache. */
static qn_status encode(qn_tokens *out, uint32_t *n_common, struct chat *c)
{
    QN_TRY(qn__chat_prompt_encode(out, &c->prompt, c->g.model, c->messages, c->n_messages));
    return qn__generation_rewind(n_common, &c->g, out->ids, out->n);
}

/* What became of an answer of which n_asked tokens were to be read: false after a complaint that
 * ends the conversation. */
static bool conclude(struct chat *c, qn_status s, uint32_t n_asked, struct qn__str *text)
{
    if (s != QN_OK) {
        qn__complain_status("answer");
        if (s != QN_E_LIMIT)
            return false;
        forget_last(c); /* the question without an answer */
        return qn__complain(true, "/new begins a new conversation; --ctx sets the context");
    }
    if (c->g.n_prompt < n_asked) { /* what was read of it stays in the cache */
        forget_last(c);
        return qn__complain(true, "stopped after %u of %u tokens: the message is forgotten",
                            c->g.n_prompt, n_asked);
    }
    if (c->g.finish == QN__FINISH_OUTPUT) /* main says why */
        return false;
    if (c->g.finish == QN__FINISH_CONTEXT)
        qn__complain(0, "the context is full; /new begins a new conversation, --ctx sets it");
    if (c->g.options->stats)
        qn__generation_report(&c->g);
    return add_message(c, "assistant", qn__str_take(text));
}

static bool answer(struct chat *c)
{
    struct answer a = {0};
    qn_tokens next = {0};
    uint32_t n_common = 0;
    qn__interrupt_reset(); /* from here on Ctrl-C is meant for this message */
    c->g.start_ms = qn__now_ms();
    qn_status s = encode(&next, &n_common, c);
    if (s == QN_OK)
        s = qn__generate(&c->g, next.ids + n_common, next.n - n_common, show_and_keep, &a);
    putchar('\n');
    qn__flush_stdout(); /* a reader of a pipe waits for the end of the line */
    free(next.ids);
    const bool goes_on = conclude(c, s, next.n - n_common, &a.text);
    qn__str_release(&a.text);
    return goes_on;
}

static bool begin(struct chat *c, const struct values *v)
{
    forget(c);
    return !v->system || add_message(c, "system", copy_text(v->system));
}

/* One line of the user's; false after a complaint that ends the conversation. */
static bool turn(struct chat *c, const struct values *v, char *line)
{
    if (strcmp(line, "/exit") == 0 || strcmp(line, "/quit") == 0) {
        free(line);
        c->is_over = true;
        return true;
    }
    if (strcmp(line, "/new") == 0) {
        free(line);
        return begin(c, v);
    }
    if (!*line) {
        free(line);
        return true;
    }
    return add_message(c, "user", line) && answer(c);
}

static int converse(struct chat *c, const struct values *v)
{
    char *line;
    bool failed = false;
    if (!c->g.options->quiet && isatty(STDIN_FILENO))
        fprintf(stderr, "Ctrl-C stops an answer, /new begins anew, /exit or Ctrl-D ends.\n");
    qn__interrupt_watch();
    if (!begin(c, v))
        return QN__EXIT_FAILED;
    while (!c->is_over && (line = read_line(&failed)))
        if (!turn(c, v, line))
            return QN__EXIT_FAILED;
    return failed ? QN__EXIT_FAILED : QN__EXIT_GOOD;
}

static int run(const void *values)
{
    const struct values *v = values;
    struct chat c = {0};
    int status;
    const bool good = qn__chat_prompt_init(&c.prompt, &v->chat, &status);
    if (good && qn__generation_init(&c.g, &v->g, 0.7f, &status)) {
        if (!qn_model_get_info(c.g.model)->has_chat_template &&
            !qn__chat_prompt_has_template(&v->chat))
            status = qn__complain(
                QN__EXIT_FAILED,
                "%s has no chat template: name one with --chat-template, or use 'quern "
                "run'",
                qn_model_get_info(c.g.model)->path);
        else if (qn__generation_load(&c.g, &status))
            status = converse(&c, v);
    }
    qn__chat_prompt_release(&c.prompt);
    forget(&c);
    free(c.messages);
    qn__generation_close(&c.g);
    return status;
}

const struct qn__command qn__cmd_chat = {
    .name = "chat",
    .brief = "talk with a chat model, line by line",
    .about =
        "Every line is a message. /new forgets the conversation, /exit or the end of the input "
        "ends it; Ctrl-C stops an answer, or takes back a message that is still being read. Lines "
        "may come from a pipe.",
    .sample = "chat model.gguf\nchat model.gguf --system \"You answer in one sentence.\" --temp 0",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
