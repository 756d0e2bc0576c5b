/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of drivers that were tried out, in the cache's folder and in this process.
 *
 * A record's name says which driver, and in which environment; in it stands the state of all else
 * that a driver's start may depend on: its files wherever the dynamic loader could find one of that
 * name, the loader's own index, the kernel. The states are looked at without loading anything: some
 * fifty calls of stat(), less than a tenth of a millisecond. What a driver brought along when it
 * was loaded is known from the trial and looked at as well. A good driver is good until one of them
 * changes; a bad one is asked again after a restart of the machine as well, and one that only was
 * too slow after an hour. */
#define _GNU_SOURCE
#include "rtc/key/driver_record.h"

#include "base/environment.h"
#include "base/forks.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/wire.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/client/driver_trial.h"
#include "rtc/key/file_state.h"
#include "runtime/device_open.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT = 1, SLOW_SECONDS = 3600, BOOT_BYTES = 64, FILES_BYTES = 6144 };

struct record {
    unsigned char state[QN__HASH_BYTES];
    enum qn__trial verdict;
    char reason[QN__MESSAGE_MAX];
    char boot[BOOT_BYTES]; /* which start of the machine */
    unsigned char files_state[QN__HASH_BYTES];
    char files[FILES_BYTES]; /* it was loaded from these: names, each with a 0 byte */
    size_t files_n;
    uint64_t time_s;
};

/* What this process knows; its folder may be none. */
struct known {
    struct known *next;
    char name[80];
    struct record record;
};
static struct known *known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a trial is waited for with it */

/* In a forked child: a thread that was trying is not there. */
static void forget_lock(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(NULL, forget_lock)

/* -- the state of everything -- */

struct look {
    struct qn__hash hash;
    char where[512]; /* the first of the driver's files that is there */
};

static void add_text(struct look *l, const char *text)
{
    qn__hash_add(&l->hash, text, strlen(text) + 1);
}

static bool add_file(struct look *l, const char *path)
{
    unsigned char state[QN__FILE_STATE_BYTES] = {0};
    const bool is_there = qn__file_state(state, path);
    if (is_there)
        add_text(l, path);
    qn__hash_add(&l->hash, state, sizeof state);
    return is_there;
}

/* Of a library in that folder. */
static void add_library(struct look *l, const char *folder, size_t folder_n, const char *name)
{
    char path[sizeof l->where];
    if ((size_t)snprintf(path, sizeof path, "%.*s/%s", (int)folder_n, folder, name) >= sizeof path)
        return;
    if (add_file(l, path) && !l->where[0])
        snprintf(l->where, sizeof l->where, "%s", path);
}

/* In all places where the dynamic loader may find it without its index. */
static void add_places(struct look *l, const char *name)
{
    static const char *const usual[] = {"/usr/lib/x86_64-linux-gnu",
                                        "/usr/lib/aarch64-linux-gnu",
                                        "/usr/lib64",
                                        "/usr/lib",
                                        "/usr/lib/wsl/lib",
                                        "/usr/local/lib",
                                        "/opt/rocm/lib"};
    const char *named = qn__getenv("LD_LIBRARY_PATH");
    for (const char *p = named ? named : ""; *p; p += *p == ':') {
        const size_t n = strcspn(p, ":");
        if (n)
            add_library(l, p, n, name);
        p += n;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add_library(l, usual[i], strlen(usual[i]), name);
}

static void add_system(struct look *l)
{
    static const char *const devices[] = {"/dev/nvidiactl", "/dev/kfd", "/dev/dri", "/dev/dxg"};
    struct utsname system;
    if (uname(&system) == 0)
        add_text(l, system.release);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        add_text(l, access(devices[i], F_OK) == 0 ? devices[i] : "");
    add_file(l, "/etc/ld.so.cache");
}

static qn_status look(struct record *out, struct look *l, const char *backend,
                      const char *libraries)
{
    const struct qn__backend *b = qn__backend_find(backend);
    struct qn__str names = {0};
    *l = (struct look){.where = ""};
    qn__hash_init(&l->hash);
    add_system(l);
    if (libraries)
        qn__str_add_bytes(&names, libraries, strlen(libraries) + 1);
    else if (b)
        b->files(&names);
    const qn_status s = qn__str_check(&names);
    for (size_t i = 0; libraries && i < names.len; i++)
        if (names.text[i] == ':')
            names.text[i] = 0;
    for (size_t at = 0; s == QN_OK && at < names.len; at += strlen(names.text + at) + 1) {
        const char *name = names.text + at;
        add_text(l, name);
        if (!strchr(name, '/'))
            add_places(l, name);
        else if (add_file(l, name) && libraries && !l->where[0])
            snprintf(l->where, sizeof l->where, "%s", name);
    }
    qn__hash_finish(&l->hash, out->state);
    qn__str_release(&names);
    return s;
}

/* -- records -- */

/* Variables that drivers and the dynamic loader read. */
static void add_environment(struct qn__str *fields)
{
    static const char *const prefixes[] = {"AMD_",    "CL_",   "CUDA_", "GPU_",    "HIP_",
                                           "HSA_",    "LD_",   "LLVM_", "NVIDIA_", "OCL_",
                                           "OPENCL_", "POCL_", "ROCR_"};
    extern char **environ;
    for (char **e = environ; !qn__is_privileged() && e && *e; e++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (qn__starts_with(*e, prefixes[i]))
                qn__wire_text(fields, 4, *e);
}

/* False: without memory there is no name that the next process would find. */
static bool name_of(char out[80], const char *backend, const char *libraries)
{
    unsigned char hash[QN__HASH_BYTES];
    char hex[QN__HASH_HEX];
    struct qn__str fields = {0};
    qn__wire_u32(&fields, 1, FORMAT);
    qn__wire_text(&fields, 2, backend);
    qn__wire_text(&fields, 3, libraries);
    add_environment(&fields);
    qn__hash_of(hash, fields.text, fields.len);
    qn__hash_to_hex(hex, hash);
    snprintf(out, 80, "drivers/%s", hex);
    const bool is_whole = !fields.failed;
    qn__str_release(&fields);
    return is_whole;
}

static void read_boot(char out[BOOT_BYTES])
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!f || !fgets(out, BOOT_BYTES, f))
        out[0] = 0;
    if (f)
        fclose(f);
    out[strcspn(out, "\n")] = 0;
}

static void set_files(struct record *r, const void *names, size_t n)
{
    r->files_n = n <= sizeof r->files ? n : 0; /* too many: the driver's own are looked at anyway */
    memcpy(r->files, names, r->files_n);
    if (r->files_n)
        r->files[r->files_n - 1] = 0;
}

/* What those files are now. */
static void state_of_files(unsigned char out[QN__HASH_BYTES], const struct record *r)
{
    struct look l = {.where = ""};
    qn__hash_init(&l.hash);
    for (size_t at = 0; at < r->files_n; at += strlen(r->files + at) + 1)
        add_file(&l, r->files + at);
    qn__hash_finish(&l.hash, out);
}

/* Are the files that it was loaded from others now? */
static bool have_files_changed(const struct record *r)
{
    unsigned char files[QN__HASH_BYTES];
    state_of_files(files, r);
    return memcmp(r->files_state, files, sizeof files) != 0;
}

/* Does it still say something about what is there now? */
static bool holds(const struct record *r, const struct record *now)
{
    char boot[BOOT_BYTES];
    if (memcmp(r->state, now->state, sizeof r->state) != 0 || have_files_changed(r))
        return false;
    if (r->verdict == QN__TRIAL_GOOD)
        return true;
    read_boot(boot);
    const uint64_t time_s = (uint64_t)time(NULL);
    return strcmp(boot, r->boot) == 0 &&
           (r->verdict == QN__TRIAL_BAD ||
            (time_s >= r->time_s && time_s - r->time_s < SLOW_SECONDS));
}

static void copy_text(char *out, size_t capacity, struct qn__wire_field f)
{
    snprintf(out, capacity, "%.*s", (int)f.n, (const char *)f.bytes);
}

static bool read_record(struct record *out, const char *name)
{
    size_t n;
    uint32_t verdict = QN__TRIAL_FAILED;
    bool has_state = false;
    char *bytes = qn__folder_read_record(&n, name);
    struct qn__wire_reader r = qn__wire_reader(bytes, bytes ? n : 0);
    struct qn__wire_field f;
    *out = (struct record){.reason = ""};
    while (qn__wire_next(&r, &f)) {
        if (f.tag == 1 && f.n == sizeof out->state) {
            memcpy(out->state, f.bytes, f.n);
            has_state = true;
        } else if (f.tag == 2)
            qn__wire_get_u32(f, &verdict);
        else if (f.tag == 3)
            copy_text(out->reason, sizeof out->reason, f);
        else if (f.tag == 4)
            copy_text(out->boot, sizeof out->boot, f);
        else if (f.tag == 5)
            qn__wire_get_u64(f, &out->time_s);
        else if (f.tag == 6 && f.n == sizeof out->files_state)
            memcpy(out->files_state, f.bytes, f.n);
        else if (f.tag == 7)
            set_files(out, f.bytes, f.n);
    }
    free(bytes);
    out->verdict = (enum qn__trial)verdict;
    return has_state && verdict < QN__TRIAL_FAILED;
}

static void write_record(const char *name, const struct record *r)
{
    struct qn__str bytes = {0};
    qn__wire_bytes(&bytes, 1, r->state, sizeof r->state);
    qn__wire_u32(&bytes, 2, r->verdict);
    qn__wire_text(&bytes, 3, r->reason);
    qn__wire_text(&bytes, 4, r->boot);
    qn__wire_u64(&bytes, 5, r->time_s);
    qn__wire_bytes(&bytes, 6, r->files_state, sizeof r->files_state);
    qn__wire_bytes(&bytes, 7, r->files, r->files_n);
    if (!bytes.failed)
        qn__folder_write_record(name, &bytes);
    qn__str_release(&bytes);
}

static struct known *find_known(const char *name)
{
    struct known *k = known;
    while (k && strcmp(k->name, name) != 0)
        k = k->next;
    return k;
}

static void remember(const char *name, const struct record *r)
{
    struct known *k = find_known(name);
    if (!k && (k = qn__alloc(1, sizeof *k))) {
        snprintf(k->name, sizeof k->name, "%s", name);
        k->next = known;
        known = k;
    }
    if (k)
        k->record = *r;
}

/* When the library is unloaded, or the process ends. */
__attribute__((destructor)) static void release_known(void)
{
    while (known) {
        struct known *k = known;
        known = k->next;
        free(k);
    }
}

/* -- asking -- */

/* Fills the verdict; the state is there. */
static void try_out(struct record *r, const char *backend, const char *libraries)
{
    struct qn__str reason = {0}, files = {0};
    r->verdict = qn__driver_trial(&reason, &files, backend, libraries);
    if (files.len && !files.failed)
        set_files(r, files.text, files.len);
    state_of_files(r->files_state, r);
    snprintf(r->reason, sizeof r->reason, "%s", reason.text ? reason.text : "");
    read_boot(r->boot);
    r->time_s = (uint64_t)time(NULL);
    qn__str_release(&reason);
    qn__str_release(&files);
    if (r->verdict == QN__TRIAL_FAILED) {
        static atomic_flag said = ATOMIC_FLAG_INIT;
        if (!atomic_flag_test_and_set(&said))
            qn__log(QN_LOG_DEBUG, "drivers are not tried out before they are loaded: %s",
                    qn_message());
    } else {
        qn__log(QN_LOG_DEBUG, "the driver %s%s%s was tried out: %s", backend, libraries ? " " : "",
                libraries ? libraries : "", r->reason[0] ? r->reason : "good");
    }
}

/* From this process, the folder, or a trial. */
static void find(struct record *r, const char *backend, const char *libraries)
{
    char name[80];
    struct record kept;
    if (!name_of(name, backend, libraries)) {
        try_out(r, backend, libraries);
        return;
    }
    const struct known *k = find_known(name);
    if (k && holds(&k->record, r)) {
        *r = k->record;
        return;
    }
    const bool is_kept = !k && read_record(&kept, name);
    if (is_kept && holds(&kept, r)) {
        *r = kept;
        remember(name, r);
        return;
    }
    try_out(r, backend, libraries);
    remember(name, r);
    if (is_kept && r->verdict == QN__TRIAL_GOOD && have_files_changed(&kept))
        qn__log(QN_LOG_WARNING,
                "the driver of %s has changed since it was used last; quern doctor --selftest "
                "tries every kernel with it",
                backend);
    if (r->verdict != QN__TRIAL_FAILED)
        write_record(name, r);
}

qn_status qn__driver_may_load(const char *backend, const char *libraries)
{
    struct record r = {.reason = ""};
    struct look l;
    if (qn__setting(QN__SETTING_TRUST_DRIVERS))
        return QN_OK;
    QN_TRY(look(&r, &l, backend, libraries));
    pthread_mutex_lock(&lock);
    find(&r, backend, libraries);
    pthread_mutex_unlock(&lock);
    if (r.verdict == QN__TRIAL_GOOD || r.verdict == QN__TRIAL_FAILED)
        return QN_OK;
    return qn__fail(QN_E_NO_DEVICE,
                    "tried out in a process of its own: %s%s%s%s; left alone until %s, or "
                    "QUERN_TRUST_DRIVERS=1 is set",
                    r.reason, l.where[0] ? " (" : "", l.where, l.where[0] ? ")" : "",
                    r.verdict == QN__TRIAL_BAD ? "its files or the system change"
                                               : "an hour has passed, its files change");
}
