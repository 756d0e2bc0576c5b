#pragma OPENCL FP_CONTRACT ON

/* run, branch_in_loop.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    box[tid] = in[i];
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        bool taken = n % 5 == 0;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (taken) {
            uint part = 23 % (uint)(i | 1);
            uint choice = 4294967264u / (part | 1) % 3;
            if (choice != 0u && choice != 1u)
                sum += box[(tid + k) & 31];
        }
    }
    out[i] = sum;
}
