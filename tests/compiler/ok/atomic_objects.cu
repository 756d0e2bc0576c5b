// Atomic objects of libcu++: numbers, structs and members, in global and shared memory.
#ifdef QUERN_TRANSLATE
#include <cuda/atomic>
#include <cuda/std/atomic>
using cuda::atomic_ref;
#define RELAXED cuda::memory_order_relaxed
#define ACQUIRE cuda::std::memory_order_acquire
typedef cuda::atomic<int, cuda::thread_scope_block> block_counter;
typedef cuda::std::atomic<unsigned> counter;
#else
#include <atomic>
#define RELAXED std::memory_order_relaxed
#define ACQUIRE std::memory_order_acquire
typedef std::atomic<int> block_counter;
typedef std::atomic<unsigned> counter;
template <class T> struct atomic_ref {
    T *p;
    explicit atomic_ref(T &v) : p(&v) {}
    T fetch_add(T v, std::memory_order o) { return __atomic_fetch_add(p, v, (int)o); }
    T fetch_xor(T v, std::memory_order o) { return __atomic_fetch_xor(p, v, (int)o); }
    T fetch_max(T v, std::memory_order o) { return __atomic_fetch_max(p, v, (int)o); }
    T load(std::memory_order o) { T v; __atomic_load(p, &v, (int)o); return v; }
    bool compare_exchange_weak(T &old, T v, std::memory_order o)
    {
        return __atomic_compare_exchange(p, &old, &v, true, (int)o, __ATOMIC_RELAXED);
    }
};
#endif

struct alignas(8) best {
    int value, where;
};

__global__ void run(int *out, const int *in, int n)
{
    __shared__ int room;
    block_counter &here = *(block_counter *)&room;
    const int i = threadIdx.x;
    if (i == 0)
        here = 5;
    __syncthreads();
    here.fetch_add(in[i] & 3, RELAXED);
    here++;
    atomic_ref<int>(out[0]).fetch_add(in[i], RELAXED);
    atomic_ref<int>(out[1]).fetch_max(in[i], ACQUIRE);
    atomic_ref<int>(out[2]).fetch_xor(in[i], RELAXED);
    ((counter *)out)[3].fetch_sub(2);
    atomic_ref<long>(*(long *)(out + 4)).fetch_add(-3, RELAXED);
    atomic_ref<short>(*(short *)(out + 6)).fetch_add((short)(in[i] & 7), RELAXED);
    atomic_ref<best> top(*(best *)(out + 8));
    best old = top.load(RELAXED);
    const best own = {in[i], i};
    while ((own.value > old.value || (own.value == old.value && own.where < old.where)) &&
           !top.compare_exchange_weak(old, own, RELAXED)) {
    }
    __syncthreads();
    if (i == 0)
        out[10] = here.load(ACQUIRE) + n;
}
// exercises: model/builtins
