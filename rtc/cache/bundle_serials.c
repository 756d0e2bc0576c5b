/* SPDX-License-Identifier: Apache-2.0
 *
 * Serial numbers of bundles in the cache's folder: a record of eight bytes for each. */
#include "rtc/cache/bundle_serials.h"

#include "base/wire.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/cache_names.h"
#include "rtc/cache/trusted_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIAL_BYTES = 8, K_SIGNER = 1, K_TITLE = 2 };

static qn_status name_of(char out[QN__CACHE_NAME_BYTES], const qn_bundle_info *info)
{
    struct qn__str fields = {0};
    unsigned char digest[QN__HASH_BYTES];
    char hex[QN__HASH_HEX];
    qn__wire_text(&fields, K_SIGNER, info->signer);
    qn__wire_text(&fields, K_TITLE, info->title);
    const qn_status s = qn__str_check(&fields);
    if (s == QN_OK)
        qn__hash_of(digest, fields.text, fields.len);
    qn__str_release(&fields);
    if (s != QN_OK)
        return s;
    qn__hash_to_hex(hex, digest);
    snprintf(out, QN__CACHE_NAME_BYTES, "%s/%s", qn__cache_serials, hex);
    return QN_OK;
}

/* 0: none was seen. */
static uint64_t seen(const char *name)
{
    size_t n;
    char *record = qn__folder_read_record(&n, name);
    const uint64_t serial =
        record && n == SERIAL_BYTES ? qn__get_u64((const unsigned char *)record) : 0;
    free(record);
    return serial;
}

static void note(const char *name, uint64_t serial)
{
    unsigned char bytes[SERIAL_BYTES];
    struct qn__str record = {0};
    qn__put_u64(bytes, serial);
    qn__str_add_bytes(&record, bytes, sizeof bytes);
    if (!record.failed)
        qn__folder_write_record(name, &record);
    qn__str_release(&record);
}

qn_status qn__serial_check(const qn_bundle_info *info, bool keep)
{
    char name[QN__CACHE_NAME_BYTES];
    if (!qn__keys_are_set() || !info->signer[0] || !qn__folder_dir(NULL)[0])
        return QN_OK;
    QN_TRY(name_of(name, info));
    const uint64_t highest = seen(name);
    if (info->serial < highest)
        return qn__fail(QN_E_CORRUPT,
                        "bundle %s: its serial number is %llu, and a newer '%s' of that signer "
                        "was seen, number %llu (to go back all the same, remove %s/%s)",
                        info->name, (unsigned long long)info->serial, info->title,
                        (unsigned long long)highest, qn__folder_dir(NULL), name);
    if (keep && info->serial > highest && qn__cache_may_write())
        note(name, info->serial);
    return QN_OK;
}
