// The part of the C++ library that kernels use.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T> static __device__ T clamp_to_zero(T v)
{
    if constexpr (std::is_floating_point<T>::value)
        return std::max(v, T(0));
    else if constexpr (std::is_same_v<T, int>)
        return std::min(v, std::numeric_limits<T>::max() - 1);
    else
        return v;
}

template <class... Types> static __device__ int sum_of(const std::tuple<Types...> &t)
{
    return std::apply([](auto... each) { return (0 + ... + (int)each); }, t);
}

static __device__ std::pair<int, float> halves(int v)
{
    return {v / 2, v * 0.5f};
}

/* structured bindings of values and of references; tie of a pair and of a tuple */
static __device__ int taken_apart(int v)
{
    auto [whole, half] = halves(v);
    std::tuple<int, int, int> three = std::make_tuple(v, 2, 3);
    auto [x, y, z] = three;
    auto &[first, second, third] = three;
    first += third;
    int p, r;
    float q;
    std::tie(p, q) = halves(v + 1);
    std::tie(r, std::get<1>(three)) = std::make_tuple(second + 5, 7);
    return whole + (int)(half * 4) + x + y * 10 + z + first * 3 + p + (int)q + r + second;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    std::array<int, 4> window = {in[i], in[(i + 1) % n], in[(i + 2) % n], in[(i + 3) % n]};
    std::pair<int, float> best = std::make_pair(0, -1e30f);
    int k = 0;
    for (const int v : window) {
        if ((float)v > best.second)
            best = {k, (float)v};
        k++;
    }
    std::swap(window[0], window[best.first]);
    const std::conditional_t<(sizeof(int) > 2), int64_t, int16_t> wide = window[0];
    auto [low, high] = std::minmax(window[1], window[2]);
    const auto square = [](auto v) { return v * v; };
    out[i] = taken_apart(in[i]) + (int)(wide % 1000) + low * 3 + high + (int)window.size() + clamp_to_zero(window[3]) +
             (int)clamp_to_zero((float)in[i]) + (int)std::sqrt((float)square(k)) +
             sum_of(std::make_tuple(i, 2.5f, 'a')) + std::abs(in[i]) +
             (std::isnan(best.second) ? 1 : 0) + (int)std::numeric_limits<uint8_t>::max();
}
// exercises: frontend/header_selection
