/* SPDX-License-Identifier: Apache-2.0
 *
 * What the commands that make bundles share: keys to sign with, and writing. */
#ifndef QN_TOOLS_BUNDLE_IO_H
#define QN_TOOLS_BUNDLE_IO_H

#include <quern/bundle.h>
#include <stdbool.h>
#include <stdio.h>

/* The secret key in a file. Complains and returns false where there is none. */
bool qn__read_secret(char out[QN_BUNDLE_KEY_TEXT], const char *path);

/* Write the bundle, signed with the secret key in that file (NULL: unsigned), and say there what
 * it holds. Complains and returns false where it cannot. */
bool qn__bundle_write(FILE *say, qn_bundle_writer *w, const char *path, const char *key_file);

/* Add every entry of a bundle. Complains and returns false where it cannot. */
bool qn__bundle_add_all(qn_bundle_writer *w, const char *path);

#endif
