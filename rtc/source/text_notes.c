/* SPDX-License-Identifier: Apache-2.0
 *
 * The notes are kept in a hash table with a copy of the text, and found only for the very same
 * bytes: the table's own hash is fast and need not withstand an attacker. Embedded files are found
 * by their row and not copied. When the copies exceed their bound all are forgotten; making notes
 * anew costs time and nothing else.
 */
#include "rtc/source/text_notes.h"

#include "base/error.h"
#include "base/forks.h"
#include "rtc/source/include_scan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SLOTS = 256, KEPT_LIMIT_BYTES = 8 << 20, TEXT_LIMIT_BYTES = 1 << 20 };

struct kept {
    struct kept *next; /* in the slot */
    uint64_t hash;
    const char *text; /* embedded, or the copy after the includes */
    size_t n;
    const struct qn__embedded *row; /* NULL: not embedded */
    struct qn__text_notes notes;    /* its includes are these: */
    struct qn__text_include includes[];
};

static struct {
    pthread_mutex_t lock;
    struct kept *slots[SLOTS];
    size_t bytes;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

QN__FORK_PART(&table.lock, NULL)

static bool copy_notes(struct qn__text_notes *out, struct qn__arena *arena,
                       const struct qn__text_notes *notes)
{
    struct qn__text_include *includes =
        QN__ARENA_ARRAY(arena, struct qn__text_include, notes->n_includes);
    if (!includes)
        return false;
    *out = *notes;
    if (notes->n_includes)
        memcpy(includes, notes->includes, notes->n_includes * sizeof *includes);
    out->includes = includes;
    return true;
}

static bool is_same(const struct kept *k, const struct kept *other)
{
    return k->hash == other->hash && k->n == other->n && k->row == other->row &&
           (k->row || memcmp(k->text, other->text, k->n) == 0);
}

static bool find(struct qn__text_notes *out, struct qn__arena *arena, const struct kept *wanted)
{
    bool found = false;
    pthread_mutex_lock(&table.lock);
    for (const struct kept *k = table.slots[wanted->hash % SLOTS]; k && !found; k = k->next)
        found = is_same(k, wanted) && copy_notes(out, arena, &k->notes);
    pthread_mutex_unlock(&table.lock);
    return found;
}

static void forget_all(void)
{
    for (int i = 0; i < SLOTS; i++)
        while (table.slots[i]) {
            struct kept *k = table.slots[i];
            table.slots[i] = k->next;
            free(k);
        }
    table.bytes = 0;
}

/* Without memory nothing is kept. Two threads may both keep one text: the later one is found. */
static void keep(const struct kept *like, const struct qn__text_notes *notes)
{
    const size_t list = notes->n_includes * sizeof *notes->includes;
    const size_t bytes = sizeof *like + list + (like->row ? 0 : like->n);
    struct kept *k = bytes <= TEXT_LIMIT_BYTES ? malloc(bytes) : NULL;
    if (!k)
        return;
    *k = *like;
    k->notes = *notes;
    k->notes.includes = k->includes;
    if (list)
        memcpy(k->includes, notes->includes, list);
    if (!k->row)
        k->text = memcpy(k->includes + notes->n_includes, like->text, like->n);
    pthread_mutex_lock(&table.lock);
    if (table.bytes + bytes > KEPT_LIMIT_BYTES)
        forget_all();
    table.bytes += bytes;
    k->next = table.slots[k->hash % SLOTS];
    table.slots[k->hash % SLOTS] = k;
    pthread_mutex_unlock(&table.lock);
}

static qn_status no_memory(size_t n)
{
    return qn__fail(QN_E_MEMORY, "no memory for the includes of a text of %zu bytes", n);
}

static qn_status make(struct qn__text_notes *out, struct qn__arena *arena, const char *text,
                      size_t n, const struct qn__embedded *row)
{
    struct qn__include_scan scan;
    struct qn__include inc;
    struct qn__text_include *list = NULL;
    uint32_t capacity = 0;
    *out = (struct qn__text_notes){0};
    qn__include_scan_init(&scan, text, n);
    while (qn__include_scan_next(&inc, &scan)) {
        if (out->n_includes == capacity) {
            capacity = capacity ? 2 * capacity : 8;
            struct qn__text_include *grown =
                QN__ARENA_ARRAY(arena, struct qn__text_include, capacity);
            if (!grown)
                return no_memory(n);
            if (list)
                memcpy(grown, list, out->n_includes * sizeof *list);
            out->includes = list = grown;
        }
        list[out->n_includes++] = (struct qn__text_include){
            (uint32_t)(inc.begin - text), (uint32_t)(inc.end - text), inc.is_angled, inc.kind};
    }
    out->includes_macro = scan.met_macro;
    if (row && row->digest)
        memcpy(out->digest, row->digest, sizeof out->digest);
    else
        qn__hash_of(out->digest, text, n);
    return QN_OK;
}

qn_status qn__text_notes_of(struct qn__text_notes *out, struct qn__arena *arena, const char *text,
                            size_t n, const struct qn__embedded *row)
{
    if (n > UINT32_MAX)
        return qn__fail(QN_E_LIMIT, "a text of %zu bytes: at most 4 GiB - 1", n);
    const struct kept wanted = {.text = text,
                                .n = n,
                                .row = row,
                                .hash = row ? XXH3_64bits(&row, sizeof row) : XXH3_64bits(text, n)};
    if (find(out, arena, &wanted))
        return QN_OK;
    QN_TRY(make(out, arena, text, n, row));
    keep(&wanted, out);
    return QN_OK;
}
