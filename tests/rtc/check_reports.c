/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong for others, tried on ours. Each test names the public reports it repeats
 * (project#number); docs/reliability.md lists all reports, also those that other test programs
 * repeat. A "process" here is a forked child, which shares nothing with the next one but the cache
 * folder. */
#define _GNU_SOURCE
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/key/key.h"
#include "runtime/backend.h"
#include "tests/rtc/cache_fixture.h"
#include "tests/rtc/deny_call.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

static const char *text_target; /* of a compiler whose images are text; NULL: none is here */

static struct shared { /* between a test and its processes */
    qn_status status;
    qn_origin origin;
    qn_cache_counters counters;
    uint32_t warnings;
    char key[65], message[1024], warning[1024], dir[512];
    char image[1 << 16]; /* text */
    char kernel[256];
} *shared;

static void note_outcome(qn_status s)
{
    shared->status = s;
    if (s != QN_OK)
        snprintf(shared->message, sizeof shared->message, "%s", qn_message());
    qn_cache_get_counters(&shared->counters);
    shared->warnings = n_warnings;
    snprintf(shared->warning, sizeof shared->warning, "%s", warnings[0]);
    snprintf(shared->dir, sizeof shared->dir, "%s", qn_cache_get_dir(NULL));
}

static void compile(const qn_source *src)
{
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, src, text_target, NULL, &log);
    if (s == QN_OK) {
        const qn_image_info *info = qn_image_get_info(image);
        snprintf(shared->image, sizeof shared->image, "%s", (const char *)info->bytes);
        snprintf(shared->kernel, sizeof shared->kernel, "%s=%s", info->kernels[0].expression,
                 info->kernels[0].name);
        qn_image_release(image);
    }
    shared->origin = log.origin;
    snprintf(shared->key, sizeof shared->key, "%s", log.key);
    qn_log_release(&log);
    note_outcome(s);
}

static void in_process(void (*run)(void))
{
    memset(shared, 0, sizeof *shared);
    in_own_process(run);
}

/* A compile in a process of its own must have worked, from there. */
static void compiled_in_process(void (*run)(void), qn_origin origin, const char *name)
{
    in_process(run);
    ck_assert_msg(shared->status == QN_OK, "%s: %s", name, shared->message);
    ck_assert_msg(shared->origin == origin, "%s: origin %d, not %d", name, shared->origin, origin);
}

/* -- what is in the key -- */

static const char *project; /* folder below the scratch folder */

static const char *in_project(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", project, name);
    return in_scratch(path);
}

static void write_in_project(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", project, name);
    write_text(path, text);
}

static void compile_project(void)
{
    const char *const dirs[] = {in_project("first"), in_project("second")};
    const qn_source src = {.path = in_project("k.cu"), .include_dirs = dirs, .n_include_dirs = 2};
    compile(&src);
}

/* Write anew and give the file back its old times, as `touch -r` and some tools do. */
static void edit_keeping_times(const char *name, const char *text)
{
    struct stat st;
    ck_assert_int_eq(stat(in_project(name), &st), 0);
    write_in_project(name, text);
    const struct timespec times[2] = {st.st_atim, st.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_project(name), times, 0), 0);
}

static void edit_header(void)
{
    edit_keeping_times("second/a.h", "#include \"b.h\"\n#define A 77777\n");
}
static void edit_headers_header(void)
{
    edit_keeping_times("second/b.h", "#define B 66666\n");
}
static void add_header_in_front(void)
{
    write_in_project("first/a.h", "#define A 55555\n#define B 1\n");
}
static void edit_body(void)
{
    edit_keeping_times(
        "k.cu",
        "#include <a.h>\nextern \"C\" __global__ void k(int *p) { p[0] = 44444 + A - A; }\n");
}
static void move_project(void)
{
    ck_assert_int_eq(rename(in_scratch("project"), in_scratch("elsewhere")), 0);
    project = "elsewhere";
}
static void touch(void)
{
    const struct timespec then[2] = {{1000000000, 0}, {1000000000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_project("k.cu"), then, 0), 0);
    ck_assert_int_eq(utimensat(AT_FDCWD, in_project("second/a.h"), then, 0), 0);
}
static void do_nothing(void)
{
}

static const struct edit {
    const char *report;
    void (*edit)(void);
    qn_origin origin;
    const char *value; /* that the kernel stores then */
} edits[] = {
    {"HIPRT#9: a header edited, its time kept", edit_header, QN_ORIGIN_COMPILED, "77777"},
    {"mori#469: a header of a header edited", edit_headers_header, QN_ORIGIN_COMPILED, "66666"},
    {"occa#179, occa#203, occa#236: a new header earlier in the path", add_header_in_front,
     QN_ORIGIN_COMPILED, "55555"},
    {"arrayfire#3182: another body under the same name", edit_body, QN_ORIGIN_COMPILED, "44444"},
    {"DeepGEMM#398: the project is moved", move_project, QN_ORIGIN_DISK_CACHE, "88888"},
    {"HIPRT#9: only times change", touch, QN_ORIGIN_DISK_CACHE, "88888"},
    {"nothing changes", do_nothing, QN_ORIGIN_DISK_CACHE, "88888"},
};

START_TEST(an_edit_that_matters_is_compiled_and_no_other)
{
    const struct edit *e = &edits[_i];
    project = "project";
    write_in_project(
        "k.cu", "#include <a.h>\nextern \"C\" __global__ void k(int *p) { p[0] = A; p[1] = B; }\n");
    write_in_project("second/a.h", "#include \"b.h\"\n#define A 88888\n");
    write_in_project("second/b.h", "#define B 99999\n");
    write_in_project("first/none.h", "");
    compiled_in_process(compile_project, QN_ORIGIN_COMPILED, e->report);
    says(shared->image, "88888");
    e->edit();
    compiled_in_process(compile_project, e->origin, e->report);
    ck_assert_msg(strstr(shared->image, e->value) != NULL, "%s: %s", e->report, shared->image);
    compiled_in_process(compile_project, QN_ORIGIN_DISK_CACHE, e->report);
    ck_assert_msg(strstr(shared->image, e->value) != NULL, "%s, again: %s", e->report,
                  shared->image);
}
END_TEST

static const struct {
    const char *report, *backend, *name, *arch, *driver;
} devices[] = {
    {"the first", "opencl", "CPU", "x86", "PoCL 3.1"},
    {"compute-runtime#125, darktable#2033: the driver updated", "opencl", "CPU", "x86", "PoCL 3.2"},
    {"veles#17, xmr-stak#1834: the platform changed", "opencl", "CPU", "x86", "Other 3.1"},
    {"another device", "opencl", "CPU 2", "x86", "PoCL 3.1"},
    {"parts moved between fields", "opencl", "CPUx86", "", "PoCL 3.1"},
};
enum { N_DEVICES = sizeof devices / sizeof devices[0] };

START_TEST(a_driver_binary_belongs_to_one_device_and_driver)
{
    char prints[N_DEVICES][QN__HASH_HEX];
    const struct qn__key text = {.hex = "text", .request_hex = "text"};
    struct qn__key keys[N_DEVICES];
    for (int i = 0; i < N_DEVICES; i++) {
        qn_device dev = {0};
        dev.info.backend = devices[i].backend;
        dev.info.name = devices[i].name;
        dev.info.arch = devices[i].arch;
        dev.info.driver = devices[i].driver;
        qn__device_fingerprint(prints[i], &dev);
        qn__key_binary(&keys[i], &text, prints[i]);
        for (int k = 0; k < i; k++) {
            ck_assert_msg(strcmp(prints[i], prints[k]) != 0, "%s", devices[i].report);
            ck_assert_msg(strcmp(keys[i].hex, keys[k].hex) != 0, "%s", devices[i].report);
        }
    }
}
END_TEST

/* cupy#9830: gfx906, gfx908 and gfx90a are all "9.0"; MIOpen#1155: their features differ too. */
START_TEST(every_amd_processor_and_feature_has_a_key_of_its_own)
{
    static const char *const targets[] = {"hip:gfx906",          "hip:gfx908",
                                          "hip:gfx90a",          "hip:gfx900",
                                          "hip:gfx90a:xnack-",   "hip:gfx90a:xnack+",
                                          "hip:gfx90a:sramecc+", "hip:gfx90a:sramecc+:xnack-"};
    enum { N = sizeof targets / sizeof targets[0] };
    struct qn__key keys[N];
    for (int i = 0; i < N; i++) {
        keys[i] = (struct qn__key){.source_hex = "the same source"};
        struct qn__str fields = {0};
        must(qn__key_target(&keys[i], &fields, targets[i]));
        qn__str_release(&fields);
        for (int k = 0; k < i; k++)
            ck_assert_msg(strcmp(keys[i].request_hex, keys[k].request_hex) != 0, "%s and %s",
                          targets[i], targets[k]);
    }
}
END_TEST

/* -- names -- */

static const char *spelling;
static void compile_template(void)
{
    const char *const names[] = {spelling};
    const qn_source src = {
        .text = "typedef unsigned int number;\n"
                "template <class T, int N> __global__ void scale(T *p) { p[0] *= N; }\n",
        .path = "scale.cu",
        .names = names,
        .n_names = 1};
    compile(&src);
}

/* chipStar#1246, cupy#9667, cupy#10173: after a hit the lowered name is empty, or template kernels
 * never hit. */
START_TEST(template_kernels_hit_and_keep_the_spelling_asked_for)
{
    static const char *const spellings[] = {"scale<unsigned int, 4>", "scale<number,2+2>",
                                            "scale<unsigned, 4>"};
    char cold[sizeof shared->kernel];
    for (int i = 0; i < 3; i++) {
        spelling = spellings[i];
        compiled_in_process(compile_template, QN_ORIGIN_COMPILED, spelling);
        snprintf(cold, sizeof cold, "%s", shared->kernel);
        compiled_in_process(compile_template, QN_ORIGIN_DISK_CACHE, spelling);
        ck_assert_str_eq(shared->kernel, cold);
        ck_assert(qn__starts_with(cold, spelling) && cold[strlen(spelling)] == '=');
        says(cold, "scale");
        says(shared->image, cold + strlen(spelling) + 1); /* and the image has that symbol */
    }
}
END_TEST

/* -- locks -- */

static void compile_simple(void)
{
    const qn_source src = {.text = "extern \"C\" __global__ void k(int *p) { *p = 12345; }\n",
                           .path = "k.cu"};
    compile(&src);
}

static bool was_denied;
static void compile_without_locks(void)
{
    was_denied = deny_call(SYS_flock, ENOLCK);
    compile_simple();
    if (!was_denied)
        _exit(9);
}

/* MIOpen#2214, rocm-libraries#1612: a network file system answers every lock with ENOLCK. */
START_TEST(a_file_system_without_locks_works)
{
    compiled_in_process(compile_without_locks, QN_ORIGIN_COMPILED, "without locks");
    ck_assert_uint_eq(shared->counters.publish_errors, 0);
    compiled_in_process(compile_without_locks, QN_ORIGIN_DISK_CACHE, "without locks, again");
    ck_assert_uint_eq(shared->warnings, 0);
}
END_TEST

static void dead_lock_file(void)
{
    write_text("lock name", "");
}
static void lock_is_a_folder(void)
{
    ck_assert_int_eq(mkdir(in_scratch("lock name"), 0700), 0);
}
static void lock_is_a_link(void)
{
    ck_assert_int_eq(symlink("/nowhere", in_scratch("lock name")), 0);
}
static const struct {
    const char *report;
    void (*plant)(void);
} stale_locks[] = {
    {"pyopencl#207: the lock file of a node that died", dead_lock_file},
    {"a folder in the lock's place", lock_is_a_folder},
    {"a link in the lock's place", lock_is_a_link},
};

START_TEST(what_lies_in_a_locks_place_stops_nobody)
{
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "first");
    char lock[128], entry[160];
    snprintf(lock, sizeof lock, "cache/locks/%s", shared->key);
    snprintf(entry, sizeof entry, "cache/images/%.2s/%s", shared->key, shared->key);
    ck_assert_int_eq(unlink(in_scratch(entry)), 0);
    stale_locks[_i].plant();
    ck_assert_int_eq(rename(in_scratch("lock name"), in_scratch(lock)), 0);
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, stale_locks[_i].report);
    compiled_in_process(compile_simple, QN_ORIGIN_DISK_CACHE, stale_locks[_i].report);
}
END_TEST

/* -- publishing -- */

static void compile_without_rename(void)
{
    was_denied = deny_call(SYS_renameat, EIO) && deny_call(SYS_renameat2, EIO);
    compile_simple();
    if (!was_denied)
        _exit(9);
}

/* DeepEP#683: who loses the rename asserts, because it cannot see the winner's files. */
START_TEST(who_cannot_publish_keeps_its_own_result)
{
    compiled_in_process(compile_without_rename, QN_ORIGIN_COMPILED, "rename fails");
    says(shared->image, "12345");
    ck_assert_uint_eq(shared->warnings, 1);
    says(shared->warning, "not stored");
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "after it");
}
END_TEST

/* tinygrad#5807, tinygrad#2229: a missing XDG folder kills the run. */
START_TEST(missing_cache_folders_are_made)
{
    unsetenv("QUERN_CACHE_DIR");
    setenv("XDG_CACHE_HOME", in_scratch("not/there/yet"), 1);
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "XDG_CACHE_HOME");
    ck_assert_str_eq(shared->dir, in_scratch("not/there/yet/quern"));
    compiled_in_process(compile_simple, QN_ORIGIN_DISK_CACHE, "XDG_CACHE_HOME, again");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", in_scratch("home"), 1);
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "HOME");
    ck_assert_str_eq(shared->dir, in_scratch("home/.cache/quern"));
}
END_TEST

/* rocFFT#377, rocFFT#414, WarpX#3366: the home folder is on a file system that suffers; one
 * variable names a folder of the node. */
START_TEST(one_variable_moves_the_cache_to_another_disk)
{
    setenv("HOME", in_scratch("home"), 1);
    setenv("QUERN_CACHE_DIR", in_scratch("local disk/quern"), 1);
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "QUERN_CACHE_DIR");
    ck_assert_str_eq(shared->dir, in_scratch("local disk/quern"));
    ck_assert(!qn__file_exists(in_scratch("home")));
}
END_TEST

/* -- readers and writers at once -- */

enum { READER_KEYS = 4, ROUNDS = 400 };

static void numbered_key(char out[65], int i)
{
    snprintf(out, 65, "%02d%062d", i, i);
}

static void publish_number(int i, const char *payload)
{
    char k[65];
    numbered_key(k, i);
    struct qn__str entry = make_entry(k, payload, strlen(payload));
    qn__disk_publish(k, &entry);
    qn__str_release(&entry);
}

static void write_and_remove(void)
{
    char payload[64];
    for (int round = 0;; round++) {
        char k[65];
        snprintf(payload, sizeof payload, "payload of %d", round % READER_KEYS);
        publish_number(round % READER_KEYS, payload);
        numbered_key(k, (round + 1) % READER_KEYS);
        qn__disk_quarantine(k, "made room");
    }
}

/* Writes over entries in place, which nothing of ours ever does. */
static void write_junk(void)
{
    for (unsigned seed = 1;; seed++) {
        char k[65], name[128], junk[200];
        numbered_key(k, (int)seed % READER_KEYS);
        snprintf(name, sizeof name, "cache/images/%.2s/%s", k, k);
        const int fd = open(in_scratch(name), O_WRONLY);
        for (size_t i = 0; i < sizeof junk; i++)
            junk[i] = (char)rand_r(&seed);
        if (fd >= 0) {
            if (pwrite(fd, junk, sizeof junk, rand_r(&seed) % 400) < 0 ||
                ftruncate(fd, rand_r(&seed) % 800) != 0)
                _exit(1);
            close(fd);
        }
        publish_number((int)seed % READER_KEYS, "whole");
    }
}

/* Look entries up, keep the folder bounded, and expect each to be whole or not there. */
static int read_rounds(bool with_bounds)
{
    const struct qn__cache_bounds bounds = {1 << 20, 2};
    int hits = 0;
    const int root = open(in_scratch("cache"), O_RDONLY | O_DIRECTORY);
    for (int round = 0; round < ROUNDS; round++) {
        struct qn__arena arena = {0};
        qn_image *image;
        uint64_t removed;
        char k[65];
        numbered_key(k, round % READER_KEYS);
        const qn_status s = qn__disk_find(&image, NULL, &arena, k, target);
        ck_assert_msg(s == QN_OK || s == QN_E_NOT_FOUND, "round %d: %s", round, qn_message());
        if (s == QN_OK) {
            const qn_image_info *info = qn_image_get_info(image);
            ck_assert(qn__starts_with(info->bytes, with_bounds ? "payload of " : "whole"));
            hits++;
            qn_image_release(image);
        }
        if (with_bounds)
            must(qn__cache_bound(&removed, root, &bounds));
        qn__arena_release(&arena);
    }
    close(root);
    return hits;
}

static pid_t start(void (*run)(void))
{
    const pid_t pid = fork();
    if (pid == 0) {
        qn_log_set_callback(keep_warnings, NULL);
        run();
    }
    return pid;
}

static void stop(pid_t pid)
{
    int status;
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it ended by itself: %d",
                  status);
}

/* triton#2688, triton#4295, triton#4002: a temporary is listed as an entry and then gone. */
START_TEST(a_reader_beside_a_writer_sees_whole_entries_or_none)
{
    publish_number(0, "payload of 0");
    const pid_t writers[] = {start(write_and_remove), start(write_and_remove)};
    const int hits = read_rounds(true);
    stop(writers[0]);
    stop(writers[1]);
    ck_assert_int_gt(hits, 0);
    ck_assert_uint_eq(quarantined(), 0); /* none looked damaged to us */
}
END_TEST

/* MIOpen#1878: the database is malformed while many jobs run. */
START_TEST(junk_written_over_entries_in_use_is_never_served)
{
    publish_number(0, "whole");
    const pid_t vandal = start(write_junk);
    read_rounds(false);
    stop(vandal);
    for (int i = 0; i < READER_KEYS; i++) { /* whatever is left is found out and made good */
        struct qn__arena arena = {0};
        qn_image *image;
        char k[65];
        numbered_key(k, i);
        if (qn__disk_find(&image, NULL, &arena, k, target) == QN_OK)
            qn_image_release(image);
        publish_number(i, "whole");
        must(qn__disk_find(&image, NULL, &arena, k, target));
        qn_image_release(image);
        qn__arena_release(&arena);
    }
}
END_TEST

/* cudf#4857, mixle#331, quadrants#484, b12x#168: files that others can write are believed. */
START_TEST(an_entry_of_another_user_is_refused)
{
    char k[65], name[128];
    publish_number(1, "whole");
    numbered_key(k, 1);
    snprintf(name, sizeof name, "cache/images/%.2s/%s", k, k);
    if (chown(in_scratch(name), 12345, 12345) != 0) {
        printf("skip: an entry of another user: only root can make one\n");
        return;
    }
    qn_image *image;
    struct qn__arena arena = {0};
    must_not(QN_E_NOT_FOUND, qn__disk_find(&image, NULL, &arena, k, target));
    ck_assert_uint_eq(quarantined(), 1);
    qn__arena_release(&arena);
}
END_TEST

/* -- counters -- */

/* cutile-rs#147, cutile-rs#180: no way to prove that warming worked. */
START_TEST(counters_prove_that_a_warm_process_compiled_nothing)
{
    compiled_in_process(compile_simple, QN_ORIGIN_COMPILED, "cold");
    ck_assert_uint_eq(shared->counters.compiles, 1);
    ck_assert_uint_eq(shared->counters.misses, 1);
    ck_assert_double_gt(shared->counters.compile_ms, 0);
    compiled_in_process(compile_simple, QN_ORIGIN_DISK_CACHE, "warm");
    ck_assert_uint_eq(shared->counters.compiles, 0);
    ck_assert_uint_eq(shared->counters.misses, 0);
    ck_assert_uint_eq(shared->counters.disk_hits, 1);
    ck_assert_uint_eq(shared->counters.helpers_started, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reports");
    TCase *t = tcase_create("reports");
    bool failed = false;
    text_target = have_compiler("nvrtc", &failed)        ? "cuda:compute_80"
                  : have_compiler("translator", &failed) ? "opencl:portable"
                                                         : NULL;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, a_driver_binary_belongs_to_one_device_and_driver);
    tcase_add_test(t, every_amd_processor_and_feature_has_a_key_of_its_own);
    tcase_add_test(t, a_reader_beside_a_writer_sees_whole_entries_or_none);
    tcase_add_test(t, junk_written_over_entries_in_use_is_never_served);
    tcase_add_test(t, an_entry_of_another_user_is_refused);
    if (text_target) {
        tcase_add_loop_test(t, an_edit_that_matters_is_compiled_and_no_other, 0,
                            sizeof edits / sizeof edits[0]);
        tcase_add_test(t, template_kernels_hit_and_keep_the_spelling_asked_for);
        tcase_add_test(t, a_file_system_without_locks_works);
        tcase_add_loop_test(t, what_lies_in_a_locks_place_stops_nobody, 0,
                            sizeof stale_locks / sizeof stale_locks[0]);
        tcase_add_test(t, who_cannot_publish_keeps_its_own_result);
        tcase_add_test(t, missing_cache_folders_are_made);
        tcase_add_test(t, one_variable_moves_the_cache_to_another_disk);
        tcase_add_test(t, counters_prove_that_a_warm_process_compiled_nothing);
    }
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
