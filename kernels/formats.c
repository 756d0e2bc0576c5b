/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of formats (formats.h). Codecs: format_unpack.c and format_pack.c. */
#include "kernels/formats.h"

#include "kernels/format_blocks.h"
#include "kernels/format_pack.h"
#include "kernels/format_unpack.h"

#include <assert.h>
#include <string.h>

/* Formats that nothing here writes. */
#define qn__pack_q2_k    NULL
#define qn__pack_q3_k    NULL
#define qn__pack_iq2_xxs NULL
#define qn__pack_iq2_xs  NULL
#define qn__pack_iq3_xxs NULL
#define qn__pack_iq1_s   NULL
#define qn__pack_iq3_s   NULL
#define qn__pack_iq2_s   NULL
#define qn__pack_iq1_m   NULL
#define qn__pack_iq4_xs  NULL
#define qn__pack_tq1_0   NULL
#define qn__pack_tq2_0   NULL
#define qn__pack_mxfp4   NULL
#define qn__pack_nvfp4   NULL

static const struct qn__format formats[] = {
#define QN__FORMAT(name_, gguf_type_, block_elems_, block_bytes_)                                  \
    {                                                                                              \
        .id = QN__FORMAT_##name_,                                                                  \
        .name = #name_,                                                                            \
        .gguf_type = gguf_type_,                                                                   \
        .block_elems = block_elems_,                                                               \
        .block_bytes = block_bytes_,                                                               \
        .unpack = qn__unpack_##name_,                                                              \
        .pack = qn__pack_##name_,                                                                  \
    },
#include "kernels/formats.def"
};

#define SAME_SIZE(name, bytes)                                                                     \
    _Static_assert(sizeof(struct qn__block_##name) == (bytes), "block of " #name)
SAME_SIZE(q4_0, 18);
SAME_SIZE(q4_1, 20);
SAME_SIZE(q5_0, 22);
SAME_SIZE(q5_1, 24);
SAME_SIZE(q8_0, 34);
SAME_SIZE(iq4_nl, 18);
SAME_SIZE(iq2_xxs, 66);
SAME_SIZE(iq2_xs, 74);
SAME_SIZE(iq3_xxs, 98);
SAME_SIZE(iq1_s, 50);
SAME_SIZE(iq3_s, 110);
SAME_SIZE(iq2_s, 82);
SAME_SIZE(iq1_m, 56);
SAME_SIZE(iq4_xs, 136);
SAME_SIZE(tq1_0, 54);
SAME_SIZE(tq2_0, 66);
SAME_SIZE(mxfp4, 17);
SAME_SIZE(nvfp4, 36);
SAME_SIZE(q2_k, 84);
SAME_SIZE(q3_k, 110);
SAME_SIZE(q4_k, 144);
SAME_SIZE(q5_k, 176);
SAME_SIZE(q6_k, 210);

const struct qn__format *qn__format_get(enum qn__format_id id)
{
    assert(id < QN__N_FORMATS);
    return &formats[id];
}

const struct qn__format *qn__format_find(const char *name)
{
    for (int i = 0; i < QN__N_FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const struct qn__format *qn__format_find_gguf(uint32_t gguf_type)
{
    for (int i = 0; i < QN__N_FORMATS; i++)
        if (formats[i].gguf_type == gguf_type)
            return &formats[i];
    return NULL;
}

uint64_t qn__format_bytes(const struct qn__format *f, uint64_t n)
{
    assert(n % f->block_elems == 0);
    return n / f->block_elems * f->block_bytes;
}
