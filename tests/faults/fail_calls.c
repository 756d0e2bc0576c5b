/* SPDX-License-Identifier: Apache-2.0
 *
 * Lets every call of the program and its helpers fail that can fail, one after the other: the N-th
 * of its class once, and from the N-th on, in every scenario (scenarios.c). A run is bad that
 *
 *   - ends by a signal, or a helper of it does
 *   - takes too long
 *   - ends with status 0 and another answer than without faults
 *   - ends with another status and nothing on stderr
 *   - makes a sanitizer speak (config=asan)
 *   - leaves something behind, or a wrong kernel: the same command without faults must give the
 * right answer afterwards, and no file may be there that it would not have made alone
 *
 * FAULTS_SECONDS: until so much time is over, the runs evenly spread; without it, all of them.
 * FAULTS_ONLY: one scenario by its name. */
#define _GNU_SOURCE
#include "tests/faults/faults.h"

#include "base/processors.h"
#include "tests/faults/scenarios.h"
#include "tests/rtc/fake_helper.h"
#include "tests/rtc/flapping_server.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <sys/mman.h>

enum { LIMIT_MS = 60000, PREPARE_MS = 900000, JOBS_MAX = 64, SCENARIOS_MAX = 64, WORDS_MAX = 64 };

static const char *const class_words[] = {
#define X(name, words) words,
    FAULT_CLASSES(X)
#undef X
};

struct known { /* of one scenario */
    bool is_run;
    uint32_t counted[N_FAULT_CLASSES];
    uint32_t n_tasks, next, step; /* of calls x modes, in an order whose beginnings are spread */
    uint32_t runs, failed, bad;
    uint32_t bad_of[N_FAULT_CLASSES];
    double ms;
    char *answer, *names; /* right ones */
    size_t answer_bytes;
};
static struct known known[SCENARIOS_MAX];

struct result {
    bool is_bad;
    uint32_t failed;
    char words[2000], caller[256];
};
static struct job {
    pid_t pid; /* 0: none */
    uint32_t scenario;
    enum fault_class what;
    double start_ms;
    struct faults *orders;
    struct result *result;
} jobs[JOBS_MAX];

static const char *build; /* folder of the programs with wrapped calls */
static uint16_t port;
static volatile int *manner;

/* -- running the program in a folder -- */

static void replace_all(struct qn__str *out, const char *text, const char *folder)
{
    for (const char *p = text; *p; p++)
        if (*p == '@')
            qn__str_add(out, folder);
        else if (strncmp(p, "$PORT", 5) == 0) {
            qn__str_printf(out, "%u", port);
            p += 4;
        } else
            qn__str_add_char(out, *p);
}

static void set_words(const char *text, const char *folder)
{
    struct qn__str all = {0};
    char *rest = NULL;
    replace_all(&all, text, folder);
    for (char *word = strtok_r(all.text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value = 0;
        setenv(word, value + 1, 1);
    }
    qn__str_release(&all);
}

/* In the child: everything that the program sees of the world. */
static void exec_command(const struct scenario *s, const char *folder, const char *command,
                         bool with_faults, const char *orders)
{
    static const char *const files[] = {"cache", "tmp", "stdout", "stderr"};
    char path[4][4200], program[4200], words[1024], *argv[WORDS_MAX] = {program}, *rest = NULL;
    int n = 1;
    for (int i = 0; i < 4; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", folder, files[i]);
    setenv("QUERN_CACHE_DIR", path[0], 1);
    setenv("HOME", folder, 1);
    setenv("TMPDIR", path[1], 1);
    snprintf(program, sizeof program, "%s/quern-rtc", build);
    setenv("QUERN_RTC", program, 1);
    snprintf(program, sizeof program, "%s/quern-translate", build);
    setenv("QUERN_TRANSLATE", s->real_compiler ? program : in_scratch("quern-translate"), 1);
    if (s->set)
        set_words(s->set, folder);
    if (with_faults)
        setenv("QN_FAULTS", orders, 1);
    snprintf(program, sizeof program, "%s/quern", build);
    snprintf(words, sizeof words, "%s", command);
    for (char *w = strtok_r(words, " ", &rest); w && n + 1 < WORDS_MAX;
         w = strtok_r(NULL, " ", &rest))
        argv[n++] = w;
    if (chdir(folder) != 0 || dup2(open("/dev/null", O_RDONLY), 0) < 0 ||
        dup2(open(path[2], O_WRONLY | O_CREAT | O_TRUNC, 0600), 1) < 0 ||
        dup2(open(path[3], O_WRONLY | O_CREAT | O_TRUNC, 0600), 2) < 0)
        _exit(126);
    setpgid(0, 0);
    execv(program, argv);
    _exit(127);
}

/* Its wait status, or -1 where it took too long. */
static int run_in(const struct scenario *s, const char *folder, const char *command,
                  const char *orders, double limit_ms)
{
    int status;
    const pid_t pid = fork();
    if (pid == 0)
        exec_command(s, folder, command, orders != NULL, orders);
    const double until = qn__now_ms() + limit_ms;
    for (long nap = 1; waitpid(pid, &status, WNOHANG) == 0; nap = nap < 8 ? nap + 1 : nap) {
        if (qn__now_ms() > until) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            return -1;
        }
        pause_ms(nap);
    }
    return status;
}

/* -- folders -- */

static bool shell(const char *form, ...) __attribute__((format(printf, 1, 2)));
static bool shell(const char *form, ...)
{
    char command[12000];
    va_list rest;
    va_start(rest, form);
    vsnprintf(command, sizeof command, form, rest);
    va_end(rest);
    return system(command) == 0;
}

/* A file of the folder, with the folder's own name as "@"; free() it. NULL: there is none. */
static char *read_plain(size_t *n, const char *folder, const char *name)
{
    char path[8400], *bytes;
    struct qn__str out = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    *n = 0;
    if (qn__file_read(&bytes, n, path, 1 << 26) != QN_OK)
        return NULL;
    const size_t length = strlen(folder);
    for (size_t i = 0; i < *n; i++)
        if (*n - i >= length && memcmp(bytes + i, folder, length) == 0) {
            qn__str_add_char(&out, '@');
            i += length - 1;
        } else
            qn__str_add_char(&out, bytes[i]);
    free(bytes);
    *n = out.len;
    return out.text ? out.text : strdup("");
}

static struct qn__str *listing;
static size_t listing_from;
static int note_name(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)where;
    if (kind == FTW_F)
        qn__str_printf(listing, "%s\n", path + listing_from);
    return 0;
}

/* Every file, a line each. */
static char *names_in(const char *folder)
{
    struct qn__str out = {0};
    listing = &out;
    listing_from = strlen(folder) + 1;
    nftw(folder, note_name, 32, FTW_PHYS);
    return out.text ? out.text : strdup("");
}

/* A file that the scenario would not have made alone, but may: locks and lists that only some runs
 * make, drivers that are tried out alone where their loader could not be (and what is compiled for
 * theirs), and what is compiled where a bundle could not be read. */
static bool is_allowed(const struct scenario *s, const char *call, const char *name)
{
    return qn__starts_with(name, "cache/locks/") || qn__starts_with(name, "cache/compilers/") ||
           qn__starts_with(name, "cache/drivers/") || strcmp(name, "cache/totals") == 0 ||
           strcmp(name, "log") == 0 ||
           (qn__starts_with(name, "cache/images/") &&
            (strcmp(call, "dlopen") == 0 || (s->set && strstr(s->set, "QUERN_BUNDLE="))));
}

/* The first line of `names` that is neither allowed nor in `usual`; false: there is none. */
static bool find_surplus(char *out, size_t capacity, const struct scenario *s, const char *call,
                         char *names, const char *usual)
{
    char *rest = NULL, line[4400], *all = NULL;
    bool found = false;
    if (asprintf(&all, "\n%s", usual) < 0)
        return false;
    for (char *name = strtok_r(names, "\n", &rest); name && !found;
         name = strtok_r(NULL, "\n", &rest)) {
        snprintf(line, sizeof line, "\n%s\n", name);
        found = !is_allowed(s, call, name) && !strstr(all, line);
        if (found)
            snprintf(out, capacity, "%s", name);
    }
    free(all);
    return found;
}

static const char *program_of(const struct scenario *s)
{
    return s->program ? s->program : "quern";
}

static const char *answer_of(const struct scenario *s)
{
    return s->answer ? s->answer : "stdout";
}

static void template_of(char out[4200], uint32_t scenario)
{
    snprintf(out, 4200, "%s/template-%u", scratch, scenario);
}

/* -- one run and what is wrong with it -- */

static void complain(struct result *r, const char *form, ...) __attribute__((format(printf, 2, 3)));
static void complain(struct result *r, const char *form, ...)
{
    const size_t n = strlen(r->words);
    va_list rest;
    va_start(rest, form);
    vsnprintf(r->words + n, sizeof r->words - n, form, rest);
    va_end(rest);
    r->is_bad = true;
}

/* The line of `text` that begins so; NULL: none. */
static const char *find_line(const char *text, const char *begins)
{
    for (const char *at = text; (at = strstr(at, begins)); at++)
        if (at == text || at[-1] == '\n')
            return at;
    return NULL;
}

static bool is_right(const struct scenario *s, const struct known *k, const char *folder)
{
    size_t n;
    char *answer = read_plain(&n, folder, answer_of(s));
    bool right = answer && n == k->answer_bytes && memcmp(answer, k->answer, n) == 0;
    if (answer && s->line) {
        const char *is = find_line(answer, s->line), *should = find_line(k->answer, s->line);
        const bool is_none = !is || strncmp(is + strlen(s->line), "(no ", 4) == 0;
        right = should && (is_none || strncmp(is, should, strcspn(should, "\n") + 1) == 0);
    }
    free(answer);
    return right;
}

static void judge(struct result *r, const struct scenario *s, const struct known *k,
                  const char *folder, int status, const char *when)
{
    size_t n;
    char *said = read_plain(&n, folder, "stderr");
    const char *const text = said ? said : "";
    if (status == -1)
        complain(r, "%stakes more than %d s", when, LIMIT_MS / 1000);
    else if (WIFSIGNALED(status))
        complain(r, "%sends by signal %d", when, WTERMSIG(status));
    else if (strstr(text, "Sanitizer") || strstr(text, "runtime error:"))
        complain(r, "%sa sanitizer speaks", when);
    else if (strstr(text, "crashed with signal"))
        complain(r, "%sthe helper crashes", when);
    else if (WEXITSTATUS(status) == 0 && !is_right(s, k, folder))
        complain(r, "%sends with status 0 and a wrong answer", when);
    else if (WEXITSTATUS(status) != 0 && n == 0)
        complain(r, "%sends with status %d and says nothing", when, WEXITSTATUS(status));
    if (r->is_bad && n)
        complain(r, "; stderr: %.1200s", text);
    free(said);
}

/* Where the first call that failed was made. */
static void describe_caller(char *out, size_t capacity, const struct faults *f)
{
    char command[9000], line[4096] = "";
    snprintf(command, sizeof command, "addr2line -s -e '%s/%s' %#llx 2>/dev/null", build,
             f->program, (unsigned long long)atomic_load(&f->caller) - 1);
    FILE *p = popen(command, "r");
    if (p && !fgets(line, sizeof line, p))
        line[0] = 0;
    if (p)
        pclose(p);
    line[strcspn(line, " \n")] = 0;
    snprintf(out, capacity, "%s at %.200s", f->call, line);
}

/* In a process of its own. */
static void run_job(uint32_t slot, const struct job *job)
{
    const struct scenario *s = &scenarios[job->scenario];
    const struct known *k = &known[job->scenario];
    char folder[4200], from[4200], orders[4200], surplus[4400];
    struct result *r = job->result;
    template_of(from, job->scenario);
    snprintf(folder, sizeof folder, "%s/run-%u", scratch, slot);
    snprintf(orders, sizeof orders, "%s/orders-%u", scratch, slot);
    qn__temp_dir_remove(folder);
    if (!shell("cp -a '%s' '%s'", from, folder)) {
        complain(r, "no folder to run in");
        return;
    }
    judge(r, s, k, folder, run_in(s, folder, s->command, orders, LIMIT_MS), "");
    r->failed = atomic_load(&job->orders->failed);
    size_t n;
    char *said = read_plain(&n, folder, "stderr");
    if (!r->is_bad) {
        const int status = run_in(s, folder, s->command, NULL, LIMIT_MS);
        if (!s->changes)
            judge(r, s, k, folder, status, "the next run without faults ");
        if (!r->is_bad && status != 0)
            complain(r, "the next run without faults ends with status %d", WEXITSTATUS(status));
    }
    char *names = names_in(folder);
    if (!r->is_bad && find_surplus(surplus, sizeof surplus, s, job->orders->call, names, k->names))
        complain(r, "leaves %s; stderr: %.1200s", surplus, said ? said : "");
    free(names);
    free(said);
    if (r->is_bad)
        describe_caller(r->caller, sizeof r->caller, job->orders);
}

/* -- before -- */

static void must_write(const char *path, const char *text)
{
    if (qn__file_write_atomic(path, text, strlen(text), 0600) != QN_OK) {
        printf("FAILED: %s\n", qn_message());
        exit(1);
    }
}

static struct faults *map_orders(uint32_t slot)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/orders-%u", scratch, slot);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct faults *f = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof *f) == 0)
        f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return f == MAP_FAILED ? NULL : f;
}

static void write_inputs(const char *folder)
{
    static const struct {
        const char *name, *text;
    } inputs[] = {
        {"k.cu", "#include \"n.h\"\nextern \"C\" __global__ void k(int *p) { p[threadIdx.x] = N * "
                 "(int)threadIdx.x; }\n"},
        {"l.cu", "extern \"C\" __global__ void l(float *p) { p[threadIdx.x] = 1.5f; }\n"},
        {"n.h", "#ifndef N\n#define N 7\n#endif\n"},
        {"m.json", "{\"version\": 1, \"kernels\": [{\"file\": \"k.cu\", \"targets\": "
                   "[\"opencl:portable\"]}, {\"file\": \"l.cu\", \"targets\": "
                   "[\"opencl:portable\"]}]}\n"},
    };
    char path[4400];
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, inputs[i].name);
        must_write(path, inputs[i].text);
    }
}

/* Make what a scenario begins with. */
static bool make_template(uint32_t i)
{
    const struct scenario *s = &scenarios[i];
    char folder[4200], tmp[4300], before[2048], *rest = NULL;
    template_of(folder, i);
    snprintf(tmp, sizeof tmp, "%s/tmp", folder);
    if (mkdir(folder, 0700) != 0 || mkdir(tmp, 0700) != 0)
        return false;
    write_inputs(folder);
    snprintf(before, sizeof before, "%s", s->before ? s->before : "");
    for (char *c = strtok_r(before, ";", &rest); c; c = strtok_r(NULL, ";", &rest))
        if (run_in(s, folder, c, NULL, PREPARE_MS) != 0) {
            printf("FAILED: %s: it cannot begin: %s:\n", s->name, c);
            return !shell("cat '%s/stderr'", folder);
        }
    return true;
}

/* The right answer, and how many calls there are. */
static bool learn(uint32_t i)
{
    const struct scenario *s = &scenarios[i];
    struct known *k = &known[i];
    char folder[4200], from[4200], orders[4200];
    struct faults *f = jobs[0].orders;
    if (!make_template(i))
        return false;
    template_of(from, i);
    snprintf(folder, sizeof folder, "%s/run-0", scratch);
    snprintf(orders, sizeof orders, "%s/orders-0", scratch);
    for (int round = 0; round < 2; round++) { /* the second one is counted, and as right */
        qn__temp_dir_remove(folder);
        memset(f, 0, sizeof *f);
        snprintf(f->program, sizeof f->program, "%s", program_of(s));
        if (!shell("cp -a '%s' '%s'", from, folder) ||
            run_in(s, folder, s->command, orders, PREPARE_MS) != 0) {
            printf("FAILED: %s: without faults\n", s->name);
            return !shell("cat '%s/stderr'", folder);
        }
        if (round == 0)
            k->answer = read_plain(&k->answer_bytes, folder, answer_of(s));
    }
    if (!k->answer || !is_right(s, k, folder)) {
        printf("FAILED: %s: two runs without faults have two answers\n", s->name);
        return false;
    }
    if (run_in(s, folder, s->command, NULL, PREPARE_MS) != 0) /* as after faults: a second time */
        printf("FAILED: %s: a second time\n", s->name);
    k->names = names_in(folder);
    for (int c = 0; c < N_FAULT_CLASSES; c++) {
        k->counted[c] = atomic_load(&f->counted[c]);
        k->n_tasks += k->counted[c] * 2;
    }
    k->is_run = true;
    return true;
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* About the golden section of their number, so that every beginning is spread over all. */
static uint32_t step_for(uint32_t n)
{
    uint32_t step = (uint32_t)((double)n * 0.6180339887) | 1;
    while (n > 1 && divisor(step, n) != 1)
        step++;
    return step;
}

/* -- all of them -- */

/* The scenario that had least time so far and has something left; -1: none. */
static int next_scenario(void)
{
    int best = -1;
    for (uint32_t i = 0; i < n_scenarios; i++)
        if (known[i].is_run && known[i].next < known[i].n_tasks &&
            (best < 0 || known[i].ms < known[best].ms))
            best = (int)i;
    return best;
}

static void begin(uint32_t slot, uint32_t i)
{
    struct job *job = &jobs[slot];
    struct known *k = &known[i];
    uint32_t task = (uint32_t)((uint64_t)k->next++ * k->step % k->n_tasks), what = 0;
    struct faults *f = job->orders;
    memset(f, 0, sizeof *f);
    f->mode = task % 2 ? FAULT_FROM_THEN_ON : FAULT_ONCE;
    for (task /= 2; task >= k->counted[what]; what++)
        task -= k->counted[what];
    f->what = (int)what;
    f->number = task + 1;
    snprintf(f->program, sizeof f->program, "%s", program_of(&scenarios[i]));
    memset(job->result, 0, sizeof *job->result);
    job->scenario = i;
    job->what = (enum fault_class)what;
    job->start_ms = qn__now_ms();
    fflush(stdout);
    job->pid = fork();
    if (job->pid == 0) {
        run_job(slot, job);
        _exit(0);
    }
}

/* Of the same trouble after calls of one place only the first is printed. */
static bool is_news(uint32_t scenario, const struct result *r)
{
    static struct qn__str told;
    char line[600];
    snprintf(line, sizeof line, "\n%u %s %.40s\n", scenario, r->caller, r->words);
    if (told.text && strstr(told.text, line))
        return false;
    qn__str_add(&told, line);
    return true;
}

static void finish(struct job *job, int status)
{
    struct known *k = &known[job->scenario];
    const struct faults *f = job->orders;
    struct result *r = job->result;
    job->pid = 0;
    if (status != 0)
        complain(r, "the driver's own process ended with %#x", (unsigned)status);
    k->ms += qn__now_ms() - job->start_ms;
    k->runs++;
    k->failed += r->failed;
    if (!r->is_bad)
        return;
    k->bad++;
    k->bad_of[job->what]++;
    if (is_news(job->scenario, r))
        printf("FAILED: %s: %s %u of %u of %s fails %s (%s): %s\n", scenarios[job->scenario].name,
               class_words[job->what], f->number, k->counted[job->what], f->program,
               f->mode == FAULT_ONCE ? "once" : "from then on", r->caller, r->words);
}

static void run_all(uint32_t n_jobs, double until_ms)
{
    uint32_t running = 0;
    for (bool more = true; more || running;) {
        for (uint32_t slot = 0; slot < n_jobs && more; slot++) {
            const int i = jobs[slot].pid || qn__now_ms() > until_ms ? -1 : next_scenario();
            more = jobs[slot].pid || i >= 0;
            if (i < 0)
                continue;
            begin(slot, (uint32_t)i);
            running++;
        }
        int status;
        const pid_t pid = waitpid(-1, &status, 0);
        for (uint32_t slot = 0; slot < n_jobs; slot++)
            if (jobs[slot].pid == pid && pid > 0) {
                finish(&jobs[slot], status);
                running--;
            }
        if (pid < 0)
            break;
    }
}

/* One check for each scenario and class. */
static bool print_figures(uint32_t not_learnt)
{
    uint32_t runs = 0, tasks = 0, failed = 0, checks = not_learnt, bad = not_learnt;
    for (uint32_t i = 0; i < n_scenarios; i++) {
        const struct known *k = &known[i];
        if (!k->is_run)
            continue;
        printf("%-28s %-16s %6u runs of %6u, %7u calls failed, %u bad\n", scenarios[i].name,
               program_of(&scenarios[i]), k->runs, k->n_tasks, k->failed, k->bad);
        for (int c = 0; c < N_FAULT_CLASSES; c++) {
            checks += k->counted[c] > 0;
            bad += k->bad_of[c] > 0;
        }
        runs += k->runs;
        tasks += k->n_tasks;
        failed += k->failed;
    }
    printf("check-faults: %u runs of %u, %u calls failed\n", runs, tasks, failed);
    printf("%u%%: Checks: %u, Failures: %u, Errors: 0\n",
           checks ? 100 * (checks - bad) / checks : 0, checks, bad);
    return bad == 0 && runs > 0;
}

/* Is what it needs here? */
static bool is_possible(const struct scenario *s)
{
    bool failed = false;
    if (s->needs && strcmp(s->needs, "opencl") != 0)
        return have_compiler(s->needs, &failed);
    return !s->needs || shell("'%s/quern' devices 2>/dev/null | grep -q '^opencl:0'", build);
}

static uint32_t learn_all(void)
{
    const char *only = getenv("FAULTS_ONLY"), *seconds = getenv("FAULTS_SECONDS");
    uint32_t bad = 0;
    for (uint32_t i = 0; i < n_scenarios; i++) {
        if (seconds && seconds[0] && scenarios[i].is_long)
            continue;
        if (only && only[0] && strcmp(only, scenarios[i].name) != 0)
            continue;
        if (!is_possible(&scenarios[i])) {
            printf("skip: faults in %s: %s is not here\n", scenarios[i].name, scenarios[i].needs);
            continue;
        }
        bad += !learn(i);
        known[i].step = step_for(known[i].n_tasks);
    }
    return bad;
}

/* What all scenarios share: the compiler that answers at once, a server, PoCL's cache. */
static bool open_world(uint32_t n_jobs)
{
    char self[4096], text[9000];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *rtc = getenv("QN_BUILD");
    struct result *results = mmap(NULL, sizeof *results * JOBS_MAX, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n < 0 || !rtc || results == MAP_FAILED || shared == MAP_FAILED)
        return false;
    self[n] = 0;
    manner = shared;
    for (uint32_t i = 0; i < n_jobs; i++) {
        jobs[i].orders = map_orders(i);
        jobs[i].result = &results[i];
        if (!jobs[i].orders)
            return false;
    }
    snprintf(text, sizeof text, "#!/bin/sh\nexec '%s' " FAKE_ARGUMENT " '%s/FAKE'\n", self,
             scratch);
    must_write(in_scratch("FAKE"), "");
    must_write(in_scratch("quern-translate"), text);
    return chmod(in_scratch("quern-translate"), 0700) == 0 &&
           mkdir(in_scratch("server"), 0700) == 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], FAKE_ARGUMENT) == 0)
        _exit(play_the_helper(argv[2]));
    const char *seconds = getenv("FAULTS_SECONDS");
    const uint32_t n_jobs = qn__processors() < JOBS_MAX ? qn__processors() : JOBS_MAX;
    char folder[4200];
    scratch_open();
    snprintf(folder, sizeof folder, "%s/faults", getenv("QN_BUILD") ? getenv("QN_BUILD") : ".");
    build = folder;
    if (!open_world(n_jobs)) {
        printf("FAILED: no folder to work in\n");
        return 1;
    }
    const pid_t server = flapping_start(&port, in_scratch("server"), manner);
    const uint32_t not_learnt = learn_all();
    run_all(n_jobs, seconds && seconds[0] ? qn__now_ms() + strtod(seconds, NULL) * 1e3 : 1e300);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    const bool good = print_figures(not_learnt);
    scratch_close();
    return !good;
}
