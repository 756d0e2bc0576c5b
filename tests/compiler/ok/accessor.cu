// A tensor's accessor, passed by value: a row of it is a struct of a global pointer and of private
// ones, put together and taken apart at once.
template <class T, int N> struct accessor_base {
    T *data;
    const long long *sizes, *strides;
    __device__ accessor_base(T *d, const long long *z, const long long *s)
        : data(d), sizes(z), strides(s) {}
};

template <class T, int N> struct accessor : accessor_base<T, N> {
    using accessor_base<T, N>::accessor_base;
    __device__ accessor<T, N - 1> operator[](long long i) {
        return accessor<T, N - 1>(this->data + this->strides[0] * i, this->sizes + 1,
                                  this->strides + 1);
    }
};

template <class T> struct accessor<T, 1> : accessor_base<T, 1> {
    using accessor_base<T, 1>::accessor_base;
    __device__ T &operator[](long long i) { return this->data[this->strides[0] * i]; }
};

template <class T, int N> struct packed {
    T *data;
    long long sizes[N], strides[N];
    __device__ accessor<T, N - 1> operator[](long long i) {
        return accessor<T, N - 1>(data + strides[0] * i, sizes + 1, strides + 1);
    }
};

extern "C" __global__ void contract(float *out, packed<float, 3> m, int i)
{
    float sum = 0;
    for (int j = 0; j < m.sizes[1]; j++)
        for (int k = 0; k < m.sizes[2]; k++)
            sum += m[i][j][k] * (j + 1);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    packed<const float, 3> m = {in, {2, 3, 4}, {12, 4, 1}};
    float sum = 0;
    for (int j = 0; j < m.sizes[1]; j++)
        for (int k = 0; k < m.sizes[2]; k++)
            sum += m[n % 2][j][(k + threadIdx.x) % 4] * (j + k);
    out[threadIdx.x] = sum;
}
// exercises: lower/fold_aggregates model/infer_spaces model/points_to
