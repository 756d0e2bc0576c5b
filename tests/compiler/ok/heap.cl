#pragma OPENCL FP_CONTRACT ON

struct node {
    int value;
    ulong next;
};

typedef struct node __attribute__((may_alias)) qn_alias_node;

/* the units first to first + n - 1 are free again */
void qn_heap_give(volatile __global int *bits, uint first, uint n)
{
    for (uint at = first; at < first + n;) {
        const uint some = min(32 - at % 32, first + n - at);
        atomic_and(&bits[at / 32], ~(int)(0xffffffffu >> (32 - some) << at % 32));
        at += some;
    }
}

/* takes these units, or none: the first that another has, or first + n */
uint qn_heap_take(volatile __global int *bits, uint first, uint n)
{
    for (uint at = first; at < first + n;) {
        const uint some = min(32 - at % 32, first + n - at);
        const uint wanted = 0xffffffffu >> (32 - some) << at % 32;
        const uint taken = (uint)atomic_or(&bits[at / 32], (int)wanted) & wanted;
        if (taken) {
            atomic_and(&bits[at / 32], ~(int)(wanted & ~taken));
            qn_heap_give(bits, first, at - first);
            return at - at % 32 + popcount((taken & -taken) - 1);
        }
        at += some;
    }
    return first + n;
}

/* takes n free units in a row of those from `from` to end - 1: the first of them, or end */
uint qn_heap_find(volatile __global int *bits, uint n, uint from, uint end)
{
    uint run = 0; /* free units before `at` */
    for (uint at = from; at < end;) {
        const uint room = min(32 - at % 32, end - at);
        volatile __global int *word = &bits[at / 32];
        const uint here = (uint)*word >> at % 32;
        const uint change = here & 1 ? ~here : here;
        const uint same = min(room, (uint)popcount((change & -change) - 1));
        at += same;
        run = here & 1 ? 0 : run + same;
        if (run < n)
            continue;
        const uint first = at - run, stop = qn_heap_take(bits, first, n);
        if (stop == first + n)
            return first;
        at = stop + 1;
        run = 0;
    }
    return end;
}

/* units for so many bytes, and one in front of them that says which they are; no one waits here:
 * who finds a unit taken looks further on. What others take for a moment may hide what is free, so
 * it is looked for again. */
__global void *qn_malloc(__global int *heap, ulong bytes, ulong align)
{
    volatile __global int *bits = heap + 4;
    volatile __global int *taken = heap + 1;
    const uint total = (uint)heap[0];
    const ulong spare = align > 16 ? align / 16 - 1 : 0;
    if (bytes > total * 16ul || spare > total)
        return 0;
    const ulong wanted = (bytes + (bytes == 0) + 15) / 16 + 1 + spare;
    if (wanted > total)
        return 0;
    const uint n = (uint)wanted;
    const uint from = (uint)atomic_add(&heap[2], (int)n) % total;
    for (uint tries = 0; tries < 4 && n <= total - min(total, (uint)*taken); tries++) {
        uint first = qn_heap_find(bits, n, from, total);
        if (first == total) {
            first = qn_heap_find(bits, n, 0, min(total, from + n));
            if (first == min(total, from + n))
                continue;
        }
        atomic_add(taken, (int)n);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        const ulong at = (ulong)(heap + 4 + total / 32) + (first + 1) * 16ul;
        __global int *p = (__global int *)((at + (spare * 16 + 15)) & ~(spare * 16 + 15));
        p[-4] = (int)first;
        p[-3] = (int)n;
        p[-2] = 0x716e6d61;
        return p;
    }
    return 0;
}

/* leaves where and what failed for the host, which looks when it syncs; the first one counts */
void qn_fail(__global int *fault, __constant char *file, uint line, __constant char *text)
{
    __global uchar *words = (__global uchar *)&fault[2];
    if (atomic_cmpxchg(&fault[0], 0, 1) != 0)
        return;
    fault[1] = (int)line;
    for (uint k = 0; k < 123 && file[k]; k++)
        words[k] = file[k];
    for (uint k = 0; k < 123 && text[k]; k++)
        words[124 + k] = text[k];
}

/* what malloc did not give, or was freed before, is for the host to know */
void qn_free(__global int *heap, __global int *fault, __global void *p, __constant char *file, uint line)
{
    __global int *const block = (__global int *)p - 4;
    const ulong units = (ulong)(heap + 4 + (uint)heap[0] / 32);
    if (!p)
        return;
    if ((ulong)p % 16 || (ulong)p < units + 16 || (ulong)p > units + (uint)heap[0] * 16ul ||
        atomic_cmpxchg(&block[2], 0x716e6d61, 0) != 0x716e6d61) {
        qn_fail(fault, file, line, "free: an address that malloc did not give, or that is free");
        return;
    }
    const uint first = (uint)block[0], n = (uint)block[1];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    qn_heap_give((volatile __global int *)(heap + 4), first, n);
    atomic_sub(&heap[1], (int)n);
}

/* push, heap.cu:11 */
__kernel void push(__global ulong *list, int n, __global int *qn_heap_)
{
    __global qn_alias_node *p = (__global qn_alias_node *)qn_malloc(qn_heap_, 16ul, 16);
    if (p == 0)
        return;
    p->value = n;
    p->next = *list;
    *list = (ulong)p;
}

/* drop, heap.cu:20 */
__kernel void drop(__global uchar *list, __global int *qn_heap_, __global int *qn_fault_)
{
    while (list != 0) {
        __global uchar *next = (__global uchar *)((__global struct node *)list)->next;
        qn_free(qn_heap_, qn_fault_, list, "heap.cu", 24u);
        list = next;
    }
}

/* more, heap.cu:28 */
__kernel void more(__global ulong *p, int n, __global int *qn_heap_, __global int *qn_fault_)
{
    __global uchar *p_1 = (__global uchar *)qn_malloc(qn_heap_, (ulong)n, 16);
    *p = (ulong)p_1;
    __global uchar *p_2 = (__global uchar *)qn_malloc(qn_heap_, mul_hi((ulong)n, 4ul) != 0
        ? 0xfffffffffffffffful : (long)n * 4ul, 16);
    p[1] = (ulong)p_2;
    __global uchar *p_3 = (__global uchar *)qn_malloc(qn_heap_, 4ul, 16);
    p[2] = (ulong)p_3;
    __global uchar *p_4 = (__global uchar *)qn_malloc(qn_heap_, 64ul, 64ul);
    p[3] = (ulong)p_4;
    __global uchar *p_5 = (__global uchar *)qn_malloc(qn_heap_, (ulong)n, 256ul);
    p[4] = (ulong)p_5;
    qn_free(qn_heap_, qn_fault_, (__global uchar *)p[5], "heap.cu", 35u);
    __global uchar *p_6 = (__global uchar *)p[6];
    if (p_6 != 0)
        qn_free(qn_heap_, qn_fault_, p_6, "heap.cu", 36u);
    __global uchar *p_7 = (__global uchar *)p[7];
    if (p_7 == 0)
        return;
    qn_free(qn_heap_, qn_fault_, p_7, "heap.cu", 37u);
}

/* none, heap.cu:39 */
__kernel void none(__global int *out, int n)
{
    out[get_local_id(0)] = n;
}
