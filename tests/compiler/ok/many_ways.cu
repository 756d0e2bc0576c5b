// Values with many ways to them: each is looked at once, for texts of printf and for tables of virtual functions.
struct shape {
    int n;
    __device__ explicit shape(int k) : n(k) {}
    __device__ virtual int area() const { return n; }
};

struct square : shape {
    __device__ explicit square(int k) : shape(k) {}
    __device__ int area() const override { return n * n; }
};

extern "C" __global__ void make(shape *s, int n)
{
    if (n & 1)
        new (s) square(n);
    else
        new (s) shape(n);
}

template <class T> static __device__ void turn(T &a, T &b, T &c, T &d, int by)
{
    const T w = a, x = b, y = c, z = d;
    switch (by & 3) {
    case 1: a = x, b = y, c = z, d = w; break;
    case 2: a = y, b = z, c = w, d = x; break;
    case 3: a = z, b = w, c = x, d = y; break;
    }
}

extern "C" __global__ void texts(int n)
{
    const char *a = "a", *b = "be", *c = "see", *d = "d";
    turn(a, b, c, d, n >> 0);
    turn(a, b, c, d, n >> 2);
    turn(a, b, c, d, n >> 4);
    turn(a, b, c, d, n >> 6);
    turn(a, b, c, d, n >> 8);
    turn(a, b, c, d, n >> 10);
    turn(a, b, c, d, n >> 12);
    turn(a, b, c, d, n >> 14);
    turn(a, b, c, d, n >> 16);
    turn(a, b, c, d, n >> 18);
    turn(a, b, c, d, n >> 20);
    turn(a, b, c, d, n >> 22);
    printf("%s %s\n", a, b);
}

extern "C" __global__ void walk(int *p, int n, const shape *s)
{
    int *a = p, *b = p + 1, *c = p + 2, *d = p + 3;
    for (int i = 0; i < n; i++) {
        turn(a, b, c, d, *a);
        turn(a, b, c, d, *b);
        turn(a, b, c, d, *d);
        *a += *b + *c;
    }
    *p = s->area();
}
// exercises: lower/function_numbers lower/split_printf
