// Of C++20's library: <bit> and <concepts>, which a source that includes them may use without
// saying -std=c++20.
#include <bit>
#include <concepts>
#include <numbers>
template <std::unsigned_integral T> __device__ int bits(T x)
{
    return std::popcount(x) + std::countl_zero(x) + std::bit_width(x) + std::has_single_bit(x);
}
template <class T>
    requires std::floating_point<T>
__device__ unsigned pattern(T x)
{
    return std::bit_cast<unsigned>(x);
}
__global__ void k(unsigned *out, unsigned short small)
{
    static_assert(std::same_as<decltype(bits(small)), int> && !std::integral<float>);
    static_assert(std::bit_ceil(5u) == 8 && std::bit_floor(5u) == 4 && std::rotl(1u, 33) == 2);
    static_assert(std::countr_one(7u) == 3 && std::countl_zero((unsigned char)1) == 7);
    out[0] = bits(out[1]);
    out[2] = bits(small);
    out[3] = pattern(std::numbers::pi_v<float> * out[4]);
}
// exercises: frontend/command_line
