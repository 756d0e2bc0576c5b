// What NVIDIA's compiler takes and clang refuses: blanks in the brackets of a launch, a missing
// `template`, restrict, narrowing in braces, a member that a template lacks and nobody asks for,
// and the headers that nvcc includes on its own.
template <class T> struct add {
    template <int n> __device__ static void to(T *p)
    {
        for (int i = 0; i < n; i++)
            p[i] += 1;
    }
};
template <class T, int n> __global__ void all(T *restrict p)
{
    add<T>::to<n>(p);
}
template <class T, int n> struct row {
    T v[n];
    __device__ void set_all(T x)
    {
        for (int i = 0; i < n; i++)
            v[i] = x;
    }
    __device__ static row of(T x)
    {
        row r;
        r.setall(x);
        return r;
    }
};
__global__ void last(float *out, float x)
{
    row<float, 3> r;
    r.set_all(x);
    out[0] = r.v[2];
}
struct numbers {
    float real, more;
};
__global__ void narrow(float *out, int n)
{
    numbers a = {n, 2 * n}; /* clang-format: restrict << < "text" >> > */
    unsigned room[2];
    numbers *b = new (room) numbers(a);
    out[0] = std::sqrt(b->real) + b->more;
}
int main()
{
    float *p = nullptr;
    all<float, 4> << <1, 32 >> > (p);
    narrow<< <1, 1>> >(p, 3);
}
// exercises: frontend/dialect frontend/command_line
