/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys and bundles as files: see bundle_io.h. */
#include "tools/bundle_io.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <errno.h>
#include <quern/quern.h>
#include <string.h>

bool qn__read_secret(char out[QN_BUNDLE_KEY_TEXT], const char *path)
{
    FILE *f = fopen(path, "r");
    const bool good = f && fscanf(f, "%64s", out) == 1 && strlen(out) == QN_BUNDLE_KEY_TEXT - 1;
    if (!f)
        qn__complain(0, "%s: %s", path, strerror(errno));
    else if (!good)
        qn__complain(0, "%s: no secret key (quern bundle keygen makes one)", path);
    if (f)
        fclose(f);
    return good;
}

bool qn__bundle_write(FILE *say, qn_bundle_writer *w, const char *path, const char *key_file)
{
    char secret[QN_BUNDLE_KEY_TEXT], size[QN__SIZE_TEXT];
    qn_bundle *b;
    if (key_file && !qn__read_secret(secret, key_file))
        return false;
    const qn_status s = qn_bundle_writer_write(w, path, key_file ? secret : NULL);
    if (s != QN_OK || qn_bundle_open(&b, path) != QN_OK) {
        qn__complain_status("bundle");
        return false;
    }
    const qn_bundle_info *info = qn_bundle_get_info(b);
    fprintf(say, "%s: %u entries, %s", path, info->n_entries,
            qn__size_text(size, info->size_bytes));
    if (info->signer[0])
        fprintf(say, ", '%s' number %llu, signed by %s", qn__plain(info->title),
                (unsigned long long)info->serial, info->signer);
    fputc('\n', say);
    qn_bundle_close(b);
    return true;
}

bool qn__bundle_add_all(qn_bundle_writer *w, const char *path)
{
    qn_bundle *b;
    if (qn_bundle_open(&b, path) != QN_OK) {
        qn__complain_status("bundle");
        return false;
    }
    qn_status s = QN_OK;
    for (uint32_t i = 0; s == QN_OK && i < qn_bundle_get_info(b)->n_entries; i++)
        s = qn_bundle_writer_add_entry(w, b, i);
    if (s != QN_OK)
        qn__complain_status("bundle");
    qn_bundle_close(b);
    return s == QN_OK;
}
