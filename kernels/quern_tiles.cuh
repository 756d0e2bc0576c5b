/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_tiles.cuh: one phase of a token in one kernel, weights streamed.
 *
 *   y = then(W norm(x) + bias) for each token; QK_TILE_KERNELS(format, struct) makes
 *
 *   fused_<format>    the phase
 *   tile_<format>     out = the stored matrix in tiles, untile_<format> the way back (not of f16,
 *                     which is read as it is stored)
 *   unpack_tiles_<format>   out (rows, n) = what is in tiles as f16: 4.9e-4 |want| + 4e-7 of the
 *                     block's largest + 3e-8
 *
 *   y          (tokens, rows) f32; of pairs (tokens, rows / 2)
 *   w          (rows, n) in tiles, on 16 bytes
 *   x          (tokens, n) f32 on 16 bytes
 *   norm       (n) f32 on 16 bytes, weights of rmsnorm; null: x as it is
 *   bias       (rows) f32 or null
 *   rows, n    multiples of 16 (pairs: of 32) and of 256
 *   at_once    tokens that go through the weights together, 1 to 4
 *   then       0: y = it; 1: y += it; 2 and 3: row r of the first half is a gate, row r of the
 *              second half goes up, y = silu (3: gelu) of the gate times up
 *   grid       any; block a multiple of the wave; dynamic shared: qn__tiles_plan()
 *   computes   codes and scales exactly, x to 22 bits of its largest element, products and sums in
 *              f32
 *   tolerance  4e-6 S + 1e-12 L + 1e-37, S as in quern_weights.cuh, L the largest |x| times the sum
 *              over all elements of the largest |w| of their block; y of a gate g: that of its two
 *              products, times |up| and |silu|
 *   source     the definition
 *
 * A tile is 16 rows by 256 elements, and as many bytes as these have stored: first the codes, in
 * lines of 512 bytes of which lane l has the 16 from 16 l on (8 of row l / 4, 8 of row l / 4 + 8:
 * quern_fragments.cuh), then the scales row by row. Tiles of 16 rows follow each other along n, a
 * strip; strips follow each other. Only bytes change their places, so rows of a multiple of 16 can
 * be cut out of a matrix, and the way back is exact.
 *
 * A block takes a range of strips, all its tiles one after the other are divided evenly among its
 * waves, and a wave keeps one tile on its way in a ring in shared memory: a line is asked for again
 * for the next tile as soon as it was read, across the ends of strips. The ring fills while x is
 * made ready. A wave's part of a strip is left in slot (wave + strip):
 * both only rise along the range, so no two parts have the same. */
#ifndef QUERN_TILES_CUH
#define QUERN_TILES_CUH

#include "quern_fragments.cuh"
#include "quern_ready.cuh"

enum { TILE_ROWS = 16, LINE_BYTES = 512, COLUMN_PAD = 32 };
enum { THEN_STORE, THEN_ADD, THEN_SILU, THEN_GELU };

/* -- x in shared memory -- */

struct qk_staged {
    qk_half *columns; /* (2 at_once, n + COLUMN_PAD): high and low part of each token */
    float *block_sums; /* (at_once, n / 32): of 32 elements, as scaled */
    float *unscale;   /* (at_once): power of two that takes the scaling back */
    float *parts;     /* (at_once, 2, waves) */
    qk_u32 n;
};

/* Elements one thread stages at once, and how many times that it keeps from the first pass: with
 * the plan's blocks, rows of 16384. All its loads are on their way together. */
enum { UNIT = QK_WAVE_WIDTH > 1 ? 8 : 32, KEPT = QK_AHEAD_COPIES ? 4 : 1 };

struct qk_extent {
    float squares, largest;
};

QK_DEVICE void qk_load_unit(float *v, const float *x, qk_u64 at)
{
#pragma unroll
    for (int j = 0; j < UNIT; j += qk_pack<float>::n)
        qk_load_pack(v + j, x + at + j);
}

QK_DEVICE void qk_norm_unit(float *v, qk_extent *seen, const float *norm, qk_u64 at)
{
    float by[UNIT];
    if (norm)
        qk_load_unit(by, norm, at);
#pragma unroll
    for (int j = 0; j < UNIT; j++) {
        seen->squares += v[j] * v[j];
        v[j] *= norm ? by[j] : 1.0f;
        seen->largest = qk_max(seen->largest, v[j] < 0.0f ? -v[j] : v[j]);
    }
}

/* Where element i of 32 stands: the order of quern_fragments.cuh. */
template <bool in_halves> QK_DEVICE qk_u32 qk_place(qk_u32 i)
{
    return in_halves ? i % 16 / 4 * 8 + i / 16 * 4 + i % 4 : i;
}

/* High and low parts of a unit, and its share in the sum of 32. */
template <bool in_halves>
QK_DEVICE void qk_split_unit(const qk_staged &s, qk_u32 token, qk_u32 unit, const float *v,
                             float scale)
{
    qk_half *high = s.columns + (qk_u64)(2 * token) * (s.n + COLUMN_PAD);
    qk_half *low = high + s.n + COLUMN_PAD;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < UNIT; j += 4) {
        const qk_u32 at = unit * UNIT + j, to = at / 32 * 32 + qk_place<in_halves>(at % 32);
        float most[4], rest[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float x = v[j + i] * scale;
            sum += x;
            most[i] = qk_float(qk_half_of(x));
            rest[i] = x - most[i];
        }
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
            *(qk_u32 *)(high + to + i) = qk_pair<qk_half>(most + i);
            *(qk_u32 *)(low + to + i) = qk_pair<qk_half>(rest + i);
        }
    }
#if QK_WAVE_WIDTH > 1
    sum += qk_shuffle_xor(sum, 1);
    sum += qk_shuffle_xor(sum, 2);
#endif
    if (unit % (32 / UNIT) == 0)
        s.block_sums[token * (s.n / 32) + unit * UNIT / 32] = sum;
}

/* One token, its norm applied. */
template <bool in_halves>
QK_DEVICE void qk_stage(const qk_staged &s, qk_u32 token, const float *x, const float *norm,
                        float eps)
{
    const qk_u32 waves = qk_threads() / QK_LANES;
    const qk_span mine = qk_share(s.n / UNIT, qk_thread(), qk_threads());
    float kept[KEPT][UNIT], more[UNIT];
    qk_extent seen = {0.0f, 0.0f};
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (mine.begin + k * mine.step < mine.end)
            qk_load_unit(kept[k], x, (mine.begin + k * mine.step) * UNIT);
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (mine.begin + k * mine.step < mine.end)
            qk_norm_unit(kept[k], &seen, norm, (mine.begin + k * mine.step) * UNIT);
    for (qk_u64 u = mine.begin + KEPT * mine.step; u < mine.end; u += mine.step) {
        qk_load_unit(more, x, u * UNIT);
        qk_norm_unit(more, &seen, norm, u * UNIT);
    }
#if QK_WAVE_WIDTH > 1
    seen.squares = qk_wave_reduce<qk_sum>(seen.squares);
    seen.largest = qk_wave_reduce<qk_greatest>(seen.largest);
#endif
    float *parts = s.parts + token * 2 * waves;
    if (qk_thread() % QK_LANES == 0) {
        parts[qk_thread() / QK_LANES] = seen.squares;
        parts[waves + qk_thread() / QK_LANES] = seen.largest;
    }
    qk_barrier();
    seen.squares = seen.largest = 0.0f;
#if QK_WAVE_WIDTH == 32
    if (qk_lane() < waves) {
        seen.squares = parts[qk_lane()];
        seen.largest = parts[waves + qk_lane()];
    }
    seen.squares = qk_wave_reduce<qk_sum>(seen.squares);
    seen.largest = qk_wave_reduce<qk_greatest>(seen.largest);
#else
    for (qk_u32 w = 0; w < waves; w += qk_max(1, QK_WAVE_WIDTH / 32)) {
        seen.squares += parts[w];
        seen.largest = qk_max(seen.largest, parts[waves + w]);
    }
#endif
    const float factor = norm ? 1.0f / qk_sqrtf(seen.squares / (float)s.n + eps) : 1.0f;
    const int exponent = qk_scaling(seen.largest * factor);
    const float scale = factor * qk_power_of_two(exponent);
    if (qk_thread() == 0)
        s.unscale[token] = qk_power_of_two(-exponent);
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (mine.begin + k * mine.step < mine.end)
            qk_split_unit<in_halves>(s, token, (qk_u32)(mine.begin + k * mine.step), kept[k],
                                     scale);
    for (qk_u64 u = mine.begin + KEPT * mine.step; u < mine.end; u += mine.step) {
        qk_load_unit(more, x, u * UNIT);
        qk_norm_unit(more, &seen, norm, u * UNIT);
        qk_split_unit<in_halves>(s, token, (qk_u32)u, more, scale);
    }
}

/* What a lane reads of x: its column, from 32 elements to the next; and the block sums of the token
 * whose products it gets. */
struct qk_reader {
    const qk_half *column;
    const float *block_sums;
    qk_u32 stride; /* to the other part of x, where a lane reads both */
};

QK_DEVICE qk_reader qk_reader_of(const qk_staged &s, qk_u32 tokens, qk_u32 lane)
{
    const qk_u32 column = QK_COLUMNS == 1 ? 0 : lane / 4 % (2 * tokens), t = lane % 4;
    qk_reader r;
    r.column = s.columns + (qk_u64)column * (s.n + COLUMN_PAD) + 8 * t;
    r.block_sums = s.block_sums + (QK_COLUMNS == 1 ? 0 : qk_min(t, tokens - 1) * (s.n / 32));
    r.stride = s.n + COLUMN_PAD;
    return r;
}

QK_DEVICE qk_column qk_read(const qk_reader &r, qk_u32 at)
{
    qk_column c;
    c.part[0] = *(const qk_u32x4 *)(r.column + at);
#if QK_COLUMNS == 1
    c.part[1] = *(const qk_u32x4 *)(r.column + r.stride + at);
#endif
    return c;
}

/* -- the stream of a wave's tiles -- */

/* Where a lane finds a line of a tile, and where the tile's scales lie. */
template <class F> struct qk_stream {
#if QK_AHEAD_COPIES
    qk_u8 *ring;         /* the wave's, at this lane's line */
    qk_u8 *scales;       /* the wave's */
    const qk_u8 *next;   /* of the tile on its way after this one; null: none */
    qk_u64 row_bytes;
    qk_u32 lane;

    __device__ __forceinline__ void ask_scales()
    {
        for (qk_u32 at = lane * 8; at < F::scale_bytes; at += 256)
            if (next)
                qk_copy_ahead_8(scales + at, next - F::lane_bytes(lane, row_bytes) +
                                                 F::lines * LINE_BYTES + at);
    }
    __device__ __forceinline__ void ask(int line)
    {
        if (next)
            qk_copy_ahead(ring + line * LINE_BYTES, next + F::line_at(line, row_bytes));
        qk_end_group();
    }
    /* Of this tile; a barrier around what other lanes brought. */
    __device__ __forceinline__ const qk_u8 *begin_scales()
    {
        qk_wait_groups<F::lines - 1>();
        qk_wave_barrier();
        return scales;
    }
    __device__ __forceinline__ void end_scales()
    {
        qk_wave_barrier();
        ask_scales();
    }
    __device__ __forceinline__ qk_u32x4 take(int line)
    {
        qk_wait_groups<F::lines - 1>();
        const qk_u32x4 v = *(const qk_u32x4 *)(ring + line * LINE_BYTES);
        ask(line);
        return v;
    }
#else
    const qk_u8 *tile; /* at this lane's line */
    qk_u64 row_bytes;
    qk_u32 lane;

    __device__ __forceinline__ const qk_u8 *begin_scales()
    {
        return tile - F::lane_bytes(lane, row_bytes) + F::lines * LINE_BYTES;
    }
    __device__ __forceinline__ void end_scales()
    {
    }
    __device__ __forceinline__ qk_u32x4 take(int line)
    {
        return *(const qk_u32x4 *)(tile + F::line_at(line, row_bytes));
    }
#endif
};

/* Formats in tiles; f16 has its own of these. */
template <int n_lines, int n_scale_bytes> struct qk_tiled {
    enum {
        lines = n_lines,
        scale_bytes = n_scale_bytes,
        bytes = n_lines * LINE_BYTES + n_scale_bytes,
        width = 256,
        in_halves = 1,
        copies = 1,
        slot_bytes = bytes,
        step = bytes
    };
    static __device__ __forceinline__ qk_u64 tile_at(qk_u64 strip, qk_u32 tile, qk_u32 n)
    {
        return (strip * (n / width) + tile) * bytes;
    }
    static __device__ __forceinline__ qk_u64 lane_bytes(qk_u32 lane, qk_u64)
    {
        return lane * 16;
    }
    static __device__ __forceinline__ qk_u64 line_at(int line, qk_u64)
    {
        return line * LINE_BYTES;
    }
};

QK_DEVICE qk_u32x4 qk_line(const qk_u8 *tile, qk_u32 line, qk_u32 lane)
{
    return *(const qk_u32x4 *)(tile + line * LINE_BYTES + lane * 16);
}

/* -- the phase -- */

struct qk_phase {
    float *y;
    const qk_u8 *w;
    const float *bias;
    qk_u32 rows, n, then;
    qk_u32 block, blocks; /* this one, of those that share the rows */
};

/* Strip number i of a block's: in pairs a gate, then its way up. */
QK_DEVICE qk_u32 qk_strip(const qk_phase &p, qk_u32 i)
{
    if (p.then < THEN_SILU)
        return i;
    return i / 2 + i % 2 * (p.rows / TILE_ROWS / 2);
}

QK_DEVICE float qk_activated(float gate, float up, qk_u32 then)
{
    if (then == THEN_SILU)
        return gate / (1.0f + qk_expf(-gate)) * up;
    const float inner = 0.7978845608028654f * (gate + 0.044715f * gate * gate * gate);
    return 0.5f * gate * (1.0f + qk_tanhf(inner)) * up;
}

/* A block's strips, and how their tiles are divided among its waves. */
struct qk_part {
    qk_u32 first; /* strip */
    qk_u32 strips, per_strip, waves;
    qk_u32 *starts; /* (waves + 1): a wave's first tile, in shared memory */
    float *slots;   /* (waves + strips, tokens, TILE_ROWS) */
};

/* Row `row` of strip i, its parts added up in the order of the waves. */
QK_DEVICE float qk_row_sum(const qk_part &b, qk_u32 i, qk_u32 row, qk_u32 token, qk_u32 tokens)
{
    const qk_u32 low = i * b.per_strip, high = low + b.per_strip;
    float sum = 0.0f;
#pragma unroll 8
    for (qk_u32 w = 0; w < b.waves; w++)
        if (b.starts[w] < high && b.starts[w + 1] > low)
            sum += b.slots[((w + i) * tokens + token) * TILE_ROWS + row];
    return sum;
}

QK_DEVICE void qk_finish(const qk_phase &p, const qk_part &b, const float *unscale, qk_u32 tokens)
{
    const bool pairs = p.then >= THEN_SILU;
    const qk_u32 n = b.strips * TILE_ROWS * tokens / (pairs ? 2 : 1);
    for (qk_u32 i = qk_thread(); i < n; i += qk_threads()) {
        const qk_u32 row = i % TILE_ROWS, token = i / TILE_ROWS % tokens;
        const qk_u32 strip = i / TILE_ROWS / tokens * (pairs ? 2 : 1);
        const qk_u32 at = qk_strip(p, b.first + strip) * TILE_ROWS + row;
        float *to = p.y + (qk_u64)token * (p.rows / (pairs ? 2 : 1)) + at;
        const float before = p.then == THEN_ADD ? *to : 0.0f;
        const float bias = p.bias ? p.bias[at] : 0.0f;
        float v = qk_row_sum(b, strip, row, token, tokens) * unscale[token] + bias;
        if (pairs) {
            const qk_u32 above = at + p.rows / 2;
            float up = qk_row_sum(b, strip + 1, row, token, tokens) * unscale[token];
            up += p.bias ? p.bias[above] : 0.0f;
            v = qk_activated(v, up, p.then);
        }
        *to = v + before;
    }
}

/* Up to at_once tokens. */
template <class F>
QK_DEVICE void qk_run_phase(const qk_phase &p, const float *x, const float *norm, qk_u32 tokens,
                            float eps, qk_u8 *shared)
{
    const qk_u32 lane0 = qk_thread() % QK_LANES, wave = qk_thread() / QK_LANES;
    const qk_u32 twice = p.then >= THEN_SILU ? 2 : 1, strips = p.rows / TILE_ROWS / twice;
    qk_part b;
    b.first = strips * p.block / p.blocks * twice;
    b.strips = strips * (p.block + 1) / p.blocks * twice - b.first;
    b.per_strip = p.n / F::width;
    b.waves = qk_threads() / QK_LANES;
    const qk_u32 tiles = b.strips * b.per_strip;
    const qk_u32 begin = tiles * wave / b.waves, end = tiles * (wave + 1) / b.waves;
    qk_staged s;
    s.n = p.n;
    s.columns = (qk_half *)(shared + (QK_AHEAD_COPIES ? b.waves * F::bytes : 0));
    s.block_sums = (float *)(s.columns + (qk_u64)(2 * tokens) * (p.n + COLUMN_PAD));
    s.unscale = s.block_sums + tokens * (p.n / 32);
    s.parts = s.unscale + 4;
    b.starts = (qk_u32 *)(s.parts + 2 * tokens * b.waves);
    b.slots = (float *)(b.starts + b.waves + 1);
    qk_stream<F> stream;
    stream.lane = lane0;
    stream.row_bytes = (qk_u64)p.n * 2; /* of f16 */
#if QK_AHEAD_COPIES
    stream.scales = shared + wave * F::bytes + F::lines * LINE_BYTES;
    stream.ring = shared + wave * F::bytes + lane0 * 16;
    const qk_u8 *w = p.w + F::lane_bytes(lane0, stream.row_bytes);
    stream.next = begin < end ? w + F::tile_at(qk_strip(p, b.first + begin / b.per_strip),
                                               begin % b.per_strip, p.n)
                              : 0;
    stream.ask_scales();
#pragma unroll
    for (int i = 0; i < F::lines; i++)
        stream.ask(i);
#endif
    for (qk_u32 i = qk_thread(); i < (b.strips + b.waves) * TILE_ROWS * tokens; i += qk_threads())
        b.slots[i] = 0.0f;
    for (qk_u32 w = qk_thread(); w <= b.waves; w += qk_threads())
        b.starts[w] = tiles * w / b.waves;
    for (qk_u32 t = 0; t < tokens; t++)
        qk_stage<F::in_halves>(s, t, x + (qk_u64)t * p.n, norm, eps);
    qk_barrier();
    qk_sums sums = {0.0f, 0.0f};
    qk_u32 strip = begin / b.per_strip, column = begin % b.per_strip;
    for (qk_u32 tile = begin; tile < end; tile++) {
        const bool ends = column + 1 == b.per_strip;
#if QK_AHEAD_COPIES
        stream.next = tile + 1 < end ? w + F::tile_at(qk_strip(p, b.first + strip + ends),
                                                      ends ? 0 : column + 1, p.n)
                                     : 0;
#endif
        for (qk_u32 lane = lane0; lane < 32; lane += QK_LANES) {
            const qk_reader r = qk_reader_of(s, tokens, lane);
#if !QK_AHEAD_COPIES
            stream.lane = lane;
            stream.tile = p.w + F::lane_bytes(lane, stream.row_bytes) +
                          F::tile_at(qk_strip(p, b.first + strip), column, p.n);
#endif
            F::multiply(&sums, stream, r, column * F::width, lane);
            if (!ends && tile + 1 < end && QK_LANES > 1)
                continue;
#if QK_COLUMNS == 1 && QK_WAVE_WIDTH > 1
            sums.low += qk_shuffle_xor(sums.low, 1);
            sums.low += qk_shuffle_xor(sums.low, 2);
            sums.high += qk_shuffle_xor(sums.high, 1);
            sums.high += qk_shuffle_xor(sums.high, 2);
#endif
            const qk_u32 token = QK_COLUMNS == 1 ? 0 : lane % 4;
            if (token < tokens && (QK_COLUMNS > 1 || QK_LANES == 1 || lane % 4 == 0)) {
                float *slot = b.slots + ((wave + strip) * tokens + token) * TILE_ROWS + lane / 4;
                slot[0] += sums.low;
                slot[8] += sums.high;
            }
            sums.low = sums.high = 0.0f;
        }
        strip += ends;
        column = ends ? 0 : column + 1;
    }
    qk_barrier();
    qk_finish(p, b, s.unscale, tokens);
}

template <class F>
QK_DEVICE void qk_run_fused(float *y, const void *w, const float *x, const float *norm,
                            const float *bias, qk_u32 rows, qk_u32 n, qk_u32 tokens,
                            qk_u32 at_once, float eps, qk_u32 then, qk_u8 *shared)
{
    const qk_u32 step = qk_min(at_once, (qk_u32)QK_COLUMNS);
    for (qk_u32 first = 0; first < tokens; first += step) {
        const qk_phase p = {y + (qk_u64)first * (then >= THEN_SILU ? rows / 2 : rows),
                            (const qk_u8 *)w,
                            bias,
                            rows,
                            n,
                            then,
                            qk_block(),
                            qk_blocks()};
        if (first)
            qk_barrier(); /* shared memory is used again */
        qk_run_phase<F>(p, x + (qk_u64)first * n, norm, qk_min(step, tokens - first), eps, shared);
    }
}

/* -- tiles and back -- */

/* A byte of a tile comes from byte `at` of row `row`. */
struct qk_source {
    qk_u32 row, at;
};

/* Bytes 1 and 2 change places. */
QK_DEVICE qk_u32 qk_swapped(qk_u32 w)
{
    return (w & 0xff0000ffu) | (w & 0xff00u) << 8 | (w >> 8 & 0xff00u);
}

/* The row of a byte in a lane's 16, and which of the row's 32 elements it belongs to. */
QK_DEVICE qk_u32 qk_line_row(qk_u32 at)
{
    return at / 16 % 32 / 4 + at % 16 / 8 * 8;
}
QK_DEVICE qk_u32 qk_line_element(qk_u32 at)
{
    return at % 8 / 4 * 16 + at / 16 % 4 * 4 + at % 4;
}

/* A wave per tile. Two bytes of a tile were neighbours before, but for those of q4_k's codes, where
 * four were. */
template <class F, bool back>
QK_DEVICE void qk_run_tile(qk_u8 *out, const qk_u8 *in, qk_u32 rows, qk_u32 n)
{
    const qk_u32 row_bytes = F::bytes / TILE_ROWS; /* of a tile */
    const qk_u32 per_strip = n / F::width, step = F::swaps ? 4 : 2;
    const qk_span s =
        qk_share(rows / TILE_ROWS * per_strip, qk_wave_team::index(), qk_wave_team::count());
    for (qk_u64 tile = s.begin; tile < s.end; tile += s.step) {
        const qk_u32 strip = (qk_u32)tile / per_strip, column = (qk_u32)tile % per_strip;
        const qk_u64 first = ((qk_u64)strip * TILE_ROWS * per_strip + column) * row_bytes;
        for (qk_u32 i = qk_lane() * step; i < F::bytes; i += QK_WAVE_WIDTH * step) {
            const qk_source from = F::source(i);
            const qk_u64 at = first + (qk_u64)from.row * per_strip * row_bytes + from.at;
            const qk_u64 here = tile * F::bytes + i;
            const qk_u8 *read = in + (back ? here : at);
            qk_u8 *write = out + (back ? at : here);
            if (!F::swaps)
                *(qk_u16 *)write = *(const qk_u16 *)read;
            else if (i < F::lines * LINE_BYTES)
                *(qk_u32 *)write = qk_swapped(*(const qk_u32 *)read);
            else
                *(qk_u32 *)write = *(const qk_u32 *)read;
        }
    }
}

/* Four codes of one row as f16: scale (q - zero) - offset, from element `at` of the tile's rows. */
QK_DEVICE void qk_put_codes(qk_half *rows, qk_u32 n, qk_u32 lane, bool second_row, qk_u32 at,
                            qk_u32 codes, int zero, float scale, float offset)
{
    float v[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = scale * (float)((int)(codes >> 8 * i & 255u) - zero) - offset;
    qk_u32 *to = (qk_u32 *)(rows + (qk_u64)(lane / 4 + (second_row ? 8 : 0)) * n + at + lane % 4 * 4);
    to[0] = qk_pair<qk_half>(v);
    to[1] = qk_pair<qk_half>(v + 2);
}

template <class F>
QK_DEVICE void qk_run_unpack_tiles(qk_half *out, const qk_u8 *in, qk_u32 rows, qk_u32 n)
{
    const qk_u32 per_strip = n / F::width;
    const qk_span s =
        qk_share(rows / TILE_ROWS * per_strip, qk_wave_team::index(), qk_wave_team::count());
    for (qk_u64 tile = s.begin; tile < s.end; tile += s.step) {
        const qk_u32 strip = (qk_u32)tile / per_strip, column = (qk_u32)tile % per_strip;
        qk_half *to = out + (qk_u64)strip * TILE_ROWS * n + column * F::width;
        for (qk_u32 i = qk_lane(); i < F::units * 32; i += QK_WAVE_WIDTH)
            F::unpack(to, in + tile * F::bytes, n, i / 32, i % 32);
    }
}

#define QK_FUSED_KERNEL(format, F)                                                                 \
    extern "C" __global__ void __launch_bounds__(512, 1) fused_##format(                           \
        float *y, const void *w, const float *x, const float *norm, const float *bias,             \
        qk_u32 rows, qk_u32 n, qk_u32 tokens, qk_u32 at_once, float eps, qk_u32 then)              \
    {                                                                                              \
        extern __shared__ qk_u32x4 shared[];                                                       \
        qk_run_fused<F>(y, w, x, norm, bias, rows, n, tokens, at_once, eps, then,                  \
                        (qk_u8 *)shared);                                                          \
    }

#define QK_TILE_KERNELS(format, F)                                                                 \
    QK_FUSED_KERNEL(format, F)                                                                     \
    extern "C" __global__ void tile_##format(qk_u8 *__restrict__ out,                              \
                                             const qk_u8 *__restrict__ in, qk_u32 rows, qk_u32 n)  \
    {                                                                                              \
        qk_run_tile<F, false>(out, in, rows, n);                                                   \
    }                                                                                              \
    extern "C" __global__ void untile_##format(                                                    \
        qk_u8 *__restrict__ out, const qk_u8 *__restrict__ in, qk_u32 rows, qk_u32 n)              \
    {                                                                                              \
        qk_run_tile<F, true>(out, in, rows, n);                                                    \
    }                                                                                              \
    extern "C" __global__ void unpack_tiles_##format(qk_half *__restrict__ out,                    \
                                                     const qk_u8 *__restrict__ in, qk_u32 rows,    \
                                                     qk_u32 n)                                     \
    {                                                                                              \
        qk_run_unpack_tiles<F>(out, in, rows, n);                                                  \
    }

#endif
