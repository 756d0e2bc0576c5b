/* SPDX-License-Identifier: Apache-2.0
 *
 * quern cache: where compiled kernels are kept, and how much there is. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <quern/quern.h>
#include <string.h>
#include <sys/stat.h>

struct values {
    const char *what;
    bool json;
};

static const struct qn__option options[] = {
    QN__OPERAND_CHOICE(struct values, what, "path|stat", "path|stat",
                       "path: the folder in use; stat: how many files and bytes it holds"),
    QN__FLAG(struct values, json, 0, "json", "print JSON (stat)"),
};

/* Entries lie at most this many folders deep; a symbolic link is not followed. */
enum { MAX_DEPTH = 4 };

struct usage {
    uint64_t n_files, bytes;
};

static bool measure(struct usage *out, const char *path, int depth)
{
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT && depth > 0; /* removed by somebody else just now */
    struct qn__str name = {0};
    bool good = true;
    for (const struct dirent *e; (e = readdir(dir));) {
        struct stat st;
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        qn__str_clear(&name);
        qn__str_printf(&name, "%s/%s", path, e->d_name);
        if (!name.text || lstat(name.text, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH) {
            good &= measure(out, name.text, depth + 1);
        } else if (S_ISREG(st.st_mode)) {
            out->n_files++;
            out->bytes += (uint64_t)st.st_size;
        }
    }
    qn__str_release(&name);
    closedir(dir);
    return good;
}

static int print_stat(const char *dir, bool json)
{
    struct usage usage = {0};
    char size[QN__SIZE_TEXT];
    if (!measure(&usage, dir, 0))
        return qn__complain(QN__EXIT_FAILED, "cache: %s: %s", dir, strerror(errno));
    if (json)
        return qn__json_print(json_pack("{s:o, s:I, s:I}", "path", qn__json_string(dir), "files",
                                        (json_int_t)usage.n_files, "bytes",
                                        (json_int_t)usage.bytes));
    printf("%s\n%llu files, %s\n", dir, (unsigned long long)usage.n_files,
           qn__size_text(size, usage.bytes));
    return QN__EXIT_GOOD;
}

static int run(const void *values)
{
    const struct values *v = values;
    const char *why = "";
    const char *dir = qn_cache_get_dir(&why);
    if (!dir[0])
        return qn__complain(QN__EXIT_FAILED,
                            "cache: no folder is in use: %s (set QUERN_CACHE_DIR to a folder of "
                            "your own)",
                            why);
    if (!strcmp(v->what, "stat"))
        return print_stat(dir, v->json);
    puts(dir);
    return QN__EXIT_GOOD;
}

const struct qn__command qn__cmd_cache = {
    .name = "cache",
    .brief = "where compiled kernels are kept, and how much there is",
    .sample = "cache path\ncache stat --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
