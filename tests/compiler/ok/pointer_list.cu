// Pointers to shared and to private memory, kept in structs there and followed from one to the next.
struct node {
    int value;
    node *next;
};

extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ node pool[32];
    __shared__ node *head;
    int t = threadIdx.x;
    pool[t].value = in[t];
    pool[t].next = t < 31 ? &pool[t + 1] : nullptr;
    if (t == 0)
        head = pool;
    __syncthreads();
    int sum = 0, left = t % n;
    for (const node *p = head; p && left >= 0; p = p->next, left--)
        sum += p->value;

    struct list {
        node pool[4];
        node *head;
    } own;
    own.head = nullptr;
    for (int i = 0; i < 4; i++) {
        own.pool[i].value = in[t] + i;
        own.pool[i].next = own.head;
        own.head = &own.pool[i];
    }
    for (const node *p = own.head; p; p = p->next)
        sum = sum * 3 + p->value;
    out[t] = sum;
}
// exercises: model/points_to model/infer_spaces
