
#pragma STDC FP_CONTRACT ON

/* run, reduce.cu:2 */
struct qn_shared_run {
    float sums[128];
} __attribute__((aligned(16)));

static inline void qn_block_run(const struct qn_block qn_b, float *out, const float *in, int n)
{
    struct qn_shared_run *const qn_shared = (struct qn_shared_run *)qn_b.shared;
    const ulong qn_n = (ulong)qn_b.items[0] * qn_b.items[1] * qn_b.items[2];
    int *tid_at = (int *)(qn_b.frame + 0 * qn_n);

    QN_ITEMS {
        int tid = threadIdx_x;
        int i = blockIdx_x * blockDim_x + tid;
        qn_shared->sums[tid] = i < n ? in[i] : 0.0f;
        tid_at[qn_i] = tid;
    }
    for (int stride = blockDim_x / 2; stride > 0; stride >>= 1) {
        QN_ITEMS {
            int tid = tid_at[qn_i];
            if (tid < stride)
                qn_shared->sums[tid] += qn_shared->sums[tid + stride];
        }
    }
    QN_ITEMS {
        int tid = tid_at[qn_i];
        if (tid == 0)
            out[blockIdx_x] = qn_shared->sums[0];
    }
}

QN_EXPORT void run(const struct qn_block *block, void *const *args)
{
    qn_block_run(*block, *(float **)args[0], *(const float **)args[1], *(int *)args[2]);
}

QN_EXPORT const uint qn_abi_version = QN_ABI_VERSION;
QN_EXPORT const struct qn_kernel_entry qn_kernels[] = {
    {"run", run, sizeof(struct qn_shared_run), 4, 0, 32, 0},
};
QN_EXPORT const uint qn_kernels_count = 1;
QN_EXPORT const struct qn_global_entry qn_globals[] = {
    {0},
};
QN_EXPORT const uint qn_globals_count = 0;
