/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared objects that must not be loaded: damaged, for another machine, or with something in them
 * that ours do not have. What is not refused is loaded, and must then be harmless.
 *
 * covers: runtime/cpu/cpu_elf runtime/cpu/cpu_module base/cpu_target */
#include "runtime/cpu/cpu_elf.h"
#include "tests/runtime/cpu_image.h"

#include <elf.h>

#define KERNELS                                                                                    \
    "EXPORT int cell = 3;\n"                                                                       \
    "KERNEL(one) { **(int **)args[0] = cell + (int)b->block[0]; }\n"                               \
    "EXPORT const struct qn_kernel_entry qn_kernels[] = {{\"one\", one, 0, 0, 0, 32, 4}};\n"       \
    "EXPORT const uint32_t qn_kernels_count = 1;\n"
#define GLOBALS                                                                                    \
    "EXPORT const struct qn_global_entry qn_globals[] = {{\"cell\", &cell, 4}};\n"                 \
    "EXPORT const uint32_t qn_globals_count = 1;\n"

static char *good;
static size_t good_n;
static enum qn__cpu_machine machine;

static void open_all(void)
{
    struct qn__cpu_target native;
    must(qn__cpu_target_native(&native));
    machine = qn__cpu_level_machine(native.level);
    good = cpu_object(&good_n, KERNELS GLOBALS, "");
}

static void close_all(void)
{
    free(good);
}

static qn_status load(const void *bytes, size_t n)
{
    qn_module *m;
    qn_image *image = cpu_image_of(bytes, n, NULL);
    const qn_status s = qn_module_load(&m, device, image);
    if (s == QN_OK)
        qn_module_close(m);
    qn_image_release(image);
    return s;
}

static qn_status read_only(const void *bytes, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__cpu_elf elf;
    const qn_status s = qn__cpu_elf_read(&elf, &arena, bytes, n, machine);
    qn__arena_release(&arena);
    return s;
}

START_TEST(both_linkers_objects_are_read)
{
    static const char *const linkers[] = {"ld.lld-19", "ld.lld", "ld"};
    must(load(good, good_n));
    for (size_t i = 0; i < sizeof linkers / sizeof *linkers; i++) {
        const char *const only[] = {linkers[i], NULL};
        if (!first_program(only))
            continue;
        size_t n;
        cpu_use_linker = linkers[i];
        char *bytes = cpu_object(&n, KERNELS GLOBALS, "");
        cpu_use_linker = NULL;
        ck_assert_msg(load(bytes, n) == QN_OK, "%s: %s", linkers[i], qn_message());
        free(bytes);
    }
}
END_TEST

/* Text or options of the linker, and what the refusal says. */
static const struct {
    const char *name, *text, *options, *says;
} refused[] = {
    {"a constructor",
     KERNELS GLOBALS
     "static __attribute__((constructor)) void f(void) { ++*(volatile int *)&cell; }\n",
     "", "a dynamic entry 0x19"},
    {"a destructor",
     KERNELS GLOBALS
     "static __attribute__((destructor)) void f(void) { ++*(volatile int *)&cell; }\n",
     "", "a dynamic entry 0x1a"},
    {"a thread's variable", KERNELS GLOBALS "EXPORT __thread int own = 1;\n", "",
     "a header of type 0x7"},
    {"a symbol that code decides",
     KERNELS GLOBALS "static void g(void) {}\nstatic void *f(void) { return (void *)g; }\n"
                     "EXPORT void h(void) __attribute__((ifunc(\"f\")));\n",
     "", "of kind"},
    {"a search path", KERNELS GLOBALS, "-rpath /tmp", "a dynamic entry 0x"},
    {"a stack that is executed", KERNELS GLOBALS, "-z execstack", "a stack that may be executed"},
    {"the newer hash table", KERNELS GLOBALS, "--hash-style=gnu", "a dynamic entry 0x"},
    {"no table of variables", KERNELS, "", "no number qn_globals_count"},
    {"a name that is nowhere",
     "static void one(void) {}\n"
     "EXPORT const struct qn_kernel_entry qn_kernels[] = {{(const char *)8, (void *)one, 0, 0, 0, "
     "32, 4}};\nEXPORT const uint32_t qn_kernels_count = 1;\nEXPORT int cell = 3;\n" GLOBALS,
     "", "kernel 0 of the image is outside of it"},
    {"code that is data",
     "EXPORT int cell = 3;\n"
     "EXPORT const struct qn_kernel_entry qn_kernels[] = {{\"one\", (void *)&cell, 0, 0, 0, 32, "
     "4}};\nEXPORT const uint32_t qn_kernels_count = 1;\n" GLOBALS,
     "", "kernel 0 of the image is outside of it"},
    {"a table longer than it is",
     "EXPORT int cell = 3;\nKERNEL(one) { (void)b, (void)args; }\n"
     "EXPORT const struct qn_kernel_entry qn_kernels[] = {{\"one\", one, 0, 0, 0, 32, 4}};\n"
     "EXPORT const uint32_t qn_kernels_count = 2;\n" GLOBALS,
     "", "no table qn_kernels of 2 rows"},
    {"a variable that may not be written",
     KERNELS "EXPORT const struct qn_global_entry qn_globals[] = {{\"cell\", "
             "(void *)&qn_kernels_count, 4}};\nEXPORT const uint32_t qn_globals_count = 1;\n",
     "", "variable 0 of the image is outside of it"},
    {"a variable longer than it is",
     KERNELS "EXPORT const struct qn_global_entry qn_globals[] = {{\"cell\", &cell, 1 << 30}};\n"
             "EXPORT const uint32_t qn_globals_count = 1;\n",
     "", "variable 0 of the image is outside of it"},
    {"a function that nobody has",
     KERNELS GLOBALS "int no_such_function(void);\nEXPORT int f(void) { return "
                     "no_such_function(); }\n",
     "", "undefined symbol: no_such_function"},
};

START_TEST(an_object_with_what_ours_do_not_have_is_refused)
{
    size_t n;
    char *bytes = cpu_object(&n, refused[_i].text, refused[_i].options);
    const qn_status s = load(bytes, n);
    ck_assert_msg(s == QN_E_DRIVER || s == QN_E_MISMATCH, "%s: %s", refused[_i].name,
                  s == QN_OK ? "loaded" : qn_message());
    ck_assert_msg(strstr(qn_message(), refused[_i].says) != NULL, "%s: %s", refused[_i].name,
                  qn_message());
    free(bytes);
}
END_TEST

START_TEST(an_object_of_another_version_is_refused)
{
    size_t n;
    cpu_use_version = 1000;
    char *bytes = cpu_object(&n, KERNELS GLOBALS, "");
    cpu_use_version = 1;
    must_not(QN_E_MISMATCH, load(bytes, n));
    ck_assert_msg(strstr(qn_message(), "version 1000") != NULL, "%s", qn_message());
    free(bytes);
}
END_TEST

START_TEST(an_object_cut_short_anywhere_is_refused)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(void *)good;
    const Elf64_Phdr *rows = (const Elf64_Phdr *)(void *)(good + head->e_phoff);
    size_t needed = 0; /* sections and their names come after what is loaded */
    for (int i = 0; i < head->e_phnum; i++)
        if (rows[i].p_type == PT_LOAD && rows[i].p_offset + rows[i].p_filesz > needed)
            needed = rows[i].p_offset + rows[i].p_filesz;
    for (size_t n = 0; n < needed; n++)
        ck_assert_msg(read_only(good, n) != QN_OK, "%zu of %zu bytes", n, needed);
    must(read_only(good, needed));
}
END_TEST

START_TEST(another_machines_object_is_refused_by_name)
{
    char *other = malloc(good_n);
    memcpy(other, good, good_n);
    ((Elf64_Ehdr *)(void *)other)->e_machine = EM_PPC64;
    must_not(QN_E_MISMATCH, load(other, good_n));
    ck_assert_msg(strstr(qn_message(), "the machine 21 of ELF") != NULL, "%s", qn_message());
    free(other);
}
END_TEST

/* Every byte of what the loader reads, in several ways: what passes is loaded and called. */
START_TEST(an_object_with_a_changed_byte_is_refused_or_harmless)
{
    static const unsigned char changes[] = {0xff, 0x80, 0x01, 0x10};
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(void *)good;
    const Elf64_Phdr *rows = (const Elf64_Phdr *)(void *)(good + head->e_phoff);
    char *other = malloc(good_n);
    uint32_t n_refused = 0, n_loaded = 0;
    for (int i = 0; i < head->e_phnum; i++) {
        if (rows[i].p_type != PT_LOAD || rows[i].p_flags & PF_X)
            continue;
        for (size_t at = 0; at < rows[i].p_filesz; at++)
            for (size_t c = 0; c < sizeof changes; c++) {
                memcpy(other, good, good_n);
                other[rows[i].p_offset + at] ^= (char)changes[c];
                if (read_only(other, good_n) != QN_OK) {
                    n_refused++;
                    continue;
                }
                n_loaded++;
                if (n_loaded % 7 == 0) /* all of them would take long */
                    (void)!load(other, good_n);
            }
    }
    printf("changed bytes: %u refused, %u read\n", n_refused, n_loaded);
    ck_assert_uint_gt(n_refused, 1000);
    free(other);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {both_linkers_objects_are_read, 1},
        {an_object_with_what_ours_do_not_have_is_refused, sizeof refused / sizeof *refused},
        {an_object_of_another_version_is_refused, 1},
        {an_object_cut_short_anywhere_is_refused, 1},
        {another_machines_object_is_refused_by_name, 1},
        {an_object_with_a_changed_byte_is_refused_or_harmless, 1},
        {0}};
    if (!can_make_cpu_images()) {
        printf("skip: no clang or no linker to make images for a CPU\n");
        return 0;
    }
    return fixture_run("cpu image", "cpu:0", open_all, close_all, cases);
}
