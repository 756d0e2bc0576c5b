/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of an examination: see examine.h. */
#include "doctor/examine.h"

void qn__gather(json_t *facts, const struct qn__root *root)
{
    qn__gather_variables(facts);
    qn__gather_system(facts, root);
    qn__gather_nodes(facts, root);
    qn__gather_places(facts, root);
    qn__gather_nvidia(facts, root);
    qn__gather_amd(facts, root);
    qn__gather_opencl(facts, root);
}

void qn__judge(struct qn__report *r, const json_t *facts)
{
    qn__judge_nvidia(r, facts);
    qn__judge_cuda_versions(r, facts);
    qn__judge_amd(r, facts);
    qn__judge_opencl(r, facts);
    qn__judge_machine(r, facts);
    qn__judge_quern(r, facts);
}
