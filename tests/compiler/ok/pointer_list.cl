#pragma OPENCL FP_CONTRACT ON

struct node {
    int value;
    ulong next;
};

struct list {
    struct node pool[4];
    ulong head;
};

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* run, pointer_list.cu:7 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local struct node pool[32];
    __local ulong head;

    int t = get_local_id(0);
    pool[t].value = in[t];
    pool[t].next = (ulong)(t < 31 ? pool + (t + 1) : (__local struct node *)0);
    if (t == 0)
        head = (ulong)pool;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __local struct node *p = (__local struct node *)head;
    int sum = 0;
    for (int left = qn_rem_i32(t, n); p != 0 && left >= 0; left--) {
        sum += p->value;
        p = (__local struct node *)p->next;
    }
    struct list own;
    own.head = 0;
    for (int i = 0; i < 4; i++) {
        own.pool[i].value = in[t] + i;
        own.pool[i].next = own.head;
        own.head = (ulong)(own.pool + i);
    }
    for (struct node *p_1 = (struct node *)own.head; p_1 != 0; p_1 = (struct node *)p_1->next)
        sum = sum * 3 + p_1->value;
    out[t] = sum;
}
