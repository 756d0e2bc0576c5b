/* SPDX-License-Identifier: Apache-2.0
 *
 * gdb is given this very command without --gdb, the folder of the source to find it in, and a
 * breakpoint at the kernel's function, which is there as soon as the kernel is loaded. QUERN_DEBUG
 * makes it not optimised and loads it from a file; with one thread its blocks come in order. */
#include "tools/launch_gdb.h"

#include "base/str.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 512 };

/* The words of this process, each with its terminating 0. */
static bool read_command_line(struct qn__str *out)
{
    char buffer[4096];
    FILE *f = fopen("/proc/self/cmdline", "r");
    size_t n;
    while (f && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
        qn__str_add_bytes(out, buffer, n);
    if (f)
        fclose(f);
    return out->len > 0 && !out->failed;
}

int qn__launch_in_gdb(const char *file, const char *kernel)
{
    static const char *const settings[] = {"-q",
                                           "-iex",
                                           "set auto-load no",
                                           "-ex",
                                           "set breakpoint pending on",
                                           "-ex",
                                           "set print thread-events off"};
    const char *args[WORDS_MAX] = {"gdb"};
    struct qn__str line = {0}, folder = {0}, stop = {0};
    const char *const slash = strrchr(file, '/');
    const size_t plain = strcspn(kernel, "<( "); /* of sum<float>, sum */
    uint32_t n = 1;
    if (!read_command_line(&line))
        return qn__complain(QN__EXIT_FAILED, "launch: --gdb: no /proc/self/cmdline");
    qn__str_add_bytes(&folder, slash ? file : ".", slash ? (size_t)(slash - file) + 1 : 1);
    qn__str_printf(&stop, "tbreak qn_block_%.*s", (int)plain, kernel);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        args[n++] = settings[i];
    args[n++] = "-d";
    args[n++] = folder.text;
    args[n++] = "-ex";
    args[n++] = stop.text;
    args[n++] = "-ex";
    args[n++] = "run";
    args[n++] = "--args";
    for (const char *p = line.text; p < line.text + line.len && n < WORDS_MAX - 3;
         p += strlen(p) + 1) {
        if (strcmp(p, "--gdb") == 0) {
            args[n++] = "--device";
            args[n++] = "cpu:0";
        } else {
            args[n++] = p;
        }
    }
    args[n] = NULL;
    setenv("QUERN_DEBUG", "1", 1);
    setenv("QUERN_THREADS", "1", 1);
    union { /* execvp takes char *const[] and does not write through it */
        const char *const *in;
        char *const *out;
    } argv = {args};
    execvp("gdb", argv.out);
    return qn__complain(QN__EXIT_FAILED,
                        "launch: gdb: %s: install it (Debian and Ubuntu: apt "
                        "install gdb)",
                        strerror(errno));
}
