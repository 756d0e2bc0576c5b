/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program does while its calls fail. In texts, @ is the folder that a scenario runs in,
 * and a command is the program's words with blanks between. */
#ifndef QN_TESTS_SCENARIOS_H
#define QN_TESTS_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

struct scenario {
    const char *name;
    const char *program; /* whose calls fail; NULL: quern */
    bool is_long;        /* to prepare, so that only all of it has it */
    bool real_compiler;  /* else one that answers at once */
    bool changes;        /* what it finds, so that a second run has another answer */
    const char *before;  /* commands that make what there is; with ';' between, may be NULL */
    const char *command;
    const char *answer; /* the file that must be right where the status is 0; NULL: stdout */
    const char *line;   /* only the line that begins so must be right, or missing; may be NULL */
    const char *set;    /* variables, with blanks between; may be NULL. $PORT: of the server */
    const char *needs;  /* compiler or backend that has to be here; may be NULL */
};

extern const struct scenario scenarios[];
extern const unsigned n_scenarios;

#endif
