/* SPDX-License-Identifier: Apache-2.0
 *
 * Where clang looks for the machine's headers, and what made it look there. It chooses the newest
 * GCC and leaves out folders that do not exist; so another result is to be expected when a version
 * of GCC appears beside the others, or such a folder at all. */
#include "compiler/frontend/search_folders.h"

#include "base/file.h"
#include "base/str.h"
#include "compiler/frontend/clang.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where versions of GCC would be, as far as it can be said without one. */
static const char *const places_of_gcc[] = {"/usr/lib/gcc", "/usr/lib64/gcc",
                                            "/usr/lib/gcc/x86_64-linux-gnu",
                                            "/usr/lib/gcc/aarch64-linux-gnu", "/usr/include/c++"};
enum { PLACES = sizeof places_of_gcc / sizeof places_of_gcc[0] };

struct lists {
    struct qn__arena *arena;
    const char **folders, **choices;
    uint32_t n_folders, n_choices;
    bool failed;
};

static void add(struct lists *l, const char **list, uint32_t *n, const char *text, size_t bytes)
{
    for (uint32_t i = 0; i < *n; i++)
        if (strlen(list[i]) == bytes && memcmp(list[i], text, bytes) == 0)
            return;
    list[*n] = qn__arena_strndup(l->arena, text, bytes);
    l->failed |= !list[(*n)++];
}

/* The folder above a version of GCC: all versions are in it. */
static void add_above(struct lists *l, const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n > 1)
        add(l, l->choices, &l->n_choices, path, n - 1);
}

/* `ignoring nonexistent directory "/include"` */
static void add_absent(struct lists *l, const char *line, size_t n)
{
    const char *const open = memchr(line, '"', n);
    if (open && line[n - 1] == '"' && open < line + n - 1)
        add(l, l->choices, &l->n_choices, open + 1, (size_t)(line + n - 1 - open) - 1);
}

qn_status qn__search_folders_read(struct qn__machine_files *out, struct qn__arena *arena,
                                  const char *text)
{
    static const char candidate[] = "Found candidate GCC installation: ";
    static const char absent[] = "ignoring nonexistent directory ";
    uint32_t n_lines = 1 + PLACES;
    for (const char *p = text; *p; p++)
        n_lines += *p == '\n';
    struct lists l = {arena,
                      QN__ARENA_ARRAY(arena, const char *, n_lines),
                      QN__ARENA_ARRAY(arena, const char *, n_lines),
                      0,
                      0,
                      false};
    if (!l.folders || !l.choices)
        return qn__fail(QN_E_MEMORY, "no memory for the folders of headers");
    bool in_list = false, has_gcc = false;
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        if (qn__starts_with(line, "#include <...> search starts here")) {
            in_list = true;
        } else if (qn__starts_with(line, "End of search list")) {
            in_list = false;
        } else if (in_list && line[0] == ' ') {
            add(&l, l.folders, &l.n_folders, line + 1, n - 1);
        } else if (qn__starts_with(line, candidate)) {
            add_above(&l, line + sizeof candidate - 1, n - (sizeof candidate - 1));
            has_gcc = true;
        } else if (qn__starts_with(line, absent)) {
            add_absent(&l, line, n);
        }
        line += n + (line[n] == '\n');
    }
    for (int i = 0; !has_gcc && i < PLACES; i++)
        add(&l, l.choices, &l.n_choices, places_of_gcc[i], strlen(places_of_gcc[i]));
    out->folders = l.folders;
    out->n_folders = l.n_folders;
    out->choices = l.choices;
    out->n_choices = l.n_choices;
    return l.failed ? qn__fail(QN_E_MEMORY, "no memory for the folders of headers") : QN_OK;
}

qn_status qn__search_folders(struct qn__machine_files *out, struct qn__arena *arena,
                             const char *clang, const char *temp)
{
    enum { ANSWER_LIMIT = 1 << 20 };
    static const char *const fixed[] = {"-E", "-v",  "--no-default-config",
                                        "-x", "c++", "/dev/null"};
    enum { FIXED = sizeof fixed / sizeof fixed[0] };
    char *argv[FIXED + 2] = {qn__arena_strdup(arena, clang)};
    bool good = argv[0] != NULL;
    for (int i = 0; i < FIXED; i++)
        good &= (argv[i + 1] = qn__arena_strdup(arena, fixed[i])) != NULL;
    const char *const log = qn__arena_printf(arena, "%s/search", temp);
    char *text;
    size_t n;
    int code;
    if (!good || !log)
        return qn__fail(QN_E_MEMORY, "no memory for the folders of headers");
    QN_TRY(qn__clang_run(&code, argv, log));
    QN_TRY(qn__file_read(&text, &n, log, ANSWER_LIMIT));
    const qn_status s = code == 0 ? qn__search_folders_read(out, arena, text)
                                  : qn__fail(QN_E_COMPILER, "%s -v: exit status %d", clang, code);
    free(text);
    return s;
}
