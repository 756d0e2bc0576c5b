#pragma OPENCL FP_CONTRACT ON

struct numbers {
    int a;
    int b;
    int c;
    int d;
};

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

/* the value of another lane of the warp, or one's own where there is no such work-item */
__attribute__((always_inline)) uint qn_get_32_local(__local uint *slots, uint value, uint lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    qn_put_32(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < qn_group_size())
        value = qn_at_32(slots, from);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* own_address, item_values.cu:7 */
__kernel void own_address(__global int *out, __global const int *in, struct numbers given)
{
    __local int box[32];

    struct numbers given_1 = given;
    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    int *own = &given_1.b;
    box[tid] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    *own = box[31 - tid] & 255;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int t = *own + (given_1.a & tid);
    *own = t;
    out[i] = t * 3 + (given_1.d & 1);
}

/* own_divisor, item_values.cu:21 */
__kernel void own_divisor(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int sum = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + sum;
    bool taken = sum >> 5 == 0;
    int value = 0;
    uint t = 0;
    if (taken) {
        value = in[i];
        uint divisor = value | 1;
        t = 255 % divisor;
    }
    int result = as_int(qn_get_32_local(lanes, as_uint(value), qn_source_idx((int)(t & 31), 32)));
    if (taken) {
        int result_1 = result;
        sum += result_1;
    }
    out[i] = sum;
}

/* leaves_switch, item_values.cu:31 */
__kernel void leaves_switch(__global int *out, __global const int *in, int n)
{
    __local int box[32];
    __local int left[32];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    box[tid] = in[i] & 3;
    left[tid] = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    bool active = true;
    int sum = 0;
    do {
        int selector = n % 4;
        bool falls = false;
        if (selector == 0) {
            if (box[31 - tid] == 2) {
                n += box[tid];
                sum = 7;
                break;
            }
            left[tid] = 9;
            falls = true;
        }
        if (falls || selector == 1) {
            sum = n - tid;
            falls = false;
        }
        if (selector != 0 && selector != 1) {
            out[i] = -1;
            active = false;
        }
    } while (false);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (active)
        out[i] = sum * 100 + n + left[31 - tid];
}
