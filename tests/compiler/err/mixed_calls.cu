// Calls with pointers to one of several address spaces that are too large for a call for each choice.
extern "C" __global__ void many_arguments(const int *in, int n)
{
    int own[4] = {n, 1, 2, 3};
    const int *p = n > 3 ? in : own;
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
           "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
           "%d %d %d %d %d %d %d %d %p\n",
           n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
           n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
           n, n, n, n, p);
}

extern "C" __global__ void many_choices(const int *in, int n)
{
    int own[4] = {n, 1, 2, 3};
    const int *p0 = n & 1 ? in + 0 : own;
    const int *p1 = n & 2 ? in + 1 : own;
    const int *p2 = n & 4 ? in + 2 : own;
    const int *p3 = n & 8 ? in + 3 : own;
    const int *p4 = n & 16 ? in + 4 : own;
    const int *p5 = n & 32 ? in + 5 : own;
    const int *p6 = n & 64 ? in + 6 : own;
    printf("%p %p %p %p %p %p %p\n", p0, p1, p2, p3, p4, p5, p6);
}
