#pragma OPENCL FP_CONTRACT ON

/* shift_beside_shift, shift_beside_shift.cu:2 */
__kernel void shift_beside_shift(__global uint *o, uint arg)
{
    uint tid = get_local_id(0);
    uint t = tid & 127;
    if (min(t < 32 ? tid >> t : 0, 31u) % 5 == 2)
        o[tid + 32] = 1;
    o[tid] = 527;
}

/* store_beside_shift, shift_beside_shift.cu:12 */
__kernel void store_beside_shift(__global int *o, __global const int *a)
{
    __local int s[64];

    float both[2];
    for (uint qn_k = 0; qn_k < 2; qn_k++)
        both[qn_k] = 0;
    uint tid = get_local_id(0);
    s[tid] = a[tid];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (tid != 0)
        both[0] = 3.0f;
    o[tid] = (s[0] >> min(tid, 31u)) + convert_int_sat(both[0]);
}
