/* SPDX-License-Identifier: Apache-2.0
 *
 * Which build of a driver it is: libraries in the place of a driver, its parts and its compiler,
 * made with build ids of the test's choice and loaded in a process of their own.
 *
 * covers: runtime/driver_build runtime/device */
#define _GNU_SOURCE
#include "runtime/backend.h"
#include "runtime/driver_build.h"
#include "tests/rtc_fixture.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static char *digests; /* QN__HASH_HEX each, in memory shared with children */

/* Is there a compiler to make libraries with? */
static bool can_build(void)
{
    const char *cc = getenv("CC");
    char command[1000];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", cc ? cc : "cc");
    return system(command) == 0;
}

/* FOLDER/NAME with that build id ("none": without), linked with `more`. */
static void make_library(const char *folder, const char *name, const char *id, const char *more)
{
    const char *cc = getenv("CC");
    char command[20000], source[100];
    snprintf(source, sizeof source, "%s/a.c", folder);
    const char *const path = write_text(source, "int inside = 1;\n");
    char *const at = qn__path_dir(path);
    snprintf(command, sizeof command,
             "cd '%s' && %s -shared -fPIC -Wl,--build-id=%s -Wl,-soname,%s -o %s a.c "
             "-Wl,--no-as-needed %s -Wl,-rpath,'%s'",
             at, cc ? cc : "cc", id, name, name, more, at);
    ck_assert_int_eq(system(command), 0);
    free(at);
}

/* Load libraries of a folder in a child; the digest of the first is digests[index]. */
static void digest(int index, const char *folder, const char *const *names)
{
    int status = 1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        const void *first = NULL;
        for (int i = 0; names[i]; i++) {
            char path[5000];
            snprintf(path, sizeof path, "%s/%s", in_scratch(folder), names[i]);
            void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (!library)
                _exit(2);
            first = first ? first : dlsym(library, "inside");
        }
        qn__driver_build(digests + (size_t)index * QN__HASH_HEX, first);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

static const char *of(int index)
{
    return digests + (size_t)index * QN__HASH_HEX;
}

static const char *const driver[] = {"libdriver.so.1", NULL};

START_TEST(two_builds_of_a_driver_are_told_apart)
{
    make_library("a", "libdriver.so.1", "0x1111", "");
    make_library("b", "libdriver.so.1", "0x2222", "");
    make_library("c", "libdriver.so.1", "0x1111", "");
    digest(0, "a", driver);
    digest(1, "b", driver);
    digest(2, "c", driver);
    ck_assert_uint_eq(strlen(of(0)), 64);
    ck_assert_str_ne(of(0), of(1));
    ck_assert_str_eq(of(0), of(2)); /* wherever it lies */
}
END_TEST

START_TEST(a_driver_without_a_build_id_is_known_by_its_file)
{
    make_library("a", "libdriver.so.1", "none", "");
    digest(0, "a", driver);
    digest(1, "a", driver);
    ck_assert_str_eq(of(0), of(1));
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_scratch("a/libdriver.so.1"), times, 0), 0);
    digest(1, "a", driver);
    ck_assert_str_ne(of(0), of(1));
}
END_TEST

/* The LLVM that it was linked with counts, one that the program has loaded does not, nor does any
 * other library that it was linked with. */
START_TEST(the_compiler_that_a_driver_uses_is_a_part_of_it)
{
    static const char *const with_others[] = {"libdriver.so.1", "libLLVM-other.so", NULL};
    const char *const folders[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        make_library(folders[i], "libLLVM-own.so", i == 1 ? "0x2222" : "0x1111", "");
        make_library(folders[i], "libplain.so", i == 2 ? "0x2222" : "0x1111", "");
        make_library(folders[i], "libLLVM-other.so", "0x3333", "");
        make_library(folders[i], "libdriver.so.1", "0x1111", "./libLLVM-own.so ./libplain.so");
        digest(i, folders[i], driver);
    }
    ck_assert_str_ne(of(0), of(1));
    ck_assert_str_eq(of(0), of(2));
    digest(1, "a", with_others);
    ck_assert_str_eq(of(0), of(1));
}
END_TEST

START_TEST(what_a_driver_loads_by_its_own_name_is_a_part_of_it)
{
    static const char *const both[] = {"libdriver.so.1", "libdriver-cpu.so", NULL};
    make_library("a", "libdriver.so.1", "0x1111", "");
    make_library("a", "libdriver-cpu.so", "0x1111", "");
    make_library("b", "libdriver.so.1", "0x1111", "");
    make_library("b", "libdriver-cpu.so", "0x2222", "");
    digest(0, "a", both);
    digest(1, "b", both);
    ck_assert_str_ne(of(0), of(1));
}
END_TEST

START_TEST(an_address_in_no_library_has_no_build)
{
    char hex[QN__HASH_HEX] = "x";
    void *const memory = calloc(1, 1);
    qn__driver_build(hex, memory);
    ck_assert_str_eq(hex, "");
    qn__driver_build(hex, NULL);
    ck_assert_str_eq(hex, "");
    free(memory);
}
END_TEST

static const struct {
    const char *driver, *variable;
    bool changes;
} variables[] = {
    {"Portable Computing Language 3.1", "POCL_EXTRA_BUILD_FLAGS", true},
    {"Portable Computing Language 3.1", "POCL_WORK_GROUP_METHOD", true},
    {"Portable Computing Language 3.1", "POCL_CACHE_DIR", false},
    {"Portable Computing Language 3.1", "POCL_DEBUG", false},
    {"Portable Computing Language 3.1", "CL_CONFIG_USE_VECTORIZER", false},
    {"Intel(R) OpenCL 2026", "CL_CONFIG_USE_VECTORIZER", true},
    {"Intel(R) OpenCL 2026", "POCL_EXTRA_BUILD_FLAGS", false},
    {"rusticl 24", "RUSTICL_FEATURES", true},
};

START_TEST(variables_that_reach_a_driver_are_in_its_fingerprint)
{
    qn_device dev = {.info = {.backend = "opencl", .name = "CPU", .arch = "x", .driver = ""}};
    char before[QN__HASH_HEX], after[QN__HASH_HEX], again[QN__HASH_HEX];
    dev.info.driver = variables[_i].driver;
    unsetenv(variables[_i].variable);
    qn__device_fingerprint(before, &dev);
    setenv(variables[_i].variable, "1", 1);
    qn__device_fingerprint(after, &dev);
    ck_assert_int_eq(strcmp(before, after) != 0, variables[_i].changes);
    setenv(variables[_i].variable, "2", 1);
    qn__device_fingerprint(again, &dev);
    ck_assert_int_eq(strcmp(again, after) != 0, variables[_i].changes);
}
END_TEST

START_TEST(builds_of_one_version_have_fingerprints_of_their_own)
{
    qn_device dev = {.info = {.backend = "opencl", .name = "CPU", .arch = "x", .driver = "1.0"}};
    char before[QN__HASH_HEX], after[QN__HASH_HEX];
    qn__device_fingerprint(before, &dev);
    strcpy(dev.driver_build, "abc");
    qn__device_fingerprint(after, &dev);
    ck_assert_str_ne(before, after);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("driver build");
    TCase *t = tcase_create("driver build");
    digests =
        mmap(NULL, 4 * QN__HASH_HEX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (digests == MAP_FAILED)
        return EXIT_FAILURE;
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    if (can_build()) {
        tcase_add_test(t, two_builds_of_a_driver_are_told_apart);
        tcase_add_test(t, a_driver_without_a_build_id_is_known_by_its_file);
        tcase_add_test(t, the_compiler_that_a_driver_uses_is_a_part_of_it);
        tcase_add_test(t, what_a_driver_loads_by_its_own_name_is_a_part_of_it);
    } else {
        printf("skip: no C compiler to make libraries with\n");
    }
    tcase_add_test(t, an_address_in_no_library_has_no_build);
    tcase_add_loop_test(t, variables_that_reach_a_driver_are_in_its_fingerprint, 0,
                        sizeof variables / sizeof variables[0]);
    tcase_add_test(t, builds_of_one_version_have_fingerprints_of_their_own);
    suite_add_tcase(s, t);
    return run_suite(s);
}
