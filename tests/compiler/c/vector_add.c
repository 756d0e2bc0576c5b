
#pragma STDC FP_CONTRACT ON

/* vector_add, vector_add.cu:2 */
static inline void qn_block_vector_add(const struct qn_block qn_b, float *y, const float *a,
                                       const float *b, int n)
{
    QN_ITEMS {
        int i = blockIdx_x * blockDim_x + threadIdx_x;
        if (i < n)
            y[i] = a[i] + b[i];
    }
}

QN_EXPORT void vector_add(const struct qn_block *block, void *const *args)
{
    qn_block_vector_add(*block, *(float **)args[0], *(const float **)args[1], *(const float **)args[2], *(int *)args[3]);
}

QN_EXPORT const uint qn_abi_version = QN_ABI_VERSION;
QN_EXPORT const struct qn_kernel_entry qn_kernels[] = {
    {"vector_add", vector_add, 0, 0, 0, 32, QN_KERNEL_SHORT},
};
QN_EXPORT const uint qn_kernels_count = 1;
QN_EXPORT const struct qn_global_entry qn_globals[] = {
    {0},
};
QN_EXPORT const uint qn_globals_count = 0;
