/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups over the block and the warp: thread_block, tiles of 1 to 32 threads, coalesced
 * groups. Everything ends in __syncthreads and the warp builtins. The groups above a block
 * (this_grid, clusters) parse, know their sizes, and are refused when they synchronise; a grid on
 * cpu:0 is not.
 */
#pragma clang system_header
#ifndef QN_STANDIN_COOPERATIVE_GROUPS
#define QN_STANDIN_COOPERATIVE_GROUPS

#include <quern_prelude.h>

__device__ __attribute__((convergent)) void __qn_grid_sync() __asm__("__qn_grid_sync");
__device__ __attribute__((convergent)) void __qn_multi_grid_sync() __asm__("__qn_multi_grid_sync");
__device__ void *__qn_grid_workspace() __asm__("__qn_grid_workspace");

namespace cooperative_groups
{

#define QN__METHOD __device__ inline __attribute__((always_inline))

namespace __qn
{
QN__INLINE unsigned int rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
QN__INLINE unsigned int threads_in_block()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
QN__INLINE unsigned int lane()
{
    return rank_in_block() & 31;
}
} // namespace __qn

/* Shuffles of what the warp's builtins take as it is, and of structs of up to 32 bytes, which go
 * word by word. */
namespace __qn
{
template <class T> struct words {
    static_assert(__is_trivially_copyable(T), "a shuffle copies bytes");
    static_assert(sizeof(T) <= 32, "a shuffle moves at most 32 bytes");
    unsigned int word[(sizeof(T) + 3) / 4];
};
template <class T, class F> QN__INLINE T each_word(T v, F move)
{
    constexpr unsigned int n = (sizeof(T) + 3) / 4;
    words<T> w;
    if constexpr (sizeof(T) % 4 != 0)
        w.word[n - 1] = 0;
    __builtin_memcpy(&w, &v, sizeof(T));
    w.word[0] = move(w.word[0]);
    if constexpr (n > 1)
        w.word[1] = move(w.word[1]);
    if constexpr (n > 2)
        w.word[2] = move(w.word[2]);
    if constexpr (n > 3)
        w.word[3] = move(w.word[3]);
    if constexpr (n > 4)
        w.word[4] = move(w.word[4]);
    if constexpr (n > 5)
        w.word[5] = move(w.word[5]);
    if constexpr (n > 6)
        w.word[6] = move(w.word[6]);
    if constexpr (n > 7)
        w.word[7] = move(w.word[7]);
    __builtin_memcpy(&v, &w, sizeof(T));
    return v;
}
template <class T, class = T> struct by_words {
    static constexpr bool value = true;
};
/* A struct of the user's may become a number, and would arrive as that. */
template <class T> struct by_words<T, decltype(T(__shfl_sync(0u, T(), 0, 32)))> {
    static constexpr bool value =
        __is_class(T) && !__is_same(T, decltype(__shfl_sync(0u, T(), 0, 32)));
};
#define QN__SHUFFLE(name, by)                                                                      \
    template <class T> QN__INLINE T name(unsigned int mask, T v, by lane, int width)               \
    {                                                                                              \
        if constexpr (by_words<T>::value)                                                          \
            return each_word(v, [=](unsigned int w) __attribute__((device, always_inline)) {       \
                return __##name##_sync(mask, w, lane, width);                                      \
            });                                                                                    \
        else                                                                                       \
            return __##name##_sync(mask, v, lane, width);                                          \
    }
QN__SHUFFLE(shfl, int)
QN__SHUFFLE(shfl_up, unsigned int)
QN__SHUFFLE(shfl_down, unsigned int)
QN__SHUFFLE(shfl_xor, unsigned int)
#undef QN__SHUFFLE
} // namespace __qn

class thread_block
{
  public:
    QN__METHOD void sync() const
    {
        __syncthreads();
    }
    QN__METHOD unsigned int thread_rank() const
    {
        return __qn::rank_in_block();
    }
    QN__METHOD unsigned int size() const
    {
        return __qn::threads_in_block();
    }
    QN__METHOD unsigned int num_threads() const
    {
        return __qn::threads_in_block();
    }
    QN__METHOD dim3 group_index() const
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    QN__METHOD dim3 thread_index() const
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    QN__METHOD dim3 group_dim() const
    {
        return blockDim;
    }
    QN__METHOD dim3 dim_threads() const
    {
        return blockDim;
    }
    static QN__METHOD void static_sync()
    {
        __syncthreads();
    }
};
QN__INLINE thread_block this_thread_block()
{
    return thread_block();
}

/* Where CUDA's own grid.sync() counts the blocks that have arrived; programs that wait by hand name
 * it. On cpu:0 it is theirs alone. */
#define _CG_ASM_PTR_CONSTRAINT "l"
namespace details
{
struct grid_workspace {
    unsigned int wsSize, barrier;
};
QN__INLINE grid_workspace *get_grid_workspace()
{
    return static_cast<grid_workspace *>(__qn_grid_workspace());
}
} // namespace details

class grid_group
{
  public:
    QN__METHOD bool is_valid() const
    {
        return true;
    }
    QN__METHOD void sync() const
    {
        __qn_grid_sync();
    }
    QN__METHOD unsigned long long block_rank() const
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    QN__METHOD unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    QN__METHOD unsigned long long thread_rank() const
    {
        return block_rank() * __qn::threads_in_block() + __qn::rank_in_block();
    }
    QN__METHOD unsigned long long size() const
    {
        return num_blocks() * __qn::threads_in_block();
    }
    QN__METHOD unsigned long long num_threads() const
    {
        return size();
    }
    QN__METHOD dim3 group_dim() const
    {
        return gridDim;
    }
    QN__METHOD dim3 dim_blocks() const
    {
        return gridDim;
    }
    QN__METHOD dim3 block_index() const
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
};
QN__INLINE grid_group this_grid()
{
    return grid_group();
}
class multi_grid_group : public grid_group
{
  public:
    QN__METHOD void sync() const
    {
        __qn_multi_grid_sync();
    }
};
QN__INLINE multi_grid_group this_multi_grid()
{
    return multi_grid_group();
}

/* What tiles and coalesced groups share: members are the bits of mask, `width` lanes apart. */
namespace __qn
{
template <class Group> class warp_group
{
    QN__METHOD const Group &me() const
    {
        return *static_cast<const Group *>(this);
    }

  public:
    QN__METHOD void sync() const
    {
        __syncwarp(me().__qn_mask());
    }
    QN__METHOD int any(int predicate) const
    {
        return __any_sync(me().__qn_mask(), predicate);
    }
    QN__METHOD int all(int predicate) const
    {
        return __all_sync(me().__qn_mask(), predicate);
    }
};
} // namespace __qn

template <unsigned int Size, class Parent = void> class thread_block_tile;

/* Which tile of the group it was made from this one is, and how many there are. A tile whose type
 * does not name that group (a block or a larger tile) carries both numbers. */
namespace __qn
{
template <unsigned int Size, class Parent> class part
{
  public:
    QN__METHOD unsigned int meta_group_rank() const
    {
        return rank_in_block() / Size;
    }
    QN__METHOD unsigned int meta_group_size() const
    {
        return (threads_in_block() + Size - 1) / Size;
    }
};
template <unsigned int Size, unsigned int Larger, class Parent>
class part<Size, thread_block_tile<Larger, Parent>>
{
    static_assert(Size <= Larger, "a tile is no larger than the tile it is made from");

  public:
    QN__METHOD unsigned int meta_group_rank() const
    {
        return rank_in_block() % Larger / Size;
    }
    QN__METHOD unsigned int meta_group_size() const
    {
        return Larger / Size;
    }
};
template <unsigned int Size> class part<Size, void>
{
    unsigned int rank_, count_;

  public:
    part() = default;
    QN__METHOD part(unsigned int rank, unsigned int count) : rank_(rank), count_(count)
    {
    }
    QN__METHOD unsigned int meta_group_rank() const
    {
        return rank_;
    }
    QN__METHOD unsigned int meta_group_size() const
    {
        return count_;
    }
};
} // namespace __qn

template <unsigned int Size, class Parent>
class thread_block_tile : public __qn::warp_group<thread_block_tile<Size, Parent>>,
                          public __qn::part<Size, Parent>
{
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads (larger tiles are not translated)");

  public:
    thread_block_tile() = default;
    template <class Group>
    QN__METHOD thread_block_tile(const thread_block_tile<Size, Group> &tile)
        : __qn::part<Size, Parent>(tile.meta_group_rank(), tile.meta_group_size())
    {
    }
    QN__METHOD unsigned int __qn_mask() const
    {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (__qn::lane() & (32 - Size));
    }
    QN__METHOD unsigned int thread_rank() const
    {
        return __qn::rank_in_block() & (Size - 1);
    }
    static constexpr __device__ unsigned int size()
    {
        return Size;
    }
    static constexpr __device__ unsigned int num_threads()
    {
        return Size;
    }
    template <class T> QN__METHOD T shfl(T v, int lane) const
    {
        return __qn::shfl(__qn_mask(), v, lane, Size);
    }
    template <class T> QN__METHOD T shfl_up(T v, unsigned int by) const
    {
        return __qn::shfl_up(__qn_mask(), v, by, Size);
    }
    template <class T> QN__METHOD T shfl_down(T v, unsigned int by) const
    {
        return __qn::shfl_down(__qn_mask(), v, by, Size);
    }
    template <class T> QN__METHOD T shfl_xor(T v, unsigned int lanes) const
    {
        return __qn::shfl_xor(__qn_mask(), v, lanes, Size);
    }
    QN__METHOD unsigned int ballot(int predicate) const
    {
        return (__ballot_sync(__qn_mask(), predicate) & __qn_mask()) >>
               (__qn::lane() & (32 - Size));
    }
    template <class T> QN__METHOD unsigned int match_any(T v) const
    {
        return __match_any_sync(__qn_mask(), v) >> (__qn::lane() & (32 - Size));
    }
    template <class T> QN__METHOD unsigned int match_all(T v, int &all) const
    {
        return __match_all_sync(__qn_mask(), v, &all) >> (__qn::lane() & (32 - Size));
    }
};

/* The lanes that are active here, or a part of another group's. Ranks count the lanes of the mask.
 */
class coalesced_group : public __qn::warp_group<coalesced_group>
{
    unsigned int mask_, part_, parts_;
    /* the lane whose rank is `rank` */
    QN__METHOD int lane_of(unsigned int rank) const
    {
        return __fns(mask_, 0, (int)rank + 1);
    }

  public:
    QN__METHOD explicit coalesced_group(unsigned int mask, unsigned int part = 0,
                                        unsigned int parts = 1)
        : mask_(mask), part_(part), parts_(parts)
    {
    }
    template <unsigned int Size, class Parent>
    QN__METHOD coalesced_group(const thread_block_tile<Size, Parent> &tile)
        : mask_(tile.__qn_mask()), part_(tile.meta_group_rank()), parts_(tile.meta_group_size())
    {
    }
    QN__METHOD unsigned int __qn_mask() const
    {
        return mask_;
    }
    QN__METHOD unsigned int size() const
    {
        return __popc(mask_);
    }
    QN__METHOD unsigned int num_threads() const
    {
        return __popc(mask_);
    }
    QN__METHOD unsigned int thread_rank() const
    {
        return __popc(mask_ & ((1u << __qn::lane()) - 1));
    }
    QN__METHOD unsigned int meta_group_rank() const
    {
        return part_;
    }
    QN__METHOD unsigned int meta_group_size() const
    {
        return parts_;
    }
    template <class T> QN__METHOD T shfl(T v, unsigned int rank) const
    {
        return __qn::shfl(mask_, v, lane_of(rank), 32);
    }
    template <class T> QN__METHOD T shfl_up(T v, unsigned int by) const
    {
        const unsigned int rank = thread_rank();
        return __qn::shfl(mask_, v, rank < by ? (int)__qn::lane() : lane_of(rank - by), 32);
    }
    template <class T> QN__METHOD T shfl_down(T v, unsigned int by) const
    {
        const unsigned int rank = thread_rank();
        return __qn::shfl(mask_, v, rank + by >= size() ? (int)__qn::lane() : lane_of(rank + by),
                          32);
    }
    /* bits of a warp mask, gathered to the ranks of this group */
    QN__METHOD unsigned int __qn_pack(unsigned int lanes) const
    {
        unsigned int packed = 0, rank = 0;
        for (unsigned int left = mask_; left; left &= left - 1, rank++)
            packed |= (lanes & (left & -left)) ? 1u << rank : 0;
        return packed;
    }
    QN__METHOD unsigned int ballot(int predicate) const
    {
        return __qn_pack(__ballot_sync(mask_, predicate));
    }
    template <class T> QN__METHOD unsigned int match_any(T v) const
    {
        return __qn_pack(__match_any_sync(mask_, v));
    }
};
QN__INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* A group whose size is known at run time only. */
class thread_group
{
    unsigned int size_; /* 0: the block */

  public:
    QN__METHOD thread_group(thread_block) : size_(0)
    {
    }
    QN__METHOD explicit thread_group(unsigned int size) : size_(size)
    {
    }
    template <unsigned int Size, class Parent>
    QN__METHOD thread_group(const thread_block_tile<Size, Parent> &) : size_(Size)
    {
    }
    QN__METHOD void sync() const
    {
        if (size_ == 0)
            __syncthreads();
        else
            __syncwarp();
    }
    QN__METHOD unsigned int size() const
    {
        return size_ ? size_ : __qn::threads_in_block();
    }
    QN__METHOD unsigned int num_threads() const
    {
        return size();
    }
    QN__METHOD unsigned int thread_rank() const
    {
        return __qn::rank_in_block() % size();
    }
    template <class T> QN__METHOD T shfl(T v, int lane) const
    {
        return __qn::shfl(0xffffffffu, v, lane, (int)size_);
    }
    template <class T> QN__METHOD T shfl_down(T v, unsigned int by) const
    {
        return __qn::shfl_down(0xffffffffu, v, by, (int)size_);
    }
    template <class T> QN__METHOD T shfl_up(T v, unsigned int by) const
    {
        return __qn::shfl_up(0xffffffffu, v, by, (int)size_);
    }
};

template <unsigned int Size, class Parent>
QN__INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}
QN__INLINE thread_group tiled_partition(const thread_group &, unsigned int size)
{
    return thread_group(size);
}
/* Members with equal label form a group; the groups are counted by their first lanes. */
template <class Group, class Label>
QN__INLINE coalesced_group labeled_partition(const Group &g, Label label)
{
    const unsigned int same = __match_any_sync(g.__qn_mask(), label), first = same & -same;
    const unsigned int firsts = __ballot_sync(g.__qn_mask(), first == 1u << __qn::lane());
    return coalesced_group(same, __popc(firsts & (first - 1)), __popc(firsts));
}
template <class Group> QN__INLINE coalesced_group binary_partition(const Group &g, bool predicate)
{
    const unsigned int yes = __ballot_sync(g.__qn_mask(), predicate) & g.__qn_mask();
    return coalesced_group(predicate ? yes : g.__qn_mask() & ~yes, predicate, 2);
}

template <class Group> QN__INLINE void sync(const Group &g)
{
    g.sync();
}
template <class Group> QN__INLINE unsigned int thread_rank(const Group &g)
{
    return g.thread_rank();
}
template <class Group> QN__INLINE unsigned int group_size(const Group &g)
{
    return g.size();
}
QN__INLINE dim3 group_index()
{
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
}

template <class T> struct plus {
    QN__METHOD T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <class T> struct less {
    QN__METHOD T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    QN__METHOD T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T> struct bit_and {
    QN__METHOD T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <class T> struct bit_or {
    QN__METHOD T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <class T> struct bit_xor {
    QN__METHOD T operator()(T a, T b) const
    {
        return a ^ b;
    }
};

/* All members get the result. In a tile by halving; in a coalesced group one by one, so that
 * every size works. */
template <unsigned int Size, class Parent, class T, class Op>
QN__INLINE T reduce(const thread_block_tile<Size, Parent> &g, T v, Op op)
{
    for (unsigned int by = Size / 2; by; by /= 2)
        v = op(v, g.shfl_xor(v, by));
    return v;
}
template <class T, class Op> QN__INLINE T reduce(const coalesced_group &g, T v, Op op)
{
    T sum = g.shfl(v, 0);
    for (unsigned int rank = 1; rank < g.size(); rank++)
        sum = op(sum, g.shfl(v, rank));
    return sum;
}
template <class Group, class T, class Op> QN__INLINE T inclusive_scan(const Group &g, T v, Op op)
{
    for (unsigned int by = 1; by < g.size(); by *= 2) {
        const T other = g.shfl_up(v, by);
        if (g.thread_rank() >= by)
            v = op(other, v);
    }
    return v;
}
template <class Group, class T> QN__INLINE T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T> QN__INLINE T exclusive_scan(const Group &g, T v)
{
    const T scanned = g.shfl_up(inclusive_scan(g, v), 1);
    return g.thread_rank() == 0 ? T(0) : scanned;
}
template <class Group, class T, class Op> QN__INLINE T exclusive_scan(const Group &g, T v, Op op)
{
    const T scanned = g.shfl_up(inclusive_scan(g, v, op), 1);
    return g.thread_rank() == 0 ? T{} : scanned;
}

/* A copy by all threads of the group; wait() is the barrier after it. */
template <class Group, class T>
QN__INLINE void memcpy_async(const Group &g, T *to, const T *from, size_t bytes)
{
    for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
        to[i] = from[i];
}
/* As many elements as both have. */
template <class Group, class T, class ToCount, class FromCount>
QN__INLINE void memcpy_async(const Group &g, T *to, ToCount n_to, const T *from, FromCount n_from)
{
    const size_t n = (size_t)n_to < (size_t)n_from ? (size_t)n_to : (size_t)n_from;
    memcpy_async(g, to, from, n * sizeof(T));
}
template <class Group> QN__INLINE void wait(const Group &g)
{
    g.sync();
}
template <unsigned int prior, class Group> QN__INLINE void wait_prior(const Group &g)
{
    g.sync();
}

#undef QN__METHOD
} // namespace cooperative_groups

#endif
