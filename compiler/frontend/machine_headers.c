/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's own headers, where a translation read them: their names go with the result, since
 * it depends on what they hold. */
#include "compiler/frontend/machine_headers.h"

#include "base/embedded.h"
#include "base/file.h"
#include "base/wire.h"
#include "compiler/frontend/command_line.h"
#include "compiler/frontend/header_selection.h"
#include "compiler/frontend/search_folders.h"

#include <stdlib.h>
#include <string.h>

/* Neither one of CUDA's, which ours stand in for, nor the source's own. */
static bool is_of_machine(struct qn__unit *u, const char *name, size_t n)
{
    for (const struct qn__embedded *e = qn__standin_headers; e->name; e++)
        if (strlen(e->name) == n && memcmp(e->name, name, n) == 0)
            return false;
    for (uint32_t i = 0; i < u->request->n_files; i++)
        if (strlen(u->request->files[i].name) == n &&
            memcmp(u->request->files[i].name, name, n) == 0)
            return false;
    return true;
}

bool qn__includes_library(struct qn__unit *u)
{
    static const char word[] = "include";
    for (uint32_t i = 0; i < u->request->n_files; i++)
        for (const char *p = u->request->files[i].text; (p = strstr(p, word)) != NULL; p++) {
            const char *const open = p + sizeof word - 1 + strspn(p + sizeof word - 1, " \t");
            const char *const ends = *open == '<' ? ">\n" : "\"\n";
            const char *const close = *open == '<' || *open == '"' ? strpbrk(open + 1, ends) : NULL;
            if (close && *close == *ends && is_of_machine(u, open + 1, (size_t)(close - open) - 1))
                return true;
        }
    return false;
}

/* The next name of a list as make reads it: blanks in names follow a backslash, as does the end of
 * a line. NULL at the end. */
static char *next_name(char **list)
{
    char *p = *list + strspn(*list, " \n"), *out;
    while (p[0] == '\\' && p[1] == '\n') {
        p += 2;
        p += strspn(p, " \n");
    }
    if (!*p)
        return NULL;
    char *const name = out = p;
    for (; *p && *p != ' ' && *p != '\n'; p++) {
        if (*p == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\'))
            p++;
        else if (*p == '$' && p[1] == '$')
            p++;
        *out++ = *p;
    }
    *list = *p ? p + 1 : p;
    *out = 0;
    return name;
}

static qn_status read_list(struct qn__unit *u, const char *temp)
{
    enum { LIMIT = 16 << 20 };
    char *text = NULL;
    size_t n, n_temp = strlen(temp);
    const char **headers = NULL;
    uint32_t n_headers = 0, capacity = 0;
    for (uint32_t i = 0; i < u->result->machine.n_headers; i++) /* of files before this one */
        QN__PUSH(u, headers, n_headers, capacity, u->result->machine.headers[i]);
    QN_TRY(qn__file_read(&text, &n, qn__text(u, "%s/" QN__FILES_READ, temp), LIMIT));
    char *list = strstr(text, ": ");
    list = list ? list + 2 : text + n;
    for (char *name; (name = next_name(&list)) != NULL;)
        if ((strncmp(name, temp, n_temp) != 0 || name[n_temp] != '/') &&
            !qn__is_listed(headers, n_headers, name))
            QN__PUSH(u, headers, n_headers, capacity, qn__arena_strdup(u->arena, name));
    free(text);
    u->result->machine.headers = headers;
    u->result->machine.n_headers = n_headers;
    return QN_OK;
}

qn_status qn__machine_headers(struct qn__unit *u, const char *clang, const char *temp,
                              bool was_read)
{
    QN_TRY(qn__search_folders(&u->result->machine, u->arena, clang, temp));
    return was_read ? read_list(u, temp) : QN_OK;
}

void qn__machine_headers_note(struct qn__unit *u, const char *reason, const char *where)
{
    qn__str_printf(&u->diagnostics,
                   "%s: warning: read with the machine's own C++ headers, on which the result now "
                   "depends: Quern's do not suffice (%s) " QN__TRANSLATION_MARK "\n",
                   *where ? where : u->request->files[0].name, reason);
}
