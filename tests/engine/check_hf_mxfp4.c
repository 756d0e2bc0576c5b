/* SPDX-License-Identifier: Apache-2.0
 *
 * Experts of gpt-oss in safetensors: blocks and scales become GGUF's blocks, rows of gate and up
 * that come by turns two tensors; what does not fit together is named.
 *
 * covers: engine/hf_mxfp4 engine/safetensors */
#include "base/wire.h"
#include "engine/model_open.h"
#include "tests/rtc_fixture.h"

#include <math.h>

enum { EXPERTS = 2, ROWS = 4, CODES = 16, DATA = 192 };

#define TENSOR(name, dtype, shape, offsets)                                                        \
    "\"model.layers.3." name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape                        \
    ",\"data_offsets\":" offsets "}"
#define BLOCKS      TENSOR("mlp.experts.gate_up_proj_blocks", "U8", "[2,4,1,16]", "[0,128]")
#define SCALES      TENSOR("mlp.experts.gate_up_proj_scales", "U8", "[2,4,1]", "[128,136]")
#define BIAS        TENSOR("mlp.experts.gate_up_proj_bias", "F32", "[2,4]", "[136,168]")
#define DOWN_BLOCKS TENSOR("mlp.experts.down_proj_blocks", "U8", "[1,1,1,16]", "[168,184]")
#define DOWN_BIAS   TENSOR("mlp.experts.down_proj_bias", "F32", "[1,1]", "[184,188]")
#define DOWN_SCALES TENSOR("mlp.experts.down_proj_scales", "U8", "[1,1,1]", "[188,189]")

static unsigned char data[DATA];

static void write_config(const char *more)
{
    char text[512];
    snprintf(text, sizeof text, "{\"model_type\": \"gpt_oss\", \"hidden_size\": 32%s}", more);
    write_text("config.json", text);
}

static qn_status open_weights(struct qn__model_file **f, const char *header)
{
    struct qn__str w = {0};
    unsigned char size[8];
    char padded[2048];
    snprintf(padded, sizeof padded, "%s", header);
    while (strlen(padded) % 8)
        strcat(padded, " ");
    qn__put_u64(size, strlen(padded));
    qn__str_add_bytes(&w, size, sizeof size);
    qn__str_add(&w, padded);
    for (int i = 0; i < DATA; i++)
        data[i] = (unsigned char)(i * 37 + 11);
    qn__str_add_bytes(&w, data, DATA);
    const char *path = in_scratch("model.safetensors");
    must(qn__file_write_atomic(path, w.text, w.len, 0600));
    qn__str_release(&w);
    return qn__model_file_open(f, path);
}

static const struct qn__tensor *find(const struct qn__model_file *f, const char *name)
{
    const struct qn__tensor *t = qn__model_file_find(f, name);
    ck_assert_msg(t != NULL, "%s", name);
    return t;
}

/* A number's value by the file's own order: two neighbours in a byte, e2m1 times a power of two. */
static float value_of(const unsigned char *blocks, unsigned char scale, int i)
{
    static const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    const int code = blocks[i / 2] >> i % 2 * 4 & 15;
    const float size = ldexpf(values[code & 7], scale - 127);
    return code & 8 ? -size : size;
}

START_TEST(experts_have_the_numbers_of_their_parts)
{
    struct qn__model_file *f;
    write_config(", \"quantization_config\": {\"quant_method\": \"mxfp4\"}");
    must(open_weights(&f, "{" DOWN_SCALES "," BIAS "," BLOCKS "," DOWN_BLOCKS "," SCALES
                          "," DOWN_BIAS "}"));
    ck_assert_uint_eq(qn__model_file_n_tensors(f), 6);
    for (int up = 0; up < 2; up++) {
        const struct qn__tensor *t =
            find(f, up ? "blk.3.ffn_up_exps.weight" : "blk.3.ffn_gate_exps.weight");
        const struct qn__tensor *bias =
            find(f, up ? "blk.3.ffn_up_exps.bias" : "blk.3.ffn_gate_exps.bias");
        ck_assert(t->n_dims == 3 && t->shape[0] == 32 && t->shape[1] == 2 && t->shape[2] == 2);
        ck_assert(bias->n_dims == 2 && bias->shape[0] == 2 && bias->shape[1] == 2);
        for (int row = 0; row < EXPERTS * ROWS / 2; row++) {
            const int theirs = row * 2 + up;
            float numbers[32];
            t->format->unpack(numbers, (const unsigned char *)t->data + row * 17, 32);
            for (int i = 0; i < 32; i++)
                ck_assert_msg(numbers[i] == value_of(data + theirs * CODES, data[128 + theirs], i),
                              "%d %d %d: %g", up, row, i, (double)numbers[i]);
            ck_assert_mem_eq((const char *)bias->data + row * 4, data + 136 + theirs * 4, 4);
        }
    }
    float numbers[32];
    const struct qn__tensor *down = find(f, "blk.3.ffn_down_exps.weight");
    down->format->unpack(numbers, down->data, 32);
    for (int i = 0; i < 32; i++)
        ck_assert(numbers[i] == value_of(data + 168, data[188], i));
    ck_assert_mem_eq(find(f, "blk.3.ffn_down_exps.bias")->data, data + 184, 4);
    qn__model_file_close(f);
}
END_TEST

static const struct {
    const char *header, *more;
    qn_status status;
    const char *says;
} bad[] = {
    {"{" BLOCKS "}", "", QN_E_CORRUPT, "ffn_gate_up_exps.blocks' has no scales"},
    {"{" SCALES "}", "", QN_E_CORRUPT, "ffn_gate_up_exps.scales' has no blocks"},
    {"{" BLOCKS "," TENSOR("mlp.experts.gate_up_proj_scales", "U8", "[4,2,1]", "[128,136]") "}", "",
     QN_E_CORRUPT, "(experts, rows, groups)"},
    {"{" SCALES "," TENSOR("mlp.experts.gate_up_proj_blocks", "U8", "[2,4,2,8]", "[0,128]") "}", "",
     QN_E_CORRUPT, "(experts, rows, groups, 16)"},
    {"{" TENSOR("mlp.experts.gate_up_proj_blocks", "U8", "[1,1,1,16]", "[0,16]") "," TENSOR(
         "mlp.experts.gate_up_proj_scales", "U8", "[1,1,1]", "[16,17]") "}",
     "", QN_E_CORRUPT, "1 rows of gate and up"},
    {"{" TENSOR("mlp.experts.gate_up_proj_blocks", "BF16", "[2,4,1,8]", "[0,128]") "}", "",
     QN_E_UNSUPPORTED, "scales are U8"},
    {"{" TENSOR("mlp.experts.gate_up_proj_bias", "U8", "[2,4]", "[0,8]") "}", "", QN_E_UNSUPPORTED,
     "'U8'"},
    {"{" TENSOR("mlp.experts.gate_up_proj_bias", "F32", "[8]", "[0,32]") "}", "", QN_E_CORRUPT,
     "1 axes"},
    {"{" TENSOR("mlp.experts.gate_up_proj_blocks", "U8", "[0,4,1,16]", "[0,0]") "}", "",
     QN_E_CORRUPT, "no size"},
    {"{" TENSOR("mlp.experts.gate_up_proj_blocks", "U8", "[2,4,1,16]", "[0,64]") "}", "",
     QN_E_CORRUPT, "its shape needs 128"},
    {"{" TENSOR("mlp.experts.gate_up_proj", "BF16", "[1,2,4]", "[0,16]") "}", "", QN_E_UNSUPPORTED,
     "_blocks and _scales"},
    {"{}", ", \"quantization_config\": {\"quant_method\": \"fp8\"}", QN_E_UNSUPPORTED, "'fp8'"},
    {"{}", ", \"swiglu_limit\": 8.0", QN_E_UNSUPPORTED, "swiglu_limit"},
};

START_TEST(what_does_not_fit_is_named)
{
    struct qn__model_file *f;
    write_config(bad[_i].more);
    const qn_status s = open_weights(&f, bad[_i].header);
    ck_assert_msg(s == bad[_i].status, "%d: %s: %s", _i, qn_status_name(s), qn_message());
    ck_assert_msg(strstr(qn_message(), bad[_i].says) != NULL, "%d: %s", _i, qn_message());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hf_mxfp4");
    TCase *host = tcase_create("host");
    tcase_add_checked_fixture(host, scratch_open, scratch_close);
    tcase_add_test(host, experts_have_the_numbers_of_their_parts);
    tcase_add_loop_test(host, what_does_not_fit_is_named, 0, (int)(sizeof bad / sizeof bad[0]));
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
