/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeds for the fuzzers of rtc/, tools/ and engine/: well-formed inputs, made by the code that
 * writes them, so that a fuzzer starts behind the first checks and a change of format changes its
 * seeds.
 *
 *     seeds FOLDER        FOLDER/fuzz_entry.seeds/..., FOLDER/fuzz_bundle.seeds/..., ... */
#include "base/file.h"
#include "base/wire.h"
#include "engine/session_file.h"
#include "rtc/cache/entry.h"
#include "rtc/cache/signed_entry.h"
#include "rtc/job/protocol.h"
#include "tools/logits_file.h"

#include <quern/bundle.h>
#include <quern/compile.h>
#include <quern/model_data.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *root;

static void must(qn_status s)
{
    if (s == QN_OK)
        return;
    fprintf(stderr, "seeds: %s\n", qn_message());
    exit(1);
}

static const char *place(const char *fuzzer, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.seeds", root, fuzzer);
    must(qn__file_make_dirs(path, 0755));
    snprintf(path, sizeof path, "%s/%s.seeds/%s", root, fuzzer, name);
    return path;
}

static void save(const char *fuzzer, const char *name, const void *bytes, size_t n)
{
    must(qn__file_write_atomic(place(fuzzer, name), bytes, n, 0666));
}

static void save_str(const char *fuzzer, const char *name, struct qn__str *s)
{
    must(qn__str_check(s));
    save(fuzzer, name, s->text, s->len);
    qn__str_release(s);
}

/* -- images -- */

static const qn_arg_info args[] = {{.name = "y", .type = "float *", .kind = QN_ARG_POINTER, 8, 8},
                                   {.name = "n", .type = "int", .kind = QN_ARG_VALUE, 4, 4}};
static const struct qn__kernel kernels[] = {{.info = {.name = "_Z5scaleIfEvPfi",
                                                      .expression = "scale<float>",
                                                      .args_known = true,
                                                      .n_args = 2,
                                                      .args = args,
                                                      .static_shared_bytes = 1024,
                                                      .block_threads_max = 256}},
                                            {.info = {.name = "plain", .expression = "plain"}}};

#define TEXT(text) (text), sizeof(text) - 1
static const struct {
    const char *name, *target;
    qn_image_kind kind;
    const char *payload;
    size_t n;
    uint32_t n_kernels;
    const char *shapes;
} images[] = {
    {"cubin", "cuda:sm_90a", QN_IMAGE_CUBIN, TEXT("\177ELF\2\1\1\0 a cubin's bytes"), 2, ""},
    {"ptx", "cuda:compute_80", QN_IMAGE_PTX,
     TEXT(".version 8.0\n.target sm_80\n.entry k() { ret; }\n"), 1, ""},
    {"code-object", "hip:gfx90a:sramecc+:xnack-", QN_IMAGE_HSACO, TEXT("\177ELF\2\1\1\100 code"), 2,
     ""},
    {"opencl-c", "opencl:portable", QN_IMAGE_OPENCL_C,
     TEXT("__kernel void plain(__global float *y) { *y = 1; }\n"), 2, ""},
    {"opencl-binary", "opencl:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
     QN_IMAGE_OPENCL_BINARY, TEXT("driver's own"), 1, "plain 64 1 1\nplain 8 8 1 wide\n"},
};
enum { N_IMAGES = sizeof images / sizeof images[0] };

static qn_image *make_image(int i)
{
    const struct qn__reflection reflection = {
        .n_kernels = images[i].n_kernels, .kernels = kernels, .build_options = "-cl-std=CL1.2"};
    struct qn__str wire = {0};
    char digit[65];
    qn_image *image;
    memset(digit, '0' + i, 64);
    digit[64] = 0;
    qn__reflection_encode(&wire, &reflection);
    must(qn__image_create(&image, images[i].target, "compiler 1.0", images[i].kind,
                          images[i].payload, images[i].n, wire.text, wire.len));
    must(qn__image_note(image, &(struct qn__image_notes){digit, digit, digit,
                                                         "source: k.cu 00\noption: -O3\n",
                                                         images[i].shapes}));
    qn__str_release(&wire);
    return image;
}

/* As a server has it. */
static void save_signed(const char *name, const struct qn__str *entry)
{
    static const struct qn__secret secret = {{1}};
    struct qn__str whole = {0}, file = {0};
    must(qn__signed_wrap(&whole, entry, &secret));
    qn__str_printf(&file, "%s-signed", name);
    save_str("fuzz_entry", file.text, &whole);
    qn__str_release(&whole);
    qn__str_release(&file);
}

static void save_entries(void)
{
    const struct qn__entry_log log = {"k.cu:1:1: warning: unused\n", "raw words"};
    for (int i = 0; i < N_IMAGES; i++) {
        struct qn__str entry = {0};
        qn_image *image = make_image(i);
        qn__entry_encode(&entry, image, i % 2 ? &log : NULL, QN__ENTRY_FOR_HERE);
        save_str("fuzz_entry", images[i].name, &entry);
        save_signed(images[i].name, &entry);
        save("fuzz_entry", images[i].target, images[i].payload, images[i].n); /* a bare file */
        qn_image_release(image);
    }
}

static void save_bundles(void)
{
    char secret[QN_BUNDLE_KEY_TEXT], public_[QN_BUNDLE_KEY_TEXT];
    qn_bundle_make_keys(secret, public_);
    const struct {
        const char *name, *secret;
        int n;
    } bundles[] = {
        {"empty", NULL, 0}, {"one", NULL, 1}, {"all", NULL, N_IMAGES}, {"signed", secret, 2}};
    for (size_t b = 0; b < sizeof bundles / sizeof bundles[0]; b++) {
        qn_bundle_writer *w;
        must(qn_bundle_writer_create(&w));
        for (int i = 0; i < bundles[b].n; i++) {
            qn_image *image = make_image(i);
            must(qn_bundle_writer_add_image(w, image));
            qn_image_release(image);
        }
        must(qn_bundle_writer_write(w, place("fuzz_bundle", bundles[b].name), bundles[b].secret));
        qn_bundle_writer_destroy(w);
    }
}

/* -- the helper's protocol -- */

static void save_jobs(void)
{
    static const struct qn__source_file files[] = {{"k.cu", TEXT("#include \"a.h\"\n")},
                                                   {"a.h", TEXT("int n;\n")}};
    static const char *const options[] = {"-std=c++17", "-DN=4"}, *const names[] = {"k<float>"};
    static const char *const targets[] = {"gfx90a", "gfx1100"}, *const paths[] = {"/lib/libLLVM"};
    const struct qn__job jobs[] = {{.kind = QN__JOB_IDENTITY, .compiler = "hiprtc", .arch = ""},
                                   {.kind = QN__JOB_COMPILE,
                                    .compiler = "translator",
                                    .arch = "portable",
                                    .files = files,
                                    .n_files = 2,
                                    .options = options,
                                    .n_options = 2,
                                    .names = names,
                                    .n_names = 1,
                                    .verbose = true}};
    const struct qn__job_result results[] = {
        {.compiler = "hiprtc 5.2.3",
         .where = "/usr/lib/libhiprtc.so",
         .targets = targets,
         .n_targets = 2,
         .files = paths,
         .n_files = 1,
         .reflection = {.build_options = ""}},
        {.compiler = "clang 19",
         .image_kind = QN_IMAGE_OPENCL_C,
         .bytes = images[3].payload,
         .n = images[3].n,
         .reflection = {.n_kernels = 2, .kernels = kernels, .build_options = "-cl-std=CL2.0"},
         .diagnostics = "k.cu:1:1: warning: x\n",
         .raw = "x",
         .reflect_json = "{}",
         .explain_json = "[]",
         .ms = 12.5},
        {.status = QN_E_COMPILE,
         .message = "k.cu:1:1: error: x",
         .compiler = "clang 19",
         .reflection = {.build_options = ""}}};
    char name[32];
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct qn__str w = {0};
        qn__job_encode(&w, &jobs[i]);
        snprintf(name, sizeof name, "job-%zu", i);
        save_str("fuzz_helper_protocol", name, &w);
    }
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        struct qn__str w = {0};
        qn__job_result_encode(&w, &results[i]);
        snprintf(name, sizeof name, "result-%zu", i);
        save_str("fuzz_helper_protocol", name, &w);
    }
    struct qn__str frame = {0};
    qn__frame_begin(&frame);
    qn__job_encode(&frame, &jobs[0]);
    qn__frame_end(&frame);
    save_str("fuzz_helper_protocol", "frame", &frame);
}

/* -- models -- */

static void save_models(void)
{
    static const char *const fuzzers[] = {"fuzz_gguf", "fuzz_tokenizer"};
    static const char *const types[] = {"f32", "q4_0", "q4_k_m"};
    static const char *const families[] = {"llama", "gemma3", "mixtral"};
    for (size_t f = 0; f < sizeof fuzzers / sizeof fuzzers[0]; f++)
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            must(qn_model_random(place(fuzzers[f], families[i]),
                                 &(qn_model_random_options){.type = types[i],
                                                            .family = families[i],
                                                            .dim = 32,
                                                            .n_heads = 2,
                                                            .n_kv_heads = 1,
                                                            .n_layers = 1,
                                                            .n_ffn = 32,
                                                            .n_vocab = 16,
                                                            .n_experts = i == 2 ? 2 : 0}));
}

/* -- texts -- */

static const struct {
    const char *fuzzer, *name, *text;
} texts[] = {
    {"fuzz_manifest", "manifest",
     "{\"version\": 1, \"kernels\": [{\"file\": \"a.cu\", \"names\": [\"k<float>\"], \"defines\": "
     "[\"N=4\"], \"options\": [\"-O1\"], \"includes\": [\"inc\"], \"targets\": [\"cuda:all\", "
     "\"opencl:native\"], \"launch\": [{\"kernel\": \"k<float>\", \"block\": [8, 8], \"grid\": 4, "
     "\"shared\": 256, \"wide\": true}]}, {\"path\": \"b.cu\", \"text\": \"int x;\", \"headers\": "
     "{\"b.h\": \"int y;\"}, \"targets\": [\"hip:gfx90a\"]}]}"},
    {"fuzz_manifest", "least", "{\"kernels\": [{\"file\": \"a.cu\"}]}"},
    {"fuzz_manifest", "record",
     "{\"source\": \"00\", \"targets\": [\"opencl:pocl3\"], \"path\": \"k.cu\", \"options\": "
     "[\"-std=c++17\"], \"names\": [], \"headers\": {\"a.h\": \"int a;\"}, \"text\": \"int b;\"}\n"
     "{\"source\": \"00\", \"launch\": [{\"kernel\": \"k\", \"block\": [8, 1, 1], \"wide\": "
     "true}]}\n"},
    {"fuzz_source", "includes",
     "#include \"a.h\"\n#  include <b/c.h> // x\n/* #include \"no.h\" */\n#define X \"a\\\n\"\n"
     "const char *s = R\"(#include \"no.h\")\";\n#include /* x */ \"a.h\"\n"},
    {"fuzz_source", "log",
     "k.cu(3): error: identifier \"x\" is undefined\n/tmp/x/k.cu:1:2: warning: y\n   1 | int\n"
     "     | ^\n1 error detected in the compilation of \"k.cu\".\n"},
    {"fuzz_tokenizer", "text", "a ab  aba\n\n\tIt's 1234, \xe2\x96\x81 \xf0\x9f\xa6\x99 \xff!"},
    {"fuzz_template", "turns",
     "{{- bos_token }}{%- for m in messages %}\n{% if loop.first and m.role == 'system' -%}\n"
     "{{ m['content'] | trim }}{% elif not m.content is none %}<|{{ m.role }}|>{{ m.content[1:-1] "
     "~ '\\n' }}{% else %}{{ m.tool_calls[0].function.arguments | tojson(indent=2) }}{% endif %}"
     "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"},
    {"fuzz_template", "sets",
     "{% set ns = namespace(a=[], i=0) %}{% for x in list|sort(reverse=true) if x > n %}{% set "
     "ns.i = ns.i + x * 2 // 3 %}{% set ns.a = ns.a + [x ** 2] %}{% if x == 2 %}{% break %}{% "
     "endif %}{% endfor %}{{ ns.a }}{{ '%5.2f|%s' % (ns.i, words|join(',')) }}"},
    {"fuzz_template", "macros",
     "{% macro f(a, b='x') %}{{ a|upper }}{{ caller() if caller else b.split('x', 1)|length }}{% "
     "endmacro %}{% call f('q') %}{# c #}{{ 1.5e3 }}{% endcall %}{{ f(*words) }}{% set t | trim "
     "%} a {% endset %}{% filter replace('a', 'b') %}{{ t }}{% endfilter %}{% raw %}{{{% endraw "
     "%}{% with z = {'a': (1,)} %}{{ z.items()|list }}{% endwith %}"},
    {"fuzz_template", "filters",
     "{{ messages|selectattr('role', 'in', ['user'])|map(attribute='content')|list }}{{ "
     "words|unique|map('title')|join }}{{ list|batch(2, 0)|list }}{{ 'a\\nb'|indent(2, true) }}{{ "
     "n|abs|string|int|float|round(1) }}{{ words|min ~ words|max ~ list|sum }}{{ "
     "messages[1].content.strip().splitlines()[::-1] }}{{ strftime_now('%Y') }}{{ range(3, 0, "
     "-1)|list|tojson }}{{ x|default('y', true)|replace('y', 'z')|safe + '<' }}"},
    {"fuzz_safetensors", "config",
     "{\"model_type\": \"phi3\", \"hidden_size\": 8, \"num_hidden_layers\": 1, "
     "\"num_attention_heads\": 2, \"num_key_value_heads\": 1, \"intermediate_size\": 16, "
     "\"vocab_size\": 4, \"rms_norm_eps\": 1e-5, \"hidden_act\": \"silu\", "
     "\"max_position_embeddings\": 4096, \"original_max_position_embeddings\": 1024, "
     "\"rope_scaling\": {\"type\": \"longrope\", \"long_factor\": [1.5, 2], "
     "\"short_factor\": [1, 1]}}"},
    {"fuzz_safetensors", "scaled",
     "{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
     "\"rope_parameters\": {\"rope_theta\": 5e5, \"rope_type\": \"llama3\", \"factor\": 8, "
     "\"low_freq_factor\": 1, \"high_freq_factor\": 4}}"},
    {"fuzz_safetensors", "bytes",
     "{\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": false}, "
     "\"added_tokens\": [{\"id\": 4, \"content\": \"<s>\", \"special\": true}], \"bos_token\": "
     "\"<s>\", \"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2, "
     "\"\u0120\": "
     "3}, \"merges\": [\"a b\"]}}"},
    {"fuzz_safetensors", "sentencepiece",
     "{\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Prepend\", "
     "\"prepend\": \"\u2581\"}, {\"type\": \"Replace\", \"content\": \"\u2581\"}]}, \"model\": "
     "{\"type\": \"BPE\", \"unk_token\": \"<unk>\", \"byte_fallback\": true, \"vocab\": "
     "{\"<unk>\": "
     "0, \"\u2581\": 1, \"a\": 2, \"b\": 3, \"ab\": 4, \"<0x21>\": 5}, \"merges\": [[\"a\", "
     "\"b\"]]}}"},
    {"fuzz_safetensors", "unigram",
     "{\"pre_tokenizer\": {\"type\": \"Metaspace\", \"prepend_scheme\": \"always\"}, \"model\": "
     "{\"type\": \"Unigram\", \"unk_id\": 0, \"vocab\": [[\"<unk>\", 0], [\"\u2581\", -1], [\"a\", "
     "-2], [\"ab\", -3]]}}"},
    {"fuzz_grammar", "all",
     "root ::= x \"-\" (x | [a-z\\x41^]{2,5})* # c\n"
     "x ::= y+ | \"(\" x \")\" | .?\n"
     "y ::= [^0-9\\u20AC] \"a\"{0,3}\n"},
    {"fuzz_json_schema", "all",
     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":-5,\"maximum\":"
     "99},"
     "\"b\":{\"items\":{\"$ref\":\"#/$defs/"
     "n\"},\"maxItems\":3},\"c\":{\"pattern\":\"^[A-Z]{2}\\\\d+"
     "(x|y)?$\"},\"d\":{\"enum\":[1,null]}},\"required\":[\"b\"],\"$defs\":{\"n\":{\"anyOf\":[{"
     "\"maxLength\":4},{\"allOf\":[{\"properties\":{\"q\":{}}}]},{\"format\":\"date\"}]}}}"},
};

/* A file of weights: an empty header would do for a start, but names are hard to guess. */
static void save_weights(void)
{
    static const char header[] =
        "{\"lm_head.weight\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"model.norm.weight\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[8,12]}}    ";
    struct qn__str w = {0};
    unsigned char size[8];
    qn__put_u64(size, sizeof header - 1);
    qn__str_add_bytes(&w, size, sizeof size);
    qn__str_add(&w, header);
    qn__str_add_repeat(&w, '\1', 12);
    save_str("fuzz_safetensors", "weights", &w);
}

/* -- distributions, sources -- */

static void save_logits(void)
{
    enum { CONTEXT = 6, VOCAB = 5, PIECES = 2 };
    static const int32_t tokens[PIECES * CONTEXT] = {1, 2, 3, 4, 0, 1, 1, 4, 4, 3, 2, 0};
    static const float logits[VOCAB] = {0.5f, -30.0f, 2.0f, 1.0f, -1.0f};
    struct qn__logits_file f;
    must(qn__logits_file_create(&f, place("fuzz_logits_file", "two"), CONTEXT, VOCAB, PIECES,
                                tokens));
    for (int i = 0; i < PIECES * (CONTEXT - 1 - CONTEXT / 2); i++)
        must(qn__logits_file_add(&f, logits));
    must(qn__logits_file_finish(&f));
    qn__logits_file_close(&f);
}

static void save_sources(void)
{
    static const char *const defines[] = {"N=4"}, *const names[] = {"a.h"};
    static const char *const header_texts[] = {"int a;\n"}, *const options[] = {"-std=c++17"};
    const qn_source sources[] = {{.text = "__global__ void k() {}\n", .path = "k.cu"},
                                 {.text = "#include \"a.h\"\n__global__ void k() {}\n",
                                  .path = "k.cu",
                                  .defines = defines,
                                  .n_defines = 1,
                                  .header_names = names,
                                  .header_texts = header_texts,
                                  .n_headers = 1,
                                  .options = options,
                                  .n_options = 1}};
    static const char *const file[] = {"plain", "whole"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        void *bytes;
        size_t n;
        must(qn_source_pack(&bytes, &n, &sources[i]));
        save("fuzz_source_pack", file[i], bytes, n);
        free(bytes);
    }
}

/* Of the session that the fuzzer has: two layers, one head, rows of four bytes. */
static void save_sessions(void)
{
    static const int32_t ids[] = {1, 999, 0, 42};
    const struct qn__session_head head = {
        .identity = {7}, .n_tokens = 4, .n_layers = 2, .n_kv_heads = 1, .row_bytes = 4};
    const uint64_t n = qn__session_file_bytes(&head);
    char *bytes = calloc(n, 1);
    if (!bytes)
        must(qn__fail(QN_E_MEMORY, "no memory for a prompt"));
    qn__session_file_seal(bytes, &head, ids);
    save("fuzz_session_file", "four", bytes, n);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: seeds FOLDER\n", stderr);
        return 2;
    }
    root = argv[1];
    save_entries();
    save_bundles();
    save_jobs();
    save_models();
    save_weights();
    save_logits();
    save_sources();
    save_sessions();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        save(texts[i].fuzzer, texts[i].name, texts[i].text, strlen(texts[i].text));
    return 0;
}
