/* SPDX-License-Identifier: Apache-2.0
 *
 * Chat templates: what each writes, by what it is recognised, and which conversations are refused.
 * The expected texts are what the models' own templates print, less the start token. */
#include "engine/chat.h"
#include "engine/model_open.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/rtc_fixture.h"

static const struct qn__chat_message talk[] = {
    {"system", "Be brief."}, {"user", " Hi! "}, {"assistant", "Hello."}, {"user", "Who?"}};

static struct qn__model_file *open_with(struct qn__str *w, const char *template_text)
{
    struct qn__model_file *f;
    gguf_head(w, 3, 0, template_text ? 4 : 3);
    gguf_fact_array(w, "tokenizer.ggml.tokens", GGUF_TEXT, 3);
    gguf_text(w, "<unk>");
    gguf_text(w, "<s>");
    gguf_text(w, "</s>");
    gguf_fact_number(w, "tokenizer.ggml.bos_token_id", GGUF_U32, 1, 4);
    gguf_fact_number(w, "tokenizer.ggml.eos_token_id", GGUF_U32, 2, 4);
    if (template_text)
        gguf_fact_text(w, "tokenizer.chat_template", template_text);
    must(qn__model_file_open_bytes(&f, w->text, w->len));
    return f;
}

static const struct {
    const char *name, *marks, *expected;
} cases[] = {
    {"chatml", "{% for m in messages %}{{'<|im_start|>' + m['role']",
     "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Hi! <|im_end|>\n"
     "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n"
     "<|im_start|>assistant\n"},
    {"llama3", "{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'",
     "<|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
     "<|start_header_id|>user<|end_header_id|>\n\nHi!<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
     "<|start_header_id|>user<|end_header_id|>\n\nWho?<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n"},
    {"gemma", "{{ '<start_of_turn>' + role",
     "<start_of_turn>user\nBe "
     "brief.\n\nHi!<end_of_turn>\n<start_of_turn>model\nHello.<end_of_turn>\n"
     "<start_of_turn>user\nWho?<end_of_turn>\n<start_of_turn>model\n"},
    {"phi3", "{{'<|user|>' + '\n' + message['content'] + '<|end|>'",
     "<|system|>\nBe brief.<|end|>\n<|user|>\n Hi! <|end|>\n<|assistant|>\nHello.<|end|>\n"
     "<|user|>\nWho?<|end|>\n<|assistant|>\n"},
    {"zephyr", "{{ '<|user|>\n' + message['content'] + eos_token }}",
     "<|system|>\nBe brief.</s>\n<|user|>\n Hi! </s>\n<|assistant|>\nHello.</s>\n"
     "<|user|>\nWho?</s>\n<|assistant|>\n"},
    {"llama2", "{{ '[INST] <<SYS>>' }}",
     "[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi! [/INST] Hello. </s><s>[INST] Who? [/INST]"},
    {"mistral", "{{ '[INST] ' + message['content'] + ' [/INST]' }}",
     "[INST] Be brief.\n\n Hi!  [/INST] Hello.</s>[INST] Who? [/INST]"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

START_TEST(a_template_is_recognised_and_writes_the_conversation)
{
    struct qn__str w = {0}, out = {0};
    struct qn__model_file *f = open_with(&w, cases[_i].marks);
    must(qn__chat_format(&out, f, talk, 4, NULL));
    ck_assert_msg(!strcmp(out.text, cases[_i].expected), "%s:\n%s\nis not\n%s", cases[_i].name,
                  out.text, cases[_i].expected);
    qn__str_clear(&out);
    must(qn__chat_format(&out, f, talk, 4, cases[_i].name)); /* the same by its name */
    ck_assert_str_eq(out.text, cases[_i].expected);
    qn__str_release(&out);
    qn__str_release(&w);
    qn__model_file_close(f);
}
END_TEST

static const struct {
    const char *name, *template_name;
    struct qn__chat_message messages[3];
    uint32_t n;
    const char *says;
} refused[] = {
    {"no message", "chatml", {{"user", ""}}, 0, "the user asks nothing"},
    {"an unknown role", "chatml", {{"tool", "x"}}, 1, "message 0: the role 'tool'"},
    {"a late system message", "chatml", {{"user", "x"}, {"system", "y"}}, 2, "message 1"},
    {"an answer as the last",
     "llama3",
     {{"user", "x"}, {"assistant", "y"}},
     2,
     "the user asks nothing"},
    {"two questions in a row", "gemma", {{"user", "x"}, {"user", "y"}}, 2, "take turns"},
    {"an answer first", "mistral", {{"assistant", "x"}, {"user", "y"}}, 2, "the user begins"},
    {"an answer after the system",
     "llama2",
     {{"system", "x"}, {"assistant", "y"}, {"user", "z"}},
     3,
     "message 1"},
    {"a system message alone", "gemma", {{"system", "x"}}, 1, "the user asks nothing"},
};

START_TEST(a_conversation_the_model_does_not_know_is_refused)
{
    struct qn__str w = {0}, out = {0};
    struct qn__model_file *f = open_with(&w, NULL);
    const qn_status s =
        qn__chat_format(&out, f, refused[_i].messages, refused[_i].n, refused[_i].template_name);
    ck_assert_msg(s == QN_E_INVALID, "%s: %s", refused[_i].name, qn_status_name(s));
    ck_assert_msg(strstr(qn_message(), refused[_i].says) != NULL, "%s: '%s' is not in: %s",
                  refused[_i].name, refused[_i].says, qn_message());
    qn__str_release(&out);
    qn__str_release(&w);
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_template_that_is_not_ours_is_refused_with_the_list)
{
    struct qn__str w = {0}, other = {0}, out = {0};
    struct qn__model_file *none = open_with(&w, NULL), *foreign = open_with(&other, "{{ raise }}");
    must_not(QN_E_UNSUPPORTED, qn__chat_format(&out, none, talk, 4, NULL));
    says(qn_message(), "chatml, llama3");
    must_not(QN_E_UNSUPPORTED, qn__chat_format(&out, foreign, talk, 4, NULL));
    says(qn_message(), "none that Quern knows");
    must_not(QN_E_UNSUPPORTED, qn__chat_format(&out, none, talk, 4, "vicuna"));
    says(qn_message(), "vicuna");
    qn__model_file_close(none);
    qn__model_file_close(foreign);
    qn__str_release(&w);
    qn__str_release(&other);
    qn__str_release(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chat");
    TCase *host = tcase_create("host");
    tcase_add_loop_test(host, a_template_is_recognised_and_writes_the_conversation, 0, CASES);
    tcase_add_loop_test(host, a_conversation_the_model_does_not_know_is_refused, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(host, a_template_that_is_not_ours_is_refused_with_the_list);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
