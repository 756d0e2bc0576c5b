// Virtual functions of objects that are chosen as the kernel runs: in private, shared and global memory, with
// several and with virtual base classes, through pointers to members.
#include <new>

struct shape {
    int scale;
    __device__ shape(int s) : scale(s) {}
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~shape() {}
};
struct square : shape {
    int side;
    __device__ square(int s) : shape(1), side(s) {}
    __device__ int area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct circle : shape {
    int radius;
    __device__ circle(int r) : shape(2), radius(r) {}
    __device__ int area() const override { return 3 * radius * radius; }
};
struct pair : shape { /* calls virtual functions itself */
    const shape *a, *b;
    __device__ pair(const shape *a, const shape *b) : shape(3), a(a), b(b) {}
    __device__ int area() const override { return scale; }
    __device__ int corners() const override { return 100; }
};

static __device__ int total(const shape *s)
{
    return s->scale * s->area() + s->corners();
}

__global__ void run(int *out, const int *in, int n)
{
    __shared__ char memory[32 * sizeof(circle)];
    const int i = threadIdx.x;
    shape *const shared = new (memory + i * sizeof(circle)) circle(i);
    square own(in[i] & 15);
    circle other(n);
    pair both(&own, &other);
    const shape *all[4] = {&own, &other, shared, &both};
    int v = 0;
    for (int k = 0; k < 4; k++)
        v = 3 * v + total(all[(k + i) & 3]);
    __syncthreads();
    v += total((const shape *)(memory + (31 - i) * sizeof(circle)));
    int (shape::*member)() const = &shape::area;
    if (i & 1)
        member = &shape::corners;
    out[i] = v + (all[i & 1]->*member)();
}

struct left {
    int l;
    __device__ virtual int one() const { return l; }
};
struct right {
    int r;
    __device__ virtual int two() const { return 2 * r; }
};
struct both_sides : left, right {
    int extra;
    __device__ int two() const override { return l + r + extra; }
};
struct base {
    int b;
    __device__ virtual int value() const { return b; }
};
struct first : virtual base {
    int f;
};
struct second : virtual base {
    int s;
    __device__ int value() const override { return b + 10 * s; }
};
struct diamond : first, second {
    int d;
};

__global__ void bases(int *out, const int *in, int n)
{
    const int i = threadIdx.x;
    both_sides both;
    right plain;
    both.l = i;
    both.r = plain.r = 10 * i;
    both.extra = n;
    const right *const r = i % 3 ? (const right *)&both : &plain;
    diamond d;
    second s;
    d.b = s.b = in[i];
    d.s = 2;
    s.s = 3;
    const second *const some = i & 1 ? (const second *)&d : &s;
    const base *const b = i & 2 ? (const base *)&d : &s;
    out[i] = r->two() + 1000 * some->value() + 7 * b->value() + some->b;
}
// exercises: lower/function_numbers lower/choose_call
