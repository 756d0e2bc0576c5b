#pragma OPENCL FP_CONTRACT ON

/* branch, paths.cu:3 */
__kernel void branch(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    box[sum] = in[i] & 3;
    bool taken = n > 5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken) {
        for (int k = box[31 - sum]; k < 3; k++) {
            if (n == 60)
                sum += k;
            else
                out[k] = sum;
        }
    }
    out[i] = sum;
}

/* ends_early, paths.cu:19 */
__kernel void ends_early(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    box[sum] = in[i] & 3;
    bool taken = n < 5;
    bool not_taken = !taken;
    if (taken)
        out[i] = -1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (not_taken) {
        if (box[31 - sum] == 2) {
            if (n == 60)
                sum = 100;
            else
                *out = sum;
        }
        out[i] = sum;
    }
}

/* some_leave, paths.cu:38 */
__kernel void some_leave(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    box[sum] = in[i] & 3;
    bool active = true;
    bool taken = active && (n > 5);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken) {
        if (sum > 28) {
            taken = false;
            active = false;
        } else if (box[31 - sum] == 2) {
            if (n == 60)
                sum = 100;
            else
                *out = sum;
        }
    }
    if (active)
        out[i] = sum;
}

/* next_turn, paths.cu:57 */
__kernel void next_turn(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    box[tid] = in[i] & 3;
    int sum = tid;
    for (int j = 0; j < 3; j++) {
        bool in_turn = true;
        if (n > 5) {
            if (n == j + 59) {
                if (in_turn) {
                    out[i] = sum;
                    in_turn = false;
                }
            }
            if (in_turn)
                sum += 2;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (in_turn) {
            for (int k = box[31 - tid]; k < 3; k++) {
                if (n == 60)
                    sum++;
                else
                    out[k] = sum;
            }
        }
    }
    out[i] = sum;
}

/* joins, paths.cu:81 */
__kernel void joins(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    box[sum] = in[i];
    int take;
    if (n > 5) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        take = box[31 - sum] & 1;
    } else {
        take = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (take != 0) {
        sum += 7;
        out[64 + i] = sum;
    }
    out[i] = sum;
}

/* other_way, paths.cu:95 */
__kernel void other_way(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    int value = in[i];
    bool condition = (value & 1) != 0;
    box[sum] = value;
    int t = 64 + i;
    out[t] = i;
    if (n > 5) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        sum += box[31 - sum];
    } else if (condition)
        out[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (condition) {
        sum += 100;
        out[t] += sum;
    }
    out[i] = sum;
}
