
#pragma STDC FP_CONTRACT ON

/* run, early_return.cu:2 */
struct qn_shared_run {
    float tile[64];
} __attribute__((aligned(16)));

static inline void qn_block_run(const struct qn_block qn_b, float *out, const float *in, int n)
{
    struct qn_shared_run *const qn_shared = (struct qn_shared_run *)qn_b.shared;
    const ulong qn_n = (ulong)qn_b.items[0] * qn_b.items[1] * qn_b.items[2];
    int *i_at = (int *)(qn_b.frame + 0 * qn_n);
    bool *active_at = (bool *)(qn_b.frame + 4 * qn_n);

    QN_ITEMS {
        int i = blockIdx_x * blockDim_x + threadIdx_x;
        bool active = true;
        qn_shared->tile[threadIdx_x] = 0.0f;
        if (i >= n)
            active = false;
        else
            qn_shared->tile[threadIdx_x] = in[i];
        i_at[qn_i] = i;
        active_at[qn_i] = active;
    }
    for (int stride = 32; stride > 0; stride /= 2) {
        QN_ITEMS {
            bool active = active_at[qn_i];
            if (active) {
                if ((uint)threadIdx_x < stride)
                    qn_shared->tile[threadIdx_x] += qn_shared->tile[(uint)threadIdx_x + stride];
            }
        }
    }
    QN_ITEMS {
        bool active = active_at[qn_i];
        int i = i_at[qn_i];
        if (active)
            out[i] = qn_shared->tile[0] - in[i];
    }
}

QN_EXPORT void run(const struct qn_block *block, void *const *args)
{
    qn_block_run(*block, *(float **)args[0], *(const float **)args[1], *(int *)args[2]);
}

QN_EXPORT const uint qn_abi_version = QN_ABI_VERSION;
QN_EXPORT const struct qn_kernel_entry qn_kernels[] = {
    {"run", run, sizeof(struct qn_shared_run), 5, 0, 32, 0},
};
QN_EXPORT const uint qn_kernels_count = 1;
QN_EXPORT const struct qn_global_entry qn_globals[] = {
    {0},
};
QN_EXPORT const uint qn_globals_count = 0;
