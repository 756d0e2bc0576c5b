/* SPDX-License-Identifier: Apache-2.0
 *
 * Two helper programs: what links LLVM may fail to start, and everything else goes on.
 *
 * covers: rtc/client/helper_find rtc/helper/quern_rtc rtc/helper/quern_translate
 * rtc/helper/job_translator rtc/job/locate */
#define _GNU_SOURCE
#include "rtc/client/helper_find.h"
#include "tests/rtc_fixture.h"

#include <ctype.h>
#include <sys/stat.h>

static const char simple[] = "extern \"C\" __global__ void k(float *p) { *p = N; }\n";
static char *translate; /* the built quern-translate, whole */
static size_t n_translate;

/* A copy of quern-translate that asks the loader for an LLVM nobody has: in the names that it
 * needs, the digits of libLLVM's version become nines. */
static void hide_llvm(void)
{
    static const char word[] = "libLLVM";
    char *copy = malloc(n_translate);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, translate, n_translate);
    char *at = copy;
    while ((at = memmem(at, n_translate - (size_t)(at - copy), word, sizeof word - 1)))
        for (at += sizeof word - 1; isalnum((unsigned char)*at) || *at == '.' || *at == '-'; at++)
            if (isdigit((unsigned char)*at))
                *at = '9';
    const char *path = in_scratch("quern-translate");
    must(qn__file_write_atomic(path, copy, n_translate, 0700));
    setenv("QUERN_TRANSLATE", path, 1);
    free(copy);
}

/* Builds n kernels side by side that no cache has; returns the number of helpers it took. */
static uint64_t build_many(uint32_t n)
{
    char values[64][16];
    const char *defines[64];
    qn_source sources[64];
    qn_compile_item items[64];
    qn_cache_counters c;
    ck_assert_uint_le(n, 64);
    for (uint32_t i = 0; i < n; i++) {
        snprintf(values[i], sizeof values[i], "N=%u", i);
        defines[i] = values[i];
        sources[i] = (qn_source){
            .text = simple, .path = "simple.cu", .defines = &defines[i], .n_defines = 1};
        items[i] = (qn_compile_item){.source = &sources[i], .target = "cuda:compute_80"};
    }
    must(qn_compile_many(items, n, 4, NULL, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const qn_image_info *info = qn_image_get_info(items[i].image);
        ck_assert_int_eq(items[i].log.origin, QN_ORIGIN_COMPILED);
        ck_assert_int_eq(info->kind, QN_IMAGE_PTX);
        ck_assert(qn__starts_with(info->compiler, "nvrtc "));
    }
    qn_compile_items_release(items, n);
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, n);
    return c.helpers_started;
}

START_TEST(nvrtc_builds_many_side_by_side_where_the_translator_has_no_llvm)
{
    const qn_source source = {.text = "__global__ void k() {}\n", .path = "k.cu"};
    const qn_compiler_info *list;
    uint32_t n;
    qn_image *image;
    hide_llvm();
    ck_assert_uint_ge(build_many(40), 1);
    must_not(QN_E_COMPILER, qn_compile(&image, &source, "opencl:portable", NULL, NULL));
    says(qn_message(), "libLLVM");
    says(qn_message(), "translator: quern-translate cannot start, because the library ");
    says(qn_message(), "is missing");
    says(qn_message(), "apt install libllvm");
    must(qn_compilers(&list, &n));
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(list[i].name, "nvrtc") == 0) {
            ck_assert(list[i].found);
        } else if (strcmp(list[i].name, "translator") == 0) {
            ck_assert(!list[i].found);
            says(list[i].where, "apt install libllvm");
        }
    free((void *)(uintptr_t)list);
}
END_TEST

START_TEST(nvrtc_needs_no_translator_at_all)
{
    setenv("QUERN_TRANSLATE", "/nowhere/quern-translate", 1);
    ck_assert_uint_ge(build_many(4), 1);
}
END_TEST

START_TEST(what_was_translated_is_found_where_llvm_is_no_more)
{
    const qn_source source = {.text = "__global__ void k() {}\n", .path = "k.cu"};
    qn_image *image;
    qn_log log;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(qn_compile(&image, &source, "opencl:portable", NULL, NULL) != QN_OK);
    int status = 1;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    hide_llvm();
    must(qn_compile(&image, &source, "opencl:portable", NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    qn_log_release(&log);
    qn_image_release(image);
}
END_TEST

START_TEST(the_program_of_nvrtc_links_no_llvm)
{
    char *bytes;
    size_t n;
    must(qn__file_read(&bytes, &n, getenv("QUERN_RTC"), (size_t)1 << 30));
    ck_assert_ptr_null(memmem(bytes, n, "libLLVM.", 8));
    ck_assert_ptr_null(memmem(bytes, n, "libLLVM-", 8));
    free(bytes);
}
END_TEST

static const struct {
    const char *compiler, *variable;
} programs[] = {{"nvrtc", "QUERN_RTC"},
                {"hiprtc", "QUERN_RTC"},
                {"hipcc", "QUERN_RTC"},
                {"clang", "QUERN_RTC"},
                {"translator", "QUERN_TRANSLATE"}};

START_TEST(the_variable_of_a_program_names_it_and_must_be_right)
{
    const char *compiler = programs[_i].compiler, *variable = programs[_i].variable;
    struct qn__arena arena = {0};
    const char *path;
    setenv("QUERN_RTC", "/bin/sh", 1);
    setenv("QUERN_TRANSLATE", "/bin/sh", 1);
    must(qn__helper_find(&path, &arena, compiler));
    ck_assert_str_eq(path, "/bin/sh");
    ck_assert(!qn__helper_is_misnamed(compiler));
    setenv(variable, "/nowhere/it", 1);
    must_not(QN_E_COMPILER, qn__helper_find(&path, &arena, compiler));
    says(qn_message(), variable);
    says(qn_message(), "=/nowhere/it: not an executable file");
    ck_assert(qn__helper_is_misnamed(compiler));
    setenv(variable, "", 1); /* as if it were not set: here, beside no helper, in PATH */
    setenv("PATH", in_scratch("bin"), 1);
    ck_assert(!qn__helper_is_misnamed(compiler));
    const char *name = strcmp(variable, "QUERN_RTC") == 0 ? "bin/quern-rtc" : "bin/quern-translate";
    ck_assert_int_eq(chmod(write_text(name, "#!/bin/sh\n"), 0700), 0);
    must(qn__helper_find(&path, &arena, compiler));
    says(path, name);
    qn__arena_release(&arena);
}
END_TEST

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

START_TEST(a_compile_that_takes_too_much_memory_is_an_error_that_names_the_limit)
{
    const qn_compile_options options = {.memory_limit_bytes = (uint64_t)40 << 20};
    const qn_source src = {.text =
                               "template <int K> __device__ float f(float x)\n"
                               "{ if constexpr (K > 0) return f<K - 1>(x * K); return x; }\n"
                               "extern \"C\" __global__ void k(float *p) { *p = f<500>(*p); }\n",
                           .path = "simple.cu"};
    qn_image *image;
    must_not(QN_E_COMPILER, qn_compile(&image, &src, "opencl:portable", &options, NULL));
    says(qn_message(), "simple.cu for opencl:portable");
    says(qn_message(), "QUERN_COMPILE_MEMORY sets the limit, now 40 MiB");
    must(qn_compile(&image, &src, "opencl:portable", NULL, NULL));
    qn_image_release(image);
}
END_TEST

static const struct {
    const char *name, *said, *says[2]; /* says[0] NULL: no library is missing */
} loaders[] = {
    {"glibc",
     "quern-translate: error while loading shared libraries: libLLVM.so.19.1: cannot open shared "
     "object file: No such file or directory",
     {"the library libLLVM.so.19.1 is missing", "apt install libllvm"}},
    {"musl",
     "Error loading shared library libjansson.so.4: No such file or directory (needed by x)",
     {"the library libjansson.so.4 is missing", "install the package"}},
    {"a crash", "free(): invalid pointer", {NULL, NULL}},
    {"cut off", "error while loading shared libraries: ", {NULL, NULL}},
    {"nothing", NULL, {NULL, NULL}},
};

START_TEST(a_loader_that_finds_no_library_is_understood)
{
    struct qn__str text = {0};
    const bool understood = qn__helper_lacks_library(&text, loaders[_i].said);
    ck_assert_msg(understood == (loaders[_i].says[0] != NULL), "%s", loaders[_i].name);
    for (int k = 0; understood && k < 2; k++)
        says(text.text, loaders[_i].says[k]);
    qn__str_release(&text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("helper programs");
    TCase *t = tcase_create("helper programs");
    bool failed = false;
    const char *program = getenv("QUERN_TRANSLATE");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, the_variable_of_a_program_names_it_and_must_be_right, 0,
                        sizeof programs / sizeof programs[0]);
    tcase_add_loop_test(t, a_loader_that_finds_no_library_is_understood, 0,
                        sizeof loaders / sizeof loaders[0]);
    if (!program || !getenv("QUERN_RTC")) {
        printf("skip: QUERN_RTC and QUERN_TRANSLATE do not name the helpers (make check does)\n");
    } else if (qn__file_read(&translate, &n_translate, program, (size_t)1 << 30) != QN_OK ||
               !memmem(translate, n_translate, "libLLVM", 7)) {
        printf("skip: %s does not link a shared LLVM that could be hidden\n", program);
    } else {
        tcase_add_test(t, the_program_of_nvrtc_links_no_llvm);
        if (have_compiler("translator", &failed)) {
            tcase_add_test(t, what_was_translated_is_found_where_llvm_is_no_more);
            if (IS_SANITIZED)
                printf("skip: a compile's memory: the sanitizers reserve more than any limit\n");
            tcase_add_loop_test(
                t, a_compile_that_takes_too_much_memory_is_an_error_that_names_the_limit, 0,
                !IS_SANITIZED);
        }
        if (have_compiler("nvrtc", &failed)) {
            tcase_add_test(t, nvrtc_builds_many_side_by_side_where_the_translator_has_no_llvm);
            tcase_add_test(t, nvrtc_needs_no_translator_at_all);
        }
    }
    suite_add_tcase(s, t);
    failed = run_suite(s) || failed;
    free(translate);
    return failed;
}
