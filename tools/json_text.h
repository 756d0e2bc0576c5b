/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON for --json, by jansson. */
#ifndef QN_TOOLS_JSON_TEXT_H
#define QN_TOOLS_JSON_TEXT_H

#include <jansson.h>
#include <quern/compile.h>

/* Print on stdout, indented, and release. NULL (jansson was out of memory) is a complaint.
 * Returns the exit status. */
int qn__json_print(json_t *value);

/* Was anything printed by it? And: yes, by another process. */
bool qn__json_was_printed(void);
void qn__json_is_printed(void);

/* Write it to a file, "-" is stdout; complains and returns false when it cannot. */
bool qn__json_write(const char *path, const json_t *value);

/* A string; bytes that are not UTF-8 (a driver's device name may hold any) become '?'. */
json_t *qn__json_string(const char *text);

/* A number; what JSON cannot say becomes "nan", "inf" or "-inf". */
json_t *qn__json_number(double value);

/* The kernels of an image with their arguments. */
json_t *qn__json_kernels(const qn_image_info *info);

#endif
