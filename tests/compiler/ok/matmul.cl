#pragma OPENCL FP_CONTRACT ON

/* matmul, matmul.cu:4 */
__kernel void matmul(__global const float *A, __global const float *B, __global float *C, int M,
                     int N, int K)
{
    __local float As[16][16];
    __local float Bs[16][16];

    int row = get_group_id(1) * 16 + get_local_id(1);
    int col = get_group_id(0) * 16 + get_local_id(0);
    float acc = 0.0f;
    for (int t = 0; t < (K + 16 - 1) / 16; t++) {
        int t_1 = t * 16;
        int a = t_1 + get_local_id(0);
        int b = t_1 + get_local_id(1);
        As[get_local_id(1)][get_local_id(0)] = (row < M && a < K) ? A[row * K + a] : 0.0f;
        Bs[get_local_id(1)][get_local_id(0)] = (b < K && col < N) ? B[b * N + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < 16; k++)
            acc += As[get_local_id(1)][k] * Bs[k][get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
