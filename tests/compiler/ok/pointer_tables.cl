#pragma OPENCL FP_CONTRACT ON

struct view {
    ulong data;
    int n;
};

struct node {
    float value;
    ulong next;
};

typedef struct node __attribute__((may_alias)) qn_alias_node;
typedef int __attribute__((may_alias)) qn_alias_int;

/* n % d; by 0: all bits one */
uint qn_rem_u32(uint n, uint d)
{
    const uint r = n % (d == 0 ? 1 : d);
    return d == 0 ? (uint)-1 : r;
}

/* buffers, pointer_tables.cu:11 */
__kernel void buffers(__global float *out, __global const float *in, int turns)
{
    __local float even[64];
    __local float odd[64];

    ulong tile[2] __attribute__((aligned(128)));
    tile[0] = (ulong)even;
    tile[1] = (ulong)odd;
    int i = get_local_id(0);
    even[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < turns; k++) {
        int t = k & 1;
        ((__local float *)tile[(k + 1) & 1])[i] = ((__local float *)tile[t])[63 - i] * 0.5f;
        sum += ((__local float *)tile[t])[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = sum;
}

/* views, pointer_tables.cu:27 */
__kernel void views(__global float *out, __global const float *in, int n)
{
    struct view of[2];
    of[0].data = (ulong)in;
    of[0].n = n;
    of[1].data = (ulong)(in + 8);
    of[1].n = 4;
    uint t = get_local_id(0) & 1;
    __global float *v = (__global float *)of[t].data;
    uint v_1 = of[t].n;
    out[get_local_id(0)] = v[qn_rem_u32((uint)get_local_id(0), v_1)];
}

/* list, pointer_tables.cu:34 */
__kernel void list(__global float *out, __global const float *in, int n)
{
    qn_alias_node *head = (qn_alias_node *)0;
    struct node nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i].value = in[qn_rem_u32((uint)get_local_id(0) + i, (uint)n)];
        *(qn_alias_int *)((uchar *)&nodes[i] + 4) = 0;
        nodes[i].next = (ulong)head;
        head = nodes + i;
    }
    float sum = 0.0f;
    for (; head != 0; head = (qn_alias_node *)head->next)
        sum = sum * 2.0f + head->value;
    out[get_local_id(0)] = sum;
}
