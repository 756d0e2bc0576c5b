// thrust::complex, which PyTorch's headers include.
// exercises: model/aggregate lower/fold_aggregates
#include <thrust/complex.h>

__global__ void products(thrust::complex<float> *z, float s)
{
    thrust::complex<float> a = z[threadIdx.x];
    a *= a;
    a = a / thrust::complex<float>(2.0f, 1.0f) + thrust::conj(a) * s;
    z[threadIdx.x] = a - 1.0f;
}

__global__ void functions(thrust::complex<double> *z)
{
    const thrust::complex<double> a = z[threadIdx.x];
    z[threadIdx.x] = a == z[0] ? thrust::sqrt(a) : thrust::polar(thrust::abs(a), thrust::norm(a));
}
