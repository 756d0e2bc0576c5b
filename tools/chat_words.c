/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a chat (chat_words.h). */
#include "tools/chat_words.h"

#include "base/options.h"
#include "tools/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *value, *help;
    enum qn__chat_word word;
} words[] = {
    {"help", "", "this list", QN__CHAT_HELP},
    {"new", "", "forget the conversation; the system message stays", QN__CHAT_NEW},
    {"regen", "", "another answer to the last message", QN__CHAT_REGEN},
    {"undo", "", "forget the last message and its answer", QN__CHAT_UNDO},
    {"system", "[TEXT]", "what the model is told first; without TEXT: say it", QN__CHAT_SYSTEM},
    {"save", "FILE", "write the conversation as JSON", QN__CHAT_SAVE},
    {"load", "FILE", "go on with one that was saved", QN__CHAT_LOAD},
    {"stats", "", "what the last answer took", QN__CHAT_STATS},
    {"exit", "", "end; so does Ctrl-D", QN__CHAT_EXIT},
    {"quit", NULL, NULL, QN__CHAT_EXIT},
    {"bye", NULL, NULL, QN__CHAT_EXIT},
    {"clear", NULL, NULL, QN__CHAT_NEW},
    {"regenerate", NULL, NULL, QN__CHAT_REGEN},
};

enum { N_WORDS = sizeof words / sizeof *words };

static enum qn__chat_word unknown(const char *word, size_t n)
{
    char copy[32];
    const char *near = NULL;
    uint32_t best = 3;
    snprintf(copy, sizeof copy, "%.*s", (int)n, word);
    for (size_t i = 0; i < N_WORDS; i++) {
        const uint32_t d = qn__word_distance(copy, words[i].name);
        if (words[i].help && d < best) {
            best = d;
            near = words[i].name;
        }
    }
    if (near)
        qn__complain(0, "/%s: no such word; did you mean /%s? (a message begins with //)", copy,
                     near);
    else
        qn__complain(0, "/%s: no such word; /help lists them (a message begins with //)", copy);
    return QN__CHAT_UNKNOWN;
}

enum qn__chat_word qn__chat_read_word(const char **rest, const char *line)
{
    *rest = line;
    if (line[0] != '/' || !line[1] || line[1] == ' ')
        return QN__CHAT_MESSAGE;
    if (line[1] == '/') {
        *rest = line + 1;
        return QN__CHAT_MESSAGE;
    }
    const size_t n = strcspn(line + 1, " \t");
    if (memchr(line + 1, '/', n))
        return QN__CHAT_MESSAGE;
    *rest = line + 1 + n;
    *rest += strspn(*rest, " \t");
    for (size_t i = 0; i < N_WORDS; i++)
        if (strlen(words[i].name) == n && memcmp(words[i].name, line + 1, n) == 0) {
            const bool wants_file =
                words[i].word == QN__CHAT_SAVE || words[i].word == QN__CHAT_LOAD;
            if (!wants_file || **rest)
                return words[i].word;
            qn__complain(0, "/%s: which file?", words[i].name);
            return QN__CHAT_UNKNOWN;
        }
    return unknown(line + 1, n);
}

void qn__chat_print_help(void)
{
    for (size_t i = 0; i < N_WORDS; i++) {
        char word[32];
        if (!words[i].help)
            continue;
        snprintf(word, sizeof word, "/%s%s%s", words[i].name, *words[i].value ? " " : "",
                 words[i].value);
        printf("  %-16s %s\n", word, words[i].help);
    }
    puts("  LINE\\            the message goes on in the next line\n"
         "  \"\"\"              begins and ends a message of several lines\n"
         "  Ctrl-C           stops an answer");
}
