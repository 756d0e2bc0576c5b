/* SPDX-License-Identifier: Apache-2.0
 *
 * Handing out the driver's stream; each backend says for itself whether it has one. */
#include "runtime/native_stream.h"

#include "runtime/backend.h"

qn_status qn__stream_native(void **handle, qn_stream *s)
{
    const struct qn__backend *b = s->device->backend;
    *handle = NULL;
    if (!b->stream_native)
        return qn__fail(QN_E_UNSUPPORTED, "%s: streams of %s have no handle for other libraries",
                        s->device->info.id, b->name);
    return b->stream_native(handle, s);
}
