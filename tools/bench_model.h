/* SPDX-License-Identifier: Apache-2.0
 *
 * A model's speed: prompts and single tokens, at depths of the context. */
#ifndef QN_TOOLS_BENCH_MODEL_H
#define QN_TOOLS_BENCH_MODEL_H

#include <jansson.h>
#include <quern/device.h>

struct qn__bench_model_job {
    const char *model;
    uint32_t n_prompt, n_tokens, repeats;
    const uint32_t *depths;
    uint32_t n_depths;
    const char *cache;
};

/* Adds two rows for each depth, and to *runs an object for each with the field names that other
 * tools read: n_prompt, n_gen, n_depth, avg_ts, samples_ns, ... and total_time, tokens_per_sec,
 * avg_latency, total_tokens. False after a complaint. */
bool qn__bench_model(json_t *rows, json_t *runs, qn_device *dev,
                     const struct qn__bench_model_job *job);

#endif
