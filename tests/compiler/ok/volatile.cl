#pragma OPENCL FP_CONTRACT ON

struct Slot {
    int flag;
    int data[3];
};

typedef uint __attribute__((may_alias)) qn_alias_uint;

/* run, volatile.cu:8 */
__kernel void run(__global struct Slot *out, __global const struct Slot *in, int n)
{
    __local struct Slot slots[32];

    int i = get_local_id(0);
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        ((__local volatile qn_alias_uint *)&slots[i])[qn_k] = ((__global const volatile qn_alias_uint *)&in[i])[qn_k];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        ((__global volatile qn_alias_uint *)&out[i])[qn_k] = ((__local const volatile qn_alias_uint *)&slots[31 - i])[qn_k];
    volatile int array;
    array = 0;
    int array_1[3];
    for (uint qn_k = 0; qn_k < 3; qn_k++)
        array_1[qn_k] = 0;
    int t = i + n;
    int value = array;
    *(__global volatile int *)&out[t].flag = value;
    for (uint qn_k = 0; qn_k < 3; qn_k++)
        ((__global volatile qn_alias_uint *)out[t].data)[qn_k] = ((const qn_alias_uint *)array_1)[qn_k];
    short narrow = (short)in[i].data[0];
    for (int k = 0; k < n / 8; k++) {
        out[i].data[1] = out[i].data[1] << 3;
        narrow = (short)(narrow << 5);
        narrow = (short)(narrow - k);
    }
    out[i].data[2] = narrow;
}
