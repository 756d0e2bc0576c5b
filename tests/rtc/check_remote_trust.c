/* SPDX-License-Identifier: Apache-2.0
 *
 * Who may store in the shared cache, whom readers believe, and what a server learns: signatures of
 * all kinds from a server that answers anything, then a real nginx, in the end one with TLS, client
 * certificates and a login each for reading and storing.
 *
 * covers: rtc/cache/remote rtc/cache/http rtc/cache/signed_entry */
#define _GNU_SOURCE
#include "rtc/cache/signed_entry.h"
#include "tests/rtc/remote_fixture.h"

/* These servers answer; how soon is the machine's affair. */
static void use_patiently(uint16_t port, const char *path)
{
    use_remote(port, path);
    setenv("QUERN_REMOTE_TIMEOUT", "60", 1);
}

/* -- signatures -- */

enum answer { BARE, SIGNED, CHANGED, CUT, OF_ANOTHER_KEY, OF_A_NEWER_FORMAT };

static struct qn__str answer_of(enum answer which)
{
    struct qn__str entry = {0}, out = {0};
    struct qn__secret signer;
    qn_image *image = make_image("payload", 7);
    const char *named = which == OF_ANOTHER_KEY ? "another" : key;
    must(qn__image_note(image, &(struct qn__image_notes){named, "", "", "", ""}));
    must(qn__image_set_origin(image, &(struct qn__image_origin){"here", ""})); /* a lie */
    qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_HERE);
    qn_image_release(image);
    if (which == BARE)
        return entry;
    must(qn__secret_parse(&signer, secret));
    must(qn__signed_wrap(&out, &entry, &signer));
    qn__str_release(&entry);
    if (which == CHANGED)
        out.text[out.len - 1] ^= 1;
    if (which == CUT)
        out.len = QN__SIGNED_HEAD_BYTES - 10;
    if (which == OF_A_NEWER_FORMAT)
        out.text[QN__SIGNED_AT_FORMAT]++;
    return out;
}

#define OTHER "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
static const struct {
    const char *name;
    enum answer answer;
    const char *keys; /* %s: the signer's; NULL: no key is asked for */
    const char *says; /* the warning; NULL: it is taken */
} signatures[] = {
    {"not signed, nobody asks", BARE, NULL, NULL},
    {"signed, nobody asks", SIGNED, NULL, NULL},
    {"signed by a listed key", SIGNED, OTHER ",%s", NULL},
    {"until a day to come", SIGNED, "%s@2999-12-31", NULL},
    {"not signed", BARE, "%s", "not signed, and QUERN_BUNDLE_KEYS asks for another signer"},
    {"signed by another", SIGNED, OTHER, "and QUERN_BUNDLE_KEYS asks for another signer"},
    {"a key whose time is over", SIGNED, "%s@2020-12-31", "is over"},
    {"a revoked key", SIGNED, "%s !%s", "revokes"},
    {"no list where one should be", SIGNED, "/nowhere/keys", "not trusted: QUERN_BUNDLE_KEYS"},
    {"changed after it was signed", CHANGED, "%s", "signature is wrong"},
    {"changed, and nobody asks", CHANGED, NULL, "signature is wrong"},
    {"cut short", CUT, NULL, "cut short"},
    {"another key's, signed", OF_ANOTHER_KEY, "%s", "is that of key another"},
    {"a newer format", OF_A_NEWER_FORMAT, NULL, "this version reads"},
};

static pid_t serve(enum answer which, uint16_t *port)
{
    const int listener = listen_somewhere(port);
    struct qn__str body = answer_of(which);
    const pid_t pid = fork();
    while (pid == 0) {
        char head[200], request[4096];
        const int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            _exit(1);
        if (read(fd, request, sizeof request) > 0) {
            snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", body.len);
            send_text(fd, head, strlen(head));
            send_text(fd, body.text, body.len);
        }
        close(fd);
    }
    close(listener);
    qn__str_release(&body);
    return pid;
}

START_TEST(nothing_is_taken_but_from_those_who_are_trusted)
{
    uint16_t port;
    char keys[300], from[100];
    const char *signer;
    struct qn__arena arena = {0};
    struct qn__entry_log said;
    qn_image *image;
    const pid_t server = serve(signatures[_i].answer, &port);
    use_patiently(port, "/cache");
    snprintf(from, sizeof from, "server http://127.0.0.1:%u/cache", port);
    if (signatures[_i].keys) {
        struct qn__str list = {0};
        for (const char *p = signatures[_i].keys; *p; p++)
            if (p[0] == '%')
                qn__str_add(&list, (p++, public_key));
            else
                qn__str_add_char(&list, *p);
        snprintf(keys, sizeof keys, "%s", list.text);
        setenv("QUERN_BUNDLE_KEYS", keys, 1);
        qn__str_release(&list);
    }
    const qn_status s = qn__remote_find(&image, &said, &arena, key, target);
    stop(server);
    ck_assert_msg((s == QN_OK) == (signatures[_i].says == NULL), "%s: %s", signatures[_i].name,
                  s == QN_OK ? "taken" : qn_message());
    if (s == QN_OK) {
        ck_assert_str_eq(qn_image_get_origin(image, &signer), from);
        ck_assert_str_eq(signer, signatures[_i].answer == SIGNED ? public_key : "");
        ck_assert(qn_image_is_verified(image) == (signatures[_i].keys != NULL));
        ck_assert_uint_eq(n_warnings, 0);
    } else {
        ck_assert_int_eq(s, QN_E_NOT_FOUND);
        ck_assert_uint_eq(n_warnings, 1);
        says(warnings[0], signatures[_i].says);
    }
    qn_image_release(image);
    qn__arena_release(&arena);
}
END_TEST

/* -- storing and reading -- */

static char *stored_bytes(size_t *n)
{
    char *bytes;
    must(qn__file_read(&bytes, n, stored(), 1 << 24));
    return bytes;
}

static bool server_holds(const char *word)
{
    size_t n;
    char *bytes = stored_bytes(&n);
    const bool found = memmem(bytes, n, word, strlen(word)) != NULL;
    free(bytes);
    return found;
}

static const struct {
    const char *name, *file, *says; /* file: what is in it; NULL: not set */
} no_keys[] = {
    {"no key is named", NULL, "name its file in QUERN_REMOTE_KEY"},
    {"the file holds none", "hunter2\n", "no secret key of 64 hex digits"},
    {"the file is not there", "", "No such file"},
};

START_TEST(storing_needs_a_key_and_reading_does_not)
{
    use_patiently(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    unsetenv("QUERN_REMOTE_KEY");
    if (no_keys[_i].file)
        setenv("QUERN_REMOTE_KEY",
               no_keys[_i].file[0] ? write_text("no.key", no_keys[_i].file) : in_scratch("none"),
               1);
    in_process(compile, "writer");
    ck_assert_int_eq(shared->status, QN_OK);
    ck_assert_uint_eq(shared->counters.remote_puts, 0);
    ck_assert_uint_eq(shared->warnings, 1);
    says(shared->warning, no_keys[_i].says);
    ck_assert_ptr_null(strstr(shared->warning, "hunter2"));
    ck_assert(!qn__file_exists(stored()));
    setenv("QUERN_REMOTE_KEY", write_text("secret.key", secret), 1);
    in_process(compile, "writer with a key");
    ck_assert_uint_eq(shared->counters.remote_puts, 1);
    ck_assert(server_holds("QUERNSIG"));
    unsetenv("QUERN_REMOTE_KEY");
    unsetenv("QUERN_REMOTE_PUT");
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    ck_assert_uint_eq(shared->warnings, 0);
}
END_TEST

/* In the cache folder of an earlier process: the one entry, as the list has it. */
static void look_at_origin(void)
{
    const qn_cache_entry *entries;
    uint32_t n;
    shared->status = qn_cache_list(&entries, &n);
    if (shared->status != QN_OK || n != 1)
        _exit(2);
    snprintf(shared->message, sizeof shared->message, "%s, %s, %d", entries[0].origin,
             entries[0].signer, entries[0].is_verified);
    free((void *)(uintptr_t)entries);
}

START_TEST(the_origin_stays_with_the_entry_and_the_signature_is_asked_once)
{
    char expected[300];
    use_patiently(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    in_process(compile, "writer");
    in_process(look_at_origin, "writer");
    ck_assert_str_eq(shared->message, "here, , 1");
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    in_process(look_at_origin, "reader");
    snprintf(expected, sizeof expected, "server http://127.0.0.1:%u/kernels, %s, 1", nginx_port,
             public_key);
    ck_assert_str_eq(shared->message, expected);
    setenv("QUERN_BUNDLE_KEYS", OTHER, 1); /* its own disk is not asked */
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_DISK_CACHE);
    in_process(look_at_origin, "reader");
    ck_assert_str_eq(shared->message + strlen(shared->message) - 1, "0");
    in_process(compile, "writer");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_DISK_CACHE);
    char list[100];
    snprintf(list, sizeof list, "!%s", public_key);
    setenv("QUERN_BUNDLE_KEYS", list, 1);
    in_process(compile, "reader"); /* but for whom it must not believe any more */
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    in_process(compile, "writer");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_DISK_CACHE);
}
END_TEST

START_TEST(what_a_stranger_stored_is_compiled_here_and_stored_over)
{
    char other_secret[QN_BUNDLE_KEY_TEXT], other[QN_BUNDLE_KEY_TEXT];
    qn_bundle_make_keys(other_secret, other);
    use_patiently(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    setenv("QUERN_REMOTE_KEY", write_text("other.key", other_secret), 1);
    in_process(compile, "stranger");
    setenv("QUERN_REMOTE_KEY", in_scratch("secret.key"), 1);
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    in_process(compile, "one");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_COMPILED);
    says(shared->warning, other);
    in_process(compile, "two");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
}
END_TEST

/* -- what travels -- */

static const char *const defines[] = {"PASSPHRASE=hunter2", "UNUSED", NULL};
static const qn_source with_values = {
    .text = "#define QUOTE PASSPHRASE\n"
            "extern \"C\" __global__ void k(float *p) { int hunter2; *p = 1; }\n"
            "#ifdef QUOTE\n#warning about it\n#endif\n",
    .path = "k.cu",
    .defines = defines,
    .n_defines = 2};
static const qn_source with_another_value = {
    .text = "extern \"C\" __global__ void k(float *p) { int hunter2; *p = 1; }\n",
    .path = "k.cu",
    .defines = (const char *const[]){"PASSPHRASE=hunter3"},
    .n_defines = 1};

START_TEST(values_of_macros_are_not_told_to_a_server)
{
    use_patiently(nginx_port, "/kernels");
    setenv("QUERN_REMOTE_PUT", "1", 1);
    asked = &with_values;
    in_process(compile, "writer");
    ck_assert_msg(shared->status == QN_OK, "%s", shared->message);
    ck_assert_uint_eq(shared->counters.remote_puts, 1);
    ck_assert(!server_holds("hunter2"));
    ck_assert(server_holds("option: -DPASSPHRASE=digest:"));
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_DISK_CACHE);
    asked = &with_another_value;
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    in_process(compile, "reader");
    ck_assert_int_eq(shared->status, QN_E_CACHE_MISS);
    says(shared->message, "option: -DPASSPHRASE=digest:");
    says(shared->message, "option: -DPASSPHRASE=hunter3 here");
}
END_TEST

/* -- TLS and logins -- */

/* A certificate and its key, by the authority "ca" or (of NULL) by itself. */
static void certify(const char *name, const char *ca)
{
    char command[4096], by[1024] = "";
    if (ca)
        snprintf(by, sizeof by, "-CA %s/%s.pem -CAkey %s/%s.key", scratch, ca, scratch, ca);
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
             "-subj /CN=%s %s -addext subjectAltName=IP:127.0.0.1 -keyout %s/%s.key "
             "-out %s/%s.pem 2>%s/openssl.log",
             name, by, scratch, name, scratch, name, scratch);
    ck_assert_msg(system(command) == 0, "%s", command);
}

static const char reading[] = "a-token-for-reading", storing[] = "writer:s3cret";
static const char storing_base64[] = "d3JpdGVyOnMzY3JldA==";

static void open_secure(void)
{
    struct qn__str conf = {0};
    open_remote();
    certify("ca", NULL);
    certify("server", "ca");
    certify("client", "ca");
    certify("stranger", NULL);
    close(listen_somewhere(&nginx_port));
    qn__str_printf(
        &conf,
        "daemon off;\npid nginx.pid;\nerror_log error.log;\nevents {\n}\nhttp {\n"
        "access_log access.log;\nclient_body_temp_path uploads;\nproxy_temp_path unused;\n"
        "fastcgi_temp_path unused;\nuwsgi_temp_path unused;\nscgi_temp_path unused;\n"
        "client_max_body_size 256m;\nserver {\nlisten 127.0.0.1:%u ssl;\n"
        "ssl_certificate %s/server.pem;\nssl_certificate_key %s/server.key;\n"
        "ssl_client_certificate %s/ca.pem;\nssl_verify_client on;\nroot .;\n"
        "set $who \"$request_method $http_authorization\";\n"
        "location /kernels/ {\nif ($who !~ \"^(GET Bearer %s|PUT Basic %s)$\") {\n"
        "return 401;\n}\ndav_methods PUT;\n}\n}\n}\n",
        nginx_port, scratch, scratch, scratch, reading, storing_base64);
    start_nginx(&conf);
    char url[100];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/kernels", nginx_port);
    setenv("QUERN_REMOTE", url, 1);
    setenv("QUERN_REMOTE_TIMEOUT", "60", 1);
    setenv("QUERN_REMOTE_CA", in_scratch("ca.pem"), 1);
    setenv("QUERN_REMOTE_CERT", in_scratch("client.pem"), 1);
    setenv("QUERN_REMOTE_CERT_KEY", in_scratch("client.key"), 1);
    setenv("QUERN_REMOTE_LOGIN", write_text("read.login", reading), 1);
    setenv("QUERN_REMOTE_PUT_LOGIN", write_text("put.login", storing), 1);
    setenv("QUERN_REMOTE_PUT", "1", 1);
}

START_TEST(certificates_and_a_login_each_for_reading_and_storing)
{
    in_process(compile, "writer");
    ck_assert_msg(shared->counters.remote_puts == 1, "%s", shared->warning);
    unsetenv("QUERN_REMOTE_PUT");
    unsetenv("QUERN_REMOTE_PUT_LOGIN");
    in_process(compile, "reader");
    ck_assert_int_eq(shared->origin, QN_ORIGIN_REMOTE_CACHE);
    ck_assert_uint_eq(shared->warnings, 0);
}
END_TEST

static const struct {
    const char *name, *variable, *value; /* NULL: not set; @: a file of the scratch folder */
    const char *text;                    /* written to that file; NULL: none is */
    bool reads, stores;                  /* what still works */
} wrong[] = {
    {"another authority", "QUERN_REMOTE_CA", "@stranger.pem", NULL, false, false},
    {"the system's authorities", "QUERN_REMOTE_CA", NULL, NULL, false, false},
    {"no such authorities", "QUERN_REMOTE_CA", "@nothing.pem", NULL, false, false},
    {"no client certificate", "QUERN_REMOTE_CERT", NULL, NULL, false, false},
    {"a stranger's certificate", "QUERN_REMOTE_CERT", "@stranger.pem", NULL, false, false},
    {"no key of it", "QUERN_REMOTE_CERT_KEY", "@nothing.key", NULL, false, false},
    {"no login", "QUERN_REMOTE_LOGIN", NULL, NULL, false, true},
    {"another token", "QUERN_REMOTE_LOGIN", "@x.login", "hunter2\n", false, true},
    {"the login that stores", "QUERN_REMOTE_LOGIN", "@put.login", NULL, false, true},
    {"the login itself", "QUERN_REMOTE_LOGIN", "reader:hunter2", NULL, false, true},
    {"an empty file", "QUERN_REMOTE_LOGIN", "@x.login", "\n", false, true},
    {"words", "QUERN_REMOTE_LOGIN", "@x.login", "the hunter2 one\n", false, true},
    {"no login for storing", "QUERN_REMOTE_PUT_LOGIN", NULL, NULL, true, false},
    {"the login that reads", "QUERN_REMOTE_PUT_LOGIN", "@read.login", NULL, true, false},
    {"another password", "QUERN_REMOTE_PUT_LOGIN", "@x.login", "writer:hunter2", true, false},
};

static void publish_one(void)
{
    struct qn__str entry = {0};
    qn_image *image = make_image("payload", 7);
    if (qn__image_note(image, &(struct qn__image_notes){key, "", "", "", ""}) != QN_OK)
        _exit(3);
    qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_AWAY);
    qn__remote_publish(key, &entry);
    qn_image_release(image);
    qn__str_release(&entry);
}

static void find_one(void)
{
    shared->status = find_remote();
}

START_TEST(without_the_right_ones_nothing_is_read_or_stored_and_no_secret_is_shown)
{
    const char *value = wrong[_i].value;
    in_process(publish_one, "before");
    ck_assert_msg(shared->counters.remote_puts == 1, "%s", shared->warning);
    if (value && wrong[_i].text)
        write_text(value + 1, wrong[_i].text);
    if (value)
        setenv(wrong[_i].variable, value[0] == '@' ? in_scratch(value + 1) : value, 1);
    else
        unsetenv(wrong[_i].variable);
    for (int stores = 0; stores < 2; stores++) {
        in_process(stores ? publish_one : find_one, "after");
        const bool good = stores ? shared->counters.remote_puts == 1 : shared->status == QN_OK;
        ck_assert_msg(good == (stores ? wrong[_i].stores : wrong[_i].reads), "%s, %s: %s",
                      wrong[_i].name, stores ? "storing" : "reading", shared->warning);
        ck_assert_uint_eq(shared->warnings, !good);
        static const char *const secrets[] = {"hunter2", "s3cret", "a-token"};
        for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++)
            ck_assert_msg(!strstr(shared->warning, secrets[i]), "%s: %s", wrong[_i].name,
                          shared->warning);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("remote_trust");
    TCase *t = tcase_create("signatures"), *n = tcase_create("nginx"), *c = tcase_create("TLS");
    bool failed = false;
    begin_remote(&failed);
    tcase_add_checked_fixture(t, open_remote, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, nothing_is_taken_but_from_those_who_are_trusted, 0,
                        sizeof signatures / sizeof signatures[0]);
    suite_add_tcase(s, t);
    tcase_add_checked_fixture(n, open_nginx, close_nginx);
    tcase_set_timeout(n, 300);
    tcase_add_checked_fixture(c, open_secure, close_nginx);
    tcase_set_timeout(c, 300);
    if (compile_target) {
        tcase_add_loop_test(n, storing_needs_a_key_and_reading_does_not, 0,
                            sizeof no_keys / sizeof no_keys[0]);
        tcase_add_test(n, the_origin_stays_with_the_entry_and_the_signature_is_asked_once);
        tcase_add_test(n, what_a_stranger_stored_is_compiled_here_and_stored_over);
        tcase_add_test(n, values_of_macros_are_not_told_to_a_server);
        tcase_add_test(c, certificates_and_a_login_each_for_reading_and_storing);
    }
    tcase_add_loop_test(c, without_the_right_ones_nothing_is_read_or_stored_and_no_secret_is_shown,
                        0, sizeof wrong / sizeof wrong[0]);
    if (have_nginx("http_dav_module", &failed))
        suite_add_tcase(s, n);
    if (!have_nginx("http_ssl_module", &failed))
        return run_suite(s) || failed;
    if (access("/usr/bin/openssl", X_OK) == 0)
        suite_add_tcase(s, c);
    else
        printf("skip: the remote cache with certificates: openssl is not installed\n");
    return run_suite(s) || failed;
}
