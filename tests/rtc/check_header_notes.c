/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries that depend on headers of the machine: a changed header, and any that would take its
 * place, gives another entry; unchanged ones are found without a compiler. The machine's headers
 * are played by two folders that a program put in clang's place makes it search last.
 *
 * covers: rtc/job/locate_toolkit rtc/key/header_notes rtc/key/file_state rtc/key/request rtc/lookup
 * rtc/build */
#define _GNU_SOURCE
#include "rtc/cache/cache_folder.h"
#include "rtc/key/key.h"
#include "tests/rtc/cache_fixture.h"

#include <pthread.h>
#include <sys/mman.h>

static char clang[4096]; /* the real one */

/* What a process found out, in memory it shares with the test. */
static struct outcome {
    qn_status status;
    qn_cache_counters counters;
    qn_origin origin;
    bool has_log_key; /* the image has the key that the log has */
    char message[2048], key[65], text[4096], fields[65536], log[2048], clang[4096];
} *outcome;

static const char program[] = "#include <widget>\n"
                              "__global__ void k(int *p) { *p = widget_size; }\n"
                              "int main() { return widget(); }\n";
static const char widget[] = "#include <widget_size>\nint widget();\n";
static qn_source source = {.text = program, .path = "k.cu"};
static const char portable[] = "opencl:portable";

static void open_machine(void)
{
    char script[16384];
    open_quiet();
    write_text("late/widget", widget);
    write_text("late/widget_size", "enum { widget_size = 31 };\n");
    write_text("early/else", "");
    snprintf(script, sizeof script,
             "#!/bin/sh\ncase \" $* \" in *' -nostdlibinc '*) exec '%s' \"$@\" ;; esac\n"
             "exec '%s' \"$@\" -idirafter '%s' -idirafter '%s'\n",
             clang, clang, in_scratch("early"), in_scratch("late"));
    ck_assert_int_eq(chmod(write_text("clang", script), 0700), 0);
    setenv("QUERN_CLANG", in_scratch("clang"), 1);
}

static void close_machine(void)
{
    unsetenv("QUERN_CLANG");
    unsetenv("QUERN_CACHE_MODE");
    scratch_close();
}

/* -- processes -- */

static void compile_here(void)
{
    qn_image *image;
    qn_log log;
    outcome->status = qn_compile(&image, &source, portable, NULL, &log);
    snprintf(outcome->message, sizeof outcome->message, "%s", qn_message());
    snprintf(outcome->key, sizeof outcome->key, "%s", log.key);
    snprintf(outcome->log, sizeof outcome->log, "%s", log.text);
    outcome->origin = log.origin;
    if (outcome->status == QN_OK) {
        snprintf(outcome->text, sizeof outcome->text, "%s",
                 (const char *)qn_image_get_info(image)->bytes);
        snprintf(outcome->fields, sizeof outcome->fields, "%s", qn_image_get_fields(image));
        outcome->has_log_key = strcmp(qn_image_get_key(image), log.key) == 0;
        qn_image_release(image);
    }
    qn_log_release(&log);
    qn_cache_get_counters(&outcome->counters);
}

static void in_process(void (*run)(void))
{
    memset(outcome, 0, sizeof *outcome);
    in_own_process(run);
}

static void compile(void)
{
    in_process(compile_here);
    ck_assert_msg(outcome->status == QN_OK, "%s\n%s", outcome->message, outcome->log);
    ck_assert(outcome->has_log_key);
}

static void expect_compiled(const char *value)
{
    compile();
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_eq(outcome->counters.compiles, 1);
    says(outcome->text, value);
}

static void expect_found(const char *value)
{
    compile();
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_DISK_CACHE);
    ck_assert_uint_eq(outcome->counters.compiles, 0);
    ck_assert_uint_eq(outcome->counters.helpers_started, 0);
    says(outcome->text, value);
}

/* -- tests with a compiler -- */

START_TEST(unchanged_headers_are_found_without_a_compiler)
{
    char key_hex[65];
    expect_compiled("31");
    snprintf(key_hex, sizeof key_hex, "%s", outcome->key);
    says(outcome->fields, "machine header: ");
    says(outcome->fields, "/late/widget ");
    says(outcome->fields, "/late/widget_size ");
    ck_assert(strstr(outcome->fields, "/../") == NULL);
    expect_found("31");
    ck_assert_str_eq(outcome->key, key_hex);
    ck_assert_uint_eq(count_files("cache/headers"), 1);
}
END_TEST

START_TEST(a_changed_header_gives_another_entry)
{
    char first[65];
    expect_compiled("31");
    snprintf(first, sizeof first, "%s", outcome->key);
    write_text("late/widget_size", "enum { widget_size = 47 };\n");
    expect_compiled("47");
    ck_assert_str_ne(outcome->key, first);
    expect_found("47");
    write_text("late/widget_size", "enum { widget_size = 31 };\n"); /* as it was, at another time */
    expect_found("31");
    ck_assert_str_eq(outcome->key, first);
    write_text("late/widget", "#include <widget_more>\nint widget();\nenum { widget_size = 5 };\n");
    write_text("late/widget_more", "");
    expect_compiled("5");
    expect_found("5");
}
END_TEST

START_TEST(a_header_in_front_of_another_takes_its_place)
{
    expect_compiled("31");
    write_text("early/widget_size", "enum { widget_size = 8 };\n");
    expect_compiled("8");
    expect_found("8");
    unlink(in_scratch("early/widget_size"));
    expect_compiled("31");
}
END_TEST

START_TEST(a_header_that_is_gone_is_missed)
{
    expect_compiled("31");
    unlink(in_scratch("late/widget_size"));
    in_process(compile_here);
    ck_assert_int_eq(outcome->status, QN_E_COMPILE);
    says(outcome->message, "file not found");
}
END_TEST

START_TEST(a_header_that_was_not_there_is_noticed)
{
    source.text = "#include <widget>\n#if __has_include(<gadget>)\n#include <gadget>\n#else\n"
                  "#define SIZE 3\n#endif\n__global__ void k(int *p) { *p = SIZE; }\n"
                  "int main() { return widget(); }\n";
    expect_compiled("= 3;");
    expect_found("= 3;");
    write_text("early/gadget", "#define SIZE 4\n");
    expect_compiled("= 4;");
    expect_found("= 4;");
    source.text = program;
}
END_TEST

/* The machine's headers were of no use, but what it has decided that. */
START_TEST(host_code_that_was_left_out_is_looked_at_again)
{
    source.text = "#include <gadget>\n__global__ void k(int *p) { *p = 6; }\n"
                  "int main() { return gadget(); }\n";
    expect_compiled("= 6;");
    expect_found("= 6;");
    write_text("early/gadget", "int gadget();\n");
    expect_compiled("= 6;");
    says(outcome->fields, "/early/gadget ");
    expect_found("= 6;");
    source.text = program;
}
END_TEST

START_TEST(a_source_without_need_of_them_has_no_headers_in_its_key)
{
    source.text = "#include <vector>\n__global__ void k(int *p) { *p = 1; }\n";
    expect_compiled("= 1;");
    ck_assert(strstr(outcome->fields, "machine header: ") == NULL);
    ck_assert_uint_eq(count_files("cache/headers"), 0);
    expect_found("= 1;");
    source.text = program;
}
END_TEST

static void explain_here(void)
{
    qn_explanation e;
    outcome->status = qn_compile_explain(&e, &source, portable, NULL);
    snprintf(outcome->key, sizeof outcome->key, "%s", e.key);
    snprintf(outcome->fields, sizeof outcome->fields, "%s", e.fields);
    snprintf(outcome->text, sizeof outcome->text, "%s", e.where);
    snprintf(outcome->message, sizeof outcome->message, "%s", e.difference);
    qn_explanation_release(&e);
}

START_TEST(a_miss_names_the_header)
{
    char key_hex[65];
    expect_compiled("31");
    snprintf(key_hex, sizeof key_hex, "%s", outcome->key);
    in_process(explain_here);
    ck_assert_int_eq(outcome->status, QN_OK);
    ck_assert_str_eq(outcome->key, key_hex);
    says(outcome->text, key_hex);
    says(outcome->fields, "/late/widget_size ");
    write_text("late/widget_size", "enum { widget_size = 47 };\n");
    in_process(explain_here);
    ck_assert_str_eq(outcome->text, "");
    says(outcome->message, "+ machine header: ");
    says(outcome->message, "/late/widget_size ");
    ck_assert(strstr(outcome->message, "/late/widget ") == NULL);
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    in_process(compile_here);
    ck_assert_int_eq(outcome->status, QN_E_CACHE_MISS);
    says(outcome->message, "/late/widget_size ");
}
END_TEST

static void bundle_here(void)
{
    qn_image *image;
    qn_bundle_writer *w;
    must(qn_compile(&image, &source, portable, NULL, NULL));
    must(qn_bundle_writer_create(&w));
    must(qn_bundle_writer_add_image(w, image));
    must(qn_bundle_writer_write(w, in_scratch("app.qnb"), NULL));
    qn_bundle_writer_destroy(w);
    qn_image_release(image);
}

START_TEST(a_bundle_does_not_look_at_headers)
{
    in_process(bundle_here);
    qn__temp_dir_remove(in_scratch("late"));
    qn__temp_dir_remove(in_scratch("cache"));
    setenv("QUERN_BUNDLE", in_scratch("app.qnb"), 1);
    compile();
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_BUNDLE);
    ck_assert_uint_eq(outcome->counters.compiles, 0);
    says(outcome->text, "31");
    unsetenv("QUERN_BUNDLE");
}
END_TEST

START_TEST(a_damaged_record_costs_a_compile)
{
    expect_compiled("31");
    DIR *d = opendir(in_scratch("cache/headers"));
    const struct dirent *e;
    ck_assert_ptr_nonnull(d);
    while ((e = readdir(d)))
        if (e->d_name[0] != '.') {
            char name[512];
            snprintf(name, sizeof name, "cache/headers/%s", e->d_name);
            ck_assert_int_eq(truncate(in_scratch(name), 100), 0);
        }
    closedir(d);
    expect_compiled("31");
    expect_found("31");
}
END_TEST

enum { THREADS = 4 };

static void *compile_and_keep_key(void *key_hex)
{
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &source, portable, NULL, &log);
    snprintf(key_hex, 65, "%s", s == QN_OK ? qn_image_get_key(image) : qn_message());
    const bool same = s == QN_OK && strcmp(log.key, key_hex) == 0;
    qn_image_release(image);
    qn_log_release(&log);
    return same ? key_hex : NULL;
}

START_TEST(threads_share_one_compile_and_its_key)
{
    pthread_t threads[THREADS];
    char keys[THREADS][65];
    void *good;
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, compile_and_keep_key, keys[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &good);
        ck_assert_msg(good != NULL, "%s", keys[i]);
        ck_assert_str_eq(keys[i], keys[0]);
    }
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, 1);
    ck_assert_ptr_nonnull(compile_and_keep_key(keys[1]));
    ck_assert_str_eq(keys[1], keys[0]);
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, 1);
}
END_TEST

/* -- a toolkit's headers -- */

static const char reduces[] = "#include <cub/cub.cuh>\n__global__ void k(int *p) {\n"
                              "    __shared__ cub::BlockReduce<int, 32>::TempStorage s;\n"
                              "    *p = cub::BlockReduce<int, 32>(s).Sum(p[threadIdx.x]);\n}\n"
                              "__global__ void plain(int *p) { *p = 3; }\n";

/* A toolkit in the folder of that name, whose sum of a block is `times` a value. */
static void write_toolkit(const char *name, int times)
{
    char file[256], text[512];
    snprintf(file, sizeof file, "%s/cub/cub.cuh", name);
    snprintf(text, sizeof text,
             "// NVIDIA has one like it\n#pragma once\n#include <variant>\nnamespace cub "
             "{\ntemplate <class T, int n> struct "
             "BlockReduce {\nstruct TempStorage { T t; };\n__device__ BlockReduce(TempStorage &) "
             "{}\n__device__ T Sum(T v) { return v * %d; }\n};\n}\n",
             times);
    write_text(file, text);
}

static void open_toolkit(void)
{
    scratch_open();
    write_toolkit("include/cccl", 31);
    setenv("QUERN_CCCL", in_scratch(""), 1);
    source.text = reduces;
}

static void close_toolkit(void)
{
    unsetenv("QUERN_CCCL");
    source.text = program;
    scratch_close();
}

START_TEST(a_toolkits_headers_are_in_the_key)
{
    char first[65];
    expect_compiled("31");
    snprintf(first, sizeof first, "%s", outcome->key);
    says(outcome->fields, "toolkit header: ");
    says(outcome->fields, "/include/cccl/cub/cub.cuh ");
    says(outcome->fields, "machine header: ");
    says(outcome->log, "read with the headers of CUB");
    expect_found("31");
    ck_assert_str_eq(outcome->key, first);
    write_toolkit("include/cccl", 47);
    expect_compiled("47");
    ck_assert_str_ne(outcome->key, first);
    expect_found("47");
}
END_TEST

START_TEST(another_toolkit_gives_another_entry)
{
    expect_compiled("31");
    write_toolkit("other/cub", 8); /* as a checkout has it */
    write_toolkit("other/thrust", 9);
    setenv("QUERN_CCCL", in_scratch("other"), 1);
    expect_compiled("8");
    expect_found("8");
    setenv("QUERN_CCCL", in_scratch(""), 1);
    expect_compiled("31");
}
END_TEST

START_TEST(without_a_toolkit_what_one_had_made_is_not_found)
{
    write_toolkit("include/cccl", 4711);
    expect_compiled("4711");
    setenv("QUERN_CCCL", "none", 1);
    expect_compiled("__kernel void k("); /* with Quern's own headers of CUB */
    ck_assert_ptr_null(strstr(outcome->text, "4711"));
    says(outcome->log, "QUERN_CCCL");
    setenv("QUERN_CCCL", in_scratch(""), 1);
    expect_compiled("4711"); /* what was noted last were no headers of a toolkit */
    expect_found("4711");
}
END_TEST

START_TEST(a_toolkit_that_appears_is_noticed)
{
    write_toolkit("include/cccl", 4711);
    setenv("QUERN_CCCL", "none", 1);
    expect_compiled("__kernel void k(");
    ck_assert_ptr_null(strstr(outcome->text, "4711"));
    expect_found("__kernel void k(");
    setenv("QUERN_CCCL", in_scratch(""), 1);
    expect_compiled("4711");
    expect_found("4711");
}
END_TEST

START_TEST(a_folder_of_the_callers_comes_first)
{
    write_toolkit("own", 77);
    const char *const folders[] = {in_scratch("own")};
    source.include_dirs = folders;
    source.n_include_dirs = 1;
    expect_compiled("77");
    says(outcome->fields, "/own/cub/cub.cuh ");
    expect_found("77");
    write_toolkit("own", 78);
    expect_compiled("78");
    source.n_include_dirs = 0;
}
END_TEST

/* A checkout of CUB alone, which needs the toolkit's libcu++. */
START_TEST(what_the_callers_folder_lacks_comes_from_the_toolkit)
{
    write_text("own/cub/cub.cuh",
               "// NVIDIA has one like it\n#pragma once\n#include <cuda/std/factor>\n"
               "namespace cub {\ntemplate <class T, int n> struct BlockReduce {\n"
               "struct TempStorage { T t; };\n__device__ BlockReduce(TempStorage &) {}\n"
               "__device__ T Sum(T v) { return v * factor; }\n};\n}\n");
    write_text("include/cccl/cuda/std/factor", "enum { factor = 83 };\n");
    const char *const folders[] = {in_scratch("own")};
    source.include_dirs = folders;
    source.n_include_dirs = 1;
    expect_compiled("83");
    says(outcome->fields, "/own/cub/cub.cuh ");
    says(outcome->fields, "/include/cccl/cuda/std/factor ");
    expect_found("83");
    write_text("include/cccl/cuda/std/factor", "enum { factor = 89 };\n");
    expect_compiled("89");
    source.n_include_dirs = 0;
}
END_TEST

START_TEST(the_users_toolkit_is_found_as_users_expect)
{
    unsetenv("QUERN_CCCL");
    setenv("CUDA_PATH", in_scratch(""), 1);
    expect_compiled("31");
    unsetenv("CUDA_PATH");
    write_toolkit("venv/lib/python3.9/site-packages/nvidia/cuda_cccl/include", 52);
    setenv("VIRTUAL_ENV", in_scratch("venv"), 1);
    char *const home = getenv("CUDA_HOME") ? strdup(getenv("CUDA_HOME")) : NULL;
    unsetenv("CUDA_HOME");
    expect_compiled("52");
    if (home)
        setenv("CUDA_HOME", home, 1);
    free(home);
    unsetenv("VIRTUAL_ENV");
}
END_TEST

/* -- on a device: the driver's binary -- */

static void run_here(void)
{
    qn_device *device;
    qn_module *module;
    const qn_kernel *k;
    qn_stream *stream;
    qn_addr p;
    int value = 0;
    qn_log log;
    void *const args[] = {&p};
    const qn_dims one = {.grid = {1}, .block = {1}};
    must(qn_device_open(&device, "opencl"));
    must(qn_module_build(&module, device, &source, NULL, &log));
    must(qn_kernel_find(&k, module, "k"));
    must(qn_stream_create(&stream, device, NULL));
    must(qn_memory_alloc(&p, device, sizeof value));
    must(qn_stream_launch(stream, k, &one, args));
    must(qn_memory_download(device, &value, p, sizeof value, stream));
    must(qn_stream_sync(stream));
    outcome->origin = log.origin;
    snprintf(outcome->text, sizeof outcome->text, "%d", value);
    must(qn_memory_free(device, p));
    qn_log_release(&log);
    qn_stream_destroy(stream);
    qn_module_close(module);
    qn_device_close(device);
    qn_cache_get_counters(&outcome->counters);
}

START_TEST(a_drivers_binary_depends_on_the_same_headers)
{
    in_process(run_here);
    ck_assert_str_eq(outcome->text, "31");
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_COMPILED);
    for (int i = 0; i < 2; i++) {
        in_process(run_here);
        ck_assert_str_eq(outcome->text, "31");
        ck_assert_int_eq(outcome->origin, QN_ORIGIN_DISK_CACHE);
        ck_assert_uint_eq(outcome->counters.compiles, 0);
        ck_assert_uint_eq(outcome->counters.helpers_started, 0);
    }
    ck_assert_uint_eq(outcome->counters.disk_hits, 1); /* of the binary, and none of the text */
    write_text("late/widget_size", "enum { widget_size = 47 };\n");
    in_process(run_here);
    ck_assert_str_eq(outcome->text, "47");
    in_process(run_here);
    ck_assert_str_eq(outcome->text, "47");
    ck_assert_uint_eq(outcome->counters.compiles, 0);
}
END_TEST

/* -- notes alone -- */

static const char hex[] = "ab34567890123456789012345678901234567890123456789012345678901234";

/* Two headers, one include that is nowhere; the first folder is searched before the second. */
static void note(struct qn__header_notes *m, struct qn__arena *arena)
{
    const char *const headers[] = {in_scratch("late/widget"), in_scratch("late/widget_size")};
    const char *const folders[] = {in_scratch("early"), in_scratch("late")};
    const char *const choices[] = {in_scratch("versions")};
    static const char *const missing[] = {"mpi.h"};
    const struct qn__machine_files files = {headers, 2, folders, 2, choices, 1, NULL, 0, false};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += 10;
    must(qn__header_notes_make(m, arena, &files, missing, 1, &now));
}

static const struct {
    const char *what, *file, *text; /* NULL: removed */
    bool holds, changed;
} changes[] = {
    {"nothing", NULL, NULL, true, false},
    {"a header's content", "late/widget", "int other;\n", true, true},
    {"a header's time", "late/widget", widget, true, true},
    {"a header is gone", "late/widget", NULL, false, false},
    {"a header before it", "early/widget", "", false, false},
    {"another header beside it", "early/other", "", true, false},
    {"an include that was missing", "late/mpi.h", "", false, false},
    {"a version of GCC", "versions/13/x", "", false, false},
};

START_TEST(notes_hold_until_something_matters)
{
    struct qn__arena arena = {0};
    struct qn__header_notes m, again;
    bool changed;
    write_text("versions/12/x", "");
    note(&m, &arena);
    ck_assert_uint_eq(m.n_headers, 3);
    ck_assert_str_eq(m.headers[0].name, "widget");
    ck_assert_uint_eq(m.headers[0].folder, 1);
    ck_assert_ptr_null(m.headers[2].path);
    qn__header_notes_store(&m, hex);
    if (changes[_i].text)
        write_text(changes[_i].file, changes[_i].text);
    else if (changes[_i].file)
        unlink(in_scratch(changes[_i].file));
    ck_assert(qn__header_notes_load(&again, &arena, hex));
    ck_assert_uint_eq(again.n_headers, 3);
    ck_assert_msg(qn__header_notes_check(&again, &changed) == changes[_i].holds, "%s",
                  changes[_i].what);
    if (changes[_i].holds)
        ck_assert_msg(changed == changes[_i].changed, "%s", changes[_i].what);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(a_header_that_changed_meanwhile_cannot_be_noted)
{
    struct qn__arena arena = {0};
    struct qn__header_notes m;
    const char *const headers[] = {in_scratch("late/widget")};
    const char *const folders[] = {in_scratch("late")};
    const struct qn__machine_files files = {headers, 1, folders, 1, NULL, 0, NULL, 0, false};
    const struct timespec long_ago = {1000, 0};
    must_not(QN_E_MISMATCH, qn__header_notes_make(&m, &arena, &files, NULL, 0, &long_ago));
    says(qn_message(), "widget changed while");
    qn__arena_release(&arena);
}
END_TEST

START_TEST(keys_have_the_shortest_paths)
{
    struct qn__noted_header headers[] = {
        {.path = "/usr/lib/gcc/x/12/../../../../include/c++/12/new"}, {.path = "/a//b/./c"}};
    const struct qn__header_notes m = {.headers = headers, .n_headers = 2};
    struct qn__key k = {.hex = "00"}, other = {.hex = "00"};
    struct qn__str fields = {0}, shown = {0};
    must(qn__key_add_headers(&k, &fields, &m));
    qn__key_print(&shown, &fields);
    says(shown.text, "machine header: /usr/include/c++/12/new 0000");
    says(shown.text, "machine header: /a/b/c 0000");
    headers[1].digest[31] = 1;
    qn__str_clear(&fields);
    must(qn__key_add_headers(&other, &fields, &m));
    ck_assert_str_ne(k.hex, other.hex);
    qn__str_release(&fields);
    qn__str_release(&shown);
}
END_TEST

/* -- all -- */

/* In a process of its own: where the real clang is, and whether the machine has C++ headers, which
 * come first where ours do not suffice. */
static void look_here(void)
{
    const qn_compiler_info *list;
    uint32_t n;
    scratch_open();
    if (qn_compilers(&list, &n) == QN_OK)
        for (uint32_t i = 0; i < n; i++)
            if (strcmp(list[i].name, "translator") == 0)
                snprintf(outcome->clang, sizeof outcome->clang, "%s", list[i].where);
    source.text = "#include <regex>\n__global__ void k(int *p) { *p = 1; }\n"
                  "int main() { std::regex r(\"a\"); }\n";
    compile_here();
    scratch_close();
}

static bool look(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        look_here();
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    snprintf(clang, sizeof clang, "%s", outcome->clang);
    return outcome->status == QN_OK && strstr(outcome->fields, "machine header: ");
}

static bool has_device(void)
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        qn_device *device;
        _exit(qn_device_open(&device, "opencl") == QN_OK ? 0 : 1);
    }
    return waitpid(pid, &status, 0) == pid && status == 0;
}

int main(void)
{
    bool failed = false;
    Suite *s = suite_create("machine headers");
    TCase *t = tcase_create("notes");
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED)
        return EXIT_FAILURE;
    tcase_add_checked_fixture(t, open_machine, close_machine);
    tcase_add_loop_test(t, notes_hold_until_something_matters, 0,
                        sizeof changes / sizeof changes[0]);
    tcase_add_test(t, a_header_that_changed_meanwhile_cannot_be_noted);
    tcase_add_test(t, keys_have_the_shortest_paths);
    suite_add_tcase(s, t);
    if (have_compiler("translator", &failed) && look()) {
        t = tcase_create("compiled");
        tcase_set_timeout(t, 240);
        tcase_add_checked_fixture(t, open_machine, close_machine);
        tcase_add_test(t, unchanged_headers_are_found_without_a_compiler);
        tcase_add_test(t, a_changed_header_gives_another_entry);
        tcase_add_test(t, a_header_in_front_of_another_takes_its_place);
        tcase_add_test(t, a_header_that_is_gone_is_missed);
        tcase_add_test(t, a_header_that_was_not_there_is_noticed);
        tcase_add_test(t, host_code_that_was_left_out_is_looked_at_again);
        tcase_add_test(t, a_source_without_need_of_them_has_no_headers_in_its_key);
        tcase_add_test(t, a_miss_names_the_header);
        tcase_add_test(t, a_bundle_does_not_look_at_headers);
        tcase_add_test(t, a_damaged_record_costs_a_compile);
        tcase_add_test(t, threads_share_one_compile_and_its_key);
        if (has_device())
            tcase_add_test(t, a_drivers_binary_depends_on_the_same_headers);
        else
            printf("skip: no OpenCL device\n");
        suite_add_tcase(s, t);
        t = tcase_create("toolkit");
        tcase_set_timeout(t, 240);
        tcase_add_checked_fixture(t, open_toolkit, close_toolkit);
        tcase_add_test(t, a_toolkits_headers_are_in_the_key);
        tcase_add_test(t, another_toolkit_gives_another_entry);
        tcase_add_test(t, without_a_toolkit_what_one_had_made_is_not_found);
        tcase_add_test(t, a_toolkit_that_appears_is_noticed);
        tcase_add_test(t, a_folder_of_the_callers_comes_first);
        tcase_add_test(t, what_the_callers_folder_lacks_comes_from_the_toolkit);
        tcase_add_test(t, the_users_toolkit_is_found_as_users_expect);
        suite_add_tcase(s, t);
    } else {
        printf("skip: without clang and the machine's C++ headers nothing depends on them\n");
    }
    const int bad = run_suite(s);
    return failed || bad;
}
