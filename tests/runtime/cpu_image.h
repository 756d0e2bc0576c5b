/* SPDX-License-Identifier: Apache-2.0
 *
 * Images for cpu:0 from C written by hand against runtime/cpu/cpu_abi.h: clang and a linker, with
 * the options that our own images are made with. */
#ifndef QN_TESTS_CPU_IMAGE_H
#define QN_TESTS_CPU_IMAGE_H

#include "base/cpu_target.h"
#include "base/file.h"
#include "base/str.h"
#include "runtime/image.h"
#include "tests/runtime_fixture.h"

#include <unistd.h>

static const char cpu_head[] = "#include \"runtime/cpu/cpu_abi.h\"\n"
                               "#define EXPORT __attribute__((visibility(\"default\")))\n"
                               "#define KERNEL(name) \\\n"
                               "    static void name(const struct qn_block *b, void *const *args)\n"
                               "EXPORT const uint32_t qn_abi_version = VERSION;\n";

/* For objects that are to be refused. */
static const char *cpu_use_linker; /* NULL: the first that is there */
static int cpu_use_version = 1;

/* A program that is there, or NULL. */
static inline const char *first_program(const char *const *names)
{
    char command[128];
    for (; *names; names++) {
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", *names);
        if (system(command) == 0)
            return *names;
    }
    return NULL;
}

static inline const char *cpu_clang(void)
{
    static const char *const names[] = {"clang-19", "clang-20", "clang-18", "clang", NULL};
    return first_program(names);
}

static inline const char *cpu_linker(void)
{
    static const char *const names[] = {"ld.lld-19", "ld.lld", "ld", NULL};
    return cpu_use_linker ? cpu_use_linker : first_program(names);
}

static inline bool can_make_cpu_images(void)
{
    return cpu_clang() && cpu_linker();
}

/* The bytes of the shared object; *n of them. `more` are further options for the linker. */
static inline char *cpu_object(size_t *n, const char *text, const char *more)
{
    char folder[] = "/tmp/quern-cpu-XXXXXX", command[2048], path[64];
    struct qn__cpu_target native;
    must(qn__cpu_target_native(&native));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.c", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "%s%s", cpu_head, text);
    fclose(f);
    char here[1024];
    const char *source = getenv("QN_SOURCE");
    source = source ? source : getcwd(here, sizeof here);
    snprintf(command, sizeof command,
             "cd %s && %s -std=gnu11 -O2 -march=%s -fPIC -fvisibility=hidden -fcf-protection=none "
             "-fno-asynchronous-unwind-tables -DVERSION=%d -I%s -c k.c -o k.o && %s -shared "
             "--hash-style=sysv "
             "--build-id=none -z now -z noexecstack -z separate-code -Bsymbolic %s -o k.so k.o",
             folder, cpu_clang(), qn__cpu_level_march(native.level), cpu_use_version, source,
             cpu_linker(), more);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(path, sizeof path, "%s/k.so", folder);
    char *bytes;
    ck_assert_int_eq(qn__file_read(&bytes, n, path, 1 << 24), QN_OK);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    return bytes;
}

/* An image of these bytes, for this processor, with a reflection (NULL: none). */
static inline qn_image *cpu_image_of(const void *bytes, size_t n, const struct qn__reflection *r)
{
    struct qn__cpu_target native;
    char arch[QN__CPU_ARCH_MAX], target[QN__CPU_ARCH_MAX + 8];
    struct qn__str wire = {0};
    qn_image *image;
    must(qn__cpu_target_native(&native));
    qn__cpu_target_print(arch, &native);
    snprintf(target, sizeof target, "cpu:%s", arch);
    if (r)
        qn__reflection_encode(&wire, r);
    must(qn__image_create(&image, target, "by hand", QN_IMAGE_SHARED_OBJECT, bytes, n, wire.text,
                          wire.len));
    qn__str_release(&wire);
    return image;
}

#endif
