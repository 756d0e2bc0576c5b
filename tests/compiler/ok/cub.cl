#pragma OPENCL FP_CONTRACT ON

struct cub_qn_slots {
    float slots[128];
};

struct cub_BlockReduce_float_128_TempStorage {
    struct cub_qn_slots f0;
};

struct cub_qn_slots_0 {
    int slots[128];
};

struct cub_qn_slots_1 {
    int slots[1];
};

struct cub_BlockScan_int_128_TempStorage {
    struct cub_qn_slots_0 f0;
    struct cub_qn_slots_1 f1;
};

struct cub_KeyValuePair {
    int key;
    float value;
};

typedef struct cub_KeyValuePair __attribute__((may_alias)) qn_alias_cub_KeyValuePair;
typedef int __attribute__((may_alias)) qn_alias_int;

/* total, cub.cu:6 */
__kernel void total(__global const float *x, __global float *sum)
{
    __local struct cub_BlockReduce_float_128_TempStorage storage;

    float v = x[get_local_id(0)];
    storage.f0.slots[(int)get_local_id(0)] = v;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int first = get_local_id(0) * 16;
    if (first < 128) {
        v = storage.f0.slots[first];
        for (int i = first + 1; i < first + 16 && i < 128; i++) {
            float other = storage.f0.slots[i];
            v += other;
        }
        storage.f0.slots[first] = v;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (int i = 16; i < 128; i += 16) {
            float other = storage.f0.slots[i];
            v += other;
        }
    }
    if (get_local_id(0) == 0)
        *sum = v;
}

/* running, cub.cu:15 */
__kernel void running(__global const int *x, __global int *sums)
{
    __local struct cub_BlockScan_int_128_TempStorage storage;

    int value = x[get_local_id(0)];
    storage.f0.slots[(int)get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int first = get_local_id(0) * 16;
    if (first < 128) {
        int sum = storage.f0.slots[first];
        for (int i = first + 1; i < first + 16 && i < 128; i++) {
            int other = storage.f0.slots[i];
            sum += other;
            storage.f0.slots[i] = sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int before = storage.f0.slots[(int)((int)get_local_id(0) > 0 ? (uint)get_local_id(0) - 1 : 0)];
    int all_ = storage.f0.slots[15];
    for (int i = 16; i < 128; i += 16) {
        if ((uint)get_local_id(0) == i) {
            before = all_;
        } else {
            int before_1 = all_ + before;
            before = ((int)get_local_id(0) > i && (int)get_local_id(0) < i + 16) ? before_1
                : before;
        }
        int t = i + 16;
        int other = storage.f0.slots[t < 128 ? t - 1 : 127];
        all_ += other;
    }
    sums[get_local_id(0)] = get_local_id(0) != 0 ? before + value : value;
}

/* largest, cub.cu:24 */
__kernel void largest(__global const qn_alias_cub_KeyValuePair *x, __global qn_alias_int *y)
{
    int t;
    float t_1;
    {
        {
            float value = x[1].value;
            float value_1 = x->value;
            if (!(value > value_1)) {
                if (value_1 == value) {
                    if (x[1].key < x->key)
                        goto label1;
                }
                t = x->key;
                t_1 = x->value;
                goto label2;
            }
        }
        label1:;
        t = x[1].key;
        t_1 = x[1].value;
    }
    label2:;
    *y = t;
    *(__global float *)&y[1] = t_1;
}
