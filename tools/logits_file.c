/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of distributions (logits_file.h). */
#include "tools/logits_file.h"

#include "base/wire.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[8] = {'_', 'l', 'o', 'g', 'i', 't', 's', '_'};
enum { HEAD_BYTES = 20, NUMBERS_BYTES = 8, CODES = 65535 };

static uint64_t codes_of_row(const struct qn__logits_file *f)
{
    return f->n_vocab + (uint64_t)f->n_vocab % 2;
}

static uint64_t n_tokens(const struct qn__logits_file *f)
{
    return (uint64_t)f->n_pieces * f->context;
}

static uint64_t n_rows(const struct qn__logits_file *f)
{
    return (uint64_t)f->n_pieces * (f->context - 1 - f->context / 2);
}

static qn_status make_room(struct qn__logits_file *f)
{
    f->tokens = calloc(n_tokens(f) ? n_tokens(f) : 1, sizeof *f->tokens);
    f->row = calloc(codes_of_row(f), sizeof *f->row);
    if (f->tokens && f->row)
        return QN_OK;
    return qn__fail(QN_E_MEMORY, "no memory for %llu tokens", (unsigned long long)n_tokens(f));
}

void qn__logits_file_close(struct qn__logits_file *f)
{
    if (f->file)
        fclose(f->file);
    if (f->file && f->part)
        remove(f->part);
    free(f->tokens);
    free(f->row);
    free(f->path);
    free(f->part);
    *f = (struct qn__logits_file){0};
}

/* -- writing -- */

static qn_status put(struct qn__logits_file *f, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, f->file) == n)
        return QN_OK;
    return qn__fail(QN_E_IO, "%s: %s", f->part, strerror(errno));
}

static qn_status put_u32(struct qn__logits_file *f, uint32_t value)
{
    unsigned char bytes[4];
    qn__put_u32(bytes, value);
    return put(f, bytes, sizeof bytes);
}

static qn_status begin(struct qn__logits_file *f, const char *path, const int32_t *tokens)
{
    const size_t n = strlen(path);
    f->path = calloc(n + 1, 1);
    f->part = calloc(n + sizeof ".part", 1);
    if (!f->path || !f->part)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    memcpy(f->path, path, n);
    memcpy(f->part, path, n);
    memcpy(f->part + n, ".part", sizeof ".part");
    QN_TRY(make_room(f));
    memcpy(f->tokens, tokens, n_tokens(f) * sizeof *tokens);
    f->file = fopen(f->part, "wb");
    if (!f->file)
        return qn__fail(QN_E_IO, "%s: %s", f->part, strerror(errno));
    QN_TRY(put(f, magic, sizeof magic));
    QN_TRY(put_u32(f, f->context));
    QN_TRY(put_u32(f, f->n_vocab));
    QN_TRY(put_u32(f, f->n_pieces));
    for (uint64_t i = 0; i < n_tokens(f); i++)
        QN_TRY(put_u32(f, (uint32_t)tokens[i]));
    return QN_OK;
}

qn_status qn__logits_file_create(struct qn__logits_file *f, const char *path, uint32_t context,
                                 uint32_t n_vocab, uint32_t n_pieces, const int32_t *tokens)
{
    *f = (struct qn__logits_file){.context = context, .n_vocab = n_vocab, .n_pieces = n_pieces};
    const qn_status s = begin(f, path, tokens);
    if (s != QN_OK)
        qn__logits_file_close(f);
    return s;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

qn_status qn__logits_file_add(struct qn__logits_file *f, const float *logits)
{
    float most = -INFINITY, least = INFINITY;
    double sum = 0.0;
    for (uint32_t i = 0; i < f->n_vocab; i++) {
        most = fmaxf(most, logits[i]);
        least = fminf(least, logits[i]);
    }
    if (!isfinite(most))
        return qn__fail(QN_E_INVALID, "the logits hold no number: the model computes no text");
    least = fmaxf(least, most + (float)QN__LOGITS_FILE_LEAST);
    for (uint32_t i = 0; i < f->n_vocab; i++)
        sum += isnan(logits[i]) ? 0.0 : exp((double)logits[i] - (double)most);
    const float step = (most - least) / (float)CODES;
    for (uint32_t i = 0; i < f->n_vocab; i++) {
        const float code = step > 0.0f ? (logits[i] - least) / step : 0.0f;
        f->row[i] = code > 0.0f ? (uint16_t)lrintf(fminf(code, (float)CODES)) : 0;
    }
    QN_TRY(put_u32(f, bits_of(step)));
    QN_TRY(put_u32(f, bits_of((float)((double)least - (double)most - log(sum)))));
    for (uint64_t i = 0; i < codes_of_row(f); i++) { /* in the file's order of bytes */
        const unsigned char bytes[2] = {(unsigned char)(f->row[i] & 255u),
                                        (unsigned char)(f->row[i] >> 8)};
        memcpy(&f->row[i], bytes, sizeof bytes);
    }
    return put(f, f->row, codes_of_row(f) * sizeof *f->row);
}

qn_status qn__logits_file_finish(struct qn__logits_file *f)
{
    const bool good = fclose(f->file) == 0;
    f->file = NULL;
    if (good && rename(f->part, f->path) == 0)
        return QN_OK;
    const qn_status s = qn__fail(QN_E_IO, "%s: %s", f->path, strerror(errno));
    remove(f->part);
    return s;
}

/* -- reading -- */

static qn_status get(struct qn__logits_file *f, void *bytes, size_t n)
{
    if (fread(bytes, 1, n, f->file) == n)
        return QN_OK;
    return qn__fail(QN_E_CORRUPT, "%s: the file was cut short", f->path);
}

static qn_status check_size(const struct qn__logits_file *f)
{
    struct stat st;
    if (fstat(fileno(f->file), &st) != 0)
        return qn__fail(QN_E_IO, "%s: %s", f->path, strerror(errno));
    const uint64_t row = NUMBERS_BYTES + codes_of_row(f) * sizeof *f->row;
    const uint64_t size = st.st_size < 0 ? 0 : (uint64_t)st.st_size;
    if (f->context < 4 || !f->n_vocab || !f->n_pieces || n_tokens(f) > size / 4 ||
        n_rows(f) > size / row || HEAD_BYTES + n_tokens(f) * 4 + n_rows(f) * row != size)
        return qn__fail(QN_E_CORRUPT,
                        "%s: %llu bytes, which are not %u pieces of %u tokens of a vocabulary of "
                        "%u",
                        f->path, (unsigned long long)size, f->n_pieces, f->context, f->n_vocab);
    return QN_OK;
}

static qn_status read_head(struct qn__logits_file *f, const char *path)
{
    unsigned char head[HEAD_BYTES];
    f->path = calloc(strlen(path) + 1, 1);
    if (!f->path)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    strcpy(f->path, path);
    f->file = fopen(path, "rb");
    if (!f->file)
        return qn__fail(QN_E_IO, "%s: %s", path, strerror(errno));
    if (fread(head, 1, sizeof head, f->file) != sizeof head ||
        memcmp(head, magic, sizeof magic) != 0)
        return qn__fail(QN_E_CORRUPT, "%s: no file of --save-all-logits", path);
    f->context = qn__get_u32(head + 8);
    f->n_vocab = qn__get_u32(head + 12);
    f->n_pieces = qn__get_u32(head + 16);
    QN_TRY(check_size(f));
    QN_TRY(make_room(f));
    for (uint64_t i = 0; i < n_tokens(f); i++) {
        QN_TRY(get(f, head, 4));
        f->tokens[i] = (int32_t)qn__get_u32(head);
        if (f->tokens[i] < 0 || (uint32_t)f->tokens[i] >= f->n_vocab)
            return qn__fail(QN_E_CORRUPT, "%s: token %d of a vocabulary of %u", path, f->tokens[i],
                            f->n_vocab);
    }
    return QN_OK;
}

qn_status qn__logits_file_open(struct qn__logits_file *f, const char *path)
{
    *f = (struct qn__logits_file){0};
    const qn_status s = read_head(f, path);
    if (s != QN_OK)
        qn__logits_file_close(f);
    return s;
}

qn_status qn__logits_file_next(struct qn__logits_file *f, float *log_probs)
{
    unsigned char numbers[NUMBERS_BYTES];
    float step, least;
    QN_TRY(get(f, numbers, sizeof numbers));
    const uint32_t bits[] = {qn__get_u32(numbers), qn__get_u32(numbers + 4)};
    memcpy(&step, &bits[0], sizeof step);
    memcpy(&least, &bits[1], sizeof least);
    if (!(step >= 0.0f && isfinite(step) && isfinite(least)))
        return qn__fail(QN_E_CORRUPT, "%s: a row that begins with %g and %g", f->path, (double)step,
                        (double)least);
    QN_TRY(get(f, f->row, codes_of_row(f) * sizeof *f->row));
    for (uint32_t i = 0; i < f->n_vocab; i++) {
        unsigned char bytes[2];
        memcpy(bytes, &f->row[i], sizeof bytes);
        log_probs[i] = least + step * (float)(bytes[0] | bytes[1] << 8);
    }
    return QN_OK;
}
