/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that somebody types: with editing and a history, where there is a terminal and the library
 * libedit, which is looked for when the program runs; else as they come. */
#ifndef QN_TOOLS_LINE_INPUT_H
#define QN_TOOLS_LINE_INPUT_H

#include <stdbool.h>

struct qn__line_input;

/* history: name of the file in $XDG_STATE_HOME/quern that what was typed is read from and kept in;
 * NULL: none. Never fails: without memory or the library lines are read plainly. */
struct qn__line_input *qn__line_input_open(const char *history);
void qn__line_input_close(struct qn__line_input *in); /* writes the history */
bool qn__line_input_edits(const struct qn__line_input *in);

/* A line without its end, to free(); NULL at the end of the input, after Ctrl-C, or (*failed) after
 * a complaint. The prompt is shown on a terminal only. */
char *qn__line_input_read(struct qn__line_input *in, const char *prompt, bool *failed);

#endif
