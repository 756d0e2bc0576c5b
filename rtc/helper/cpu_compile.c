/* SPDX-License-Identifier: Apache-2.0
 *
 * clang and the linker run in a private folder, which is also where they run, so no path reaches
 * the object.
 *
 * No library is linked: mathematics is found in the process that loads the object. The hash table
 * of symbols is the older kind, whose length says how many there are; nothing runs when the object
 * is loaded (runtime/cpu/cpu_elf.c holds each object against that).
 *
 * Of the compiler's debug information only the lines are kept, as a small table behind the object
 * (base/line_table.h), except for a debugger, which gets all of it. */
#include "rtc/helper/cpu_compile.h"

#include "base/dwarf_lines.h"
#include "base/file.h"
#include "base/str.h"
#include "rtc/helper/run_program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char text_name[] = "kernel.c";
enum { ARGS_MAX = 96, OBJECT_LIMIT_BYTES = 1 << 30 };

struct args {
    const char *list[ARGS_MAX];
    int n;
};

static void add(struct args *a, const char *arg)
{
    if (a->n + 1 < ARGS_MAX) /* the lists below are shorter */
        a->list[a->n++] = arg;
    a->list[a->n] = NULL;
}

static void add_all(struct args *a, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add(a, list[i]);
}

static void for_clang(struct args *a, struct qn__arena *arena, const struct qn__cpu_compile *c)
{
    static const char *const fixed[] = {
        "-std=gnu11", "-c", "-x", "c", "-fPIC", "-fvisibility=hidden",
        /* what CUDA's source means: docs/meaning.md */
        "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fsigned-char",
        "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=on",
        /* neither this machine's headers nor its settings */
        "-nostdlibinc", "--no-default-config", "-fdebug-compilation-dir=.", "-fno-stack-protector",
        "-fno-asynchronous-unwind-tables", "-fno-ident", "-w", "-fno-color-diagnostics",
        "-fno-diagnostics-show-line-numbers"};
    static const char *const lines[] = {"-gdwarf-4", "-gline-directives-only", "-gz=none"};
    static const char *const debugger[] = {"-gdwarf-4", "-g", "-gz=none"};
    const enum qn__cpu_machine machine = qn__cpu_level_machine(c->target.level);
    const bool is_x86 = machine == QN__CPU_X86;
    struct qn__str march = {0};
    const char *feature;
    add(a, c->clang);
    add(a, qn__arena_printf(arena, "--target=%s", qn__cpu_level_triple(c->target.level)));
    qn__str_printf(&march, "-march=%s", qn__cpu_level_march(c->target.level));
    for (uint32_t i = 0; (feature = qn__cpu_feature_name(machine, i)); i++) {
        if (!(c->target.features >> i & 1))
            continue;
        if (is_x86)
            add(a, qn__arena_printf(arena, "-m%s", feature));
        else
            qn__str_printf(&march, "+%s", feature);
    }
    add(a, march.text ? qn__arena_strdup(arena, march.text) : NULL);
    qn__str_release(&march);
    if (is_x86)
        add(a, "-fcf-protection=none");
    else /* atomic operations as instructions, not as calls of a library */
        add(a, "-mno-outline-atomics");
    add_all(a, fixed, sizeof fixed / sizeof *fixed);
    add(a, c->as_written ? "-O0" : "-O3");
    if (c->for_debugger)
        add_all(a, debugger, sizeof debugger / sizeof *debugger);
    else
        add_all(a, lines, sizeof lines / sizeof *lines);
    add(a, text_name);
    add(a, "-o");
    add(a, "kernel.o");
}

static void for_linker(struct args *a, const struct qn__cpu_compile *c)
{
    static const char *const fixed[] = {"-shared",
                                        "--hash-style=sysv",
                                        "--build-id=none",
                                        "-Bsymbolic",
                                        "-z",
                                        "now",
                                        "-z",
                                        "noexecstack",
                                        "-z",
                                        "separate-code"};
    add(a, c->linker);
    if (qn__cpu_level_machine(c->target.level) == QN__CPU_ARM) {
        add(a, "-m");
        add(a, "aarch64linux");
    }
    add_all(a, fixed, sizeof fixed / sizeof *fixed);
    add(a, "-o");
    add(a, "kernel.so");
    add(a, "kernel.o");
}

static bool is_whole(const struct args *a)
{
    for (int i = 0; i < a->n; i++)
        if (!a->list[i])
            return false;
    return true;
}

static qn_status write_file(const char *folder, const char *name, const char *text, size_t n)
{
    char *path = qn__path_join(folder, name);
    const qn_status s = path ? qn__file_write_atomic(path, text, n, 0600)
                             : qn__fail(QN_E_MEMORY, "no memory for a file name");
    free(path);
    return s;
}

/* For a debugger the object has the text in a section, .quern_c, that is not loaded. */
static qn_status write_text(const char *folder, const struct qn__cpu_compile *c)
{
    static const char keeps[] = "\n__asm__(\".pushsection .quern_c, \\\"\\\", @progbits\\n\"\n"
                                "        \".incbin \\\"kernel.c\\\"\\n.popsection\");\n";
    struct qn__str all = {0};
    qn__str_add(&all, c->text);
    if (c->for_debugger)
        qn__str_add(&all, keeps);
    const qn_status s = all.failed ? qn__fail(QN_E_MEMORY, "no memory for a text")
                                   : write_file(folder, text_name, all.text, all.len);
    qn__str_release(&all);
    return s;
}

static qn_status run(const char **said, struct qn__arena *arena, const struct args *a,
                     const char *folder, const char *what)
{
    struct qn__program_output output;
    if (!is_whole(a))
        return qn__fail(QN_E_MEMORY, "no memory for arguments");
    QN_TRY(qn__run_program(&output, arena, a->list, folder));
    *said = output.text;
    if (output.code == 0)
        return QN_OK;
    const char *error = strstr(output.text, "error: ");
    error = error ? error : output.text;
    return qn__fail(QN_E_COMPILER, "%s %s; it ended with code %d: %.*s", a->list[0], what,
                    output.code, (int)strcspn(error, "\n"), error);
}

/* What the loader needs of the object, all of it for a debugger, and the table of lines. */
static qn_status add_lines(const void **bytes, size_t *n, struct qn__arena *arena,
                           const struct qn__cpu_compile *c, const char *object)
{
    struct qn__line_rows rows;
    struct qn__str out = {0};
    size_t loaded;
    const qn_status s = qn__line_rows_of_elf(&rows, &loaded, arena, object, *n, text_name);
    if (!c->is_empty || loaded == 0)
        QN_TRY(s);
    qn__str_add_bytes(&out, object, c->for_debugger ? *n : loaded);
    if (!out.failed && !c->for_debugger) { /* the table of sections is not there any more */
        memset(out.text + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off));
        memset(out.text + offsetof(Elf64_Ehdr, e_shnum), 0, 2 * sizeof(Elf64_Half));
    }
    qn__line_table_add(&out, &rows);
    *n = out.len;
    *bytes = out.failed ? NULL : qn__arena_memdup(arena, out.text, out.len);
    qn__str_release(&out);
    return *bytes ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for an object of %zu bytes", *n);
}

static qn_status compile(const void **bytes, size_t *n, const char **said, struct qn__arena *arena,
                         const struct qn__cpu_compile *c, const char *folder)
{
    struct args clang = {0}, linker = {0};
    char *object = NULL;
    QN_TRY(write_text(folder, c));
    for_clang(&clang, arena, c);
    QN_TRY(run(said, arena, &clang, folder, "refuses the C that was made of the kernels"));
    for_linker(&linker, c);
    QN_TRY(run(said, arena, &linker, folder, "does not link the kernels"));
    char *path = qn__path_join(folder, "kernel.so");
    const qn_status s = path ? qn__file_read(&object, n, path, OBJECT_LIMIT_BYTES)
                             : qn__fail(QN_E_MEMORY, "no memory for a file name");
    free(path);
    if (s == QN_E_IO)
        return qn__fail(QN_E_COMPILER, "%s ended without an error and wrote nothing", c->linker);
    QN_TRY(s);
    const qn_status added = add_lines(bytes, n, arena, c, object);
    free(object);
    return added;
}

qn_status qn__cpu_compile(const void **bytes, size_t *n, const char **said, struct qn__arena *arena,
                          const struct qn__cpu_compile *c)
{
    char *folder;
    struct qn__message m;
    *bytes = NULL;
    *n = 0;
    *said = "";
    QN_TRY(qn__temp_dir_create(&folder));
    const qn_status s = compile(bytes, n, said, arena, c, folder);
    if (s != QN_OK)
        qn__message_save(&m);
    qn__temp_dir_remove(folder);
    free(folder);
    if (s != QN_OK)
        qn__message_restore(&m);
    return s;
}

qn_status qn__cpu_linker_ask(bool makes[QN__CPU_MACHINES], struct qn__arena *arena,
                             const char *linker)
{
    static const char *const emulations[QN__CPU_MACHINES] = {
        [QN__CPU_X86] = "elf_x86_64", [QN__CPU_ARM] = "aarch64linux"};
    const char *const args[] = {linker, "-V", NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, arena, args, NULL));
    if (said.code != 0)
        return qn__fail(QN_E_COMPILER, "%s -V, which says what it links for, ended with code %d",
                        linker, said.code);
    /* GNU's lists what it makes; LLVM's makes objects for every machine */
    for (int i = 0; i < QN__CPU_MACHINES; i++)
        makes[i] = strstr(said.text, "LLD ") || strstr(said.text, emulations[i]);
    return QN_OK;
}
