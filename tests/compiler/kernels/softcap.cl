#pragma OPENCL FP_CONTRACT ON

/* softcap_f32, softcap.cu:14 */
__kernel void softcap_f32(__global float *out, __global const float *x, ulong n, float cap)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = (n + t - 1) / t;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), n);
    ulong end = min(i + piece, n);
    for (; i < end; i++)
        out[i] = cap * tanh(x[i] / cap);
}
