/* SPDX-License-Identifier: Apache-2.0
 *
 * What a line of a chat means: a message, or a word that begins with a slash. */
#ifndef QN_TOOLS_CHAT_WORDS_H
#define QN_TOOLS_CHAT_WORDS_H

enum qn__chat_word {
    QN__CHAT_MESSAGE,
    QN__CHAT_HELP,
    QN__CHAT_NEW,
    QN__CHAT_REGEN,
    QN__CHAT_UNDO,
    QN__CHAT_SYSTEM,
    QN__CHAT_SAVE,
    QN__CHAT_LOAD,
    QN__CHAT_STATS,
    QN__CHAT_EXIT,
    QN__CHAT_UNKNOWN, /* after a complaint */
};

/* *rest: what comes after the word, or the message itself: "//x" is "/x", and a word with a second
 * slash in it ("/usr/bin") is a message. */
enum qn__chat_word qn__chat_read_word(const char **rest, const char *line);

/* A line for each word, on stdout. */
void qn__chat_print_help(void);

#endif
