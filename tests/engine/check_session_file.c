/* SPDX-License-Identifier: Apache-2.0
 *
 * A prompt that was saved: loaded it is as if it had been read, and a file of anything else is
 * refused with the reason. With the bundled model.
 *
 * covers: engine/session_file */
#include "base/file.h"
#include "engine/session_file.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <unistd.h>

static qn_model *model;
static char path[600];

static void open_model(void)
{
    char name[512];
    const char *source = getenv("QN_SOURCE"), *folder = getenv("TMPDIR");
    snprintf(name, sizeof name, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, name));
    snprintf(path, sizeof path, "%s/check_session_file.%d", folder ? folder : "/tmp",
             (int)getpid());
}

static void close_model(void)
{
    qn_model_close(model);
    remove(path);
}

static qn_session *make(uint32_t context, const char *cache)
{
    qn_session *s;
    must(qn_session_create(&s, model, device,
                           &(qn_session_options){.context = context, .cache = cache}));
    return s;
}

static qn_tokens save(const char *cache)
{
    static const char text[] = "Once upon a time, there was a little fox";
    qn_tokens t;
    qn_session *s = make(64, cache);
    must(qn_model_encode(&t, model, text, strlen(text), QN_ENCODE_BOS));
    must(qn_session_feed(s, t.ids, t.n));
    must_not(QN_E_INVALID, qn_session_save(s, path, t.ids, t.n + 1));
    must(qn_session_save(s, path, t.ids, t.n - 1));
    qn_session_destroy(s);
    return t;
}

START_TEST(a_loaded_prompt_is_as_one_that_was_read)
{
    static const char *const caches[] = {"f16", "q8_0"};
    const uint32_t n_vocab = qn_model_get_info(model)->n_vocab;
    qn_tokens t = save(caches[_i]), loaded;
    /* another context, where every position lies elsewhere */
    qn_session *a = make(64, caches[_i]), *b = make(100, caches[_i]);
    const float *want, *got;
    must(qn_session_feed(a, t.ids, t.n - 1));
    must(qn_session_feed(a, t.ids + t.n - 1, 1));
    must(qn_session_logits(a, &want));
    must(qn_session_feed(b, t.ids, 3)); /* is replaced */
    must(qn_session_load(&loaded, b, path));
    ck_assert_uint_eq(loaded.n, t.n - 1);
    ck_assert_mem_eq(loaded.ids, t.ids, loaded.n * sizeof *t.ids);
    ck_assert_uint_eq(qn_session_get_info(b)->n_past, t.n - 1);
    must_not(QN_E_INVALID, qn_session_logits(b, &got));
    must(qn_session_feed(b, t.ids + t.n - 1, 1));
    must(qn_session_logits(b, &got));
    for (uint32_t i = 0; i < n_vocab; i++)
        ck_assert_msg(fabsf(got[i] - want[i]) < 2e-3f * (1.0f + fabsf(want[i])), "logit %u", i);
    free(t.ids);
    free(loaded.ids);
    qn_session_destroy(a);
    qn_session_destroy(b);
}
END_TEST

static void refused(qn_session *s, qn_status status, const char *message)
{
    qn_tokens loaded;
    must_not(status, qn_session_load(&loaded, s, path));
    ck_assert_msg(strstr(qn_message(), message) != NULL, "%s", qn_message());
    ck_assert_msg(strstr(qn_message(), path) != NULL, "%s", qn_message());
    ck_assert_ptr_null(loaded.ids);
    ck_assert_uint_eq(qn_session_get_info(s)->n_past, 0);
}

START_TEST(files_of_something_else_are_refused)
{
    qn_tokens t = save("f16");
    qn_session *s = make(64, "q8_0");
    char *bytes;
    size_t n;
    refused(s, QN_E_UNSUPPORTED, "another model");
    qn_session_destroy(s);
    s = make(4, "f16");
    refused(s, QN_E_LIMIT, "has room for 4");
    qn_session_destroy(s);
    s = make(64, "f16");
    must(qn__file_read(&bytes, &n, path, 1 << 30));
    for (size_t at = 0; at < n; at += n / 40) { /* any byte */
        bytes[at] ^= 1;
        must(qn__file_write_atomic(path, bytes, n, 0600));
        refused(s,
                at >= 8 && at < 8 + QN__HASH_BYTES ? QN_E_UNSUPPORTED
                : at < 56 && at >= 44              ? QN_E_UNSUPPORTED
                                                   : QN_E_CORRUPT,
                "");
        bytes[at] ^= 1;
    }
    must(qn__file_write_atomic(path, bytes, n - 1, 0600));
    refused(s, QN_E_CORRUPT, "cut short");
    must(qn__file_write_atomic(path, bytes, 20, 0600));
    refused(s, QN_E_CORRUPT, "no prompt that was saved");
    must(qn__file_write_atomic(path, "GGUF", 4, 0600));
    refused(s, QN_E_CORRUPT, "no prompt that was saved");
    remove(path);
    refused(s, QN_E_IO, "No such file");
    free(bytes);
    free(t.ids);
    qn_session_destroy(s);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_loaded_prompt_is_as_one_that_was_read, 2},
        {files_of_something_else_are_refused, 1},
        {NULL, 0},
    };
    return fixture_run("session_file", NULL, open_model, close_model, cases);
}
