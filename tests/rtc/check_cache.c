/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache on disk and in memory: entry format, folder rules, damage, locks, bounds, single
 * flight. No compiler is needed: entries are put in by hand.
 *
 * covers: rtc/cache/cache_bound rtc/cache/cache_disk rtc/cache/cache_folder rtc/cache/cache_memory
 * rtc/cache/entry base/settings base/log runtime/image rtc/cache/cache_names rtc/cache/miss */
#define _GNU_SOURCE
#include "base/settings.h"
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_memory.h"
#include "rtc/cache/miss.h"
#include "tests/rtc/cache_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sys/file.h>

static const char *entry_path(void)
{
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", key, key);
    return in_scratch(name);
}

static qn_status find(void)
{
    qn_image *image;
    const qn_status s = qn__disk_find(&image, NULL, NULL, key, target);
    if (s == QN_OK)
        qn_image_release(image);
    return s;
}

static void publish(void)
{
    struct qn__str entry = make_entry(key, "payload", 7);
    qn__disk_publish(key, &entry);
    qn__str_release(&entry);
}

/* -- entries -- */

START_TEST(an_entry_comes_back_as_it_was)
{
    struct qn__str entry = make_entry(key, "pay\0load", 8), again = make_entry(key, "pay\0load", 8);
    struct qn__arena arena = {0};
    struct qn__entry_log log;
    qn_image *image;
    ck_assert_uint_eq(entry.len, again.len);
    ck_assert_mem_eq(entry.text, again.text, entry.len); /* reproducible */
    must(qn__entry_decode(&image, &log, &arena, entry.text, entry.len));
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, target);
    ck_assert_str_eq(info->compiler, "nvrtc 0.0");
    ck_assert_int_eq(info->kind, QN_IMAGE_CUBIN);
    ck_assert_uint_eq(info->size_bytes, 8);
    ck_assert_mem_eq(info->bytes, "pay\0load", 8);
    ck_assert_str_eq(info->kernels[0].expression, "k<float>");
    ck_assert_str_eq(image->notes.key, key);
    ck_assert_str_eq(image->notes.source, "source");
    ck_assert_str_eq(image->notes.shapes, "k 1 1 1\n");
    ck_assert_str_eq(image->notes.fields, "fields");
    ck_assert_str_eq(log.raw, "raw");
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
    unsigned char *head = (unsigned char *)entry.text; /* a whole file of a later version */
    head[8] = QN__ENTRY_FORMAT + 1;
    qn__checksum_of(head + 24, head + 8, head + QN__ENTRY_HEAD_BYTES,
                    entry.len - QN__ENTRY_HEAD_BYTES);
    must_not(QN_E_UNSUPPORTED, qn__entry_decode(&image, NULL, NULL, entry.text, entry.len));
    head[8] = QN__ENTRY_FORMAT - 1;
    must_not(QN_E_UNSUPPORTED, qn__entry_decode(&image, NULL, NULL, entry.text, entry.len));
    says(qn_message(), "older");
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
        must(qn__image_create(&image, "cuda:sm_80", "x", QN_IMAGE_CUBIN, "y", 1, NULL, 0));
        must(qn__image_note(image, &(struct qn__image_notes){key, "", "", "", ""}));
        qn__entry_encode(&other, image, NULL, QN__ENTRY_FOR_HERE);
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

enum trouble {
    NO_HOME,
    FILE_IN_THE_WAY,
    ROOT_LINK,
    ROOT_WRITABLE,
    OTHERS_IN_IT,
    RELATIVE,
    NO_FOLDER_POSSIBLE
};
static const struct {
    const char *name;
    enum trouble trouble;
    const char *why;
} troubles[] = {{"no HOME", NO_HOME, "HOME are not set"},
                {"a file in the way", FILE_IN_THE_WAY, "Not a directory"},
                {"the root is a link", ROOT_LINK, "is a symbolic link"},
                {"others may write", ROOT_WRITABLE, "chmod go-w"},
                {"other things in it", OTHERS_IN_IT, "holds other things ('letter.txt')"},
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
    case OTHERS_IN_IT:
        write_text("cache/images/photo.jpg", "");
        write_text("cache/letter.txt", "");
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

START_TEST(a_cache_that_root_made_serves_everybody_and_nobody_adds_to_it)
{
    static const char *const folders[] = {"", "cache", "cache/images", "cache/images/ab"};
    if (geteuid() != 0) /* only root can make one */
        return;
    publish();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        ck_assert_int_eq(chmod(in_scratch(folders[i]), 0755), 0);
    ck_assert_int_eq(chmod(entry_path(), 0644) | setgid(12345) | setuid(12345), 0);
    must(find());
    must(qn_cache_set_mode("read-only"));
    publish();
    ck_assert_uint_eq(n_warnings, 0);
    must(qn_cache_set_mode("normal"));
    publish();
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "not stored");
}
END_TEST

START_TEST(a_relative_xdg_folder_is_ignored_and_said)
{
    const char *why;
    unsetenv("QUERN_CACHE_DIR");
    setenv("XDG_CACHE_HOME", "caches", 1);
    setenv("HOME", in_scratch("home"), 1);
    publish();
    must(find());
    ck_assert_str_eq(qn_cache_get_dir(&why), in_scratch("home/.cache/quern"));
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "XDG_CACHE_HOME=caches is ignored");
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

START_TEST(a_folder_that_vanishes_is_a_miss_and_is_made_again)
{
    publish();
    qn__temp_dir_remove(in_scratch("cache"));
    must_not(QN_E_NOT_FOUND, find());
    publish();
    must(find());
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.publish_errors, 0);
}
END_TEST

START_TEST(old_temporaries_are_swept_and_new_ones_stay)
{
    static const struct {
        const char *name;
        bool is_old, stays;
    } files[] = {{"cache/tmp/31-0-0123abcd", true, false},
                 {"cache/tmp/31-1-0123abcd", false, true},
                 {"cache/tmp/totals-31", true, false},
                 {"cache/tmp/letter", true, true}, /* none of ours, nor are these */
                 {"cache/tmp/totals-31.txt", true, true},
                 {"cache/tmp/2026-11-28", true, true}};
    const struct timespec then[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = write_text(files[i].name, "x");
        if (files[i].is_old)
            ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
    }
    publish();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert_msg(qn__file_exists(in_scratch(files[i].name)) == files[i].stays, "%s",
                      files[i].name);
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

/* -- bounds -- */

static const struct {
    const char *text;
    uint64_t want; /* 0: refused */
} sizes[] = {{"1", 1},
             {"500", 500},
             {"4K", 4096},
             {"3M", 3 << 20},
             {"2G", (uint64_t)2 << 30},
             {"18446744073709551615", UINT64_MAX},
             {"0", 0},
             {"-1", 0},
             {"", 0},
             {"x", 0},
             {"1x", 0},
             {"1GB", 0},
             {" 1", 0},
             {"+1", 0},
             {"18446744073709551616", 0},
             {"99999999999999G", 0}};

START_TEST(sizes_are_numbers_that_make_sense)
{
    uint64_t got;
    const qn_status s = qn__size_parse(&got, sizes[_i].text);
    ck_assert_msg(s == (sizes[_i].want ? QN_OK : QN_E_INVALID), "'%s'", sizes[_i].text);
    ck_assert_msg(got == sizes[_i].want, "'%s': %llu", sizes[_i].text, (unsigned long long)got);
}
END_TEST

/* Ten entries of 1000 bytes; the first was used longest ago. */
static const struct {
    const char *name;
    struct qn__cache_bounds bounds;
    uint64_t want_removed;
} bounded[] = {{"within", {10000, 10}, 0},         {"too many", {1 << 20, 8}, 2},
               {"too many bytes", {9999, 100}, 1}, {"far too many", {2000, 100}, 9},
               {"one entry", {1 << 20, 1}, 9},     {"one byte", {1, 100}, 10}};

START_TEST(the_least_recently_used_entries_go_first)
{
    char bytes[1001], name[96];
    memset(bytes, 'x', 1000);
    bytes[1000] = 0;
    write_text("cache/images/00/letter", bytes); /* counts for nothing, and stays */
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "cache/images/%02x/%064d", i * 37 % 256, i);
        const char *path = write_text(name, bytes);
        const struct timespec used[2] = {{1000000000 + i, 0}, {1000000000 + i, 0}};
        ck_assert_int_eq(utimensat(AT_FDCWD, path, used, 0), 0);
    }
    const int root = open(in_scratch("cache"), O_RDONLY | O_DIRECTORY);
    uint64_t removed;
    must(qn__cache_bound(&removed, root, &bounded[_i].bounds));
    close(root);
    ck_assert_msg(removed == bounded[_i].want_removed, "%s: %llu removed", bounded[_i].name,
                  (unsigned long long)removed);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "cache/images/%02x/%064d", i * 37 % 256, i);
        ck_assert_msg(qn__file_exists(in_scratch(name)) == ((uint64_t)i >= removed), "%s: entry %d",
                      bounded[_i].name, i);
    }
    ck_assert(qn__file_exists(in_scratch("cache/images/00/letter")));
}
END_TEST

/* Of the same ten: what is set aside and what is being written takes of the bytes as well. */
static const struct {
    const char *name;
    int set_aside, being_written;
    uint64_t max_bytes;
    int want_set_aside, want_removed;
} beside[] = {
    {"all within", 3, 2, 15000, 3, 0},
    {"what is set aside goes first", 3, 0, 12000, 0, 0},
    {"and only as much as must", 3, 0, 12999, 1, 0},
    {"what is being written leaves less for the entries", 0, 5, 10000, 0, 6},
    {"both", 3, 2, 10000, 0, 3},
};

START_TEST(bounds_count_what_is_set_aside_and_what_is_being_written)
{
    char bytes[1001], name[96];
    int left = 0;
    memset(bytes, 'x', 1000);
    bytes[1000] = 0;
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "cache/images/%02x/%064d", i * 37 % 256, i);
        write_text(name, bytes);
    }
    for (int i = 0; i < beside[_i].set_aside; i++) {
        snprintf(name, sizeof name, "cache/quarantine/%064d", i);
        write_text(name, bytes);
    }
    for (int i = 0; i < beside[_i].being_written; i++) {
        snprintf(name, sizeof name, "cache/tmp/31-%d-0123abcd", i);
        write_text(name, bytes);
    }
    const struct qn__cache_bounds bounds = {beside[_i].max_bytes, 100};
    const int root = open(in_scratch("cache"), O_RDONLY | O_DIRECTORY);
    uint64_t removed;
    must(qn__cache_bound(&removed, root, &bounds));
    close(root);
    ck_assert_msg(removed == (uint64_t)beside[_i].want_removed, "%s: %llu removed", beside[_i].name,
                  (unsigned long long)removed);
    for (int i = 0; i < beside[_i].set_aside; i++) {
        snprintf(name, sizeof name, "cache/quarantine/%064d", i);
        left += qn__file_exists(in_scratch(name));
    }
    ck_assert_msg(left == beside[_i].want_set_aside, "%s: %d left", beside[_i].name, left);
    for (int i = 0; i < beside[_i].being_written; i++) {
        snprintf(name, sizeof name, "cache/tmp/31-%d-0123abcd", i);
        ck_assert(qn__file_exists(in_scratch(name)));
    }
}
END_TEST

static const struct {
    enum qn__setting setting;
    const char *name, *text;
    uint64_t want;
    const char *says; /* the complaint; NULL: none */
} numbers[] = {
    {QN__SETTING_CACHE_BYTES, "QUERN_CACHE_MAX_BYTES", "", (uint64_t)2 << 30, NULL},
    {QN__SETTING_CACHE_BYTES, "QUERN_CACHE_MAX_BYTES", "3M", 3 << 20, NULL},
    {QN__SETTING_CACHE_BYTES, "QUERN_CACHE_MAX_BYTES", "0", (uint64_t)2 << 30, "above 0"},
    {QN__SETTING_CACHE_BYTES, "QUERN_CACHE_MAX_BYTES", "plenty", (uint64_t)2 << 30, "above 0"},
    {QN__SETTING_CACHE_ENTRIES, "QUERN_CACHE_MAX_ENTRIES", "7", 7, NULL},
    {QN__SETTING_CACHE_ENTRIES, "QUERN_CACHE_MAX_ENTRIES", "-7", 50000, "50000 is used"},
    {QN__SETTING_COMPILE_SECONDS, "QUERN_COMPILE_TIMEOUT", "3", 3, NULL},
    {QN__SETTING_COMPILE_SECONDS, "QUERN_COMPILE_TIMEOUT", "abc", 120, "120 is used"},
    {QN__SETTING_COMPILE_SECONDS, "QUERN_COMPILE_TIMEOUT", "3s", 120, "from 1 to 999999"},
    {QN__SETTING_COMPILE_SECONDS, "QUERN_COMPILE_TIMEOUT", "3K", 120, "from 1 to 999999"},
    {QN__SETTING_COMPILE_SECONDS, "QUERN_COMPILE_TIMEOUT", "99999999999999999999", 120, "120"},
    {QN__SETTING_COMPILE_MEMORY, "QUERN_COMPILE_MEMORY", "1G", (uint64_t)1 << 30, NULL},
    {QN__SETTING_COMPILE_MEMORY, "QUERN_COMPILE_MEMORY", "1M", (uint64_t)8 << 30, "is used"},
    {QN__SETTING_REMOTE_SECONDS, "QUERN_REMOTE_TIMEOUT", "3600", 3600, NULL},
    {QN__SETTING_REMOTE_SECONDS, "QUERN_REMOTE_TIMEOUT", "3601", 5, "from 1 to 3600"},
    {QN__SETTING_REMOTE_PUT, "QUERN_REMOTE_PUT", "1", 1, NULL},
    {QN__SETTING_REMOTE_PUT, "QUERN_REMOTE_PUT", "yes", 0, "from 0 to 1"},
};

START_TEST(numbers_of_the_environment_are_read_or_complained_about_once)
{
    char start[80];
    snprintf(start, sizeof start, "%s='%s': ", numbers[_i].name, numbers[_i].text);
    setenv(numbers[_i].name, numbers[_i].text, 1);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(qn__setting(numbers[_i].setting) == numbers[_i].want, "%s", start);
    ck_assert_msg(n_warnings == (numbers[_i].says ? 1 : 0), "%s%u warnings", start, n_warnings);
    if (numbers[_i].says) {
        says(warnings[0], start);
        says(warnings[0], numbers[_i].says);
    }
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
        qn__memory_leave(flight, image, true, QN_OK, NULL, NULL);
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

START_TEST(an_image_that_memory_need_not_keep_is_for_those_who_wait)
{
    qn_image *image = make_image("x", 1), *again;
    struct qn__flight *flight;
    struct qn__flight_end end;
    must(qn__memory_enter(&again, &flight, &end, key));
    qn__memory_leave(flight, image, false, QN_OK, NULL, NULL);
    ck_assert_ptr_null(qn__memory_get(key));
    ck_assert_uint_eq(image->refs, 1);
    qn_image_release(image);
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
        qn__memory_leave(flight, NULL, true, qn__fail(QN_E_COMPILE, "line 7"), "text", "raw");
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

/* -- the nearest entry -- */

#define FILE_OF(digest)   "source: k.cu " digest "\n"
#define MADE_BY(compiler) "compiler: x\ncompiler identity: " compiler "; recipe 1\n"

/* Entries by the first digit of their keys. */
static const char *const kept[] = {
    FILE_OF("aa") "option: -O3\ntarget: cuda:sm_90\n" MADE_BY(
        "nvrtc 13.0") "stand-in header: stdint.h aa\nstand-in header: math.h aa\n",
    FILE_OF("aa") "option: -O3\ntarget: opencl:portable\n" MADE_BY("quern-translate 1"),
    FILE_OF("aa") "option: -O1\ntarget: hip:gfx90a\n" MADE_BY("hiprtc 5"),
    FILE_OF("aa") "option: -O3\ntarget: hip:gfx906\n" MADE_BY("hiprtc 5"),
    FILE_OF("bb") "option: -O3\ntarget: opencl:pocl3\n" MADE_BY(
        "quern-translate 1") "device and driver: ff\n",
    FILE_OF("bb") "option: -O3\ntarget: opencl:pocl3\n" MADE_BY(
        "quern-translate 1") "machine header: a aa\nmachine header: b aa\n",
    "source: other.cu aa\noption: -O3\ntarget: hip:gfx908\n" MADE_BY("hiprtc 5"),
};

static const struct {
    const char *about, *fields;
    char nearest; /* first digit of its key; '-': none */
    const char *says;
} wanted[] = {
    {"no compiler: that of the same target, whatever its compiler has to do with it",
     FILE_OF("aa") "option: -O3\ntarget: cuda:sm_90\n", '0', "was made by nvrtc 13.0, and without"},
    {"no compiler, another source", FILE_OF("cc") "option: -O3\ntarget: cuda:sm_90\n", '0',
     "differs: source: k.cu aa there, source: k.cu cc here"},
    {"as many differences: rather the same target",
     FILE_OF("aa") "option: -O3\ntarget: hip:gfx90a\n" MADE_BY("hiprtc 5"), '2',
     "differs: option: -O1 there, option: -O3 here"},
    {"no compiler: rather an image than a driver's binary",
     FILE_OF("bb") "option: -O3\ntarget: opencl:pocl3\n", '5', "was made by quern-translate 1"},
    {"a compiler: what it read counts",
     FILE_OF("bb") "option: -O3\ntarget: opencl:pocl3\n" MADE_BY("quern-translate 1"), '4',
     "differs: device and driver: ff there"},
    {"nothing of that name", "source: none.cu aa\noption: -O3\ntarget: hip:gfx90a\n", '-',
     "hold anything made from none.cu"},
};

static void keep_all(void)
{
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        struct qn__str entry = {0};
        char hex[sizeof key];
        memcpy(hex, key, sizeof key);
        hex[0] = (char)('0' + i);
        qn_image *image = make_image("payload", 7);
        must(qn__image_note(image,
                            &(struct qn__image_notes){hex, "request", "source", kept[i], ""}));
        qn__entry_encode(&entry, image, &(struct qn__entry_log){"", ""}, QN__ENTRY_FOR_HERE);
        qn__disk_publish(hex, &entry);
        qn_image_release(image);
        qn__str_release(&entry);
    }
}

START_TEST(a_miss_names_the_entry_that_is_nearest)
{
    struct qn__nearest near;
    struct qn__str why = {0};
    keep_all();
    qn__find_nearest(&near, wanted[_i].fields, "another source");
    ck_assert_msg((near.key[0] ? near.key[0] : '-') == wanted[_i].nearest, "%s: %.4s",
                  wanted[_i].about, near.key);
    qn__nearest_release(&near);
    qn__miss_explain(&why, wanted[_i].fields, "another source");
    says(why.text, wanted[_i].says);
    qn__str_release(&why);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cache");
    TCase *t = tcase_create("cache");
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
    tcase_add_test(t, a_cache_that_root_made_serves_everybody_and_nobody_adds_to_it);
    tcase_add_test(t, a_relative_xdg_folder_is_ignored_and_said);
    tcase_add_test(t, a_read_only_folder_still_answers);
    tcase_add_test(t, a_folder_that_vanishes_is_a_miss_and_is_made_again);
    tcase_add_test(t, old_temporaries_are_swept_and_new_ones_stay);
    tcase_add_test(t, a_use_is_stamped);
    tcase_add_test(t, a_lock_held_by_a_stopped_process_is_waited_for_only_a_little);
    tcase_add_loop_test(t, sizes_are_numbers_that_make_sense, 0, sizeof sizes / sizeof sizes[0]);
    tcase_add_loop_test(t, the_least_recently_used_entries_go_first, 0,
                        sizeof bounded / sizeof bounded[0]);
    tcase_add_loop_test(t, bounds_count_what_is_set_aside_and_what_is_being_written, 0,
                        sizeof beside / sizeof beside[0]);
    tcase_add_loop_test(t, numbers_of_the_environment_are_read_or_complained_about_once, 0,
                        sizeof numbers / sizeof numbers[0]);
    tcase_add_loop_test(t, a_miss_names_the_entry_that_is_nearest, 0,
                        sizeof wanted / sizeof wanted[0]);
    tcase_add_test(t, threads_that_ask_for_one_key_share_one_compile);
    tcase_add_test(t, an_image_that_memory_need_not_keep_is_for_those_who_wait);
    tcase_add_test(t, a_failed_compile_is_told_to_all_who_wait_and_tried_again_later);
    suite_add_tcase(s, t);
    return run_suite(s);
}
