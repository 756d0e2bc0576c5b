/* SPDX-License-Identifier: Apache-2.0
 *
 * The remote cache, before servers that misbehave in every way a table can
 * list, and before a real nginx with the configuration of
 * docs/shared-cache.conf. Each "process" is a forked child with a cache folder
 * of its own, so what one finds of another's work came over HTTP.
 *
 * covers: rtc/cache/remote rtc/cache/http */
#define _GNU_SOURCE
#include "rtc/cache/remote.h"
#include "tests/rtc/cache_fixture.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

static const qn_source source = {.text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n",
                                 .path = "k.cu"};
static const char *compile_target; /* NULL: no compiler is here */

static struct shared { /* between the test, its servers and its "processes" */
    volatile int connections;
    qn_cache_counters counters;
    qn_origin origin;
    qn_status status;
    uint32_t warnings;
    char key[65], message[1024], warning[1024];
    bool curl_is_loaded;
} *shared;

/* -- a server that misbehaves -- */

enum manner {
    SAY,
    HANG,
    HANG_IN_BODY,
    CLOSE,
    DRIP,
    HALF_OF_BODY,
    ENTRY,
    HALF_AN_ENTRY,
    OTHER_KEY,
    OTHER_TARGET
};
struct behaviour {
    const char *name;
    enum manner manner;
    const char *answer; /* for SAY */
    uint64_t errors;    /* that two lookups count */
    int connections;    /* that two lookups make; a server in disgrace is not asked
                           twice */
    const char *says;   /* the warning */
};
static const struct behaviour behaviours[] = {
    {"has no such entry", SAY, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 0, 2, NULL},
    {"fails", SAY, "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", 1, 1, "status 500"},
    {"forbids", SAY, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", 1, 1, "status 403"},
    {"redirects", SAY,
     "HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: "
     "0\r\n\r\n",
     1, 1, "status 302"},
    {"answers a page", SAY, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", 2, 2,
     "not an image"},
    {"answers nothing", SAY, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 2, 2, "not an image"},
    {"speaks another protocol", SAY, "SSH-2.0-OpenSSH_9.2\r\n", 1, 1, ""},
    {"promises more than there may be", SAY,
     "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx", 2, 2, "not an image"},
    {"sends an entry cut short", HALF_AN_ENTRY, NULL, 2, 2, "were written"},
    {"sends another key's entry", OTHER_KEY, NULL, 2, 2, "is that of key"},
    {"sends an entry for another target", OTHER_TARGET, NULL, 2, 2, "for cuda:sm_80"},
    {"breaks off in the body", HALF_OF_BODY, NULL, 1, 1, ""},
    {"closes at once", CLOSE, NULL, 1, 1, ""},
    {"hangs", HANG, NULL, 1, 1, "timed out"},
    {"hangs in the body", HANG_IN_BODY, NULL, 1, 1, "timed out"},
    {"drips", DRIP, NULL, 1, 1, "timed out"},
};
enum { N_BEHAVIOURS = sizeof behaviours / sizeof behaviours[0] };

static void send_text(int fd, const char *text, size_t n)
{
    while (n) {
        const ssize_t put = send(fd, text, n, MSG_NOSIGNAL);
        if (put <= 0)
            return;
        text += put;
        n -= (size_t)put;
    }
}

static struct qn__str entry_for(const char *key_hex, const char *image_target)
{
    struct qn__str entry = {0};
    qn_image *image;
    const struct qn__image_notes notes = {key_hex, "", "", "", ""};
    must(qn__image_create(&image, image_target, "x", QN_IMAGE_CUBIN, "payload", 7, NULL, 0));
    must(qn__image_note(image, &notes));
    qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_AWAY);
    qn_image_release(image);
    return entry;
}

static void send_entry(int fd, const struct behaviour *b)
{
    const bool is_cut = b->manner == HALF_AN_ENTRY;
    struct qn__str head = {0}, entry = entry_for(b->manner == OTHER_KEY ? "another" : key,
                                                 b->manner == OTHER_TARGET ? "cuda:sm_80" : target);
    const size_t n = is_cut ? entry.len / 2 : entry.len;
    qn__str_printf(&head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", n);
    send_text(fd, head.text, head.len);
    send_text(fd, entry.text, b->manner == HALF_OF_BODY || b->manner == HANG_IN_BODY ? n / 2 : n);
    qn__str_release(&head);
    qn__str_release(&entry);
}

static void answer(int fd, const struct behaviour *b)
{
    char request[4096];
    const struct timespec a_drop = {0, 50000000};
    if (b->manner == CLOSE || read(fd, request, sizeof request) <= 0)
        return;
    if (b->manner == SAY)
        send_text(fd, b->answer, strlen(b->answer));
    else if (b->manner == DRIP)
        for (send_text(fd, "HTTP/1.1 200 OK\r\nX: ", 20);; nanosleep(&a_drop, NULL))
            send_text(fd, "x", 1);
    else if (b->manner != HANG)
        send_entry(fd, b);
    if (b->manner == HANG || b->manner == HANG_IN_BODY)
        pause();
}

/* A listening socket on a free port of loopback. */
static int listen_somewhere(uint16_t *port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    ck_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, n) == 0 && listen(fd, 64) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &n) == 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static pid_t serve(const struct behaviour *b, uint16_t *port)
{
    const int listener = listen_somewhere(port);
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            const int fd = accept(listener, NULL, NULL);
            if (fd < 0)
                _exit(1);
            shared->connections++;
            answer(fd, b);
            close(fd);
        }
    }
    close(listener);
    return pid;
}

static void stop(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void use_remote(uint16_t port, const char *path)
{
    char url[128];
    snprintf(url, sizeof url, "http://user:secret@127.0.0.1:%u%s", port, path);
    setenv("QUERN_REMOTE", url, 1);
    setenv("QUERN_REMOTE_TIMEOUT", "1", 1);
}

static qn_status find_remote(void)
{
    struct qn__arena arena = {0};
    struct qn__entry_log said;
    qn_image *image;
    const qn_status s = qn__remote_find(&image, &said, &arena, key, target);
    qn_image_release(image);
    qn__arena_release(&arena);
    return s;
}

static qn_cache_counters counters(void)
{
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    return c;
}

START_TEST(a_bad_server_is_a_miss_said_once_and_then_left_alone)
{
    const struct behaviour *b = &behaviours[_i];
    uint16_t port;
    const pid_t server = serve(b, &port);
    use_remote(port, "/cache");
    for (int i = 0; i < 2; i++) {
        const qn_status s = find_remote();
        ck_assert_msg(s == QN_E_NOT_FOUND, "%s: %s", b->name, qn_message());
    }
    stop(server);
    ck_assert_msg(counters().remote_errors == b->errors, "%s: %d errors", b->name,
                  (int)counters().remote_errors);
    ck_assert_msg(shared->connections == b->connections, "%s: %d connections", b->name,
                  shared->connections);
    ck_assert_msg(n_warnings == (b->says != NULL), "%s: %u warnings", b->name, n_warnings);
    if (b->says) {
        says(warnings[0], b->says);
        says(warnings[0], "http://127.0.0.1:");
        ck_assert_ptr_null(strstr(warnings[0], "secret"));
    }
}
END_TEST

START_TEST(a_good_answer_is_an_image)
{
    const struct behaviour good = {.manner = ENTRY};
    uint16_t port;
    const pid_t server = serve(&good, &port);
    use_remote(port, "/cache///");
    must(find_remote());
    stop(server);
    ck_assert_uint_eq(counters().remote_errors, 0);
    ck_assert_uint_eq(n_warnings, 0);
}
END_TEST

static const struct {
    const char *name, *url, *timeout, *put;
    const char *says; /* one warning; NULL: none */
} settings[] = {
    {"not set", NULL, NULL, NULL, NULL},
    {"empty", "", NULL, NULL, NULL},
    {"nobody listens", "http://127.0.0.1:1/x", NULL, NULL, "127.0.0.1"},
    {"a password", "http://me:se@cr@127.0.0.1:1/x", NULL, NULL, "cache http://127.0.0.1:1/x:"},
    {"no such host", "http://nowhere.invalid/", NULL, NULL, "nowhere.invalid"},
    {"a file", "file:///etc/passwd", NULL, NULL, "must be as http://"},
    {"no host", "http://", NULL, NULL, "must be as http://"},
    {"only slashes", "http:////", NULL, NULL, "must be as http://"},
    {"not a URL", "yes", NULL, NULL, "must be as http://"},
    {"a blank in it", "http://a b/", NULL, NULL, ""},
    {"time in words", "http://127.0.0.1:1/", "soon", NULL, "QUERN_REMOTE_TIMEOUT='soon'"},
    {"no time", "http://127.0.0.1:1/", "0", NULL, "QUERN_REMOTE_TIMEOUT='0'"},
    {"much time", "http://127.0.0.1:1/", "3601", NULL, "QUERN_REMOTE_TIMEOUT='3601'"},
    {"storing in words", "http://127.0.0.1:1/", NULL, "yes", "QUERN_REMOTE_PUT='yes'"},
};

START_TEST(settings_that_make_no_sense_are_said_and_harmless)
{
    if (settings[_i].url)
        setenv("QUERN_REMOTE", settings[_i].url, 1);
    if (settings[_i].timeout)
        setenv("QUERN_REMOTE_TIMEOUT", settings[_i].timeout, 1);
    if (settings[_i].put)
        setenv("QUERN_REMOTE_PUT", settings[_i].put, 1);
    must_not(QN_E_NOT_FOUND, find_remote());
    ck_assert_msg((n_warnings > 0) == (settings[_i].says != NULL), "%s: %u warnings, first %s",
                  settings[_i].name, n_warnings, warnings[0]);
    if (settings[_i].says)
        says(warnings[0], settings[_i].says);
}
END_TEST

/* -- processes -- */

static bool maps_mention(const char *word)
{
    char line[4096];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found = found || strstr(line, word);
    if (f)
        fclose(f);
    return found;
}

static void compile(void)
{
    qn_image *image;
    qn_log log;
    shared->status = qn_compile(&image, &source, compile_target, NULL, &log);
    shared->origin = log.origin;
    snprintf(shared->key, sizeof shared->key, "%s", log.key ? log.key : "");
    snprintf(shared->message, sizeof shared->message, "%s",
             shared->status == QN_OK ? "" : qn_message());
    qn_log_release(&log);
    qn_image_release(image);
}

/* Run in a process with that cache folder. */
static void in_process(void (*run)(void), const char *folder)
{
    int status = 1;
    memset(shared, 0, sizeof *shared);
    const pid_t pid = fork();
    if (pid == 0) {
        setenv("QUERN_CACHE_DIR", in_scratch(folder), 1);
        run();
        qn_cache_get_counters(&shared->counters);
        shared->warnings = n_warnings;
        snprintf(shared->warning, sizeof shared->warning, "%s", warnings[0]);
        shared->curl_is_loaded = maps_mention("libcurl");
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(a_bad_server_never_fails_a_kernel)
{
    uint16_t port;
    const pid_t server = serve(&behaviours[_i], &port);
    use_remote(port, "/cache");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "one");
    stop(server);
    ck_assert_msg(shared->status == QN_OK, "%s: %s", behaviours[_i].name, shared->message);
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_le(shared->warnings, 1);
}
END_TEST

START_TEST(without_a_remote_curl_is_not_loaded)
{
    in_process(compile, "one");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert(!shared->curl_is_loaded);
}
END_TEST

/* -- nginx -- */

static pid_t nginx;
static uint16_t nginx_port;

static char *nginx_program(void)
{
    char *found = qn__find_program("nginx", "");
    return found ? found : access("/usr/sbin/nginx", X_OK) == 0 ? strdup("/usr/sbin/nginx") : NULL;
}

/* The documented configuration on a free port. */
static void write_nginx_conf(void)
{
    const char *tree = getenv("QN_SOURCE");
    char *text, *path = qn__path_join(tree ? tree : ".", "docs/shared-cache.conf");
    size_t n;
    struct qn__str conf = {0};
    close(listen_somewhere(&nginx_port));
    must(qn__file_read(&text, &n, path, 1 << 16));
    const char *listen_at = strstr(text, "listen 127.0.0.1:8080;");
    ck_assert(listen_at != NULL);
    qn__str_add_bytes(&conf, text, (size_t)(listen_at - text));
    qn__str_printf(&conf, "listen 127.0.0.1:%u;", nginx_port);
    qn__str_add(&conf, listen_at + strlen("listen 127.0.0.1:8080;"));
    if (geteuid() == 0)
        qn__str_add(&conf, "\nuser root;\n");
    write_text("nginx/nginx.conf", conf.text);
    qn__str_release(&conf);
    free(text);
    free(path);
}

static bool can_connect(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(nginx_port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const bool ok = connect(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    close(fd);
    return ok;
}

static void run_nginx(void)
{
    char *program = nginx_program();
    execl(program, "nginx", "-p", in_scratch("nginx"), "-c", in_scratch("nginx/nginx.conf"), "-e",
          in_scratch("nginx/error.log"), (char *)NULL);
    _exit(127);
}

static void open_nginx(void)
{
    open_quiet();
    memset(shared, 0, sizeof *shared);
    write_nginx_conf();
    ck_assert_int_eq(mkdir(in_scratch("nginx/kernels"), 0700), 0);
    nginx = fork();
    if (nginx == 0)
        run_nginx();
    for (int i = 0; !can_connect(); i++) {
        const struct timespec nap = {0, 10000000};
        int status;
        if (waitpid(nginx, &status, WNOHANG) == nginx || i == 2000)
            ck_abort_msg("nginx does not come up");
        nanosleep(&nap, NULL);
    }
}

static void close_nginx(void)
{
    kill(nginx, SIGTERM);
    waitpid(nginx, NULL, 0);
    scratch_close();
}

/* Is there an nginx with the WebDAV module? */
static bool have_nginx(void)
{
    char *program = nginx_program(), command[1024], line[4096] = "";
    if (!program) {
        printf("skip: the remote cache before a real server: nginx is not "
               "installed\n");
        return false;
    }
    snprintf(command, sizeof command, "'%s' -V 2>&1 | grep -w with-http_dav_module", program);
    FILE *f = popen(command, "r");
    const bool found = f && fgets(line, sizeof line, f);
    if (f)
        pclose(f);
    if (!found)
        printf("skip: the remote cache before a real server: %s has no WebDAV "
               "module\n",
               program);
    free(program);
    return found;
}

static const char *stored(void)
{
    static char name[128];
    snprintf(name, sizeof name, "nginx/kernels/%s", shared->key);
    return in_scratch(name);
}

START_TEST(what_one_machine_compiles_another_loads)
{
    use_remote(nginx_port, "/kernels");
    in_process(compile, "reader"); /* who does not store leaves nothing */
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert(!qn__file_exists(stored()));
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "writer");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_eq(shared->counters.remote_puts, 1);
    ck_assert(qn__file_exists(stored()));
    unsetenv("QUERN_REMOTE_PUT");
    in_process(compile, "other machine");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    ck_assert_uint_eq(shared->counters.compiles, 0);
    ck_assert_uint_eq(shared->counters.remote_hits, 1);
    ck_assert_uint_eq(shared->counters.remote_errors, 0);
    in_process(compile, "other machine"); /* and has it on disk now */
    ck_assert_int_eq(shared->origin, QN_ORIGIN_DISK_CACHE);
    ck_assert(!shared->curl_is_loaded);
}
END_TEST

START_TEST(the_modes_of_the_cache_hold_for_the_remote_one)
{
    use_remote(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    setenv("QUERN_CACHE_MODE", "read-only", 1);
    in_process(compile, "one");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert(!qn__file_exists(stored()));
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    in_process(compile, "one");
    ck_assert_int_ne(shared->status, QN_OK);
    setenv("QUERN_CACHE_MODE", "refresh", 1);
    in_process(compile, "one");
    ck_assert_uint_eq(shared->counters.remote_puts, 1);
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    in_process(compile, "two");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    setenv("QUERN_CACHE_MODE", "off", 1);
    in_process(compile, "three");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
}
END_TEST

START_TEST(a_machine_without_a_disk_cache_still_reads)
{
    use_remote(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "writer");
    write_text("file", "");
    in_process(compile, "file/in the way");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    ck_assert_uint_eq(shared->counters.compiles, 0);
}
END_TEST

START_TEST(an_entry_damaged_on_the_server_is_compiled_and_replaced)
{
    use_remote(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "one");
    const int fd = open(stored(), O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "X", 1, 100), 1);
    close(fd);
    in_process(compile, "two");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_eq(shared->counters.remote_errors, 1);
    ck_assert_uint_eq(shared->counters.remote_puts, 1);
    says(shared->warning, "checksum");
    in_process(compile, "three");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
}
END_TEST

START_TEST(a_server_that_takes_nothing_still_gives)
{
    use_remote(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "one");
    use_remote(nginx_port, "/readers");
    in_process(compile, "two");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    ck_assert_int_eq(unlink(stored()), 0);
    in_process(compile, "three");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_eq(shared->counters.remote_errors, 1);
    says(shared->warning, "PUT is answered with status 403");
}
END_TEST

/* -- connections -- */

enum { KEYS = 50, THREADS = 8 };

static void key_of(char out[65], int i)
{
    snprintf(out, 65, "%064d", i);
}

static void put_keys(void)
{
    char k[65];
    for (int i = 0; i < KEYS; i++) {
        key_of(k, i);
        struct qn__str entry = entry_for(k, target);
        qn__remote_publish(k, &entry);
        qn__str_release(&entry);
    }
}

static void *get_keys(void *bad)
{
    char k[65];
    for (int i = 0; i < KEYS; i++) {
        struct qn__arena arena = {0};
        struct qn__entry_log said;
        qn_image *image;
        key_of(k, i);
        if (qn__remote_find(&image, &said, &arena, k, target) != QN_OK)
            atomic_fetch_add((atomic_int *)bad, 1);
        qn_image_release(image);
        qn__arena_release(&arena);
    }
    return NULL;
}

static void get_keys_in_threads(void)
{
    pthread_t threads[THREADS];
    atomic_int bad = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, get_keys, &bad);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    shared->connections = bad;
}

static void put_keys_and_fork(void)
{
    put_keys();
    const pid_t pid = fork(); /* must not talk over the parent's connection */
    atomic_int bad = 0;
    get_keys(&bad);
    if (pid == 0)
        _exit(bad != 0);
    int status = 1;
    waitpid(pid, &status, 0);
    shared->connections = bad + (status != 0);
}

START_TEST(many_transfers_share_a_connection_also_across_threads_and_forks)
{
    use_remote(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_TIMEOUT", "60", 1);
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(put_keys_and_fork, "one");
    ck_assert_int_eq(shared->connections, 0);
    ck_assert_uint_eq(shared->counters.remote_puts, KEYS);
    in_process(get_keys_in_threads, "two");
    ck_assert_int_eq(shared->connections, 0);
    ck_assert_uint_eq(shared->counters.remote_errors, 0);
}
END_TEST

static void open_remote(void)
{
    open_quiet();
    memset(shared, 0, sizeof *shared);
}

int main(void)
{
    static const char *const unwanted[] = {"QUERN_REMOTE", "QUERN_REMOTE_PUT", "http_proxy",
                                           "all_proxy", "ALL_PROXY"};
    Suite *s = suite_create("remote");
    TCase *t = tcase_create("misbehaving servers"), *n = tcase_create("nginx");
    bool failed = false;
    for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++)
        unsetenv(unwanted[i]);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    compile_target = have_compiler("nvrtc", &failed)        ? "cuda:sm_80"
                     : have_compiler("translator", &failed) ? "opencl:portable"
                                                            : NULL;
    tcase_add_checked_fixture(t, open_remote, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, a_bad_server_is_a_miss_said_once_and_then_left_alone, 0, N_BEHAVIOURS);
    tcase_add_test(t, a_good_answer_is_an_image);
    tcase_add_loop_test(t, settings_that_make_no_sense_are_said_and_harmless, 0,
                        sizeof settings / sizeof settings[0]);
    tcase_add_checked_fixture(n, open_nginx, close_nginx);
    tcase_set_timeout(n, 300);
    if (compile_target) {
        tcase_add_loop_test(t, a_bad_server_never_fails_a_kernel, 0, N_BEHAVIOURS);
        tcase_add_test(t, without_a_remote_curl_is_not_loaded);
        tcase_add_test(n, what_one_machine_compiles_another_loads);
        tcase_add_test(n, the_modes_of_the_cache_hold_for_the_remote_one);
        tcase_add_test(n, a_machine_without_a_disk_cache_still_reads);
        tcase_add_test(n, an_entry_damaged_on_the_server_is_compiled_and_replaced);
        tcase_add_test(n, a_server_that_takes_nothing_still_gives);
    }
    tcase_add_test(n, many_transfers_share_a_connection_also_across_threads_and_forks);
    suite_add_tcase(s, t);
    if (have_nginx())
        suite_add_tcase(s, n);
    else if (getenv("QN_REQUIRE") && strstr(getenv("QN_REQUIRE"), "nginx"))
        failed = true;
    return run_suite(s) || failed;
}
