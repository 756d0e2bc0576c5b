/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_DIRENT_H
#define QN_STD_DIRENT_H

struct dirent {
    unsigned long d_ino;
    unsigned char d_type;
    char d_name[256];
};
typedef struct __qn_dir DIR;
extern "C" {
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);
}

#endif
