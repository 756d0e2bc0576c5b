/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of pre-tokenisers. */
#include "engine/pretokenizer_rules.h"

#include <stddef.h>
#include <string.h>

#define SHORT_FORMS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define SPACES      "\\s+(?!\\S)|\\s+"
/* what most of them end with: punctuation, ends of lines, white space */
#define ENDS       " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" SPACES
#define SLASH_ENDS " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|" SPACES

#define GPT_2           "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|" SPACES
#define LLAMA_3(number) SHORT_FORMS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" number "|" ENDS

/* words that begin with large letters and go on with small ones */
#define UPPER         "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER         "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define FRONT         "[^\\r\\n\\p{L}\\p{N}]?"
#define CASES(ending) FRONT UPPER "*" LOWER "+" ending "|" FRONT UPPER "+" LOWER "*" ending
#define GPT_4O        CASES(SHORT_FORMS "?") "|\\p{N}{1,3}|" SLASH_ENDS

#define CHINESE_JAPANESE "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
#define SIGN_AND_WORD    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
#define DEEPSEEK_3                                                                                 \
    SIGN_AND_WORD "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|"       \
                  "\\s*[\\r\\n]+|" SPACES
/* letters of alphabets that have two cases */
#define DEEPSEEK_LETTERS                                                                           \
    "\\s?[A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-"    \
    "\u02af\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-"           \
    "\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-"  \
    "\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-"  \
    "\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-"          \
    "\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-"         \
    "\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-"                       \
    "\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-"                 \
    "\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-"           \
    "\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-"  \
    "\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-"        \
    "\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-"         \
    "\U0001e943]+"

/* Chinese characters by themselves, other words as GPT-4o has them. PCRE2 has no set without
 * another, so what is in neither is named. */
#define NO_HAN_UPPER "[^\\p{Han}\\p{Ll}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}]"
#define NO_HAN_LOWER "[^\\p{Han}\\p{Lu}\\p{Lt}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}]"
#define KIMI(upper, lower)                                                                         \
    "[\\p{Han}]+|" FRONT upper "*" lower "+" SHORT_FORMS "?|" FRONT upper "+" lower                \
    "*" SHORT_FORMS "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" SPACES
#define SET_WITHOUT_HAN(set) "[" set "&&[^\\p{Han}]]"

#define EXAONE_ENDS "\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]?|\\s*[\\r\\n]|" SPACES

/* a character of a word, to the library that tokenizers cuts with */
#define ONIGURUMA_WORD                                                                             \
    "[\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}\\x{24b6}-\\x{24e9}"    \
    "\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}]"

/* Digits by threes from the right. Once the first cut is known the others follow (\G): the
 * published expressions look at the rest of the digits at each. */
#define IN_THREES(digit, not_behind)                                                               \
    "(?<!" digit ")" digit "{1,3}(?=(?:" digit "{3})*+(?!" not_behind "))|\\G(?<=" digit ")" digit \
    "{3}"

const struct qn__pretokenizer_rules qn__pretokenizer_rules[] = {
    {.names = "gpt-2 phi-2 olmo mpt jais trillion granite-docling exaone4 gigachat a.x-4.0 mellum "
              "modern-bert jina-es jina-de jina-v2-es jina-v2-de",
     .expressions = {GPT_2}},
    {.names = "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
     .expressions = {LLAMA_3("\\p{N}{1,3}")},
     .takes_words = true,
     .adds_bos = true},
    {.names = "dbrx smaug-bpe chatglm-bpe", .expressions = {LLAMA_3("\\p{N}{1,3}")}},
    {.names = "glm4 glm5", .expressions = {LLAMA_3("\\p{N}{1,3}")}, .takes_words = true},
    {.names = "qwen2 deepseek-r1-qwen stablelm2 megrez kormo f2llmv2 hunyuan solar-open grok-2",
     .expressions = {LLAMA_3("\\p{N}")}},
    {.names = "qwen35",
     .expressions = {SHORT_FORMS "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| "
                                 "?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" SPACES}},
    {.names = "falcon", .expressions = {"[\\p{P}$+<=>^~|`]+", GPT_2, "[0-9][0-9][0-9]"}},
    {.names = "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2",
     .expressions = {"\\p{N}", GPT_2}},
    {.names = "gpt-4o llama4 kanana2 talkie minimax-m2", .expressions = {GPT_4O}},
    {.names = "granite-embed-multi-97m", .expressions = {GPT_4O}, .takes_words = true},
    {.names = "tiny_aya cohere2moe", /* \b: other characters are words there */
     .expressions = {"\\d{1,3}(?=(?:\\d{3})*\\b)", GPT_4O},
     .instead = {IN_THREES("\\d", ONIGURUMA_WORD)}},
    {.names = "tekken",
     .expressions = {CASES("") "|\\p{N}|" SLASH_ENDS},
     .takes_words = true,
     .adds_bos = true},
    {.names = "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
     .expressions = {"\\p{N}{1,3}", CHINESE_JAPANESE, DEEPSEEK_3}},
    {.names = "spark2_5",
     .expressions = {"\\p{N}{1,3}", CHINESE_JAPANESE,
                     SIGN_AND_WORD "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
                                   "?[\\p{P}\\p{S}]+|[\\r\\n]|" SPACES,
                     "\\p{N}"}},
    {.names = "deepseek-llm",
     .expressions = {"[\\r\\n]", DEEPSEEK_LETTERS,
                     "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+", "\\s+$",
                     "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", "\\p{N}+"}},
    {.names = "deepseek-coder",
     .expressions = {"[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+",
                     "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", "\\p{N}"}},
    {.names = "youtu",
     .expressions = {"[\uac00-\ud7a3\u3131-\u318e]+|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014"
                     "\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]+|[\u3105-\u312f]+|"
                     "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                     CASES(SHORT_FORMS "?") "|\\p{N}|" SLASH_ENDS},
     .takes_words = true},
    {.names = "afmoe",
     .expressions = {"\\p{N}{1,3}(?=(?:\\p{N}{3})*+(?!\\p{N}))",
                     "[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u309f\u30a0-\u30ff"
                     "\uff65-\uff9f\u2f00-\u2fdf\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff"
                     "\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+",
                     DEEPSEEK_3},
     .instead = {IN_THREES("\\p{N}", "\\p{N}")}},
    {.names = "poro-chat bloom gpt3-finnish",
     .expressions = {" ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"},
     .instead = {" ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"}},
    {.names = "viking",
     .expressions = {" ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+", "\\p{N}"},
     .instead = {" ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"}},
    {.names = "chameleon",
     .expressions = {"<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
                     "([\\t\\n]|    |  )", "\\p{N}", "[\\p{P}!-/:-@\\[-`{-~]", GPT_2},
     .adds_bos = true},
    {.names = "jais-2",
     .expressions = {SHORT_FORMS
                     "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|"
                     "\\s*[\\r\\n]+|\\s{512}(?!\\S)|\\s{256}(?!\\S)|\\s{128}(?!\\S)|\\s{64}(?!\\S)|"
                     "\\s{32}(?!\\S)|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|"
                     "\\s{1}"}},
    {.names = "kimi-k2",
     .expressions = {KIMI(SET_WITHOUT_HAN("\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}"),
                          SET_WITHOUT_HAN("\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}"))},
     .instead = {KIMI(NO_HAN_UPPER, NO_HAN_LOWER)}},
    {.names = "superbpe",
     .expressions = {"\\p{N}+", "(?=(\\d{3})+(?!\\d))"},
     .instead = {NULL, "(?=(?:\\d{3})++(?!\\d))"}},
    {.names = "bailingmoe bailingmoe2 llada-moe",
     .expressions = {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| "
                     "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|" SPACES}},
    {.names = "seed-coder",
     .expressions = {SHORT_FORMS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| "
                                 "?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|" SPACES}},
    {.names = "ufakzeka", .expressions = {"[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|" ENDS}},
    {.names = "laguna", .expressions = {"[^\\n]+|[\\n]+", LLAMA_3("\\p{N}")}},
    {.names = "exaone-moe",
     .expressions = {SHORT_FORMS "|" FRONT "(?:\\p{L}\\p{M}*(?: \\p{L}\\p{M}*)*)+|" EXAONE_ENDS},
     .instead = {SHORT_FORMS "|" FRONT "\\p{L}(?:[\\p{L}\\p{M}]++| \\p{L})*+|" EXAONE_ENDS}},
    {.names = "minicpm5", .expressions = {"\\p{N}{1,3}", LLAMA_3("\\p{N}+")}, .takes_words = true},
    {.names = "default", .expressions = {"[\\p{P}$+<=>^~|]+", GPT_2, "\\p{N}+", "[0-9][0-9][0-9]"}},
};
const uint32_t qn__n_pretokenizer_rules =
    sizeof qn__pretokenizer_rules / sizeof qn__pretokenizer_rules[0];

const struct qn__pretokenizer_rules *qn__pretokenizer_rules_find(const char *name)
{
    const size_t n = strlen(name);
    for (uint32_t i = 0; n && i < qn__n_pretokenizer_rules; i++)
        for (const char *p = qn__pretokenizer_rules[i].names; *p; p += *p == ' ') {
            const size_t length = strcspn(p, " ");
            if (length == n && !memcmp(p, name, n))
                return &qn__pretokenizer_rules[i];
            p += length;
        }
    return NULL;
}

/* The same expression, where one may have line ends as they are and the other as \r and \n? */
static bool is_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (*a == *b)
            continue;
        if (*a != '\\' || (a[1] != 'r' && a[1] != 'n') || *b != (a[1] == 'r' ? '\r' : '\n'))
            return false;
        a++;
    }
    return *a == *b;
}

const struct qn__pretokenizer_rules *qn__pretokenizer_rules_match(const char *const *expressions,
                                                                  uint32_t n, bool takes_words)
{
    for (uint32_t i = 0; i < qn__n_pretokenizer_rules; i++) {
        const struct qn__pretokenizer_rules *r = &qn__pretokenizer_rules[i];
        uint32_t same = 0;
        while (same < n && same < QN__EXPRESSIONS_MAX && r->expressions[same] &&
               is_same(r->expressions[same], expressions[same]))
            same++;
        const bool is_whole = same == n && (n == QN__EXPRESSIONS_MAX ||
                                            (n < QN__EXPRESSIONS_MAX && !r->expressions[n]));
        if (is_whole && n > 0 && r->takes_words == takes_words)
            return r;
    }
    return NULL;
}
