/* SPDX-License-Identifier: Apache-2.0
 *
 * Many processes on one small cache for a long time, all troubles at once: they are killed at any
 * moment and others take their places, entries are evicted all the time, some fork while another
 * thread compiles, and the shared cache over HTTP changes its manners every second. Every kernel
 * that comes must be the one asked for; no call may hang; nothing may be left at the end. Most
 * processes have a compiler of their own make that answers at once, so that the cache does the
 * work; every eighth has the translator.
 *
 *   SOAK_SECONDS     how long (default 5)
 *   SOAK_PROCESSES   how many at a time (default 12) */
#define _GNU_SOURCE
#include "tests/rtc/cache_fixture.h"
#include "tests/rtc/fake_helper.h"
#include "tests/rtc/flapping_server.h"
#include "tests/rtc/own_helper.h"

#include <stdatomic.h>
#include <sys/mman.h>

enum {
    PROCESSES_MAX = 256,
    TRANSLATED_EVERY = 8,
    CALLS_MAX = 60, /* of one process; then it ends */
    LIFE_MS = 4000, /* of a process until it is killed, on average */
    FLAP_EVERY_MS = 800,
    HANG_MS = 180000, /* longer than a compile may take */
    LEFT_MS = 30000,
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 }; /* its own locks are held in a child of a threaded process */
#else
enum { IS_SANITIZED = 0 };
#endif

enum work { ASK, FORK, COLLECT, LOOK_AT_ALL, CLEAR };
static const char *const work_names[] = {"a kernel", "a child's kernels", "gc", "verify", "clear"};

struct figures {
    atomic_uint_least64_t right, wrong, errors, hangs, forks, ended, killed, flaps;
    atomic_uint_least64_t by_origin[QN_ORIGIN_BUNDLE + 1], removed, longest_ms;
    char message[512]; /* of the last error */
};
struct caller {                     /* one thread that calls the library */
    atomic_uint_least64_t since_ms; /* its call began; 0: it is in none */
    atomic_int work;
};
static struct soak {
    struct figures sum;
    struct caller callers[PROCESSES_MAX][2];
    volatile int manner;
} *soak;

static uint32_t seconds, processes, kernels;
static char *translator; /* NULL: it is not here */
static char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT];
static uint16_t port;

/* -- one process -- */

static struct caller *me;

static void begin(enum work work)
{
    atomic_store(&me->work, work);
    atomic_store(&me->since_ms, (uint64_t)qn__now_ms());
}

static void end(void)
{
    const uint64_t took = (uint64_t)qn__now_ms() - atomic_exchange(&me->since_ms, 0);
    uint64_t longest = atomic_load(&soak->sum.longest_ms);
    while (took > longest && !atomic_compare_exchange_weak(&soak->sum.longest_ms, &longest, took))
        ;
}

/* A line about what is wrong, in one piece. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    char line[160];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    const size_t length = strlen(line);
    line[length] = '\n';
    if (write(STDERR_FILENO, line, length + 1) < 0)
        return; /* it is counted */
}

/* The text that only kernel `number` has. */
static int ask(int number)
{
    char text[96], mark[32];
    snprintf(text, sizeof text, "extern \"C\" __global__ void k(int *p) { *p = %d; }\n",
             10000000 + number);
    snprintf(mark, sizeof mark, "= %d;", 10000000 + number);
    const qn_source src = {.text = text, .path = "k.cu"};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, "opencl:portable", NULL, &log);
    const qn_origin origin = log.origin;
    qn_log_release(&log);
    if (s != QN_OK) {
        snprintf(soak->sum.message, sizeof soak->sum.message, "%s", qn_message());
        atomic_fetch_add(&soak->sum.errors, 1);
        return 1;
    }
    atomic_fetch_add(&soak->sum.by_origin[origin], 1);
    const qn_image_info *info = qn_image_get_info(image);
    const bool right = memmem(info->bytes, info->size_bytes, mark, strlen(mark)) != NULL;
    if (!right)
        note("kernel %d is another one", number);
    qn_image_release(image);
    atomic_fetch_add(right ? &soak->sum.right : &soak->sum.wrong, 1);
    return !right;
}

/* Some are asked for much more often than others. */
static int some_kernel(unsigned *seed)
{
    const uint32_t a = (uint32_t)rand_r(seed) % kernels, b = (uint32_t)rand_r(seed) % kernels;
    return (int)(a < b ? a : b);
}

static void fork_and_ask(unsigned *seed)
{
    int status = 1;
    const unsigned mine = (unsigned)rand_r(seed);
    const pid_t pid = fork();
    if (pid == 0) {
        unsigned own = mine;
        for (int i = 0; i < 3; i++)
            ask(some_kernel(&own));
        _exit(0);
    }
    if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0) {
        atomic_fetch_add(&soak->sum.forks, 1);
    } else {
        note("a child of a caller ended with status %#x", (unsigned)status);
        atomic_fetch_add(&soak->sum.wrong, 1);
    }
}

static void look_after_the_cache(enum work work)
{
    qn_cache_report report = {0};
    const qn_status s = work == COLLECT       ? qn_cache_gc(&report, 0, 0)
                        : work == LOOK_AT_ALL ? qn_cache_verify(&report)
                                              : qn_cache_clear(&report);
    if (s != QN_OK) {
        snprintf(soak->sum.message, sizeof soak->sum.message, "%s", qn_message());
        atomic_fetch_add(&soak->sum.errors, 1);
    }
    if (work == LOOK_AT_ALL) { /* what it removes is damaged */
        if (report.removed)
            note("%u damaged entries", (unsigned)report.removed);
        atomic_fetch_add(&soak->sum.wrong, report.removed);
    } else
        atomic_fetch_add(&soak->sum.removed, report.removed);
}

static void call_once(unsigned *seed)
{
    const int dice = rand_r(seed) % 1000;
    const enum work work = dice < 900   ? ASK
                           : dice < 970 ? FORK
                           : dice < 990 ? COLLECT
                           : dice < 999 ? LOOK_AT_ALL
                                        : CLEAR;
    begin(work);
    if (work == ASK)
        ask(some_kernel(seed));
    else if (work == FORK)
        fork_and_ask(seed);
    else
        look_after_the_cache(work);
    end();
}

struct beside {
    struct caller *caller;
    unsigned seed;
};

static void *ask_beside(void *payload)
{
    struct beside *b = payload;
    for (;;) {
        atomic_store(&b->caller->work, ASK);
        atomic_store(&b->caller->since_ms, (uint64_t)qn__now_ms());
        ask(some_kernel(&b->seed));
        atomic_store(&b->caller->since_ms, 0);
    }
    return NULL;
}

static void live(uint32_t i, unsigned seed)
{
    static struct beside beside;
    pthread_t thread;
    me = &soak->callers[i][0];
    beside = (struct beside){&soak->callers[i][1], seed + 1};
    if (i % TRANSLATED_EVERY == 0 && translator) {
        setenv("QUERN_TRANSLATE", translator, 1);
        unsetenv("QUERN_CLANG");
    }
    if (i % 2)
        setenv("QUERN_BUNDLE_KEYS", public_key, 1); /* these take what is signed and nothing else */
    const int calls = 1 + rand_r(&seed) % CALLS_MAX;
    if (!IS_SANITIZED && rand_r(&seed) % 4 == 0)
        pthread_create(&thread, NULL, ask_beside, &beside);
    for (int k = 0; k < calls; k++)
        call_once(&seed);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    if (c.quarantined)
        note("%u entries set aside", (unsigned)c.quarantined);
    atomic_fetch_add(&soak->sum.wrong, c.quarantined);
    atomic_fetch_add(&soak->sum.ended, 1);
    if (rand_r(&seed) % 2)
        exit(0);
    _exit(0);
}

/* -- all of them -- */

static pid_t pids[PROCESSES_MAX];

static void start(uint32_t i, unsigned *seed)
{
    const unsigned mine = (unsigned)rand_r(seed);
    for (int k = 0; k < 2; k++)
        atomic_store(&soak->callers[i][k].since_ms, 0);
    pids[i] = fork();
    if (pids[i] == 0)
        live(i, mine);
}

static void show_where(pid_t pid)
{
    static const char *const files[] = {"wchan", "syscall", "stack"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        char number[32];
        size_t n;
        snprintf(number, sizeof number, "%d", (int)pid);
        char *text = read_proc(&n, number, files[k]);
        if (text)
            printf("    %s: %.*s\n", files[k], (int)n, text);
        free(text);
    }
}

static void look_for_hangs(void)
{
    const uint64_t now = (uint64_t)qn__now_ms();
    for (uint32_t i = 0; i < processes; i++)
        for (int k = 0; k < 2; k++) {
            struct caller *c = &soak->callers[i][k];
            const uint64_t since = atomic_load(&c->since_ms);
            if (!since || now < since + HANG_MS)
                continue;
            printf("process %d hangs: %s, for %d s\n", (int)pids[i],
                   work_names[atomic_load(&c->work)], (int)((now - since) / 1000));
            show_where(pids[i]);
            fflush(stdout);
            atomic_fetch_add(&soak->sum.hangs, 1);
            atomic_store(&c->since_ms, 0);
            kill(pids[i], SIGKILL);
        }
}

/* Those that ended get a successor; a signal that was not ours counts as wrong. */
static void replace_the_dead(unsigned *seed)
{
    int status;
    for (uint32_t i = 0; i < processes; i++)
        if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
            if (status != 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) {
                note("a process ended with status %#x", (unsigned)status);
                atomic_fetch_add(&soak->sum.wrong, 1);
            }
            start(i, seed);
        }
}

/* Every other time the server is good again: a process that met trouble asks it no more for half a
 * minute. Else it has some manner, or is gone. */
static void flap(pid_t *server, unsigned *seed)
{
    const bool is_good = atomic_fetch_add(&soak->sum.flaps, 1) % 2 == 0;
    const int manner = is_good ? KEEPS : rand_r(seed) % (N_MANNERS + 1);
    if (manner == N_MANNERS && *server) {
        kill(*server, SIGKILL);
        waitpid(*server, NULL, 0);
        *server = 0;
        return;
    }
    soak->manner = manner % N_MANNERS;
    if (*server == 0)
        *server = flapping_start(&port, in_scratch("server"), &soak->manner);
}

static const char *const proxies[] = {"http_proxy", "all_proxy", "ALL_PROXY"};

static void run_for(double until_ms, pid_t *server, unsigned *seed)
{
    double next_kill = 0, next_flap = 0;
    for (double now = qn__now_ms(); now < until_ms; now = qn__now_ms()) {
        if (now >= next_kill) {
            kill(pids[(uint32_t)rand_r(seed) % processes], SIGKILL);
            atomic_fetch_add(&soak->sum.killed, 1);
            next_kill = now + (double)LIFE_MS / processes;
        }
        if (now >= next_flap) {
            flap(server, seed);
            next_flap = now + FLAP_EVERY_MS;
        }
        replace_the_dead(seed);
        look_for_hangs();
        pause_ms(5);
    }
}

/* Everybody is killed; children of theirs and helpers have a moment to end by themselves. */
static void stop_all(pid_t server)
{
    const double until = qn__now_ms() + LEFT_MS;
    if (server) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    for (uint32_t i = 0; i < processes; i++)
        kill(pids[i], SIGKILL);
    for (uint32_t i = 0; i < processes; i++)
        waitpid(pids[i], NULL, 0);
    pid_t left;
    while ((left = process_with(scratch, NULL)) && qn__now_ms() < until)
        pause_ms(50);
    if (left) {
        printf("process %d is left\n", (int)left);
        show_where(left);
        atomic_fetch_add(&soak->sum.hangs, 1);
        kill(left, SIGKILL);
    }
}

/* A last process finds a cache that is whole, and sweeps what the dead have left. */
static void look_afterwards(void)
{
    int status = 1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        qn_cache_report report;
        unsetenv("QUERN_REMOTE");
        for (int i = 0; i < (int)kernels; i++)
            must(ask_for(i) == 0 ? QN_OK : QN_E_CORRUPT);
        must(qn_cache_verify(&report));
        ck_assert_uint_eq(report.removed, 0);
        exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(count_files("tmp"), 0);
    ck_assert_uint_eq(count_files("cache/quarantine"), 0);
}

static void print_figures(void)
{
    const struct figures *f = &soak->sum;
#define N(name) ((unsigned long long)atomic_load(&f->name))
    printf("soak: %u s, %u processes at a time: %llu kernels right, %llu wrong, %llu hangs, %llu "
           "errors; %llu from memory, %llu from disk, %llu from the server, %llu compiled; %llu "
           "processes ended, %llu were killed; %llu forks in the middle; the server changed %llu "
           "times; %llu entries removed by hand; the longest call %.1f s%s%s\n",
           seconds, processes, N(right), N(wrong), N(hangs), N(errors),
           N(by_origin[QN_ORIGIN_MEMORY_CACHE]), N(by_origin[QN_ORIGIN_DISK_CACHE]),
           N(by_origin[QN_ORIGIN_REMOTE_CACHE]), N(by_origin[QN_ORIGIN_COMPILED]), N(ended),
           N(killed), N(forks), N(flaps), N(removed), (double)N(longest_ms) / 1000,
           f->message[0] ? "; last error: " : "", f->message);
#undef N
    fflush(stdout);
}

/* Before the test, because Check has no number for a test of more than 35 minutes. */
static void open_and_soak(void)
{
    open_quiet();
    unsigned seed = (unsigned)time(NULL);
    pid_t server = 0;
    char url[64], entries[16];
    printf("seed %u\n", seed);
    ck_assert_int_eq(mkdir(in_scratch("server"), 0700), 0);
    ck_assert_int_eq(mkdir(in_scratch("tmp"), 0700), 0);
    setenv("TMPDIR", in_scratch("tmp"), 1);
    use_fake_helper("slow2");
    soak->manner = KEEPS;
    server = flapping_start(&port, in_scratch("server"), &soak->manner);
    ck_assert_int_gt(server, 0);
    for (size_t i = 0; i < sizeof proxies / sizeof proxies[0]; i++)
        unsetenv(proxies[i]);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/kernels", port);
    setenv("QUERN_REMOTE", url, 1);
    setenv("QUERN_REMOTE_PUT", "1", 1);
    qn_bundle_make_keys(secret, public_key);
    setenv("QUERN_REMOTE_KEY", write_text("secret.key", secret), 1);
    setenv("QUERN_REMOTE_TIMEOUT", "1", 1);
    snprintf(entries, sizeof entries, "%u", kernels / 3);
    setenv("QUERN_CACHE_MAX_ENTRIES", entries, 1);
    setenv("QUERN_CACHE_MAX_BYTES", "300K", 1);
    fflush(stdout);
    for (uint32_t i = 0; i < processes; i++)
        start(i, &seed);
    run_for(qn__now_ms() + seconds * 1e3, &server, &seed);
    stop_all(server);
    print_figures();
}

START_TEST(nothing_is_wrong_and_nothing_hangs_where_everything_happens_at_once)
{
    ck_assert_uint_eq(soak->sum.wrong, 0);
    ck_assert_uint_eq(soak->sum.hangs, 0);
    ck_assert_msg(soak->sum.errors == 0, "%s", soak->sum.message);
    for (int origin = QN_ORIGIN_COMPILED; seconds >= 60 && origin <= QN_ORIGIN_REMOTE_CACHE;
         origin++)
        if (origin != QN_ORIGIN_LOADED) /* which no compile is */
            ck_assert_uint_gt(soak->sum.by_origin[origin], 0);
    ck_assert_uint_gt(soak->sum.right, 0);
    look_afterwards();
}
END_TEST

static uint32_t number_of(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);
    return text && text[0] ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], FAKE_ARGUMENT) == 0)
        _exit(play_the_helper(argv[2]));
    Suite *s = suite_create("soak");
    TCase *t = tcase_create("soak");
    bool failed = false;
    seconds = number_of("SOAK_SECONDS", 5);
    processes = number_of("SOAK_PROCESSES", 12);
    kernels = 40 + 6 * processes;
    if (processes == 0 || processes > PROCESSES_MAX) {
        printf("SOAK_PROCESSES: 1 to %d\n", PROCESSES_MAX);
        return 1;
    }
    if (IS_SANITIZED)
        printf("skip: forks while another thread compiles: not under a sanitizer\n");
    translator = have_compiler("translator", &failed) ? getenv("QUERN_TRANSLATE") : NULL;
    soak = mmap(NULL, sizeof *soak, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    tcase_add_checked_fixture(t, open_and_soak, scratch_close);
    tcase_set_timeout(t, seconds * 2 + 600);
    tcase_add_test(t, nothing_is_wrong_and_nothing_hangs_where_everything_happens_at_once);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
