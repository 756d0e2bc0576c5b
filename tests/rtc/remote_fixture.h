/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the remote cache: "processes" (forked children with a cache folder of their own, so
 * that what one finds of another's work came over HTTP), and an nginx before them. */
#ifndef QN_TESTS_REMOTE_FIXTURE_H
#define QN_TESTS_REMOTE_FIXTURE_H

#include "rtc/cache/remote.h"
#include "tests/rtc/cache_fixture.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

static const qn_source source = {.text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n",
                                 .path = "k.cu"};
static const qn_source *asked = &source;
static const char *compile_target; /* NULL: no compiler is here */
static char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT]; /* of who stores */

static struct shared { /* between the test, its servers and its "processes" */
    volatile int connections;
    qn_cache_counters counters;
    qn_origin origin;
    qn_status status;
    uint32_t warnings;
    char key[65], message[1024], warning[1024];
    bool curl_is_loaded;
} *shared;

static inline void send_text(int fd, const char *text, size_t n)
{
    while (n) {
        const ssize_t put = send(fd, text, n, MSG_NOSIGNAL);
        if (put <= 0)
            return;
        text += put;
        n -= (size_t)put;
    }
}

/* A listening socket on a free port of loopback. */
static inline int listen_somewhere(uint16_t *port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    ck_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, n) == 0 && listen(fd, 64) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &n) == 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static inline void stop(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static inline void use_remote(uint16_t port, const char *path)
{
    char url[128];
    snprintf(url, sizeof url, "http://user:secret@127.0.0.1:%u%s", port, path);
    setenv("QUERN_REMOTE", url, 1);
    setenv("QUERN_REMOTE_TIMEOUT", "1", 1);
}

static inline qn_status find_remote(void)
{
    struct qn__arena arena = {0};
    struct qn__entry_log said;
    qn_image *image;
    const qn_status s = qn__remote_find(&image, &said, &arena, key, target);
    qn_image_release(image);
    qn__arena_release(&arena);
    return s;
}

static inline bool maps_mention(const char *word)
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

static inline void compile(void)
{
    qn_image *image;
    qn_log log;
    shared->status = qn_compile(&image, asked, compile_target, NULL, &log);
    shared->origin = log.origin;
    snprintf(shared->key, sizeof shared->key, "%s", log.key ? log.key : "");
    snprintf(shared->message, sizeof shared->message, "%s",
             shared->status == QN_OK ? "" : qn_message());
    qn_log_release(&log);
    qn_image_release(image);
}

/* Run in a process with that cache folder. */
static inline void in_process(void (*run)(void), const char *folder)
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

static pid_t nginx;
static uint16_t nginx_port;

static inline char *nginx_program(void)
{
    char *found = qn__find_program("nginx", "");
    return found ? found : access("/usr/sbin/nginx", X_OK) == 0 ? strdup("/usr/sbin/nginx") : NULL;
}

/* The documented configuration on a free port. */
static inline struct qn__str documented_conf(void)
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
    free(text);
    free(path);
    return conf;
}

static inline bool can_connect(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(nginx_port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const bool ok = connect(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    close(fd);
    return ok;
}

static inline void run_nginx(void)
{
    char *program = nginx_program();
    execl(program, "nginx", "-p", in_scratch("nginx"), "-c", in_scratch("nginx/nginx.conf"), "-e",
          in_scratch("nginx/error.log"), (char *)NULL);
    _exit(127);
}

/* The key that signs what is stored, in a file. */
static inline void open_remote(void)
{
    open_quiet();
    memset(shared, 0, sizeof *shared);
    setenv("QUERN_REMOTE_KEY", write_text("secret.key", secret), 1);
}

static inline void start_nginx(struct qn__str *conf)
{
    if (geteuid() == 0)
        qn__str_add(conf, "\nuser root;\n");
    write_text("nginx/nginx.conf", conf->text);
    qn__str_release(conf);
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

static inline void open_nginx(void)
{
    open_remote();
    struct qn__str conf = documented_conf();
    start_nginx(&conf);
}

static inline void close_nginx(void)
{
    kill(nginx, SIGTERM);
    waitpid(nginx, NULL, 0);
    scratch_close();
}

/* Is there an nginx with that module? Where QN_REQUIRE names nginx, its absence fails. */
static inline bool have_nginx(const char *module, bool *failed)
{
    char *program = nginx_program(), command[1024], line[4096] = "";
    const char *require = getenv("QN_REQUIRE");
    bool found = false;
    if (program) {
        snprintf(command, sizeof command, "'%s' -V 2>&1 | grep -w with-%s", program, module);
        FILE *f = popen(command, "r");
        found = f && fgets(line, sizeof line, f);
        if (f)
            pclose(f);
    }
    if (!found)
        printf("skip: the remote cache before a real server: %s %s%s\n",
               program ? program : "nginx", program ? "lacks " : "is not installed",
               program ? module : "");
    *failed |= !found && require && strstr(require, "nginx");
    free(program);
    return found;
}

/* What every program of these tests begins with. */
static inline void begin_remote(bool *failed)
{
    static const char *const unwanted[] = {"QUERN_BUNDLE_KEYS", "QUERN_REMOTE", "QUERN_REMOTE_PUT",
                                           "http_proxy",        "https_proxy",  "all_proxy",
                                           "HTTPS_PROXY",       "ALL_PROXY"};
    for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++)
        unsetenv(unwanted[i]);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    qn_bundle_make_keys(secret, public_key);
    compile_target = have_compiler("nvrtc", failed)        ? "cuda:sm_80"
                     : have_compiler("translator", failed) ? "opencl:portable"
                                                           : NULL;
}

static inline const char *stored(void)
{
    static char name[128];
    snprintf(name, sizeof name, "nginx/kernels/%s", shared->key);
    return in_scratch(name);
}

#endif
