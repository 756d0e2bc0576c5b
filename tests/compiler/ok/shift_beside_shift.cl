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
