/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler can reach is in the key, or it cannot reach it: files beside the source's own,
 * variables, the program that another one runs, and what a helper took from the time of its start.
 *
 * covers: rtc/helper/file_view rtc/helper/real_program rtc/helper/serve rtc/client/helper_client
 * rtc/key/compilers rtc/key/request base/environment */
#define _GNU_SOURCE
#include "base/environment.h"
#include "rtc/job/locate.h"
#include "rtc/key/compilers.h"
#include "tests/rtc/cache_fixture.h"

#include <sys/mman.h>

static const char ptx[] = "cuda:compute_80", portable[] = "opencl:portable";

static char clang[4096]; /* the real one */

/* What a process found out, in memory it shares with the test. */
static struct outcome {
    qn_status status;
    qn_origin origin;
    uint64_t helpers;
    char message[4096], text[65536], key[65], identity[4096];
} *outcome;

/* -- compiling -- */

static qn_status compile(const qn_source *src, const char *goal, const char *compiler)
{
    const qn_compile_options how = {.compiler = compiler, .verbose = true};
    qn_image *image = NULL;
    qn_log log;
    qn_cache_counters c;
    outcome->status = qn_compile(&image, src, goal, &how, &log);
    snprintf(outcome->message, sizeof outcome->message, "%s\n%s", qn_message(), log.text);
    snprintf(outcome->key, sizeof outcome->key, "%s", log.key);
    outcome->origin = log.origin;
    if (image) {
        const qn_image_info *info = qn_image_get_info(image);
        snprintf(outcome->text, sizeof outcome->text, "%.*s", (int)info->size_bytes,
                 (const char *)info->bytes);
        qn_image_release(image);
    }
    qn_log_release(&log);
    qn_cache_get_counters(&c);
    outcome->helpers = c.helpers_started;
    return outcome->status;
}

static void compiles_to(const qn_source *src, const char *goal, const char *part)
{
    ck_assert_msg(compile(src, goal, NULL) == QN_OK, "%s", outcome->message);
    says(outcome->text, part);
}

static void does_not_compile(const qn_source *src, const char *goal, const char *compiler,
                             const char *part)
{
    ck_assert_int_eq(compile(src, goal, compiler), QN_E_COMPILE);
    says(outcome->message, part);
}

static void in_process(void (*run)(void))
{
    memset(outcome, 0, sizeof *outcome);
    in_own_process(run);
}

/* -- files: NVRTC -- */

#define STORES(value) "extern \"C\" __global__ void k(int *p) { *p = " value "; }\n"

START_TEST(nvrtc_does_not_find_headers_of_the_working_folder)
{
    write_text("here/deep.h", "#define V 12345\n");
    write_text("outside.h", "#define V 12345\n");
    ck_assert_int_eq(chdir(in_scratch("here")), 0);
    char absolute[8192];
    snprintf(absolute, sizeof absolute, "#define P(x) #x\n#include P(%s)\n" STORES("V"),
             in_scratch("outside.h"));
    const char *const texts[] = {
        "#include \"deep.h\"\n" STORES("V"), "#include <deep.h>\n" STORES("V"),
        "#define P(x) #x\n#include P(deep.h)\n" STORES("V"),
        "#define P(x) #x\n#include P(../outside.h)\n" STORES("V"), absolute};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const qn_source src = {.text = texts[i], .path = "src/k.cu"};
        does_not_compile(&src, ptx, NULL, "cannot open source file");
    }
    const qn_source asks = {
        .text = "#if __has_include(<deep.h>)\n#error found\n#endif\n" STORES("54321")};
    compiles_to(&asks, ptx, "54321");
}
END_TEST

static void copy_file(const char *to, const char *from)
{
    char *bytes;
    size_t n;
    must(qn__file_read(&bytes, &n, from, (size_t)1 << 30));
    must(qn__file_write_atomic(to, bytes, n, 0700));
    free(bytes);
}

/* A toolkit of our own: NVRTC's two libraries, and the headers that a test writes. */
static void make_toolkit(void)
{
    struct qn__arena arena = {0};
    struct qn__located at;
    char command[10000];
    qn__locate(&at, &arena, "nvrtc");
    ck_assert(at.found);
    char *real = realpath(at.files[0], NULL);
    char *folder = qn__path_dir(real);
    write_text("cuda/include/cuda_fp16.h", "");
    must(qn__file_make_dirs(in_scratch("cuda/lib64"), 0700));
    copy_file(in_scratch("cuda/lib64/libnvrtc.so.13"), real);
    snprintf(command, sizeof command, "cp -L '%s'/libnvrtc-builtins.so* '%s'", folder,
             in_scratch("cuda/lib64"));
    ck_assert_int_eq(system(command), 0);
    setenv("CUDA_PATH", in_scratch("cuda"), 1);
    unsetenv("LD_LIBRARY_PATH");
    free(folder);
    free(real);
    qn__arena_release(&arena);
}

static const qn_source uses_toolkit = {.text = "#include <outer.h>\n" STORES("V"), .path = "k.cu"};

static void compile_with_toolkit(void)
{
    compile(&uses_toolkit, ptx, NULL);
}

static void expect(qn_origin origin, const char *part)
{
    in_process(compile_with_toolkit);
    ck_assert_msg(outcome->status == QN_OK, "%s", outcome->message);
    ck_assert_int_eq(outcome->origin, origin);
    says(outcome->text, part);
}

START_TEST(a_toolkit_header_that_only_another_includes_is_in_the_key)
{
    char first[65];
    make_toolkit();
    write_text("cuda/include/outer.h", "#include \"parts/inner.h\"\n");
    write_text("cuda/include/parts/inner.h", "#include \"../value.h\"\n");
    write_text("cuda/include/value.h", "#define V 12345\n");
    expect(QN_ORIGIN_COMPILED, "12345");
    snprintf(first, sizeof first, "%s", outcome->key);
    expect(QN_ORIGIN_DISK_CACHE, "12345");
    ck_assert_uint_eq(outcome->helpers, 0);
    ck_assert_str_eq(outcome->key, first);
    write_text("cuda/include/value.h", "#define V 54321\n");
    expect(QN_ORIGIN_COMPILED, "54321");
    ck_assert_str_ne(outcome->key, first);
    write_text("cuda/include/value.h", "#define V 12345\n");
    expect(QN_ORIGIN_DISK_CACHE, "12345");
    write_text("cuda/include/outer.h", "#define V 777\n");
    expect(QN_ORIGIN_COMPILED, "777");
}
END_TEST

/* curand_kernel.h of CUDA 13 includes libcu++. */
START_TEST(libcudacxx_of_the_toolkit_is_found)
{
    make_toolkit();
    write_text("cuda/include/outer.h", "#include <cuda/std/value>\n");
    write_text("cuda/include/cccl/cuda/std/value", "#define V 12345\n");
    expect(QN_ORIGIN_COMPILED, "12345");
    expect(QN_ORIGIN_DISK_CACHE, "12345");
    write_text("cuda/include/cccl/cuda/std/value", "#define V 54321\n");
    expect(QN_ORIGIN_COMPILED, "54321");
}
END_TEST

/* Those that the source names are in the first key: no record of further ones is made. */
START_TEST(a_toolkit_header_that_the_source_names_needs_no_record)
{
    make_toolkit();
    write_text("cuda/include/outer.h", "#define V 12345\n");
    expect(QN_ORIGIN_COMPILED, "12345");
    ck_assert_uint_eq(count_files("cache/headers"), 0);
    write_text("cuda/include/outer.h", "#define V 54321\n");
    expect(QN_ORIGIN_COMPILED, "54321");
}
END_TEST

/* -- files: hipRTC -- */

/* Headers in angle brackets may be a program's host half's: without them the rest is tried. */
START_TEST(hiprtc_does_not_find_headers_of_the_system)
{
    static const char *const headers[] = {"<type_traits>", "<sys/types.h>", "<deep.h>",
                                          "\"deep.h\""};
    write_text("deep.h", "#define V 1\n");
    ck_assert_int_eq(chdir(in_scratch("")), 0);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char text[256], said[256];
        const qn_source src = {.text = text};
        snprintf(text, sizeof text, "#include %s\n#ifndef V\n#define V 2\n#endif\n%s", headers[i],
                 STORES("V"));
        if (headers[i][0] == '"') {
            does_not_compile(&src, "hip:gfx90a", "hiprtc", "file not found");
            continue;
        }
        ck_assert_int_eq(compile(&src, "hip:gfx90a", "hiprtc"), QN_OK);
        snprintf(said, sizeof said, "headers that are the host's or not there: %.*s",
                 (int)strlen(headers[i]) - 2, headers[i] + 1);
        says(outcome->message, said);
        snprintf(text, sizeof text, "#include %s\n" STORES("V"), headers[i]);
        does_not_compile(&src, "hip:gfx90a", "hiprtc", "file not found");
    }
}
END_TEST

/* -- variables -- */

static const struct {
    const char *name, *target, *compiler;
} variables[] = {
    {"CPATH", "hip:gfx90a", "hiprtc"}, {"CPLUS_INCLUDE_PATH", "hip:gfx90a", "hiprtc"},
    {"CPATH", "hip:gfx90a", "clang"},  {"CPLUS_INCLUDE_PATH", "hip:gfx90a", "clang"},
    {"CPATH", portable, "translator"}, {"C_INCLUDE_PATH", portable, "translator"},
};

START_TEST(folders_that_variables_name_are_not_searched)
{
    static const qn_source src = {
        .text = "#if __has_include(<deep.h>)\n#error found\n#endif\n" STORES("1")};
    write_text("more/deep.h", "");
    if (!compiler_is_found(variables[_i].compiler))
        return; /* it said why */
    setenv(variables[_i].name, in_scratch("more"), 1);
    ck_assert_msg(compile(&src, variables[_i].target, variables[_i].compiler) == QN_OK, "%s",
                  outcome->message);
}
END_TEST

START_TEST(a_digest_of_the_environment_is_of_all_there_is_in_it)
{
    const uint64_t now = qn__environment_now(), programs = qn__environment_of_programs();
    ck_assert_uint_eq(qn__environment_now(), now);
    setenv("PWD", "/somewhere", 1);
    setenv("QUERN_LOG", "debug", 1);
    ck_assert_uint_ne(qn__environment_now(), now);
    ck_assert_uint_eq(qn__environment_of_programs(), programs);
    setenv("PWDX", "1", 1);
    ck_assert_uint_ne(qn__environment_of_programs(), programs);
    unsetenv("PWDX");
    ck_assert_uint_eq(qn__environment_of_programs(), programs);
}
END_TEST

/* -- time -- */

START_TEST(the_time_in_an_image_is_that_of_its_compile)
{
    static const qn_source src = {
        .text = "__device__ char t[] = __TIME__;\n"
                "extern \"C\" __global__ void k(char *p) { *p = t[threadIdx.x]; }\n"};
    char first[sizeof outcome->text];
    compiles_to(&src, ptx, ".visible");
    snprintf(first, sizeof first, "%s", outcome->text);
    sleep(1);
    compiles_to(&src, ptx, ".visible");
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_MEMORY_CACHE);
    ck_assert_str_eq(outcome->text, first);
}
END_TEST

/* -- programs -- */

static const char source_text[] = "#ifndef OTHER\n#define OTHER 12345\n#endif\n" STORES("OTHER");
static const qn_source with_other = {.text = source_text, .path = "k.cu"};

/* In clang's place: a script. */
static void put_clang(const char *name, const char *script, ...)
{
    char text[10000];
    va_list args;
    va_start(args, script);
    vsnprintf(text, sizeof text, script, args);
    va_end(args);
    ck_assert_int_eq(chmod(write_text(name, text), 0700), 0);
}

START_TEST(a_helper_of_another_environment_is_used_no_more)
{
    char first[65];
    put_clang("clang", "#!/bin/sh\nexec '%s' -DOTHER=54321 \"$@\"\n", clang);
    compiles_to(&with_other, portable, "12345");
    snprintf(first, sizeof first, "%s", outcome->key);
    setenv("QUERN_CLANG", in_scratch("clang"), 1);
    compiles_to(&with_other, portable, "54321");
    ck_assert_str_ne(outcome->key, first);
    const uint64_t helpers = outcome->helpers;
    unsetenv("QUERN_CLANG");
    compiles_to(&with_other, portable, "12345");
    ck_assert_str_eq(outcome->key, first);
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_MEMORY_CACHE);
    ck_assert_uint_eq(outcome->helpers, helpers);
}
END_TEST

START_TEST(a_clang_is_named_from_the_working_folder)
{
    put_clang("bin/clang", "#!/bin/sh\nexec '%s' -DOTHER=54321 \"$@\"\n", clang);
    ck_assert_int_eq(chdir(in_scratch("bin")), 0);
    setenv("QUERN_CLANG", "./clang", 1);
    compiles_to(&with_other, portable, "54321");
    ck_assert_int_eq(chdir("/"), 0);
    const qn_source again = {.text = source_text, .path = "again.cu"};
    ck_assert_int_eq(compile(&again, portable, NULL), QN_E_COMPILER);
    says(outcome->message, "QUERN_CLANG=./clang");
}
END_TEST

static void note_identity(void)
{
    struct qn__arena arena = {0};
    struct qn__compiler c = {0};
    outcome->status = qn__compiler_find(&c, &arena, "translator");
    snprintf(outcome->message, sizeof outcome->message, "%s", qn_message());
    snprintf(outcome->identity, sizeof outcome->identity, "%s", c.identity ? c.identity : "");
    qn__arena_release(&arena);
}

static void identity(char out[4096])
{
    in_process(note_identity);
    ck_assert_msg(outcome->status == QN_OK, "%s", outcome->message);
    snprintf(out, 4096, "%s", outcome->identity);
}

START_TEST(a_script_is_known_by_what_it_runs)
{
    char first[4096], again[4096];
    write_text("inner", "one");
    put_clang("clang",
              "#!/bin/sh\ncase \"$*\" in -###*) echo ' \"%s\" \"-cc1\" \"-x\"' ;;\n"
              "*) exec '%s' \"$@\" ;; esac\n",
              in_scratch("inner"), clang);
    setenv("QUERN_CLANG", in_scratch("clang"), 1);
    identity(first);
    says(first, "; runs ");
    identity(again);
    ck_assert_str_eq(first, again);
    write_text("inner", "two");
    identity(again);
    ck_assert_str_ne(first, again);
}
END_TEST

START_TEST(a_script_is_known_by_the_options_that_a_variable_makes_it_add)
{
    char first[4096], again[4096];
    put_clang("clang", "#!/bin/sh\nexec '%s' $FLAVOUR \"$@\"\n", clang);
    setenv("QUERN_CLANG", in_scratch("clang"), 1);
    setenv("FLAVOUR", "-DOTHER=1", 1);
    identity(first);
    identity(again);
    ck_assert_str_eq(first, again);
    setenv("FLAVOUR", "-DOTHER=2", 1);
    identity(again);
    ck_assert_str_ne(first, again);
    setenv("FLAVOUR", "-DOTHER=1", 1);
    identity(again);
    ck_assert_str_eq(first, again);
}
END_TEST

START_TEST(a_link_to_clang_is_clang)
{
    char plain[4096], linked[4096];
    identity(plain);
    ck_assert_ptr_null(strstr(plain, "; runs "));
    ck_assert_int_eq(symlink(clang, in_scratch("clang")), 0);
    setenv("QUERN_CLANG", in_scratch("clang"), 1);
    identity(linked);
    ck_assert_str_eq(plain, linked);
}
END_TEST

START_TEST(a_search_without_memory_takes_no_other_compiler)
{
    struct qn__arena arena = {.failed = true}; /* a folder's name could not be had */
    struct qn__located at;
    qn__locate(&at, &arena, "translator");
    ck_assert(!at.found && at.n_files == 0);
    ck_assert_ptr_nonnull(strstr(at.reason, "no memory"));
    qn__arena_release(&arena);
}
END_TEST

static void find_clang(void)
{
    struct qn__arena arena = {0};
    struct qn__located at;
    qn__locate(&at, &arena, "translator");
    snprintf(clang, sizeof clang, "%s", at.found ? at.files[0] : "");
    qn__arena_release(&arena);
}

int main(void)
{
    bool failed = false;
    Suite *s = suite_create("what compilers reach");
    TCase *t = tcase_create("reach");
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED)
        return EXIT_FAILURE;
    unsetenv("QUERN_CLANG");
    find_clang();
    tcase_set_timeout(t, 240);
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_add_test(t, a_digest_of_the_environment_is_of_all_there_is_in_it);
    tcase_add_loop_test(t, folders_that_variables_name_are_not_searched, 0,
                        sizeof variables / sizeof variables[0]);
    if (have_compiler("nvrtc", &failed)) {
        tcase_add_test(t, the_time_in_an_image_is_that_of_its_compile);
        tcase_add_test(t, nvrtc_does_not_find_headers_of_the_working_folder);
        tcase_add_test(t, a_toolkit_header_that_only_another_includes_is_in_the_key);
        tcase_add_test(t, libcudacxx_of_the_toolkit_is_found);
        tcase_add_test(t, a_toolkit_header_that_the_source_names_needs_no_record);
    }
    if (have_compiler("hiprtc", &failed))
        tcase_add_test(t, hiprtc_does_not_find_headers_of_the_system);
    if (have_compiler("translator", &failed)) {
        tcase_add_test(t, a_helper_of_another_environment_is_used_no_more);
        tcase_add_test(t, a_clang_is_named_from_the_working_folder);
        tcase_add_test(t, a_script_is_known_by_what_it_runs);
        tcase_add_test(t, a_script_is_known_by_the_options_that_a_variable_makes_it_add);
        tcase_add_test(t, a_link_to_clang_is_clang);
        tcase_add_test(t, a_search_without_memory_takes_no_other_compiler);
    }
    suite_add_tcase(s, t);
    const int bad = run_suite(s);
    return failed || bad;
}
