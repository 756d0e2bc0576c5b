/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for the GNU build-id note through the program headers of a 64-bit ELF file, reading only
 * those; libraries of 100 MB are not read whole for it. */
#include "rtc/key/build_id.h"

#include "base/hash.h"
#include "base/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 64,
    PROGRAM_BYTES = 56,
    PROGRAMS_MAX = 64,
    PT_NOTE_ = 4,
    NOTE_LIMIT_BYTES = 65536,
    NT_BUILD_ID = 3,
    ID_MAX_BYTES = 32,
    BLOCK_BYTES = 1 << 16,
};

/* False: the file ends before, or *s is the trouble. */
static bool read_at(qn_status *s, void *out, size_t n, int fd, uint64_t offset)
{
    size_t done = 0;
    while (done < n) {
        const ssize_t got = pread(fd, (char *)out + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            *s = qn__fail_errno("read");
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* The build id among the notes in `p`. */
static bool scan_notes(char out[QN__BUILD_ID_MAX], const unsigned char *p, size_t n)
{
    while (n >= 12) {
        const size_t name = (qn__get_u32(p) + (size_t)3) & ~(size_t)3;
        const size_t id = qn__get_u32(p + 4);
        const size_t padded = (id + 3) & ~(size_t)3;
        if (name > n - 12 || padded > n - 12 - name)
            return false;
        if (qn__get_u32(p + 8) == NT_BUILD_ID && name == 4 && memcmp(p + 12, "GNU", 4) == 0 && id &&
            id <= ID_MAX_BYTES) {
            sodium_bin2hex(out, QN__BUILD_ID_MAX, p + 12 + name, id);
            return true;
        }
        p += 12 + name + padded;
        n -= 12 + name + padded;
    }
    return false;
}

/* *s: not even that could be read. */
static bool from_notes(qn_status *s, char out[QN__BUILD_ID_MAX], int fd)
{
    unsigned char h[HEADER_BYTES], ph[PROGRAM_BYTES];
    if (!read_at(s, h, sizeof h, fd, 0) || memcmp(h, "\177ELF\2\1", 6) != 0)
        return false;
    const uint64_t table = qn__get_u64(h + 32);
    const unsigned count = h[56] | (unsigned)h[57] << 8;
    bool found = false;
    for (unsigned i = 0; !found && i < count && i < PROGRAMS_MAX; i++) {
        if (!read_at(s, ph, sizeof ph, fd, table + (uint64_t)i * PROGRAM_BYTES))
            return false;
        const uint64_t n = qn__get_u64(ph + 32);
        if (qn__get_u32(ph) != PT_NOTE_ || n == 0 || n > NOTE_LIMIT_BYTES)
            continue;
        unsigned char *notes = malloc((size_t)n);
        if (!notes)
            *s = qn__fail(QN_E_MEMORY, "no memory for notes");
        found = notes && read_at(s, notes, (size_t)n, fd, qn__get_u64(ph + 8)) &&
                scan_notes(out, notes, (size_t)n);
        free(notes);
    }
    return found;
}

static qn_status from_content(char out[QN__BUILD_ID_MAX], int fd, const char *path)
{
    unsigned char *block = malloc(BLOCK_BYTES), digest[QN__HASH_BYTES];
    struct qn__hash h;
    ssize_t got;
    if (!block)
        return qn__fail(QN_E_MEMORY, "%s: no memory to read it", path);
    qn__hash_init(&h);
    while ((got = read(fd, block, BLOCK_BYTES)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            qn__hash_add(&h, block, (size_t)got);
    const qn_status s = got < 0 ? qn__fail_errno("%s", path) : QN_OK;
    free(block);
    qn__hash_finish(&h, digest);
    qn__hash_to_hex(out, digest);
    return s;
}

qn_status qn__build_id(char out[QN__BUILD_ID_MAX], const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    out[0] = 0;
    if (fd < 0)
        return qn__fail_errno("%s", path);
    qn_status s = QN_OK; /* never another id than ever because of trouble with reading */
    if (!from_notes(&s, out, fd) && s == QN_OK)
        s = from_content(out, fd, path);
    else if (s != QN_OK)
        s = qn__fail_prefix(s, "%s", path);
    close(fd);
    return s;
}
