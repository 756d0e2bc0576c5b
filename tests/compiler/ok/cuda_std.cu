// cuda::std is std.
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

template <class T, cuda::std::enable_if_t<cuda::std::is_floating_point<T>::value, int> = 0>
__device__ T twice(T x)
{
    return x + x;
}

__global__ void run(float *out, const float *in, int n)
{
    const cuda::std::array<float, 3> weights = {0.25f, 0.5f, 0.25f};
    const int i = threadIdx.x;
    cuda::std::pair<float, float> ends(in[i], in[n - 1 - i]);
    if (ends.first > ends.second)
        cuda::std::swap(ends.first, ends.second);
    const cuda::std::complex<float> a(ends.first, 2.0f), b(3.0f, ends.second);
    const auto pair = cuda::std::make_tuple(i, twice(weights[i % 3]));
    const cuda::std::uint32_t most = cuda::std::numeric_limits<cuda::std::uint8_t>::max();
    out[i] = (a * b).real() + cuda::std::sqrt(cuda::std::get<1>(pair)) + (float)most;
}
// exercises: frontend/header_selection
