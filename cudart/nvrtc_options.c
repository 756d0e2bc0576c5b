/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of options that a program gives to NVRTC: the table nvrtc_options.def. */
#include "cudart/runtime_compiler.h"

#include <string.h>

enum form { ALONE, VALUE, JOINED };
enum action { OPTION, DEFINE, FOLDER, UNMARKED, NOTHING };
static const struct row {
    const char *name;
    enum form form;
    enum action action;
    const char *to;
} rows[] = {
#define QN_NVRTC_OPTION(name, form, action, to) {name, form, action, to},
#include "cudart/nvrtc_options.def"
#undef QN_NVRTC_OPTION
};

/* Does the row take the word? *value: what is joined to it; NULL: nothing, or it comes next. */
static bool fits(const struct row *r, const char *word, const char **value)
{
    const size_t n = strlen(r->name);
    *value = NULL;
    if (word[0] != '-')
        return false;
    word += word[1] == '-' ? 2 : 1;
    if (strncmp(word, r->name, n) != 0)
        return false;
    const char *rest = word + n;
    if (r->form == JOINED) {
        rest += strspn(rest, " ");
        *value = *rest ? rest : NULL;
        return true;
    }
    if (*rest == '=' && r->form == VALUE)
        *value = rest + 1;
    return *rest == 0 || *value;
}

bool qn__nvrtc_options_read(struct qn__nvrtc_words *out, struct qn__arena *arena, int n,
                            const char *const *options, const char **wrong)
{
    const size_t most = (size_t)n + 1;
    *out = (struct qn__nvrtc_words){.options = QN__ARENA_ARRAY(arena, const char *, most),
                                    .defines = QN__ARENA_ARRAY(arena, const char *, most),
                                    .folders = QN__ARENA_ARRAY(arena, const char *, most)};
    *wrong = "";
    if (!out->options || !out->defines || !out->folders)
        return false;
    for (int i = 0; i < n; i++) {
        const struct row *found = NULL;
        const char *value = NULL;
        *wrong = options[i] ? options[i] : "(null)";
        for (size_t r = 0; options[i] && r < sizeof rows / sizeof *rows && !found; r++)
            if (fits(&rows[r], options[i], &value))
                found = &rows[r];
        if (!found)
            return false;
        if (!value && found->form != ALONE) {
            if (i + 1 == n)
                return false;
            value = options[++i];
        }
        const char *const text = qn__arena_join(arena, found->to, value ? value : "");
        if (!text)
            return *wrong = "", false;
        switch (found->action) {
        case OPTION: out->options[out->n_options++] = text; break;
        case DEFINE: out->defines[out->n_defines++] = text; break;
        case FOLDER: out->folders[out->n_folders++] = text; break;
        case UNMARKED: out->unmarked_is_device = true; break;
        case NOTHING: break;
        }
    }
    return true;
}
