/* SPDX-License-Identifier: Apache-2.0
 *
 * The remote cache, before servers that misbehave in every way a table can
 * list, and before a real nginx with the configuration of
 * docs/shared-cache.conf. Each "process" is a forked child with a cache folder
 * of its own, so what one finds of another's work came over HTTP.
 *
 * covers: rtc/cache/remote rtc/cache/http */
#define _GNU_SOURCE
#include "tests/rtc/remote_fixture.h"

#include <pthread.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 }; /* its own check at exit takes other threads for leaks and races */
#else
enum { IS_SANITIZED = 0 };
#endif

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
    says(shared->warning, "signature is wrong");
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

/* The TLS library that comes with libcurl is taken down at exit, whoever still uses it. */
START_TEST(a_program_may_exit_while_its_threads_ask_the_server)
{
    enum { EXITS = 60, ASKING = 3, STEP_US = 300 };
    use_remote(nginx_port, "/kernels");
    for (int i = 0; i < EXITS; i++) {
        int status = 1;
        const pid_t pid = fork();
        if (pid == 0) {
            const struct timespec moment = {.tv_nsec = i * STEP_US * 1000L};
            static atomic_int missing;
            pthread_t threads[ASKING];
            for (int k = 0; k < ASKING; k++)
                pthread_create(&threads[k], NULL, get_keys, &missing);
            nanosleep(&moment, NULL);
            exit(0);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(status == 0, "after %d us: status %#x", i * STEP_US, (unsigned)status);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("remote");
    TCase *t = tcase_create("misbehaving servers"), *n = tcase_create("nginx");
    bool failed = false;
    begin_remote(&failed);
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
    tcase_add_loop_test(n, a_program_may_exit_while_its_threads_ask_the_server, 0, !IS_SANITIZED);
    suite_add_tcase(s, t);
    if (have_nginx("http_dav_module", &failed))
        suite_add_tcase(s, n);
    return run_suite(s) || failed;
}
