#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT ON

struct std_atomic {
    uint value;
};

typedef short __attribute__((may_alias)) qn_alias_short;

/* compare-and-swap of a 16-bit number through the 32-bit word around it; returns the old number */
ushort qn_word_cas_global(volatile __global ushort *p, ushort expected, ushort value)
{
    const size_t address = (size_t)p;
    volatile __global uint *const word = (volatile __global uint *)(address & ~(size_t)3);
    const uint shift = (uint)(address & 2) * 8;
    uint seen = *word, old;
    do {
        old = seen;
        if ((ushort)(old >> shift) != expected)
            return (ushort)(old >> shift);
        seen = atomic_cmpxchg(word, old, (old & ~(0xffffu << shift)) | (uint)value << shift);
    } while (seen != old);
    return expected;
}

/* compare-and-swap of 16 bits */
ushort qn_atomic_cas_u16_global(volatile __global ushort *p, ushort expected, ushort value)
{
    return qn_word_cas_global(p, expected, value);
}

/* run, atomic_objects.cu:34 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int room;

    int i = get_local_id(0);
    bool taken = i == 0;
    if (taken)
        mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (taken)
        *(__local volatile int *)&room = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (taken)
        mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(&room, in[i] & 3);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(&room, 1);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(out, in[i]);
    atomic_max(out + 1, in[i]);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_xor(out + 2, in[i]);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_sub((__global uint *)((__global struct std_atomic *)out + 3), 2u);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atom_add((__global ulong *)(out + 4), 18446744073709551613ul);
    int t = in[i] & 7;
    short old = *(__global volatile qn_alias_short *)&out[6];
    if (get_local_id(0) < get_local_size(0) /* always */) {
        for (;;) {
            ushort old_2 = qn_atomic_cas_u16_global((__global ushort *)(out + 6), (ushort)old,
                (ushort)(ushort)(short)(old + (short)t));
            if (old_2 == (ushort)old)
                break;
            old = old_2;
        }
    }
    int2 value = *(__global int2 *)&out[8];
    int value_1 = in[i];
    int2 own = (int2)(value_1, i);
    int2 old_1 = (int2)(value.x, value.y);
    if (get_local_id(0) < get_local_size(0) /* always */) {
        bool t_1 = false;
        do {
            do {
                int old_3 = old_1.x;
                if (value_1 <= old_3) {
                    int old_5 = old_1.y;
                    if (value_1 != old_3 || i >= old_5) {
                        t_1 = false;
                        break;
                    }
                }
                ulong old_4 = atom_cmpxchg((__global ulong *)(out + 8), (ulong)as_long(old_1),
                    (ulong)as_long(own));
                t_1 = old_4 != as_long(old_1);
                old_1 = as_int2(old_4);
            } while (false);
        } while (t_1);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
        int v = *(__local volatile int *)&room;
        mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        out[10] = v + n;
    }
}
