#pragma OPENCL FP_CONTRACT ON

/* true for all work-items when `mine` is for one of them; every work-item of the group calls it */
__attribute__((always_inline)) bool qn_any_in_group(__local uint *vote, bool mine)
{
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
        *vote = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(vote, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *vote != 0;
}

/* branch, barrier_paths.cu:3 */
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

/* ends_early, barrier_paths.cu:19 */
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

/* some_leave, barrier_paths.cu:38 */
__kernel void some_leave(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    box[sum] = in[i] & 3;
    bool active = true;
    bool taken = active && n > 5;
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

/* next_turn, barrier_paths.cu:57 */
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

/* joins, barrier_paths.cu:81 */
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

/* other_way, barrier_paths.cu:95 */
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

/* parts, barrier_paths.cu:113 */
__kernel void parts(__global int *out, __global const int *in, int n)
{
    __local int tile[48];
    __local uint vote;

    int t = get_local_id(0);
    int group = get_group_id(0);
    int i = group * 48 + t;
    int x = in[i];
    int own[4] __attribute__((aligned(64)));
    own[0] = x;
    own[1] = t;
    own[2] = 2;
    own[3] = 3;
    tile[t] = x;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    bool taken = (x & 1) != 0;
    bool not_taken = !taken;
    int b = 0;
    int a = 0;
    int turn = 0;
    if (taken) {
        b = t;
        a = x;
        turn = 0;
    }
    bool in_loop = taken && turn < 2;
    while (qn_any_in_group(&vote, in_loop)) {
        if (in_loop) {
            tile[t] ^= own[1] < (own[2] & t);
            for (int j = 0; j < 4; j++) {
                a = tile[t] | j;
                own[1] = (own[2] & t) * x;
                tile[t] += t;
                own[a & 3] ^= n;
                if (group == 1)
                    break;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (group == 0) {
            if (in_loop) {
                int b_1 = b + (a == n);
                b = (a & 1) != 0 ? b_1 : b;
                own[3] = (n & a) - t;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        } else if (in_loop)
            own[turn & 3] = x * own[2] < own[3];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in_loop)
            turn++;
        in_loop = in_loop && turn < 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (not_taken) {
        b = t;
        a = x;
    }
    int t_1 = i * 4;
    out[t_1] = a;
    out[t_1 + 1] = b;
    out[t_1 + 2] = own[3];
    out[t_1 + 3] = own[0] + tile[t];
}
