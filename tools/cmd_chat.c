/* SPDX-License-Identifier: Apache-2.0
 *
 * quern chat: a conversation with a chat model, line by line.
 *
 * The whole conversation is formatted anew for every turn and compared with the tokens that are
 * already in the cache; only what differs is computed. */
#include "base/file.h"
#include "tools/chat_prompt.h"
#include "tools/chat_words.h"
#include "tools/commands.h"
#include "tools/conversation.h"
#include "tools/line_input.h"
#include "tools/terminal.h"
#include "tools/write_text.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    struct qn__generation_options g;
    struct qn__chat_prompt_options chat;
    const char *system, *load;
    bool no_history;
};

static const struct qn__option options[] = {
    QN__GENERATION_ROWS(struct values),
    QN__CHAT_PROMPT_ROWS(struct values),
    QN__TEXT(struct values, system, 0, "system", "TEXT", "what the model is told first"),
    QN__TEXT(struct values, load, 0, "load", "FILE", "go on with a conversation that /save wrote"),
    QN__FLAG(struct values, no_history, 0, "no-history",
             "keep nothing of what is typed; else it is in $XDG_STATE_HOME/quern/chat_history"),
};

struct chat {
    struct qn__generation g;
    struct qn__chat_prompt prompt;
    struct qn__conversation messages;
    struct qn__line_input *input;
    bool has_answered, is_over;
};

/* A message of one line or several: a backslash at the end goes on, and so does all between two
 * lines of three quotes. NULL as qn__line_input_read(). */
static char *read_message(struct chat *c, bool *failed)
{
    static const char quotes[] = "\"\"\"";
    struct qn__str text = {0};
    bool quoted = false;
    char *line;
    for (const char *prompt = "> "; (line = qn__line_input_read(c->input, prompt, failed));
         prompt = ". ") {
        const char *from = line;
        size_t n = strlen(line);
        const bool begins = !quoted && !text.len && strncmp(line, quotes, 3) == 0;
        if (begins)
            from += 3, n -= 3, quoted = true;
        const bool ends = quoted && n >= 3 && strcmp(from + n - 3, quotes) == 0;
        if (ends)
            n -= 3;
        const bool goes_on = !quoted && n && from[n - 1] == '\\';
        if (goes_on)
            n--;
        qn__str_add_bytes(&text, from, n);
        free(line);
        if (ends || (!quoted && !goes_on))
            return qn__str_take(&text);
        if (!begins || n)
            qn__str_add_char(&text, '\n');
    }
    if (text.len && !*failed && !qn__interrupted())
        return qn__str_take(&text); /* the input ended within it */
    qn__str_release(&text);
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
    QN_TRY(
        qn__chat_prompt_encode(out, &c->prompt, c->g.model, c->messages.messages, c->messages.n));
    return qn__generation_rewind(n_common, &c->g, out->ids, out->n);
}

/* With --context-shift the oldest messages go until what is left, and an answer, has room. */
static bool shorten(struct chat *c, const qn_tokens *t)
{
    const uint32_t context = qn_session_get_info(c->g.session)->plan.context;
    const uint32_t first = qn__conversation_system(&c->messages) ? 1 : 0;
    if (!c->g.options->shifts || t->n <= context - context / 4 || c->messages.n < first + 3)
        return false;
    qn__conversation_forget(&c->messages, first, 2); /* a message and its answer */
    return true;
}

/* What became of an answer of which n_asked tokens were to be read: false after a complaint that
 * ends the conversation. */
static bool conclude(struct chat *c, qn_status s, uint32_t n_asked, struct qn__str *text)
{
    if (s != QN_OK) {
        qn__complain_status("answer");
        /* a template may refuse what it is told later, as a system message */
        if (s != QN_E_LIMIT && !(s == QN_E_INVALID && c->has_answered))
            return false;
        qn__conversation_forget_last(&c->messages); /* the question without an answer */
        if (s == QN_E_LIMIT)
            qn__complain(0, "/new begins a new conversation; --ctx sets the context, "
                            "--context-shift forgets its beginning");
        return true;
    }
    if (c->g.n_prompt < n_asked) { /* what was read of it stays in the cache */
        qn__conversation_forget_last(&c->messages);
        return qn__complain(true, "stopped after %u of %u tokens: the message is forgotten",
                            c->g.n_prompt, n_asked);
    }
    if (c->g.finish == QN__FINISH_OUTPUT) /* main says why */
        return false;
    if (c->g.finish == QN__FINISH_CONTEXT)
        qn__complain(0, "the context is full; /new begins a new conversation, --ctx sets it");
    c->has_answered = true;
    if (c->g.options->stats)
        qn__generation_report(&c->g);
    return qn__conversation_add(&c->messages, "assistant", qn__str_take(text));
}

static bool answer(struct chat *c)
{
    struct answer a = {0};
    qn_tokens next;
    uint32_t n_common = 0;
    qn__interrupt_reset(); /* from here on Ctrl-C is meant for this message */
    c->g.start_ms = qn__now_ms();
    qn_status s = encode(&next, &n_common, c);
    while (s == QN_OK && shorten(c, &next)) {
        free(next.ids);
        s = encode(&next, &n_common, c);
    }
    if (s == QN_OK)
        s = qn__generate(&c->g, next.ids + n_common, next.n - n_common, show_and_keep, &a);
    putchar('\n');
    qn__flush_stdout(); /* a reader of a pipe waits for the end of the line */
    free(next.ids);
    const bool goes_on = conclude(c, s, next.n - n_common, &a.text);
    qn__str_release(&a.text);
    return goes_on;
}

/* -- words -- */

static bool begin(struct chat *c)
{
    const char *system = qn__conversation_system(&c->messages);
    const uint32_t first = system ? 1 : 0;
    qn__conversation_forget(&c->messages, first, c->messages.n - first);
    return true;
}

static bool ends_with(const struct chat *c, const char *role)
{
    return c->messages.n && strcmp(c->messages.messages[c->messages.n - 1].role, role) == 0;
}

/* Forget the last answer; *good: there was a message before it, which is the last one now. */
static bool forget_answer(struct chat *c)
{
    if (ends_with(c, "assistant"))
        qn__conversation_forget_last(&c->messages);
    return ends_with(c, "user") || qn__complain(false, "there is no message yet");
}

static bool regenerate(struct chat *c)
{
    return !forget_answer(c) || answer(c);
}

static void undo(struct chat *c)
{
    if (!forget_answer(c))
        return;
    qn__conversation_forget_last(&c->messages);
    if (!c->g.options->quiet)
        fprintf(stderr, "forgotten: %u messages are left\n", c->messages.n);
}

static bool tell(struct chat *c, const char *text)
{
    const char *system = qn__conversation_system(&c->messages);
    if (*text)
        return qn__conversation_set_system(&c->messages, qn__copy_text(text));
    puts(system ? qn__plain(system) : "(none)");
    return true;
}

static void load(struct chat *c, const char *path)
{
    if (!qn__conversation_load(&c->messages, path))
        return;
    for (uint32_t i = 0; i < c->messages.n && !c->g.options->quiet; i++)
        printf("%s%s%s %s\n", qn__style_on(stdout, QN__STYLE_DIM), c->messages.messages[i].role,
               qn__style_off(stdout), qn__plain(c->messages.messages[i].text));
    if (ends_with(c, "user"))
        qn__complain(0, "the last message has no answer yet: /regen gives one");
}

/* One line of the user's, which is taken; false after a complaint that ends the conversation. */
static bool turn(struct chat *c, char *line)
{
    const char *rest;
    bool goes_on = true;
    switch (qn__chat_read_word(&rest, line)) {
    case QN__CHAT_MESSAGE:
        if (*rest)
            goes_on = qn__conversation_add(&c->messages, "user", qn__copy_text(rest)) && answer(c);
        break;
    case QN__CHAT_HELP: qn__chat_print_help(); break;
    case QN__CHAT_NEW: goes_on = begin(c); break;
    case QN__CHAT_REGEN: goes_on = regenerate(c); break;
    case QN__CHAT_UNDO: undo(c); break;
    case QN__CHAT_SYSTEM: goes_on = tell(c, rest); break;
    case QN__CHAT_SAVE: qn__conversation_save(&c->messages, rest); break;
    case QN__CHAT_LOAD: load(c, rest); break;
    case QN__CHAT_STATS:
        if (c->has_answered)
            qn__generation_report(&c->g);
        else
            qn__complain(0, "there is no answer yet");
        break;
    case QN__CHAT_EXIT: c->is_over = true; break;
    case QN__CHAT_UNKNOWN: break;
    }
    free(line);
    qn__flush_stdout();
    return goes_on;
}

static int converse(struct chat *c, const struct values *v)
{
    char *line;
    bool failed = false;
    int status = QN__EXIT_GOOD;
    c->input = qn__line_input_open(v->no_history ? NULL : "chat_history");
    if (!c->g.options->quiet && isatty(STDIN_FILENO))
        fprintf(stderr,
                "Ctrl-C stops an answer, /help lists what there is, /exit or Ctrl-D ends.%s"
                "\n",
                qn__line_input_edits(c->input) ? "" : " (Lines are not edited: no libedit here.)");
    qn__interrupt_watch();
    if (v->system && !qn__conversation_set_system(&c->messages, qn__copy_text(v->system)))
        status = QN__EXIT_FAILED;
    if (status == QN__EXIT_GOOD && v->load && !qn__conversation_load(&c->messages, v->load))
        status = QN__EXIT_FAILED;
    while (status == QN__EXIT_GOOD && !c->is_over && (line = read_message(c, &failed))) {
        if (!turn(c, line))
            status = QN__EXIT_FAILED;
        qn__interrupt_reset();
    }
    qn__line_input_close(c->input);
    return failed ? QN__EXIT_FAILED : status;
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
    qn__conversation_release(&c.messages);
    qn__chat_prompt_release(&c.prompt);
    qn__generation_close(&c.g);
    return status;
}

const struct qn__command qn__cmd_chat = {
    .name = "chat",
    .brief = "talk with a chat model, line by line",
    .about =
        "Every line is a message. On a terminal it can be edited, and the arrows go back to what "
        "was typed before, where there is libedit. A backslash at a line's end goes on in the "
        "next one, and so does everything between two lines of \"\"\". /help lists the words that "
        "begin with a slash: /regen, /undo, /system, /save, /load, /new, /stats, /exit. Ctrl-C "
        "stops an answer, or takes back a message that is still being read. Lines may come from a "
        "pipe.",
    .sample = "chat model.gguf\nchat model.gguf --system \"You answer in one sentence.\" --temp 0",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
