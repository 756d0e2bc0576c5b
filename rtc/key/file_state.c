/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a file, as bytes that are compared and kept. */
#include "rtc/key/file_state.h"

#include "base/wire.h"

#include <fcntl.h>
#include <sys/stat.h>

bool qn__file_state(unsigned char out[QN__FILE_STATE_BYTES], const char *path)
{
    return qn__file_state_at(out, AT_FDCWD, path);
}

bool qn__file_state_at(unsigned char out[QN__FILE_STATE_BYTES], int folder, const char *path)
{
    struct stat st;
    if (fstatat(folder, path, &st, 0) != 0)
        return false;
    const uint64_t state[] = {st.st_ino,
                              (uint64_t)st.st_size,
                              (uint64_t)st.st_mtim.tv_sec,
                              (uint64_t)st.st_mtim.tv_nsec,
                              (uint64_t)st.st_ctim.tv_sec,
                              (uint64_t)st.st_ctim.tv_nsec};
    for (int i = 0; i < QN__FILE_STATE_BYTES / 8; i++)
        qn__put_u64(out + 8 * i, state[i]);
    return true;
}
