/* SPDX-License-Identifier: Apache-2.0
 *
 * quern tokenize: a text as the tokens of a model, and back. No device is used. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <quern/model.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *model, *text, *file;
    bool ids, json, count, no_bos, no_special, decode;
};

static const struct qn__option options[] = {
    QN__OPERAND(struct values, model, "MODEL",
                "a GGUF file, a safetensors file, or a model's folder"),
    QN__OPERAND_OPTIONAL(struct values, text, "TEXT", "the text; without it standard input"),
    QN__TEXT(struct values, file, 'f', "file", "FILE", "read the text there; - is stdin"),
    QN__FLAG(struct values, ids, 0, "ids", "print the numbers alone: [1, 15043]"),
    QN__FLAG(struct values, count, 0, "count", "print how many tokens there are"),
    QN__FLAG(struct values, json, 0, "json", "print JSON: the tokens with their texts"),
    QN__FLAG(struct values, no_bos, 0, "no-bos",
             "do not put the token in front that a text begins with"),
    QN__FLAG(struct values, no_special, 0, "no-parse-special",
             "special tokens written in the text (<|im_end|>) are text, as in a chat's messages"),
    QN__FLAG(struct values, decode, 0, "decode",
             "the text is numbers, as --ids prints them: print what they stand for"),
};

/* -- printing -- */

/* One line for a token's bytes: control characters and what is no UTF-8 as \n and \xff. */
static void print_piece(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        const unsigned char c = (unsigned char)bytes[i];
        const size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        json_t *valid = c >= 0xc2 && i + length <= n ? json_stringn(bytes + i, length) : NULL;
        if (c == '\n' || c == '\t' || c == '\r' || c == '\\')
            printf("\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : '\\');
        else if (valid || (c >= 0x20 && c < 0x7f))
            fwrite(bytes + i, 1, length, stdout);
        else
            printf("\\x%02x", c);
        i += valid ? length : 1;
        json_decref(valid);
    }
}

static json_t *piece_json(int32_t id, const char *bytes, size_t n)
{
    json_t *text = json_stringn(bytes, n), *hex = NULL;
    if (!text) { /* a part of a character */
        struct qn__str digits = {0};
        for (size_t i = 0; i < n; i++)
            qn__str_printf(&digits, "%02x", (unsigned)(unsigned char)bytes[i]);
        hex = json_string(digits.text ? digits.text : "");
        qn__str_release(&digits);
    }
    return json_pack("{s:I, s:o}", "id", (json_int_t)id, text ? "text" : "bytes",
                     text ? text : hex);
}

static int print_pieces(const struct values *v, const qn_model *m, const qn_tokens *tokens)
{
    json_t *list = v->json ? json_array() : NULL;
    for (uint32_t i = 0; i < tokens->n; i++) {
        char *bytes;
        size_t n;
        if (qn_model_token_text(&bytes, &n, m, tokens->ids[i]) != QN_OK) {
            json_decref(list);
            return qn__complain_status("token %" PRId32, tokens->ids[i]);
        }
        if (v->json) {
            json_array_append_new(list, piece_json(tokens->ids[i], bytes, n));
        } else {
            printf("%6" PRId32 " -> '", tokens->ids[i]);
            print_piece(bytes, n);
            puts("'");
        }
        free(bytes);
    }
    return v->json ? qn__json_print(
                         json_pack("{s:I, s:o}", "count", (json_int_t)tokens->n, "tokens", list))
                   : QN__EXIT_GOOD;
}

static int print_tokens(const struct values *v, const qn_model *m, const qn_tokens *tokens)
{
    if (v->count) {
        printf("%u\n", tokens->n);
        return QN__EXIT_GOOD;
    }
    if (!v->ids)
        return print_pieces(v, m, tokens);
    for (uint32_t i = 0; i < tokens->n; i++)
        printf("%s%" PRId32, i ? ", " : "[", tokens->ids[i]);
    printf("%s]\n", tokens->n ? "" : "[");
    return QN__EXIT_GOOD;
}

static int encode(const struct values *v, const qn_model *m, const char *text, size_t n)
{
    qn_tokens tokens;
    const unsigned flags =
        (v->no_bos ? 0u : QN_ENCODE_BOS) | (v->no_special ? 0u : QN_ENCODE_SPECIAL);
    if (qn_model_encode(&tokens, m, text, n, flags) != QN_OK)
        return qn__complain_status("%s", v->model);
    const int status = print_tokens(v, m, &tokens);
    free(tokens.ids);
    return status;
}

/* -- decoding -- */

/* The text of the next token; the first one of a text loses the space that some vocabularies put in
 * front. */
static qn_status add_token(struct qn__str *out, const qn_model *m, int32_t id, bool *is_first)
{
    char *written, *bytes = NULL;
    size_t n_written, n = 0;
    QN_TRY(qn_model_token_text(&written, &n_written, m, id));
    const qn_status s = *is_first ? qn_model_decode(&bytes, &n, m, &id, 1) : QN_OK;
    const bool is_special = *is_first && n == 0; /* it has no text of its own */
    if (s == QN_OK && *is_first && !is_special)
        qn__str_add_bytes(out, bytes, n);
    else if (s == QN_OK)
        qn__str_add_bytes(out, written, n_written);
    *is_first = *is_first && is_special;
    free(bytes);
    free(written);
    return s;
}

/* Numbers with anything of blanks, commas and brackets between them. */
static bool add_tokens(struct qn__str *out, const struct values *v, const qn_model *m,
                       const char *text)
{
    static const char between[] = " \t\r\n,[]";
    bool is_first = true;
    for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
        char *end;
        errno = 0;
        const long long id = strtoll(p, &end, 10);
        if (end == p || errno || id < 0 || id > INT32_MAX)
            return qn__complain(false, "'%.20s' is no token: --decode wants numbers", p);
        if (add_token(out, m, (int32_t)id, &is_first) != QN_OK) {
            qn__complain_status("%s", v->model);
            return false;
        }
        p = end;
    }
    return !out->failed || qn__complain(false, "no memory for the text");
}

static int decode(const struct values *v, const qn_model *m, const char *text)
{
    struct qn__str out = {0};
    int status = add_tokens(&out, v, m, text) ? QN__EXIT_GOOD : QN__EXIT_FAILED;
    const char *bytes = out.text ? out.text : "";
    if (status == QN__EXIT_GOOD && v->json)
        status = qn__json_print(json_pack("{s:o}", "text", qn__json_string(bytes)));
    else if (status == QN__EXIT_GOOD)
        fwrite(bytes, 1, out.len, stdout);
    qn__str_release(&out);
    return status;
}

static int run(const void *values)
{
    const struct values *v = values;
    qn_model *m;
    size_t n = 0;
    if (v->text && v->file)
        return qn__complain(QN__EXIT_USAGE, "tokenize: either TEXT or --file");
    if (v->ids + v->count + v->json > 1)
        return qn__complain(QN__EXIT_USAGE, "tokenize: one of --ids, --count and --json");
    if (v->decode && (v->ids || v->count))
        return qn__complain(QN__EXIT_USAGE,
                            "tokenize: --decode prints a text: no --ids, no --count");
    char *from_file = v->text ? NULL : qn__read_file(&n, v->file ? v->file : "-");
    if (!v->text && !from_file)
        return QN__EXIT_FAILED;
    int status = QN__EXIT_FAILED;
    if (qn_model_open(&m, v->model) != QN_OK) {
        qn__complain_status("model");
    } else {
        const char *text = v->text ? v->text : from_file;
        status = v->decode ? decode(v, m, text) : encode(v, m, text, v->text ? strlen(text) : n);
        qn_model_close(m);
    }
    free(from_file);
    return status;
}

const struct qn__command qn__cmd_tokenize = {
    .name = "tokenize",
    .brief = "show the tokens of a text, or the text of tokens",
    .about =
        "A line for each token: its number, and what it stands for, with line ends as \\n and "
        "parts of characters as \\x. The text is taken as it is: a line end at its end counts.",
    .sample = "tokenize model.gguf \"Once upon a time\"\n"
              "tokenize model.gguf --ids -f prompt.txt\n"
              "tokenize model.gguf --decode \"[1, 9038, 2501]\"",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
