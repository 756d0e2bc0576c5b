/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's random numbers, for both halves: the standard's linear congruential generators, and
 * distributions over them. What the distributions give of a generator's numbers is not laid down.
 */
#pragma clang system_header
#ifndef QN_THRUST_RANDOM
#define QN_THRUST_RANDOM

#include <thrust/quern_thrust_sort.h>

#include <cmath>

namespace thrust
{
namespace random
{

template <class T, unsigned long long a, unsigned long long c, unsigned long long m>
class linear_congruential_engine
{
    T x;

  public:
    typedef T result_type;
    static constexpr T min = c == 0 ? 1 : 0, max = (T)(m - 1), default_seed = 1;
    QN__HD explicit linear_congruential_engine(T s = default_seed)
    {
        seed(s);
    }
    QN__HD void seed(T s = default_seed)
    {
        x = (T)(s % m);
        if (c == 0 && x == 0)
            x = 1;
    }
    QN__HD T operator()()
    {
        x = (T)((a * x + c) % m);
        return x;
    }
    QN__HD void discard(unsigned long long n)
    {
        unsigned long long times = a % m, plus = c % m, factor = 1, sum = 0;
        for (; n; n >>= 1) {
            if (n & 1) {
                factor = factor * times % m;
                sum = (sum * times + plus) % m;
            }
            plus = (times + 1) * plus % m;
            times = times * times % m;
        }
        x = (T)((factor * x + sum) % m);
    }
};
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/* A number in [0, 1). */
template <class T, class Engine> QN__HD inline T __qn_unit(Engine &e)
{
    return (T)(((double)e() - (double)Engine::min) /
               ((double)Engine::max - (double)Engine::min + 1));
}
template <class T = double> class uniform_real_distribution
{
    T low, high;

  public:
    typedef T result_type;
    QN__HD explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b)
    {
    }
    template <class Engine> QN__HD T operator()(Engine &e)
    {
        const T v = low + (high - low) * __qn_unit<T>(e);
        return v < high ? v : low;
    }
    QN__HD T a() const
    {
        return low;
    }
    QN__HD T b() const
    {
        return high;
    }
};
template <class T = int> class uniform_int_distribution
{
    T low, high;

  public:
    typedef T result_type;
    QN__HD explicit uniform_int_distribution(T a = 0,
                                             T b = (T)(((~0ull) >> 1) >> (64 - 8 * sizeof(T))))
        : low(a), high(b)
    {
    }
    template <class Engine> QN__HD T operator()(Engine &e)
    {
        const double n = (double)high - (double)low + 1, v = __qn_unit<double>(e) * n;
        const T r = (T)(low + (T)v);
        return r > high ? high : r;
    }
};
template <class T = double> class normal_distribution
{
    T mean_, deviation;

  public:
    typedef T result_type;
    QN__HD explicit normal_distribution(T mean = 0, T stddev = 1) : mean_(mean), deviation(stddev)
    {
    }
    template <class Engine> QN__HD T operator()(Engine &e)
    {
        const double u = 1 - __qn_unit<double>(e), v = __qn_unit<double>(e);
        return (T)(mean_ + deviation * ::sqrt(-2 * ::log(u)) * ::cos(6.283185307179586 * v));
    }
};

} // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

/* An order by chance: sorted by numbers of the engine's. */
namespace __qn
{
struct scramble {
    unsigned long long seed;
    QN__HD unsigned long long operator()(size_t i) const
    {
        unsigned long long z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
};
} // namespace __qn
template <QN__POLICY, class It, class Engine>
QN__HD inline void shuffle(QnPolicy p, It first, It last, Engine &&engine)
{
    const size_t n = (size_t)(last - first);
    const unsigned long long seed = ((unsigned long long)engine() << 32) ^ engine();
    QN__ON_DEVICE
    {
        const __qn::temporary<unsigned long long> keys(n);
        unsigned long long *const k = keys.get();
        thrust::tabulate(p, k, k + n, __qn::scramble{seed});
        thrust::sort_by_key(p, k, k + n, first);
    }
    else for (size_t i = n; i > 1; i--)
    {
        const size_t other = __qn::scramble{seed}(i) % i;
        const __qn::val<It> v = first[i - 1];
        first[i - 1] = first[other];
        first[other] = v;
    }
}
template <class It, class Engine, std::enable_if_t<!__qn::is_policy<It>, int> = 0>
QN__HD inline void shuffle(It first, It last, Engine &&engine)
{
    thrust::shuffle(__qn::policy_of<It>(), first, last, engine);
}

} // namespace thrust

#endif
