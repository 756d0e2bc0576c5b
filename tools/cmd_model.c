/* SPDX-License-Identifier: Apache-2.0
 *
 * quern model: what is in a model file, the same model in another format, and models of random
 * weights for measuring and testing. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <inttypes.h>
#include <quern/model_data.h>
#include <string.h>

enum { SHOWN_ELEMENTS = 6, SHOWN_TEXT = 60, SIZE_LIMIT = 1 << 20 };

struct values {
    const char *what, *file, *output, *type, *family, *preset, *vocabulary;
    uint64_t seed, threads, dim, layers, heads, kv_heads, head_dim, ffn, vocab, context, window,
        experts, experts_used;
    bool tied, json;
};

#define RANDOM .only = "random"
#define SIZE(member, name, help)                                                                   \
    QN__NUMBER(struct values, member, 0, name, 1, SIZE_LIMIT, 0, help, RANDOM)
static const struct qn__option options[] = {
    QN__OPERAND_CHOICE(struct values, what, "ls|convert|random", "ls|convert|random",
                       "ls: list facts and tensors; convert: write it as GGUF in another format; "
                       "random: write a model of random weights"),
    QN__OPERAND_OPTIONAL(struct values, file, "MODEL",
                         "a .gguf or .safetensors file, an index, or a folder (not for random)"),
    QN__TEXT(struct values, output, 'o', "output", "FILE", "file to write",
             .only = "convert|random"),
    QN__TEXT(struct values, type, 't', "type", "FORMAT",
             "format of the matrices: f32, f16, bf16, q8_0, q4_0, q4_k_m, ... (default f16)",
             .only = "convert|random"),
    QN__TEXT(struct values, preset, 0, "preset", "NAME",
             "the shape to start from: small (default), 134m, 1.1b, 7b", RANDOM),
    QN__TEXT(struct values, family, 0, "family", "NAME",
             "llama (default), mistral, mixtral, qwen2, qwen3, qwen2moe, "
             "qwen3moe, gemma, gemma2, gemma3, phi3, granite, olmo2, smollm3, deepseek2, gpt-oss",
             RANDOM),
    QN__TEXT(struct values, vocabulary, 0, "vocab", "MODEL", "take this model's vocabulary",
             RANDOM),
    QN__NUMBER(struct values, seed, 's', "seed", 0, UINT64_MAX, 0, "which weights", RANDOM),
    SIZE(dim, "dim", "width"),
    SIZE(layers, "layers", "layers"),
    SIZE(heads, "heads", "heads of queries"),
    SIZE(kv_heads, "kv-heads", "heads of keys and values"),
    SIZE(head_dim, "head-dim", "elements of a head"),
    SIZE(ffn, "ffn", "width of the feed-forward"),
    SIZE(vocab, "vocab-size", "tokens of a made-up vocabulary"),
    SIZE(context, "ctx", "positions the model says it was trained for"),
    SIZE(window, "window", "positions that attention looks back"),
    SIZE(experts, "experts", "experts of each layer"),
    SIZE(experts_used, "experts-used", "experts that each token takes"),
    QN__FLAG(struct values, tied, 0, "tied", "the embeddings are the head as well", RANDOM),
    QN__NUMBER(struct values, threads, 0, "threads", 0, 256, 0,
               "threads that write; 0: one per processor", .only = "convert|random"),
    QN__FLAG(struct values, json, 0, "json", "print JSON", .only = "ls"),
};

/* ---- ls ---- */

static json_t *value_json(const qn_model_file *f, uint32_t index, const qn_model_fact *fact)
{
    json_t *list;
    switch (fact->kind) {
    case QN_MODEL_FACT_U64: return json_integer((json_int_t)fact->u64);
    case QN_MODEL_FACT_I64: return json_integer((json_int_t)fact->i64);
    case QN_MODEL_FACT_F64: return qn__json_number(fact->f64);
    case QN_MODEL_FACT_BOOL: return json_boolean(fact->boolean);
    case QN_MODEL_FACT_TEXT: return qn__json_string(fact->text);
    case QN_MODEL_FACT_ARRAY: break;
    }
    list = json_array();
    for (uint64_t i = 0; i < fact->n; i++) {
        const qn_model_fact element = qn_model_file_get_element(f, index, i);
        json_array_append_new(list, value_json(f, index, &element));
    }
    return list;
}

static int list_json(const qn_model_file *f)
{
    json_t *facts = json_object(), *tensors = json_array();
    for (uint32_t i = 0; i < qn_model_file_count_facts(f); i++) {
        const qn_model_fact fact = qn_model_file_get_fact(f, i);
        json_object_set_new(facts, fact.key, value_json(f, i, &fact));
    }
    for (uint32_t i = 0; i < qn_model_file_count_tensors(f); i++) {
        const qn_model_tensor t = qn_model_file_get_tensor(f, i);
        json_t *shape = json_array();
        for (uint32_t axis = 0; axis < t.n_dims; axis++)
            json_array_append_new(shape, json_integer((json_int_t)t.shape[axis]));
        json_array_append_new(
            tensors, json_pack("{s:o, s:s, s:o, s:I}", "name", qn__json_string(t.name), "format",
                               t.format, "shape", shape, "size_bytes", (json_int_t)t.size_bytes));
    }
    return qn__json_print(json_pack("{s:I, s:o, s:o}", "size_bytes",
                                    (json_int_t)qn_model_file_get_bytes(f), "facts", facts,
                                    "tensors", tensors));
}

/* A text on one line, cut where it is long. */
static void print_text(const char *text, size_t n)
{
    putchar('"');
    for (size_t i = 0; i < n && i < SHOWN_TEXT; i++) {
        if (text[i] == '\n')
            printf("\\n");
        else
            putchar((unsigned char)text[i] < ' ' ? '?' : text[i]);
    }
    printf(n > SHOWN_TEXT ? "...\" (%zu bytes)" : "\"", n);
}

static void print_value(const qn_model_file *f, uint32_t index, const qn_model_fact *fact)
{
    switch (fact->kind) {
    case QN_MODEL_FACT_U64: printf("%" PRIu64, fact->u64); break;
    case QN_MODEL_FACT_I64: printf("%" PRId64, fact->i64); break;
    case QN_MODEL_FACT_F64: printf("%g", fact->f64); break;
    case QN_MODEL_FACT_BOOL: printf(fact->boolean ? "true" : "false"); break;
    case QN_MODEL_FACT_TEXT: print_text(fact->text, fact->text_bytes); break;
    case QN_MODEL_FACT_ARRAY:
        printf("[");
        for (uint64_t i = 0; i < fact->n && i < SHOWN_ELEMENTS; i++) {
            const qn_model_fact element = qn_model_file_get_element(f, index, i);
            printf(i ? ", " : "");
            print_value(f, index, &element);
        }
        printf(fact->n > SHOWN_ELEMENTS ? ", ...] (%" PRIu64 ")" : "]", fact->n);
        break;
    }
}

static int list_text(const qn_model_file *f)
{
    char size[QN__SIZE_TEXT];
    for (uint32_t i = 0; i < qn_model_file_count_facts(f); i++) {
        const qn_model_fact fact = qn_model_file_get_fact(f, i);
        printf("%-44s ", fact.key);
        print_value(f, i, &fact);
        putchar('\n');
    }
    for (uint32_t i = 0; i < qn_model_file_count_tensors(f); i++) {
        const qn_model_tensor t = qn_model_file_get_tensor(f, i);
        printf("%-36s %-6s %9s  (", t.name, t.format, qn__size_text(size, t.size_bytes));
        for (uint32_t axis = t.n_dims; axis-- > 0;)
            printf("%" PRIu64 "%s", t.shape[axis], axis ? ", " : ")\n");
    }
    printf("%u tensors, %s\n", qn_model_file_count_tensors(f),
           qn__size_text(size, qn_model_file_get_bytes(f)));
    return QN__EXIT_GOOD;
}

static void show_warnings(const struct values *v, const qn_model_file *f)
{
    for (uint32_t i = 0; i < qn_model_file_count_warnings(f); i++)
        qn__complain(0, "%s: %s", v->file, qn_model_file_get_warning(f, i));
}

static int list(const struct values *v)
{
    qn_model_file *f;
    if (qn_model_file_open(&f, v->file) != QN_OK)
        return qn__complain_status("model ls");
    const int status = v->json ? list_json(f) : list_text(f);
    show_warnings(v, f);
    qn_model_file_close(f);
    return status;
}

/* ---- making ---- */

static int convert(const struct values *v)
{
    qn_model_file *f;
    if (qn_model_file_open(&f, v->file) != QN_OK)
        return qn__complain_status("model convert");
    show_warnings(v, f);
    qn_model_file_close(f);
    if (qn_model_convert(v->output, v->file, v->type ? v->type : "f16", (uint32_t)v->threads) !=
        QN_OK)
        return qn__complain_status("model convert");
    return QN__EXIT_GOOD;
}

static int make_random(const struct values *v)
{
    const qn_model_random_options o = {
        .preset = v->preset,
        .family = v->family,
        .type = v->type,
        .vocabulary = v->vocabulary,
        .seed = v->seed,
        .dim = (uint32_t)v->dim,
        .n_layers = (uint32_t)v->layers,
        .n_heads = (uint32_t)v->heads,
        .n_kv_heads = (uint32_t)v->kv_heads,
        .head_dim = (uint32_t)v->head_dim,
        .n_ffn = (uint32_t)v->ffn,
        .n_vocab = (uint32_t)v->vocab,
        .context = (uint32_t)v->context,
        .window = (uint32_t)v->window,
        .n_experts = (uint32_t)v->experts,
        .n_experts_used = (uint32_t)v->experts_used,
        .tied_head = v->tied,
        .n_threads = (uint32_t)v->threads,
    };
    if (qn_model_random(v->output, &o) != QN_OK)
        return qn__complain_status("model random");
    return QN__EXIT_GOOD;
}

static int run(const void *values)
{
    const struct values *v = values;
    const bool random = !strcmp(v->what, "random");
    if (random && v->file)
        return qn__complain(QN__EXIT_USAGE,
                            "model random: reads no model ('%s'); -o names the file", v->file);
    if (!random && !v->file)
        return qn__complain(QN__EXIT_USAGE, "model %s: which model?", v->what);
    if (!strcmp(v->what, "ls"))
        return list(v);
    if (!v->output)
        return qn__complain(QN__EXIT_USAGE, "model %s: where to? (add -o FILE)", v->what);
    if (random)
        return make_random(v);
    return convert(v);
}

const struct qn__command qn__cmd_model = {
    .name = "model",
    .brief = "list model files, convert them, make random ones",
    .about =
        "GGUF files (versions 2 and 3, split ones by the first) and safetensors (a file, an index, "
        "or a folder with config.json) are listed under GGUF's names. convert quantises f32, f16 "
        "and bf16; q4_k_m is the usual mixture of q4_k and q6_k. Where a row is no whole number of "
        "blocks, the next best format with smaller blocks is taken, and vectors stay f32: ls shows "
        "what became of each tensor. random writes the same file for the same options anywhere.",
    .sample = "model ls model.gguf\n"
              "model convert model.gguf -t q8_0 -o model-q8_0.gguf\n"
              "model random --preset 7b -t q4_k_m -o 7b.gguf\n"
              "model random --family gemma2 --dim 64 --layers 4 --head-dim 32 -o tiny.gguf",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
