// Structs go from lane to lane word by word; volatile loads of vectors.
#ifdef QUERN_TRANSLATE
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define EITHER(cpp, groups) groups
#else
#define EITHER(cpp, groups) cpp
#define __ldcv(p) (*(p))
#endif

struct best {
    int value;
    short where;
};
struct bytes {
    char b[3];
};
struct wide {
    double d;
    float f[3];
    short s;
};

static __device__ best better(best a, best b)
{
    return a.value > b.value || (a.value == b.value && a.where < b.where) ? a : b;
}

__global__ void run(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    best own = {in[t], (short)t};
    const bytes few = {{(char)t, 2, (char)in[t]}};
    const wide many = {t + 0.5, {1, 2, (float)in[t]}, (short)(3 * t)};
#ifdef QUERN_TRANSLATE
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto tile = cg::tiled_partition<8>(warp);
    own = cg::reduce(warp, own, better);
    const bytes other = tile.shfl(few, 3);
    const wide next = tile.shfl_down(many, 1);
#else
    for (int k = 0; k < 32; k++)
        own = better(own, {in[(t & ~31) + k], (short)((t & ~31) + k)});
    const int from = (t & ~7) + 3, after = (t & 7) == 7 ? t : t + 1;
    const bytes other = {{(char)from, 2, (char)in[from]}};
    const wide next = {after + 0.5, {1, 2, (float)in[after]}, (short)(3 * after)};
#endif
    const int4 four = __ldcv((const int4 *)in + t % 8);
    const uchar2 two = __ldcv((const uchar2 *)in + t);
    out[t] = own.value + 7 * own.where + 11 * other.b[0] + 13 * other.b[1] + 17 * other.b[2];
    out[64 + t] = (int)(2 * next.d) + (int)(next.f[2] + next.f[1]) + next.s + four.x - four.w + two.y + n;
}
// exercises: model/builtins
