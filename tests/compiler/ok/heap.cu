// malloc and new take memory of the device's heap, which a kernel that allocates has as an argument.
#include <new>

struct node {
    int value;
    node *next;
};
struct alignas(64) line {
    float values[16];
};
extern "C" __global__ void push(node **list, int n)
{
    node *p = new node;
    if (p == NULL)
        return;
    p->value = n;
    p->next = *list;
    *list = p;
}
extern "C" __global__ void drop(node *list)
{
    while (list) {
        node *next = list->next;
        delete list;
        list = next;
    }
}
extern "C" __global__ void more(void **p, int n)
{
    p[0] = malloc(n);
    p[1] = new float[n];
    p[2] = new (std::nothrow) int;
    p[3] = new line;
    p[4] = __nv_aligned_device_malloc(n, 256);
    free(p[5]);
    delete[] (float *)p[6];
    delete (line *)p[7];
}
extern "C" __global__ void none(int *out, int n) { out[threadIdx.x] = n; }
// exercises: lower/device_buffers lower/new_may_fail expr/expr_call
