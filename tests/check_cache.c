/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel cache: entry format, folder rules, damage, sharing between threads and processes. Most
 * tests need no compiler: they put entries in by hand. */
#define _GNU_SOURCE
#include "rtc/cache_disk.h"
#include "rtc/cache_memory.h"
#include "rtc/entry.h"
#include "tests/rtc_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

static const char key[] = "ab34567890123456789012345678901234567890123456789012345678901234";
static const char target[] = "cuda:sm_90";

static qn_image *make_image(const char *payload, size_t n)
{
    static const struct qn__kernel kernels[] = {
        {.info = {.name = "_Z1kIfEvv", .expression = "k<float>"}}};
    const struct qn__reflection r = {.n_kernels = 1, .kernels = kernels, .build_options = ""};
    struct qn__str w = {0};
    qn_image *image;
    qn__reflection_encode(&w, &r);
    must(qn__image_create(&image, target, "nvrtc 0.0", QN_IMAGE_CUBIN, payload, n, w.text, w.len));
    qn__str_release(&w);
    return image;
}

static struct qn__str make_entry(const char *key_hex, const char *payload, size_t n)
{
    struct qn__str entry = {0};
    qn_image *image = make_image(payload, n);
    const struct qn__entry_notes notes = {key_hex, "request", "diagnostics",
                                          "raw",   "fields",  "k 1 1 1\n"};
    qn__entry_encode(&entry, image, &notes);
    qn_image_release(image);
    ck_assert(!entry.failed);
    return entry;
}

static const char *entry_path(void)
{
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", key, key);
    return in_scratch(name);
}

static qn_status find(void)
{
    struct qn__arena arena = {0};
    struct qn__entry_notes notes;
    qn_image *image;
    const qn_status s = qn__disk_find(&image, &notes, &arena, key, target);
    if (s == QN_OK)
        qn_image_release(image);
    qn__arena_release(&arena);
    return s;
}

static void publish(void)
{
    struct qn__str entry = make_entry(key, "payload", 7);
    qn__disk_publish(key, &entry);
    qn__str_release(&entry);
}

static uint64_t quarantined(void)
{
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    return c.quarantined;
}

static uint32_t count_files(const char *folder)
{
    DIR *d = opendir(in_scratch(folder));
    uint32_t n = 0;
    const struct dirent *e;
    while (d && (e = readdir(d)))
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static char warnings[8][1024];
static uint32_t n_warnings;
static void keep_warnings(qn_log_level level, const char *line, void *payload)
{
    (void)payload;
    if (level == QN_LOG_WARNING && n_warnings < 8)
        snprintf(warnings[n_warnings++], sizeof warnings[0], "%s", line);
}

static void open_quiet(void)
{
    scratch_open();
    n_warnings = 0;
    qn_log_set_callback(keep_warnings, NULL);
}

/* -- entries -- */

START_TEST(an_entry_comes_back_as_it_was)
{
    struct qn__str entry = make_entry(key, "pay\0load", 8), again = make_entry(key, "pay\0load", 8);
    struct qn__arena arena = {0};
    struct qn__entry_notes notes;
    qn_image *image;
    ck_assert_uint_eq(entry.len, again.len);
    ck_assert_mem_eq(entry.text, again.text, entry.len); /* reproducible */
    must(qn__entry_decode(&image, &notes, &arena, entry.text, entry.len));
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, target);
    ck_assert_str_eq(info->compiler, "nvrtc 0.0");
    ck_assert_int_eq(info->kind, QN_IMAGE_CUBIN);
    ck_assert_uint_eq(info->size_bytes, 8);
    ck_assert_mem_eq(info->bytes, "pay\0load", 8);
    ck_assert_str_eq(info->kernels[0].expression, "k<float>");
    ck_assert_str_eq(notes.key, key);
    ck_assert_str_eq(notes.shapes, "k 1 1 1\n");
    ck_assert_str_eq(notes.fields, "fields");
    qn_image_release(image);
    qn__arena_release(&arena);
    qn__str_release(&entry);
    qn__str_release(&again);
}
END_TEST

START_TEST(every_truncation_and_every_changed_byte_is_detected)
{
    struct qn__str entry = make_entry(key, "some payload bytes", 18);
    qn_image *image;
    for (size_t n = 0; n < entry.len; n++) {
        const qn_status s = qn__entry_decode(&image, NULL, NULL, entry.text, n);
        ck_assert_msg(s == QN_E_CORRUPT, "%zu of %zu bytes: %s", n, entry.len, qn_status_name(s));
    }
    for (size_t i = 0; i < entry.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            entry.text[i] = (char)(entry.text[i] ^ 1 << bit);
            const qn_status s = qn__entry_decode(&image, NULL, NULL, entry.text, entry.len);
            ck_assert_msg(s != QN_OK, "byte %zu bit %d", i, bit);
            entry.text[i] = (char)(entry.text[i] ^ 1 << bit);
        }
    qn__str_add_char(&entry, 0);
    must_not(QN_E_CORRUPT, qn__entry_decode(&image, NULL, NULL, entry.text, entry.len));
    qn__str_release(&entry);
}
END_TEST

START_TEST(another_format_version_is_told_apart_from_damage)
{
    struct qn__str entry = make_entry(key, "x", 1);
    qn_image *image;
    struct qn__hash h;
    entry.text[8] = 2;
    qn__hash_init(&h); /* a whole file of a later version */
    qn__hash_add(&h, entry.text, 24);
    qn__hash_add(&h, entry.text + QN__ENTRY_HEAD_BYTES, entry.len - QN__ENTRY_HEAD_BYTES);
    qn__hash_finish(&h, (unsigned char *)entry.text + 24);
    must_not(QN_E_UNSUPPORTED, qn__entry_decode(&image, NULL, NULL, entry.text, entry.len));
    qn__str_release(&entry);
}
END_TEST

/* -- the folder -- */

START_TEST(a_published_entry_is_found_and_nothing_else_is_left)
{
    must_not(QN_E_NOT_FOUND, find());
    publish();
    must(find());
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    struct stat st;
    ck_assert_int_eq(stat(in_scratch("cache"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(entry_path(), &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    ck_assert_str_eq(qn_cache_get_dir(NULL), in_scratch("cache"));
}
END_TEST

enum damage {
    TRUNCATED,
    EMPTY,
    CHANGED,
    FOREIGN_KEY,
    FOREIGN_TARGET,
    LINK,
    FOLDER,
    WRITABLE,
    JUNK
};
static const struct {
    const char *name;
    enum damage damage;
} damages[] = {{"truncated", TRUNCATED},
               {"empty", EMPTY},
               {"one byte changed", CHANGED},
               {"entry of another key", FOREIGN_KEY},
               {"entry for another target", FOREIGN_TARGET},
               {"symbolic link", LINK},
               {"a folder", FOLDER},
               {"writable by others", WRITABLE},
               {"junk", JUNK}};

static void damage_entry(enum damage damage)
{
    const char *path = entry_path();
    struct qn__str other = {0};
    struct stat st;
    switch (damage) {
    case TRUNCATED:
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_int_eq(truncate(path, st.st_size / 2), 0);
        break;
    case EMPTY: ck_assert_int_eq(truncate(path, 0), 0); break;
    case CHANGED: {
        const int fd = open(path, O_WRONLY);
        ck_assert_int_eq(pwrite(fd, "X", 1, 100), 1);
        close(fd);
        break;
    }
    case FOREIGN_KEY:
        other = make_entry("another key", "payload", 7);
        must(qn__file_write_atomic(path, other.text, other.len, 0600));
        break;
    case FOREIGN_TARGET: {
        qn_image *image;
        const struct qn__entry_notes notes = {key, "", "", "", "", ""};
        must(qn__image_create(&image, "cuda:sm_80", "x", QN_IMAGE_CUBIN, "y", 1, NULL, 0));
        qn__entry_encode(&other, image, &notes);
        qn_image_release(image);
        must(qn__file_write_atomic(path, other.text, other.len, 0600));
        break;
    }
    case LINK:
        ck_assert_int_eq(rename(path, in_scratch("elsewhere")), 0);
        ck_assert_int_eq(symlink(in_scratch("elsewhere"), path), 0);
        break;
    case FOLDER:
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        break;
    case WRITABLE: ck_assert_int_eq(chmod(path, 0666), 0); break;
    case JUNK: must(qn__file_write_atomic(path, "junk", 4, 0600)); break;
    }
    qn__str_release(&other);
}

START_TEST(a_bad_entry_is_a_miss_is_set_aside_and_can_be_replaced)
{
    publish();
    damage_entry(damages[_i].damage);
    must_not(QN_E_NOT_FOUND, find());
    ck_assert_uint_eq(quarantined(), 1);
    ck_assert_uint_eq(n_warnings, 1);
    struct stat st;
    ck_assert_int_ne(lstat(entry_path(), &st), 0);
    publish();
    must(find());
    ck_assert_uint_eq(quarantined(), 1);
}
END_TEST

enum trouble { NO_HOME, FILE_IN_THE_WAY, ROOT_LINK, ROOT_WRITABLE, RELATIVE, NO_FOLDER_POSSIBLE };
static const struct {
    const char *name;
    enum trouble trouble;
    const char *why;
} troubles[] = {{"no HOME", NO_HOME, "HOME are not set"},
                {"a file in the way", FILE_IN_THE_WAY, "Not a directory"},
                {"the root is a link", ROOT_LINK, "is a symbolic link"},
                {"others may write", ROOT_WRITABLE, "chmod go-w"},
                {"relative name", RELATIVE, "must be an absolute path"},
                {"cannot be made", NO_FOLDER_POSSIBLE, "/proc/nowhere"}};

START_TEST(trouble_with_the_folder_is_one_warning_and_memory_only)
{
    switch (troubles[_i].trouble) {
    case NO_HOME:
        unsetenv("QUERN_CACHE_DIR");
        unsetenv("XDG_CACHE_HOME");
        unsetenv("HOME");
        break;
    case FILE_IN_THE_WAY:
        write_text("file", "");
        setenv("QUERN_CACHE_DIR", in_scratch("file/cache"), 1);
        break;
    case ROOT_LINK:
        ck_assert_int_eq(mkdir(in_scratch("real"), 0700), 0);
        ck_assert_int_eq(symlink(in_scratch("real"), in_scratch("cache")), 0);
        break;
    case ROOT_WRITABLE:
        ck_assert_int_eq(mkdir(in_scratch("cache"), 0700), 0);
        ck_assert_int_eq(chmod(in_scratch("cache"), 0777), 0);
        break;
    case RELATIVE: setenv("QUERN_CACHE_DIR", "cache", 1); break;
    case NO_FOLDER_POSSIBLE: setenv("QUERN_CACHE_DIR", "/proc/nowhere/cache", 1); break;
    }
    const char *why;
    publish();
    publish();
    must_not(QN_E_NOT_FOUND, find());
    ck_assert_str_eq(qn_cache_get_dir(&why), "");
    says(why, troubles[_i].why);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], troubles[_i].why);
}
END_TEST

START_TEST(a_folder_of_another_user_is_refused)
{
    if (geteuid() != 0) /* only root can make one */
        return;
    ck_assert_int_eq(mkdir(in_scratch("cache"), 0700), 0);
    ck_assert_int_eq(chown(in_scratch("cache"), 12345, 12345), 0);
    const char *why;
    ck_assert_str_eq(qn_cache_get_dir(&why), "");
    says(why, "belongs to user 12345");
}
END_TEST

START_TEST(a_read_only_folder_still_answers)
{
    publish();
    ck_assert_int_eq(chmod(in_scratch("cache"), 0500), 0);
    ck_assert_int_eq(chmod(in_scratch("cache/tmp"), 0500), 0);
    if (geteuid() == 0) /* root may write anywhere */
        ck_assert_int_eq(chmod(scratch, 0755) | chown(in_scratch("cache"), 12345, 12345) |
                             chown(in_scratch("cache/tmp"), 12345, 12345) |
                             chown(in_scratch("cache/images"), 12345, 12345) |
                             chown(in_scratch("cache/images/ab"), 12345, 12345) |
                             chown(entry_path(), 12345, 12345) | setgid(12345) | setuid(12345),
                         0);
    must(find());
    publish();
    publish();
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.publish_errors, 2);
    ck_assert_uint_eq(n_warnings, 1);
    must(find());
    chmod(in_scratch("cache"), 0700);
    chmod(in_scratch("cache/tmp"), 0700);
}
END_TEST

START_TEST(a_folder_that_vanishes_is_only_a_miss)
{
    publish();
    qn__temp_dir_remove(in_scratch("cache"));
    must_not(QN_E_NOT_FOUND, find());
    publish();
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.publish_errors, 1);
}
END_TEST

START_TEST(old_temporaries_are_swept_and_new_ones_stay)
{
    write_text("cache/tmp/old", "x");
    write_text("cache/tmp/new", "x");
    const struct timespec then[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_scratch("cache/tmp/old"), then, 0), 0);
    publish();
    ck_assert(!qn__file_exists(in_scratch("cache/tmp/old")));
    ck_assert(qn__file_exists(in_scratch("cache/tmp/new")));
}
END_TEST

START_TEST(a_use_is_stamped)
{
    publish();
    const struct timespec then[2] = {{1000000000, 0}, {1000000000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, entry_path(), then, 0), 0);
    must(find());
    struct stat st;
    ck_assert_int_eq(stat(entry_path(), &st), 0);
    ck_assert_int_gt(st.st_mtime, time(NULL) - 60);
}
END_TEST

START_TEST(a_lock_held_by_a_stopped_process_is_waited_for_only_a_little)
{
    publish(); /* makes the folders */
    ck_assert_int_eq(unlink(entry_path()), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        int lock;
        qn__disk_lock(&lock, key);
        write_text("locked", "");
        raise(SIGSTOP);
        _exit(0);
    }
    while (!qn__file_exists(in_scratch("locked"))) {
        const struct timespec nap = {0, 1000000};
        nanosleep(&nap, NULL);
    }
    int lock;
    ck_assert(!qn__disk_lock(&lock, key));
    ck_assert_int_eq(lock, -1); /* and the caller compiles all the same */
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    ck_assert(!qn__disk_lock(&lock, key)); /* the lock died with its owner */
    ck_assert_int_ge(lock, 0);
    qn__disk_unlock(lock, key);
    ck_assert_uint_eq(count_files("cache/locks"), 0);
}
END_TEST

START_TEST(writers_killed_at_any_point_leave_a_whole_entry_or_none)
{
    const int rounds = getenv("QN_LONG") ? 2000 : 60;
    struct qn__str entry = make_entry(key, "", 0);
    qn__str_release(&entry);
    char *payload = qn__alloc(1 << 18, 1);
    struct qn__str big = make_entry(key, payload, 1 << 18);
    for (int i = 0; i < rounds; i++) {
        const pid_t pid = fork();
        if (pid == 0) {
            for (;;)
                qn__disk_publish(key, &big);
        }
        const struct timespec nap = {0, (i * 7919 % 100) * 100000L};
        nanosleep(&nap, NULL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        const qn_status s = find();
        ck_assert_msg(s == QN_OK || s == QN_E_NOT_FOUND, "round %d: %s", i, qn_message());
        ck_assert_uint_eq(quarantined(), 0);
    }
    qn__str_release(&big);
    free(payload);
}
END_TEST

/* -- memory and single flight -- */

static atomic_int made;
static void *ask(void *unused)
{
    qn_image *image;
    struct qn__flight *flight;
    struct qn__flight_end end;
    (void)unused;
    const qn_status s = qn__memory_enter(&image, &flight, &end, key);
    if (flight) {
        const struct timespec nap = {0, 50000000};
        nanosleep(&nap, NULL);
        atomic_fetch_add(&made, 1);
        image = make_image("x", 1);
        qn__memory_leave(flight, image, QN_OK, NULL, NULL);
    } else if (s != QN_OK) {
        return NULL;
    }
    return image;
}

START_TEST(threads_that_ask_for_one_key_share_one_compile)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *image;
        ck_assert_int_eq(pthread_join(threads[i], &image), 0);
        ck_assert(image != NULL);
        qn_image_release(image);
    }
    ck_assert_int_eq(made, 1);
    qn__memory_put(key, NULL);
}
END_TEST

static void *ask_and_fail(void *message)
{
    qn_image *image;
    struct qn__flight *flight;
    struct qn__flight_end end;
    const qn_status s = qn__memory_enter(&image, &flight, &end, key);
    if (flight) {
        const struct timespec nap = {0, 100000000};
        nanosleep(&nap, NULL);
        atomic_fetch_add(&made, 1);
        qn__memory_leave(flight, NULL, qn__fail(QN_E_COMPILE, "line 7"), "text", "raw");
    } else {
        snprintf(message, 64, "%d %s %s %s", s, qn_message(), end.text, end.raw);
        free(end.text);
        free(end.raw);
    }
    return NULL;
}

START_TEST(a_failed_compile_is_told_to_all_who_wait_and_tried_again_later)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    char messages[THREADS][64] = {"", "", "", ""}, want[64];
    int waited = 0;
    snprintf(want, sizeof want, "%d line 7 text raw", QN_E_COMPILE);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_and_fail, messages[i]), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        if (messages[i][0]) {
            ck_assert_str_eq(messages[i], want);
            waited++;
        }
    ck_assert_int_eq(made + waited, THREADS);
    const int before = made;
    ask_and_fail(messages[0]);
    ck_assert_int_eq(made, before + 1); /* a failure is not remembered */
}
END_TEST

/* -- with a real compiler -- */

static const qn_source source = {.text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n",
                                 .path = "k.cu"};

static bool maps_mention(const char *word)
{
    char line[4096];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    ck_assert(f != NULL);
    while (fgets(line, sizeof line, f))
        found = found || strstr(line, word);
    fclose(f);
    return found;
}

static int in_child(void (*run)(void))
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        run();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

static const char *compile_target;

static void compile_cold(void)
{
    qn_image *image;
    qn_log log;
    if (qn_compile(&image, &source, compile_target, NULL, &log) != QN_OK ||
        log.origin != QN_ORIGIN_COMPILED)
        _exit(1);
}

static const struct {
    const char *target, *compiler;
} warm[] = {{"cuda:sm_90", "nvrtc"}, {"hip:gfx90a", "hiprtc"}, {"hip:gfx1100", "clang"}};

START_TEST(the_warm_path_loads_no_compiler_and_starts_nothing)
{
    compile_target = warm[_i].target;
    ck_assert_int_eq(in_child(compile_cold), 0);
    qn_image *image, *again;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    qn_log_release(&log);
    must(qn_compile(&again, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_MEMORY_CACHE);
    ck_assert_ptr_eq(image, again);
    qn_log_release(&log);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, 0);
    ck_assert_uint_eq(c.misses, 0);
    ck_assert_uint_eq(c.helpers_started, 0);
    ck_assert_uint_eq(c.disk_hits, 1);
    ck_assert_uint_eq(c.memory_hits, 1);
    static const char *const libraries[] = {"nvrtc", "libLLVM", "libclang", "amdhip", "comgr"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        ck_assert_msg(!maps_mention(libraries[i]), "%s is loaded", libraries[i]);
    qn_image_release(image);
    qn_image_release(again);
}
END_TEST

START_TEST(processes_that_start_together_all_get_the_kernel)
{
    enum { PROCESSES = 8 };
    pid_t pids[PROCESSES];
    int go[2];
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(pipe(go), 0);
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            char c;
            qn_image *image;
            close(go[1]);
            while (read(go[0], &c, 1) > 0)
                ;
            _exit(qn_compile(&image, &source, compile_target, NULL, NULL) == QN_OK ? 0 : 1);
        }
    }
    close(go[0]);
    close(go[1]); /* all start now */
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_int_eq(status, 0);
    }
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    qn_log_release(&log);
    qn_image_release(image);
}
END_TEST

START_TEST(a_damaged_entry_is_compiled_anew_once)
{
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(in_child(compile_cold), 0);
    qn_log log;
    qn_image *image;
    const qn_compile_options bypass = {.bypass_cache = true};
    must(qn_compile(&image, &source, compile_target, &bypass, &log)); /* tells the key */
    qn_image_release(image);
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", log.key, log.key);
    ck_assert_int_eq(truncate(in_scratch(name), 100), 0);
    qn_log_release(&log);
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_COMPILED);
    qn_image_release(image);
    qn_log_release(&log);
    ck_assert_uint_eq(quarantined(), 1);
    struct stat st;
    ck_assert_int_eq(stat(in_scratch(name), &st), 0);
    ck_assert_int_gt(st.st_size, 100);
}
END_TEST

START_TEST(a_damaged_record_of_a_compiler_is_made_anew)
{
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(in_child(compile_cold), 0);
    const char *record = in_scratch("cache/compilers/nvrtc");
    char *before, *after;
    size_t n_before, n_after;
    must(qn__file_read(&before, &n_before, record, 1 << 20));
    must(qn__file_write_atomic(record, before, n_before - 1, 0600));
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin,
                     QN_ORIGIN_DISK_CACHE); /* the identity, and so the key, is the same */
    must(qn__file_read(&after, &n_after, record, 1 << 20));
    ck_assert_uint_eq(n_before, n_after);
    ck_assert_mem_eq(before, after, n_before);
    qn_image_release(image);
    qn_log_release(&log);
    free(before);
    free(after);
}
END_TEST

START_TEST(another_build_of_the_compiler_is_noticed_at_once)
{
    /* clang behind a script whose bytes change, as an upgrade's would */
    char *clang = qn__find_program("clang++-19");
    struct qn__str script = {0}, path = {0};
    char keys[3][65];
    if (!clang) {
        printf("skip: no clang++-19 in PATH to stand behind the script\n");
        return;
    }
    qn__str_printf(&path, "%s:%s", in_scratch("bin"), getenv("PATH"));
    setenv("PATH", path.text, 1);
    for (int i = 0; i < 3; i++) {
        qn__str_clear(&script);
        qn__str_printf(&script, "#!/bin/sh\n%sexec '%s' \"$@\"\n", i == 1 ? "# newer\n" : "",
                       clang);
        ck_assert_int_eq(chmod(write_text("bin/clang++-19", script.text), 0700), 0);
        const qn_compile_options options = {.compiler = "clang"};
        qn_image *image;
        qn_log log;
        must(qn_compile(&image, &source, "hip:gfx1100", &options, &log));
        memcpy(keys[i], log.key, sizeof keys[i]);
        ck_assert_int_eq(log.origin, i == 2 ? QN_ORIGIN_MEMORY_CACHE : QN_ORIGIN_COMPILED);
        qn_image_release(image);
        qn_log_release(&log);
    }
    ck_assert_str_ne(keys[0], keys[1]);
    ck_assert_str_eq(keys[0], keys[2]);
    qn__str_release(&script);
    qn__str_release(&path);
    free(clang);
}
END_TEST

/* -- images as files -- */

START_TEST(images_are_saved_and_loaded)
{
    qn_image *image = make_image("payload", 7), *got;
    const char *path = in_scratch("a.qni");
    must(qn_image_save(image, path));
    must(qn_image_load(&got, path, NULL));
    ck_assert_str_eq(qn_image_get_info(got)->kernels[0].expression, "k<float>");
    qn_image_release(got);
    must(qn_image_load(&got, path, target));
    qn_image_release(got);
    must_not(QN_E_INVALID, qn_image_load(&got, path, "cuda:sm_80"));
    ck_assert_int_eq(truncate(path, 60), 0);
    must_not(QN_E_CORRUPT, qn_image_load(&got, path, NULL));
    says(qn_message(), path);
    must_not(QN_E_IO, qn_image_load(&got, in_scratch("none"), NULL));
    must_not(QN_E_IO, qn_image_save(image, in_scratch("no/folder")));
    qn_image_release(image);
}
END_TEST

static const char ptx[] =
    "//\n// made by hand\n//\n\n.version 8.0\n.target sm_80\n.address_size 64\n\n"
    ".visible .entry first(\n.param .u64 x)\n{\nret;\n}\n"
    ".entry _Z6secondv()\n{\nret;\n}\n";
static const char cl[] = "__kernel void k(__global float *p) { *p = 1; }\n";

START_TEST(bare_files_are_recognised)
{
    qn_image *image;
    must(qn_image_load_bytes(&image, ptx, sizeof ptx - 1, NULL));
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, "cuda:compute_80");
    ck_assert_int_eq(info->kind, QN_IMAGE_PTX);
    ck_assert_uint_eq(info->n_kernels, 2);
    ck_assert_str_eq(info->kernels[0].name, "first");
    ck_assert_str_eq(info->kernels[1].name, "_Z6secondv");
    qn_image_release(image);
    must(qn_image_load_bytes(&image, cl, sizeof cl - 1, "opencl:portable"));
    ck_assert_int_eq(qn_image_get_info(image)->kind, QN_IMAGE_OPENCL_C);
    ck_assert_str_eq(qn_image_get_info(image)->bytes, cl);
    qn_image_release(image);
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl - 1, NULL));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl, "opencl:portable"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, ptx, sizeof ptx - 1, "hip:gfx90a"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, ptx, sizeof ptx - 1, "cuda:compute_75"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, "", 0, NULL));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl - 1, key));
}
END_TEST

static const struct {
    const char *target, *compiler;
    qn_image_kind kind;
} bare[] = {{"cuda:sm_90", "nvrtc", QN_IMAGE_CUBIN},
            {"cuda:sm_120", "nvrtc", QN_IMAGE_CUBIN},
            {"hip:gfx90a:xnack-", "hiprtc", QN_IMAGE_HSACO},
            {"hip:gfx1201", "clang", QN_IMAGE_HSACO}};

START_TEST(bare_binaries_tell_their_target_and_kernels_and_survive_damage)
{
    qn_image *image, *got;
    const qn_compile_options options = {.compiler = bare[_i].compiler};
    must(qn_compile(&image, &source, bare[_i].target, &options, NULL));
    const qn_image_info *info = qn_image_get_info(image);
    must(qn_image_load_bytes(&got, info->bytes, info->size_bytes, NULL));
    const qn_image_info *loaded = qn_image_get_info(got);
    ck_assert_str_eq(loaded->target, bare[_i].target);
    ck_assert_int_eq(loaded->kind, bare[_i].kind);
    ck_assert_uint_eq(loaded->n_kernels, 1);
    ck_assert_str_eq(loaded->kernels[0].name, "k");
    qn_image_release(got);
    unsigned char *bytes = qn__alloc(info->size_bytes, 1); /* exact, so that ASan sees overreads */
    for (size_t n = 0; n < info->size_bytes; n += n < 512 ? 1 : 97) {
        unsigned char *cut = qn__alloc(n, 1);
        memcpy(cut, info->bytes, n);
        if (qn_image_load_bytes(&got, cut, n, NULL) == QN_OK)
            qn_image_release(got);
        free(cut);
        memcpy(bytes, info->bytes, info->size_bytes);
        bytes[n] ^= 0xff;
        if (qn_image_load_bytes(&got, bytes, info->size_bytes, NULL) == QN_OK)
            qn_image_release(got);
    }
    free(bytes);
    qn_image_release(image);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cache");
    TCase *t = tcase_create("cache");
    bool failed = false;
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, an_entry_comes_back_as_it_was);
    tcase_add_test(t, every_truncation_and_every_changed_byte_is_detected);
    tcase_add_test(t, another_format_version_is_told_apart_from_damage);
    tcase_add_test(t, a_published_entry_is_found_and_nothing_else_is_left);
    tcase_add_loop_test(t, a_bad_entry_is_a_miss_is_set_aside_and_can_be_replaced, 0,
                        sizeof damages / sizeof damages[0]);
    tcase_add_loop_test(t, trouble_with_the_folder_is_one_warning_and_memory_only, 0,
                        sizeof troubles / sizeof troubles[0]);
    tcase_add_test(t, a_folder_of_another_user_is_refused);
    tcase_add_test(t, a_read_only_folder_still_answers);
    tcase_add_test(t, a_folder_that_vanishes_is_only_a_miss);
    tcase_add_test(t, old_temporaries_are_swept_and_new_ones_stay);
    tcase_add_test(t, a_use_is_stamped);
    tcase_add_test(t, a_lock_held_by_a_stopped_process_is_waited_for_only_a_little);
    tcase_add_test(t, writers_killed_at_any_point_leave_a_whole_entry_or_none);
    tcase_add_test(t, threads_that_ask_for_one_key_share_one_compile);
    tcase_add_test(t, a_failed_compile_is_told_to_all_who_wait_and_tried_again_later);
    tcase_add_test(t, images_are_saved_and_loaded);
    tcase_add_test(t, bare_files_are_recognised);
    for (int i = 0; i < 3; i++)
        if (have_compiler(warm[i].compiler, &failed))
            tcase_add_loop_test(t, the_warm_path_loads_no_compiler_and_starts_nothing, i, i + 1);
    for (int i = 0; i < 4; i++)
        if (have_compiler(bare[i].compiler, &failed))
            tcase_add_loop_test(t, bare_binaries_tell_their_target_and_kernels_and_survive_damage,
                                i, i + 1);
    if (have_compiler("nvrtc", &failed)) {
        tcase_add_test(t, processes_that_start_together_all_get_the_kernel);
        tcase_add_test(t, a_damaged_entry_is_compiled_anew_once);
        tcase_add_test(t, a_damaged_record_of_a_compiler_is_made_anew);
    }
    if (have_compiler("clang", &failed))
        tcase_add_test(t, another_build_of_the_compiler_is_noticed_at_once);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
