/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the machine, as one tree of JSON: gathered first (..._facts.c), judged then
 * (..._findings.c), and printed whole by `quern doctor --json`. A part that could not be found out
 * is not in it; where a library was tried in a child that died, "crashed" says how. */
#ifndef QN_DOCTOR_FACTS_H
#define QN_DOCTOR_FACTS_H

#include "doctor/root.h"

#include <jansson.h>
#include <stdint.h>

/* A string of foreign text: what is not UTF-8 or would move a terminal's cursor is replaced. */
json_t *qn__facts_string(const char *text);
void qn__facts_set_text(json_t *object, const char *name, const char *text); /* not when "" */
void qn__facts_set_number(json_t *object, const char *name, int64_t value);

/* A part by its path, "libcuda.devices"; NULL where there is none. */
const json_t *qn__facts_part(const json_t *facts, const char *path);
const char *qn__facts_text(const json_t *facts, const char *path); /* "" where there is none */
int64_t qn__facts_number(const json_t *facts, const char *path, int64_t missing);
bool qn__facts_is_true(const json_t *facts, const char *path);
size_t qn__facts_count(const json_t *facts, const char *path); /* of a list */

/* The parts, each under its name in *facts. Libraries are loaded in children. */
void qn__gather_system(json_t *facts, const struct qn__root *root);
void qn__gather_nodes(json_t *facts, const struct qn__root *root);
void qn__gather_nvidia(json_t *facts, const struct qn__root *root);
/* Clocks, power, temperature and load of NVIDIA's cards now; in a child. */
json_t *qn__nvidia_now(const struct qn__root *root);
void qn__gather_amd(json_t *facts, const struct qn__root *root);
void qn__gather_opencl(json_t *facts, const struct qn__root *root);
void qn__gather_places(json_t *facts, const struct qn__root *root); /* cache, temporary files */
void qn__gather_variables(json_t *facts);
/* Of this machine only: Quern's helpers, compilers, cache, and each device with what it can. */
void qn__gather_quern(json_t *facts);

/* Compare versions number by number, "580.65.06" with "580.82"; <0, 0, >0. */
int qn__version_compare(const char *a, const char *b);

#endif
