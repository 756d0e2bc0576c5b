// A pointer to one of two address spaces that a call has more than once, and with a distance: one question.
extern "C" __global__ void shown(const int *in, int n)
{
    int own[4] = {n, 1, 2, 3};
    const int *p = n > 3 ? in : own;
    printf("%p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p\n",
           p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p + n);
}

extern "C" __global__ void two(const int *in, int n)
{
    int own[4] = {n, 1, 2, 3};
    const int *p = n > 3 ? in : own, *q = n & 1 ? own : in;
    printf("%p %p %p %p\n", p, q, p, q);
}
// exercises: lower/mixed_accesses
