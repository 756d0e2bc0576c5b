#pragma OPENCL FP_CONTRACT ON

struct packed {
    ulong data;
    long sizes[3];
    long strides[3];
};

struct packed_2 {
    ulong data;
    long sizes[3];
    long strides[3];
};

__constant long constinit_table0[3] = {2ul, 3ul, 4ul};

__constant long constinit1_table1[3] = {12ul, 4ul, 1ul};

/* contract, accessor.cu:31 */
__kernel void contract(__global float *out, struct packed m, int i)
{
    struct packed m_1 = m;
    float sum = 0.0f;
    for (int j = 0; j < m_1.sizes[1]; j++) {
        for (int k = 0; k < m_1.sizes[2]; k++)
            sum += ((__global float *)m_1.data)[m_1.strides[0] * i + m_1.strides[1] * j
                + (m_1.strides + 1)[1] * k] * (float)(j + 1);
    }
    out[get_local_id(0)] = sum;
}

/* run, accessor.cu:40 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    struct packed_2 m;
    m.data = (ulong)in;
    for (uint qn_k = 0; qn_k < 3; qn_k++)
        m.sizes[qn_k] = constinit_table0[qn_k];
    for (uint qn_k = 0; qn_k < 3; qn_k++)
        m.strides[qn_k] = constinit1_table1[qn_k];
    float sum = 0.0f;
    for (int j = 0; j < m.sizes[1]; j++) {
        for (int k = 0; k < m.sizes[2]; k++)
            sum += ((__global float *)m.data)[m.strides[0] * (n % 2) + m.strides[1] * j
                + (m.strides + 1)[1] * (ulong)((k + (uint)get_local_id(0)) % 4)] * (float)(j + k);
    }
    out[get_local_id(0)] = sum;
}
