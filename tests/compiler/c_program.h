/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the translator: a text in C, compiled by clang to a shared object, and its kernels,
 * run one block after the other. What printf and assertions say is kept. */
#ifndef QN_TESTS_COMPILER_C_PROGRAM_H
#define QN_TESTS_COMPILER_C_PROGRAM_H

#include "base/file.h"
#include "base/str.h"
#include "compiler/frontend/clang.h"
#include "compiler/lang/quern_c.h"

#include <check.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

struct c_program {
    void *handle;
    const struct qn_kernel_entry *kernels;
    const struct qn_global_entry *globals;
    uint n_kernels, n_globals;
};

/* What a launch said. The services come first: a kernel passes them on. */
struct c_services {
    struct qn_services services;
    char printed[4096], failed[512];
    uint n_failed;
};

static inline int c_print(struct qn_services *s, const char *format, ...)
{
    struct c_services *const to = (struct c_services *)(void *)s;
    const size_t n = strlen(to->printed);
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(to->printed + n, sizeof to->printed - n, format, list);
    va_end(list);
    return written;
}

static inline void c_fail(struct qn_services *s, const char *file, uint line, const char *text)
{
    struct c_services *const to = (struct c_services *)(void *)s;
    if (to->n_failed++ == 0)
        snprintf(to->failed, sizeof to->failed, "%s:%u: %s", file, line, text);
}

static inline void c_compile(const char *file, const char *library)
{
    struct qn__arena arena = {0};
    const char *clang;
    pid_t child;
    int status = 0;
    ck_assert_msg(qn__clang_find(&clang, &arena, NULL) == QN_OK, "%s", qn_message());
    const char *const argv[] = {clang,
                                "-std=gnu11",
                                "-O2",
#ifdef __x86_64__
                                "-march=x86-64-v3",
#endif
                                "-Werror=implicit-function-declaration",
                                "-Wno-psabi",
                                "-fwrapv",
                                "-fno-strict-aliasing",
                                "-fno-delete-null-pointer-checks",
                                "-ffp-contract=on",
                                "-fno-math-errno",
                                "-fsigned-char",
                                "-fvisibility=hidden",
                                "-fPIC",
                                "-shared",
                                "-Icompiler/lang",
                                file,
                                "-o",
                                library,
                                "-lm",
                                NULL};
    char *copy[sizeof argv / sizeof *argv];
    for (size_t i = 0; i < sizeof argv / sizeof *argv; i++)
        copy[i] = argv[i] ? qn__arena_strdup(&arena, argv[i]) : NULL;
    ck_assert_msg(posix_spawn(&child, clang, NULL, NULL, copy, environ) == 0, "%s", clang);
    ck_assert(waitpid(child, &status, 0) == child);
    ck_assert_msg(status == 0, "%s: clang's status %d", file, status);
    qn__arena_release(&arena);
}

static inline const void *c_symbol(const struct c_program *p, const char *name)
{
    const void *const symbol = dlsym(p->handle, name);
    ck_assert_msg(symbol != NULL, "no %s", name);
    return symbol;
}

static inline void c_program_build(struct c_program *p, const char *text)
{
    char *temp = NULL;
    ck_assert(qn__temp_dir_create(&temp) == QN_OK);
    char *const file = qn__path_join(temp, "kernel.c"), *const library =
                                                            qn__path_join(temp, "kernel.so");
    ck_assert(qn__file_write_atomic(file, text, strlen(text), 0600) == QN_OK);
    c_compile(file, library);
    p->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(p->handle != NULL, "%s", dlerror());
    ck_assert_uint_eq(*(const uint *)c_symbol(p, "qn_abi_version"), QN_ABI_VERSION);
    p->kernels = c_symbol(p, "qn_kernels");
    p->globals = c_symbol(p, "qn_globals");
    p->n_kernels = *(const uint *)c_symbol(p, "qn_kernels_count");
    p->n_globals = *(const uint *)c_symbol(p, "qn_globals_count");
    qn__temp_dir_remove(temp);
    free(library);
    free(file);
    free(temp);
}

static inline void c_program_close(struct c_program *p)
{
    dlclose(p->handle);
}

static inline const struct qn_kernel_entry *c_program_find(const struct c_program *p,
                                                           const char *name)
{
    for (uint i = 0; i < p->n_kernels; i++)
        if (strcmp(p->kernels[i].name, name) == 0)
            return &p->kernels[i];
    ck_abort_msg("no kernel %s", name);
}

/* Shared memory and frame hold no zeros: a kernel that reads what it did not write is seen. */
static inline unsigned char *c_memory(size_t bytes)
{
    enum { ALIGN = 128 };
    const size_t n = (bytes + ALIGN) / ALIGN * ALIGN;
    unsigned char *const p = aligned_alloc(ALIGN, n);
    ck_assert(p != NULL);
    memset(p, 0xa5, n);
    return p;
}

static inline void c_program_run(const struct c_program *p, const char *name, const unsigned *grid,
                                 const unsigned *block, size_t dynamic_bytes, void *const *args,
                                 struct c_services *said)
{
    static struct c_services nobody;
    const struct qn_kernel_entry *const k = c_program_find(p, name);
    const size_t items = (size_t)block[0] * block[1] * block[2];
    struct c_services *const to = said ? said : &nobody;
    to->services = (struct qn_services){.print = c_print, .fail = c_fail};
    struct qn_block b = {.blocks = {grid[0], grid[1], grid[2]},
                         .items = {block[0], block[1], block[2]},
                         .shared = c_memory(k->shared_bytes + dynamic_bytes),
                         .frame = c_memory(k->frame_bytes * items),
                         .services = &to->services};
    for (b.block[2] = 0; b.block[2] < grid[2]; b.block[2]++)
        for (b.block[1] = 0; b.block[1] < grid[1]; b.block[1]++)
            for (b.block[0] = 0; b.block[0] < grid[0]; b.block[0]++)
                k->run(&b, args);
    free(b.shared);
    free(b.frame);
}

#endif
