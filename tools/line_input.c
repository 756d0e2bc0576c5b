/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed lines (line_input.h). Of libedit the few functions are used that it shares with readline.
 */
#include "tools/line_input.h"

#include "base/str.h"
#include "tools/terminal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HISTORY_LINES = 1000 };

/* As libedit's header for readline declares them. */
struct editor {
    void *library;
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    int (*read_history)(const char *path);
    int (*write_history)(const char *path);
    void (*stifle_history)(int lines);
    void (*using_history)(void);
};

struct qn__line_input {
    struct editor editor; /* library NULL: none */
    char *history;
    char *last; /* typed; it is not kept twice in a row */
};

static bool find(void *to, void *library, const char *name)
{
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
}

static void open_editor(struct editor *e)
{
    static const char *const names[] = {"libedit.so.2", "libedit.so.0", "libedit.so"};
    for (size_t i = 0; !e->library && i < sizeof names / sizeof *names; i++)
        e->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!e->library)
        return;
    if (find(&e->readline, e->library, "readline") &&
        find(&e->add_history, e->library, "add_history") &&
        find(&e->read_history, e->library, "read_history") &&
        find(&e->write_history, e->library, "write_history") &&
        find(&e->stifle_history, e->library, "stifle_history") &&
        find(&e->using_history, e->library, "using_history"))
        return;
    dlclose(e->library);
    *e = (struct editor){0};
}

static char *history_path(const char *name)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct qn__str path = {0};
    if (state && *state == '/')
        qn__str_printf(&path, "%s/quern", state);
    else if (home && *home == '/')
        qn__str_printf(&path, "%s/.local/state/quern", home);
    else
        return NULL;
    if (path.failed || !qn__make_folder(path.text)) {
        qn__str_release(&path);
        return NULL;
    }
    qn__str_printf(&path, "/%s", name);
    return qn__str_take(&path);
}

struct qn__line_input *qn__line_input_open(const char *history)
{
    struct qn__line_input *in = calloc(1, sizeof *in);
    if (!in || !is_terminal())
        return in;
    open_editor(&in->editor);
    if (!in->editor.library)
        return in;
    in->editor.using_history();
    in->editor.stifle_history(HISTORY_LINES);
    in->history = history ? history_path(history) : NULL;
    if (in->history)
        in->editor.read_history(in->history); /* there is none the first time */
    return in;
}

void qn__line_input_close(struct qn__line_input *in)
{
    if (!in)
        return;
    if (in->history) {
        const mode_t mask = umask(077); /* what somebody typed is theirs */
        if (in->last && in->editor.write_history(in->history) != 0)
            qn__complain(0, "%s: the history is not kept: %s", in->history, strerror(errno));
        umask(mask);
    }
    free(in->history);
    free(in->last);
    free(in); /* the library stays: it has changed the terminal and may have to change it back */
}

bool qn__line_input_edits(const struct qn__line_input *in)
{
    return in && in->editor.library;
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

static char *read_plainly(const char *prompt, bool *failed)
{
    struct qn__str line = {0};
    if (isatty(STDIN_FILENO)) {
        printf("%s%s%s", qn__style_on(stdout, QN__STYLE_BOLD), prompt, qn__style_off(stdout));
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

char *qn__line_input_read(struct qn__line_input *in, const char *prompt, bool *failed)
{
    if (!qn__line_input_edits(in))
        return read_plainly(prompt, failed);
    qn__flush_stdout();
    char *line = in->editor.readline(prompt);
    if (line && *line && (!in->last || strcmp(line, in->last) != 0)) {
        in->editor.add_history(line);
        free(in->last);
        in->last = malloc(strlen(line) + 1);
        if (in->last)
            strcpy(in->last, line);
    }
    if (!line)
        putchar('\n');
    return line;
}
