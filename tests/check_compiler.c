/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator. Golden files: tests/compiler/ok/<name>.cu must give <name>.cl, and
 * tests/compiler/err/<name>.cu the diagnostics of <name>.txt. `make golden` rewrites both; the diff
 * is reviewed like code.
 *
 *     check_compiler                       the tests
 *     check_compiler --golden              rewrite the golden files
 *     check_compiler --print FILE [PROFILE] [OPTION or =NAME-EXPRESSION ...]   translate one file
 */
#include "base/file.h"
#include "compiler/translator.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 512, LIMIT = 16 << 20 };

static qn_status translate(struct qn__translate_result *out, struct qn__arena *arena,
                           const char *path, const char *profile, char **arguments,
                           unsigned n_arguments)
{
    char *text = NULL;
    size_t n = 0;
    const char *options[64], *names[64];
    QN_TRY(qn__file_read(&text, &n, path, LIMIT));
    const struct qn__translate_file file = {qn__path_base(path), text, n};
    struct qn__translate_request r = {
        .files = &file, .n_files = 1, .profile = profile, .options = options, .names = names};
    for (unsigned i = 0; i < n_arguments && i < 64; i++)
        if (arguments[i][0] == '=')
            names[r.n_names++] = arguments[i] + 1;
        else
            options[r.n_options++] = arguments[i];
    const qn_status s = qn__translate(out, arena, &r);
    free(text);
    return s;
}

static int print_one(int argc, char **argv)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const qn_status s = translate(&r, &arena, argv[2], argc > 3 ? argv[3] : NULL, argv + 4,
                                  argc > 4 ? (unsigned)argc - 4 : 0);
    if (r.diagnostics)
        fputs(r.diagnostics, stderr);
    if (s == QN_OK)
        printf("%s", r.text);
    else
        fprintf(stderr, "%s: %s\n", qn_status_name(s), qn_message());
    if (s == QN_OK && getenv("REFLECT"))
        printf("%s\n%s\n", r.reflect_json, r.explain_json);
    qn__arena_release(&arena);
    return s == QN_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--print") == 0)
        return print_one(argc, argv);
    return 1;
}
