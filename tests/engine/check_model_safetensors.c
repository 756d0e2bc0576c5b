/* SPDX-License-Identifier: Apache-2.0
 *
 * Models in safetensors: names and facts come out as GGUF's, a folder's vocabulary encodes as it
 * should, and every wrong number is refused by name.
 *
 * covers: engine/safetensors engine/hf_config engine/hf_names engine/hf_folder engine/hf_tokenizer
 * engine/hf_end_tokens engine/model_build */
#include "base/wire.h"
#include "engine/model_open.h"
#include "engine/tokenizer.h"
#include "tests/rtc_fixture.h"

#include <quern/model_data.h>

static const char llama_config[] =
    "{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_hidden_layers\": 1, "
    "\"num_attention_heads\": 2, \"num_key_value_heads\": 1, \"intermediate_size\": 16, "
    "\"max_position_embeddings\": 64, \"rms_norm_eps\": 1e-5, \"rope_theta\": 5000.0, "
    "\"vocab_size\": 4, \"hidden_act\": \"silu\"%s}";

/* A file of this header and n bytes of data, all 1. */
static const char *write_weights(const char *name, const char *header, size_t n)
{
    struct qn__str w = {0};
    unsigned char size[8];
    qn__put_u64(size, strlen(header));
    qn__str_add_bytes(&w, size, sizeof size);
    qn__str_add(&w, header);
    qn__str_add_repeat(&w, '\1', n);
    const char *path = in_scratch(name);
    must(qn__file_write_atomic(path, w.text, w.len, 0600));
    qn__str_release(&w);
    return path;
}

static void write_config(const char *format, const char *more)
{
    char text[4096];
    snprintf(text, sizeof text, format, more);
    write_text("config.json", text);
}

/* -- names -- */

static const struct {
    const char *family, *theirs, *ours;
    bool plus_one;
} names[] = {
    {"llama", "model.embed_tokens.weight", "token_embd.weight", false},
    {"llama", "model.norm.weight", "output_norm.weight", false},
    {"llama", "lm_head.weight", "output.weight", false},
    {"llama", "model.layers.0.input_layernorm.weight", "blk.0.attn_norm.weight", false},
    {"llama", "model.layers.31.self_attn.k_proj.weight", "blk.31.attn_k.weight", false},
    {"llama", "model.layers.3.post_attention_layernorm.weight", "blk.3.ffn_norm.weight", false},
    {"mistral", "model.layers.3.mlp.down_proj.weight", "blk.3.ffn_down.weight", false},
    {"mixtral", "model.layers.1.block_sparse_moe.gate.weight", "blk.1.ffn_gate_inp.weight", false},
    {"mixtral", "model.layers.1.block_sparse_moe.experts.7.w2.weight", "blk.1.ffn_down.7.weight",
     false},
    {"qwen2", "model.layers.2.self_attn.v_proj.bias", "blk.2.attn_v.bias", false},
    {"qwen3", "model.layers.2.self_attn.q_norm.weight", "blk.2.attn_q_norm.weight", false},
    {"gemma2", "model.layers.2.post_attention_layernorm.weight", "blk.2.post_attention_norm.weight",
     true},
    {"gemma2", "model.layers.2.pre_feedforward_layernorm.weight", "blk.2.ffn_norm.weight", true},
    {"gemma2", "model.layers.2.mlp.up_proj.weight", "blk.2.ffn_up.weight", false},
    {"gemma3_text", "model.layers.2.self_attn.k_norm.weight", "blk.2.attn_k_norm.weight", true},
    {"gemma3_text", "model.layers.2.post_feedforward_layernorm.weight",
     "blk.2.post_ffw_norm.weight", true},
    {"phi3", "model.layers.2.self_attn.qkv_proj.weight", "blk.2.attn_qkv.weight", false},
    {"gemma", "model.layers.2.post_attention_layernorm.weight", "blk.2.ffn_norm.weight", true},
    {"granite", "model.layers.2.mlp.up_proj.weight", "blk.2.ffn_up.weight", false},
    {"olmo2", "model.layers.2.post_attention_layernorm.weight", "blk.2.post_attention_norm.weight",
     false},
    {"qwen2_moe", "model.layers.2.mlp.shared_expert_gate.weight", "blk.2.ffn_gate_inp_shexp.weight",
     false},
    {"qwen3_moe", "model.layers.2.mlp.experts.5.down_proj.weight", "blk.2.ffn_down.5.weight",
     false},
    {"gpt_oss", "model.layers.2.self_attn.sinks", "blk.2.attn_sinks.weight", false},
    {"gpt_oss", "model.layers.2.mlp.router.bias", "blk.2.ffn_gate_inp.bias", false},
    {"gpt_oss", "model.layers.2.post_attention_layernorm.weight",
     "blk.2.post_attention_norm.weight", false},
    {"deepseek_v2", "model.layers.2.self_attn.kv_a_proj_with_mqa.weight",
     "blk.2.attn_kv_a_mqa.weight", false},
    {"deepseek_v2", "model.layers.2.mlp.shared_experts.up_proj.weight", "blk.2.ffn_up_shexp.weight",
     false},
    {"phi3", "model.layers.2.mlp.gate_up_proj.weight", "blk.2.ffn_up.weight", false},
};

START_TEST(a_tensor_has_the_name_it_has_in_gguf)
{
    char config[512], header[512];
    struct qn__model_file *f;
    snprintf(config, sizeof config,
             "{\"model_type\": \"%s\", \"hidden_size\": 8, \"num_attention_heads\": 2}",
             names[_i].family);
    write_text("config.json", config);
    snprintf(header, sizeof header,
             "{\"%s\":{\"dtype\":\"BF16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}     ",
             names[_i].theirs);
    header[strlen(header) - (strlen(header) + 8) % 2] = '\0'; /* data at an even address */
    must(qn__model_file_open(&f, write_weights("model.safetensors", header, 12)));
    ck_assert_uint_eq(qn__model_file_n_tensors(f), 1);
    const struct qn__tensor *t = qn__model_file_tensor(f, 0);
    ck_assert_str_eq(t->name, names[_i].ours);
    ck_assert_int_eq(t->plus_one, names[_i].plus_one);
    ck_assert_str_eq(t->format->name, "bf16");
    ck_assert(t->shape[0] == 2 && t->shape[1] == 3);
    qn__model_file_close(f);
}
END_TEST

/* -- config -- */

START_TEST(a_config_becomes_facts)
{
    struct qn__model_file *f;
    const char *text;
    uint32_t n;
    float x;
    bool yes;
    write_config(llama_config, ", \"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 8.0, "
                               "\"low_freq_factor\": 1.0, \"high_freq_factor\": 4.0, "
                               "\"original_max_position_embeddings\": 32}");
    write_weights("model.safetensors", "{}", 0);
    must(qn__model_file_open(&f, in_scratch(".")));
    must(qn__fact_text(&text, f, "general.architecture"));
    ck_assert_str_eq(text, "llama");
    static const struct {
        const char *key;
        uint32_t value;
    } numbers[] = {
        {"llama.embedding_length", 8},     {"llama.block_count", 1},
        {"llama.attention.head_count", 2}, {"llama.attention.head_count_kv", 1},
        {"llama.feed_forward_length", 16}, {"llama.context_length", 64},
        {"llama.attention.key_length", 4}, {"llama.rope.dimension_count", 4},
        {"llama.vocab_size", 4},           {"llama.rope.scaling.original_context_length", 32},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        must(qn__fact_u32(&n, f, numbers[i].key));
        ck_assert_msg(n == numbers[i].value, "%s is %u", numbers[i].key, n);
    }
    must(qn__fact_f32(&x, f, "llama.rope.freq_base"));
    ck_assert(x == 5000.0f);
    must(qn__fact_f32(&x, f, "llama.rope.scaling.high_freq_factor"));
    ck_assert(x == 4.0f);
    must(qn__fact_bool(&yes, f, "llama.rope.neox"));
    ck_assert(yes);
    qn__model_file_close(f);
}
END_TEST

/* What GGUF multiplies 1 + 0.1 ln 4 by. */
static const struct {
    const char *name, *more;
    float factor;
} yarns[] = {{"as usual", "", 0},
             {"a factor of its own", ", \"attention_factor\": 1.3", 1.14173f},
             {"from two numbers", ", \"mscale\": 0.7, \"mscale_all_dim\": 1.0", 0.84617f},
             {"from one, which counts for nothing", ", \"mscale\": 0.7", 0}};

START_TEST(yarn_brings_its_attention_factor)
{
    struct qn__model_file *f;
    char more[256];
    float x = 0;
    snprintf(more, sizeof more, ", \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4.0%s}",
             yarns[_i].more);
    write_config(llama_config, more);
    must(qn__model_file_open(&f, write_weights("model.safetensors", "{}", 0)));
    if (qn__fact_find(f, "llama.rope.scaling.attn_factor"))
        must(qn__fact_f32(&x, f, "llama.rope.scaling.attn_factor"));
    ck_assert_msg(x > yarns[_i].factor - 1e-4f && x < yarns[_i].factor + 1e-4f, "%s: %g",
                  yarns[_i].name, (double)x);
    qn__model_file_close(f);
}
END_TEST

START_TEST(longrope_brings_its_factors_as_tensors)
{
    struct qn__model_file *f;
    float x;
    write_text("config.json",
               "{\"model_type\": \"phi3\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
               "\"max_position_embeddings\": 4096, \"original_max_position_embeddings\": 1024, "
               "\"rope_scaling\": {\"type\": \"longrope\", \"long_factor\": [1.5, 2.5], "
               "\"short_factor\": [1.0, 1.25]}}");
    must(qn__model_file_open(&f, write_weights("model.safetensors", "{}", 0)));
    const struct qn__tensor *t = qn__model_file_find(f, "rope_factors_long.weight");
    ck_assert(t && t->n_dims == 1 && t->shape[0] == 2 && ((const float *)t->data)[1] == 2.5f);
    must(qn__fact_f32(&x, f, "phi3.rope.scaling.attn_factor")); /* sqrt(1 + ln 4 / ln 1024) */
    ck_assert(x > 1.0953f && x < 1.0955f);
    qn__model_file_close(f);
}
END_TEST

static const struct {
    const char *name, *config;
    qn_status status;
    const char *says;
} bad_configs[] = {
    {"no family", "{}", QN_E_UNSUPPORTED, "model_type ''"},
    {"another family", "{\"model_type\": \"bert\"}", QN_E_UNSUPPORTED, "bert"},
    {"no JSON", "{\"model_type\"\n", QN_E_CORRUPT, "config.json:2"},
    {"an array", "[1]", QN_E_CORRUPT, "no JSON object"},
    {"no width", "{\"model_type\": \"llama\"}", QN_E_CORRUPT, "hidden_size"},
    {"a negative width", "{\"model_type\": \"llama\", \"hidden_size\": -1}", QN_E_CORRUPT,
     "hidden_size"},
    {"no heads", "{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_attention_heads\": 0}",
     QN_E_CORRUPT, "num_attention_heads"},
    {"experts chosen among groups",
     "{\"model_type\": \"deepseek_v2\", \"topk_method\": \"group_limited_greedy\"}",
     QN_E_UNSUPPORTED, "topk_method"},
    {"a router with a sigmoid", "{\"model_type\": \"deepseek_v2\", \"scoring_func\": \"sigmoid\"}",
     QN_E_UNSUPPORTED, "scoring_func"},
    {"an eps that short vectors do not have",
     "{\"model_type\": \"deepseek_v2\", \"rms_norm_eps\": 1e-5}", QN_E_UNSUPPORTED, "rms_norm_eps"},
    {"another activation",
     "{\"model_type\": \"llama\", \"hidden_size\": 8, \"hidden_act\": \"relu\"}", QN_E_UNSUPPORTED,
     "relu"},
    {"other scaled positions",
     "{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
     "\"rope_scaling\": {\"type\": \"dynamic\", \"factor\": 2}}",
     QN_E_UNSUPPORTED, "dynamic"},
    {"positions that see what comes later",
     "{\"model_type\": \"gemma3_text\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
     "\"hidden_activation\": \"gelu_pytorch_tanh\", \"use_bidirectional_attention\": true}",
     QN_E_UNSUPPORTED, "writes no text"},
    {"a window for every layer but in none",
     "{\"model_type\": \"qwen2\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
     "\"num_hidden_layers\": 2, \"sliding_window\": 512, \"use_sliding_window\": false, "
     "\"layer_types\": [\"full_attention\", \"sliding_attention\"]}",
     QN_E_CORRUPT, "layer 1 is sliding_attention, but there is no sliding_window"},
};

START_TEST(a_config_that_cannot_be_is_refused)
{
    struct qn__model_file *f;
    write_text("config.json", bad_configs[_i].config);
    const qn_status s = qn__model_file_open(&f, write_weights("model.safetensors", "{}", 0));
    ck_assert_msg(s == bad_configs[_i].status, "%s: %s: %s", bad_configs[_i].name,
                  qn_status_name(s), qn_message());
    ck_assert_msg(strstr(qn_message(), bad_configs[_i].says) != NULL, "%s: %s",
                  bad_configs[_i].name, qn_message());
}
END_TEST

/* -- weights -- */

#define TENSOR(name, dtype, shape, offsets)                                                        \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
static const struct {
    const char *name, *header;
    qn_status status;
    const char *says;
} hostile[] = {
    {"no JSON", "{\"a\":", QN_E_CORRUPT, "header is no JSON object"},
    {"an array", "[]", QN_E_CORRUPT, "header is no JSON object"},
    {"one name twice",
     "{" TENSOR("lm_head.weight", "F32", "[1]", "[0,4]") "," TENSOR("lm_head.weight", "F32", "[1]",
                                                                    "[0,4]") "}",
     QN_E_CORRUPT, "duplicate"},
    {"a foreign name", "{" TENSOR("conv1.weight", "F32", "[1]", "[0,4]") "}", QN_E_UNSUPPORTED,
     "conv1.weight"},
    {"a layer of no number",
     "{" TENSOR("model.layers.x.mlp.up_proj.weight", "F32", "[1]", "[0,4]") "}", QN_E_UNSUPPORTED,
     "model.layers.x"},
    {"an unknown dtype", "{" TENSOR("lm_head.weight", "I64", "[1]", "[0,8]") "}", QN_E_UNSUPPORTED,
     "'lm_head.weight': dtype 'I64'"},
    {"no dtype", "{\"lm_head.weight\":{\"shape\":[1],\"data_offsets\":[0,4]}}", QN_E_CORRUPT,
     "dtype is missing"},
    {"no shape", "{\"lm_head.weight\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", QN_E_CORRUPT,
     "'lm_head.weight': shape is"},
    {"five axes", "{" TENSOR("lm_head.weight", "F32", "[1,1,1,1,1]", "[0,4]") "}", QN_E_CORRUPT,
     "shape"},
    {"a negative axis", "{" TENSOR("lm_head.weight", "F32", "[-1]", "[0,4]") "}", QN_E_CORRUPT,
     "shape"},
    {"a product that overflows",
     "{" TENSOR("lm_head.weight", "F32", "[4294967296,4294967296,4294967296]", "[0,4]") "}",
     QN_E_CORRUPT, "axis"},
    {"an end before the start", "{" TENSOR("lm_head.weight", "F32", "[1]", "[8,4]") "}",
     QN_E_CORRUPT, "'lm_head.weight': data_offsets"},
    {"an end behind the file", "{" TENSOR("lm_head.weight", "F32", "[9]", "[0,36]") "}",
     QN_E_CORRUPT, "32 bytes"},
    {"offsets that do not fit the shape", "{" TENSOR("lm_head.weight", "F32", "[2]", "[0,4]") "}",
     QN_E_CORRUPT, "its shape needs 8"},
    {"shared bytes",
     "{" TENSOR("lm_head.weight", "F32", "[2]", "[0,8]") "," TENSOR("model.norm.weight", "F32",
                                                                    "[2]", "[4,12]") "}",
     QN_E_CORRUPT, "lies inside"},
    {"an odd address", "{" TENSOR("lm_head.weight", "F32", "[1]", "[1,5]") "}", QN_E_UNSUPPORTED,
     "odd address"},
};

START_TEST(wrong_weights_are_refused_by_name)
{
    char header[1024];
    struct qn__model_file *f;
    write_config(llama_config, "");
    snprintf(header, sizeof header, "%s", hostile[_i].header);
    while (strlen(header) % 8)
        strcat(header, " ");
    const qn_status s = qn__model_file_open(&f, write_weights("model.safetensors", header, 32));
    ck_assert_msg(s == hostile[_i].status, "%s: %s: %s", hostile[_i].name, qn_status_name(s),
                  qn_message());
    ck_assert_msg(strstr(qn_message(), hostile[_i].says) != NULL, "%s: '%s' is not in: %s",
                  hostile[_i].name, hostile[_i].says, qn_message());
    says(qn_message(), "model.safetensors");
}
END_TEST

START_TEST(a_header_that_leaves_the_file_is_refused)
{
    struct qn__model_file *f;
    write_config(llama_config, "");
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, write_text("model.safetensors", "abc")));
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, write_text("model.safetensors",
                                                              "\xff\xff\xff\xff\xff\xff\xff")));
    must_not(QN_E_CORRUPT,
             qn__model_file_open(&f, write_text("model.safetensors", "zzzzzzzz{\"a\":1}")));
    says(qn_message(), "not a safetensors file");
    must(qn__model_file_open(&f, write_weights("model.safetensors", "{\"__metadata__\":{}}", 0)));
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_model_in_several_files_follows_its_index)
{
    static const char index[] = "{\"weight_map\":{\"model.norm.weight\":\"a.safetensors\","
                                "\"lm_head.weight\":\"b.safetensors\"}}";
    struct qn__model_file *f;
    write_config(llama_config, "");
    write_weights("a.safetensors", "{" TENSOR("model.norm.weight", "F16", "[2]", "[0,4]") "}  ", 4);
    write_text("model.safetensors.index.json", index);
    must_not(QN_E_IO, qn__model_file_open(&f, in_scratch(".")));
    says(qn_message(), "b.safetensors");
    write_weights("b.safetensors", "{" TENSOR("lm_head.weight", "F16", "[1,2]", "[0,4]") "}   ", 4);
    must(qn__model_file_open(&f, in_scratch("."))); /* the folder, or the index */
    ck_assert_uint_eq(qn__model_file_n_tensors(f), 2);
    qn__model_file_close(f);
    must(qn__model_file_open(&f, in_scratch("model.safetensors.index.json")));
    ck_assert_ptr_nonnull(qn__model_file_find(f, "output.weight"));
    qn__model_file_close(f);
    write_text("model.safetensors.index.json", "{\"weight_map\":{\"x\":\"../b.safetensors\"}}");
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, in_scratch(".")));
    says(qn_message(), "same folder");
}
END_TEST

/* -- to GGUF -- */

START_TEST(converting_brings_rows_and_experts_into_the_order_of_gguf)
{
    static const char header[] =
        "{" TENSOR("model.layers.0.self_attn.q_proj.weight", "F32", "[8,1]", "[0,32]") "," TENSOR(
            "model.layers.0.block_sparse_moe.experts.1.w1.weight", "F32", "[2,1]",
            "[32,40]") "," TENSOR("model.layers.0.block_sparse_moe.experts.0.w1.weight", "F32",
                                  "[2,1]", "[40,48]") "}        ";
    struct qn__str w = {0};
    unsigned char size[8];
    struct qn__model_file *f;
    const size_t n_header = strlen(header) / 8 * 8;
    qn__put_u64(size, n_header);
    qn__str_add_bytes(&w, size, sizeof size);
    qn__str_add_bytes(&w, header, n_header);
    for (uint32_t i = 0; i < 12; i++) {
        const float value = (float)i;
        qn__str_add_bytes(&w, &value, sizeof value);
    }
    must(qn__file_write_atomic(in_scratch("model.safetensors"), w.text, w.len, 0600));
    qn__str_release(&w);
    write_config(llama_config, ", \"num_local_experts\": 2, \"num_experts_per_tok\": 1");
    const char *out = in_scratch("out.gguf");
    must(qn_model_convert(out, in_scratch("."), "f32", 1));
    must(qn__model_file_open(&f, out));
    const float *q = qn__model_file_find(f, "blk.0.attn_q.weight")->data;
    static const float order[8] = {0, 2, 1, 3, 4, 6, 5, 7}; /* two heads of four */
    ck_assert_int_eq(memcmp(q, order, sizeof order), 0);
    const struct qn__tensor *gate = qn__model_file_find(f, "blk.0.ffn_gate_exps.weight");
    static const float experts[4] = {10, 11, 8, 9};
    ck_assert(gate && gate->n_dims == 3 && gate->shape[1] == 2 && gate->shape[2] == 2);
    ck_assert_int_eq(memcmp(gate->data, experts, sizeof experts), 0);
    ck_assert_uint_eq(qn__model_file_n_tensors(f), 2);
    ck_assert_ptr_null(qn__fact_find(f, "llama.rope.neox"));
    qn__model_file_close(f);
}
END_TEST

/* -- vocabularies -- */

/* One quote for every ' , so that JSON can be read here. */
static void write_json(const char *name, const char *text)
{
    char out[4096];
    snprintf(out, sizeof out, "%s", text);
    for (char *p = out; *p; p++)
        if (*p == '\'')
            *p = '"';
    write_text(name, out);
}

static const struct {
    const char *name, *tokenizer, *model, *text, *ids;
} vocabularies[] = {
    {"byte-level BPE",
     "{'pre_tokenizer':{'type':'ByteLevel','add_prefix_space':false,'use_regex':true},"
     "'added_tokens':[{'id':4,'content':'<|end|>','special':true}],"
     "'model':{'type':'BPE','vocab':{'a':0,'b':1,'ab':2,'\xc4\xa0':3},'merges':['a b']}}",
     "bpe", "ab a<|end|>", " 2 3 0 4"},
    {"SentencePiece's BPE, with spaces marked by the normaliser",
     "{'normalizer':{'type':'Sequence','normalizers':[{'type':'Prepend','prepend':'\xe2\x96\x81'},"
     "{'type':'Replace','pattern':{'String':' '},'content':'\xe2\x96\x81'}]},"
     "'added_tokens':[{'id':0,'content':'<unk>','special':true}],"
     "'model':{'type':'BPE','unk_token':'<unk>','byte_fallback':true,"
     "'vocab':{'<unk>':0,'\xe2\x96\x81':1,'a':2,'b':3,'ab':4,'bb':5,'<0x21>':6},"
     "'merges':[['b','b'],['a','b']]}}",
     "spm", "abb!", " 1 2 5 6"},
    {"SentencePiece's BPE behind Metaspace",
     "{'pre_tokenizer':{'type':'Metaspace','replacement':'\xe2\x96\x81','prepend_scheme':'never'},"
     "'model':{'type':'BPE','vocab':{'<unk>':0,'\xe2\x96\x81':1,'a':2,'b':3,'ab':4},"
     "'merges':['a b']}}",
     "spm", "ab a", " 4 1 2"},
#define METASPACE(scheme)                                                                          \
    "{'pre_tokenizer':{'type':'Metaspace','replacement':'\xe2\x96\x81','prepend_scheme':'" scheme  \
    "'},'added_tokens':[{'id':5,'content':'<s>','special':true}],"                                 \
    "'model':{'type':'BPE','vocab':{'<unk>':0,'\xe2\x96\x81':1,'a':2,'b':3,'ab':4},"               \
    "'merges':['a b']}}"
    {"a space in front of every part", METASPACE("always"), "spm", "ab<s>a", " 1 4 5 1 2"},
    {"but no second one", METASPACE("always"), "spm", " ab<s> a", " 1 4 5 1 2"},
    {"a space in front of the first part", METASPACE("first"), "spm", "ab<s>a", " 1 4 5 2"},
    {"but no second one there", METASPACE("first"), "spm", " ab<s> a", " 1 4 5 1 2"},
    {"none behind a special token", METASPACE("first"), "spm", "<s>a", " 5 2"},
    {"no space in front", METASPACE("never"), "spm", "ab<s>a", " 4 5 2"},
    {"unigram",
     "{'pre_tokenizer':{'type':'Metaspace','prepend_scheme':'always'},"
     "'model':{'type':'Unigram','unk_id':0,'vocab':[['<unk>',0],['\xe2\x96\x81',-1],['a',-2],"
     "['b',-2],['ab',-3]]}}",
     "unigram", "ab", " 1 4"},
};

START_TEST(a_tokenizer_json_encodes_as_it_says)
{
    struct qn__model_file *f;
    struct qn__tokenizer *t;
    struct qn__tokens tokens;
    char ids[256] = "";
    write_config(llama_config, "");
    write_json("tokenizer.json", vocabularies[_i].tokenizer);
    write_weights("model.safetensors", "{}", 0);
    must(qn__model_file_open(&f, in_scratch(".")));
    must(qn__tokenizer_create(&t, f));
    ck_assert_str_eq(qn__tokenizer_facts(t)->model, vocabularies[_i].model);
    must(qn__tokenizer_encode(&tokens, t, vocabularies[_i].text, strlen(vocabularies[_i].text),
                              QN__ENCODE_SPECIAL));
    for (uint32_t i = 0; i < tokens.n; i++)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), " %d", tokens.ids[i]);
    ck_assert_msg(!strcmp(ids, vocabularies[_i].ids), "%s: expected%s, got%s",
                  vocabularies[_i].name, vocabularies[_i].ids, ids);
    free(tokens.ids);
    qn__tokenizer_destroy(t);
    qn__model_file_close(f);
}
END_TEST

START_TEST(special_tokens_and_the_chat_template_are_found)
{
    struct qn__model_file *f;
    const char *text;
    uint32_t n;
    bool yes;
    write_config(llama_config, ", \"eos_token_id\": [2, 1], \"pad_token_id\": 3");
    write_text("generation_config.json", "{\"eos_token_id\": [1, 3, 999]}");
    write_json(
        "tokenizer.json",
        "{'pre_tokenizer':{'type':'ByteLevel','add_prefix_space':false},"
        "'post_processor':{'type':'TemplateProcessing','single':[{'SpecialToken':{'id':'<s>'}},"
        "{'Sequence':{'id':'A'}}]},"
        "'added_tokens':[{'id':1,'content':'<s>','special':true}],"
        "'model':{'type':'BPE','vocab':{'a':0},'merges':[]}}");
    write_json("tokenizer_config.json",
               "{'bos_token':{'content':'<s>'},'model_max_length':1000000000000000019884624838656,"
               "'chat_template':[{'name':'tools','template':'no'},"
               "{'name':'default','template':'<|im_start|>'}]}");
    write_weights("model.safetensors", "{}", 0);
    must(qn__model_file_open(&f, in_scratch(".")));
    must(qn__fact_u32(&n, f, "tokenizer.ggml.bos_token_id"));
    ck_assert_uint_eq(n, 1);
    must(qn__fact_u32(&n, f, "tokenizer.ggml.eos_token_id"));
    ck_assert_uint_eq(n, 2);
    must(qn__fact_bool(&yes, f, "tokenizer.ggml.add_bos_token"));
    ck_assert(yes);
    must(qn__fact_bool(&yes, f, "tokenizer.ggml.add_eos_token"));
    ck_assert(!yes);
    const struct qn__fact *ends = qn__fact_find(f, "tokenizer.quern.end_token_ids");
    ck_assert_ptr_nonnull(ends); /* config.json's two, then what generation_config.json adds */
    ck_assert_uint_eq(ends->value.array.n, 4);
    ck_assert_uint_eq(qn__fact_element(f, ends, 1).value.u64, 1);
    ck_assert_uint_eq(qn__fact_element(f, ends, 3).value.u64, 3);
    must(qn__fact_text(&text, f, "tokenizer.chat_template"));
    ck_assert_str_eq(text, "<|im_start|>");
    const struct qn__fact *tokens = qn__fact_find(f, "tokenizer.ggml.tokens");
    ck_assert_uint_eq(tokens->value.array.n, 4); /* filled up to vocab_size */
    ck_assert_str_eq(qn__fact_element(f, tokens, 3).value.text.bytes, "[PAD3]");
    qn__model_file_close(f);
    write_text("chat_template.jinja", "<|user|>"); /* the newer place goes before */
    must(qn__model_file_open(&f, in_scratch(".")));
    must(qn__fact_text(&text, f, "tokenizer.chat_template"));
    ck_assert_str_eq(text, "<|user|>");
    qn__model_file_close(f);
    ck_assert_int_eq(unlink(in_scratch("tokenizer_config.json")), 0);
    must(qn__model_file_open(&f, in_scratch(".")));
    must(qn__fact_text(&text, f, "tokenizer.chat_template"));
    ck_assert_str_eq(text, "<|user|>");
    qn__model_file_close(f);
    write_text("chat_template.jinja", "\xff");
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, in_scratch(".")));
    says(qn_message(), "chat_template.jinja: no UTF-8");
}
END_TEST

static const struct {
    const char *name, *tokenizer;
    qn_status status;
    const char *says;
} bad_tokenizers[] = {
    {"no model", "{}", QN_E_UNSUPPORTED, "the model ''"},
    {"another model", "{'model':{'type':'WordPiece'}}", QN_E_UNSUPPORTED, "WordPiece"},
    {"another normaliser", "{'normalizer':{'type':'Lowercase'},'model':{'type':'BPE'}}",
     QN_E_UNSUPPORTED, "Lowercase"},
    {"another way to cut", "{'pre_tokenizer':{'type':'Whitespace'},'model':{'type':'BPE'}}",
     QN_E_UNSUPPORTED, "pre-tokeniser"},
    {"no vocab", "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE'}}", QN_E_CORRUPT,
     "no vocab"},
    {"no merges", "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE','vocab':{'a':0}}}",
     QN_E_CORRUPT, "no merges"},
    {"a huge number",
     "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE','vocab':{'a':"
     "99999999999}}}",
     QN_E_CORRUPT, "'a' has no number"},
    {"a merge of three",
     "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE',"
     "'vocab':{'a':0},'merges':[['a','a','a']]}}",
     QN_E_CORRUPT, "merges[0]"},
    {"an empty merge",
     "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE','vocab':{'a':0},'merges':['']}}",
     QN_E_CORRUPT, "merges[0] is no pair"},
    {"a merge without its left half",
     "{'pre_tokenizer':{'type':'Metaspace'},'model':{'type':'BPE',"
     "'vocab':{'a':0,'aa':1},'merges':['a a',['','a']]}}",
     QN_E_CORRUPT, "merges[1] is no pair"},
};

START_TEST(a_tokenizer_json_that_cannot_be_is_refused)
{
    struct qn__model_file *f;
    write_config(llama_config, "");
    write_json("tokenizer.json", bad_tokenizers[_i].tokenizer);
    write_weights("model.safetensors", "{}", 0);
    const qn_status s = qn__model_file_open(&f, in_scratch("."));
    ck_assert_msg(s == bad_tokenizers[_i].status, "%s: %s: %s", bad_tokenizers[_i].name,
                  qn_status_name(s), s == QN_OK ? "" : qn_message());
    ck_assert_msg(strstr(qn_message(), bad_tokenizers[_i].says) != NULL, "%s: %s",
                  bad_tokenizers[_i].name, qn_message());
}
END_TEST

/* Four million tokens without a text took seconds and 250 MiB, to be refused behind them. */
START_TEST(a_number_far_above_the_embedding_is_refused_first)
{
    struct qn__model_file *f;
    write_config(llama_config, "");
    write_json("tokenizer.json",
               "{'pre_tokenizer':{'type':'ByteLevel'},'added_tokens':[{'id':4000000,"
               "'content':'<s>','special':true}],'model':{'type':'BPE','vocab':{'a':0},"
               "'merges':[]}}");
    write_weights("model.safetensors",
                  "{\"model.embed_tokens.weight\":{\"dtype\":\"F32\",\"shape\":[4,2],"
                  "\"data_offsets\":[0,32]}}       ",
                  32);
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, in_scratch(".")));
    says(qn_message(), "4000001 tokens");
    says(qn_message(), "the embedding has 4 rows");
}
END_TEST

#define LOOP(tcase, test, rows)                                                                    \
    tcase_add_loop_test(tcase, test, 0, (int)(sizeof(rows) / sizeof(rows)[0]))

int main(void)
{
    Suite *suite = suite_create("model_safetensors");
    TCase *host = tcase_create("host");
    tcase_add_checked_fixture(host, scratch_open, scratch_close);
    LOOP(host, a_tensor_has_the_name_it_has_in_gguf, names);
    tcase_add_test(host, a_config_becomes_facts);
    LOOP(host, yarn_brings_its_attention_factor, yarns);
    tcase_add_test(host, longrope_brings_its_factors_as_tensors);
    LOOP(host, a_config_that_cannot_be_is_refused, bad_configs);
    LOOP(host, wrong_weights_are_refused_by_name, hostile);
    tcase_add_test(host, a_header_that_leaves_the_file_is_refused);
    tcase_add_test(host, a_model_in_several_files_follows_its_index);
    tcase_add_test(host, converting_brings_rows_and_experts_into_the_order_of_gguf);
    LOOP(host, a_tokenizer_json_encodes_as_it_says, vocabularies);
    tcase_add_test(host, special_tokens_and_the_chat_template_are_found);
    tcase_add_test(host, a_number_far_above_the_embedding_is_refused_first);
    LOOP(host, a_tokenizer_json_that_cannot_be_is_refused, bad_tokenizers);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
