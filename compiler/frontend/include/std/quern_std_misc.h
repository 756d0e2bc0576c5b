/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms, chrono, random, threads, atomics, complex. Host code must parse, no
 * more. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_MISC_H
#define QN_STD_QUERN_STD_MISC_H

#include <quern_std_streams.h>

namespace std
{
template <class T> T __qn_value() QN__BODY;
template <class T> constexpr const T &clamp(const T &v, const T &low, const T &high)
{
    return v < low ? low : high < v ? high : v;
}
template <class T> constexpr pair<const T &, const T &> minmax(const T &a, const T &b)
{
    return b < a ? pair<const T &, const T &>(b, a) : pair<const T &, const T &>(a, b);
}
template <class I> void sort(I, I) QN__BODY;
template <class I, class F> void sort(I, I, F)
{
}
template <class I> void stable_sort(I, I) QN__BODY;
template <class I, class F> void stable_sort(I, I, F)
{
}
template <class I> void partial_sort(I, I, I) QN__BODY;
template <class I, class F> void partial_sort(I, I, I, F)
{
}
template <class I> void nth_element(I, I, I) QN__BODY;
template <class I, class F> void nth_element(I, I, I, F) QN__BODY;
template <class I> bool is_sorted(I, I) QN__BODY;
template <class I, class F> bool is_sorted(I, I, F)
{
    return __qn_value<bool>();
}
template <class I, class G> void shuffle(I, I, G &&)
{
}
template <class I> void random_shuffle(I, I) QN__BODY;
template <class I> void reverse(I, I) QN__BODY;
template <class I> I rotate(I, I, I) QN__BODY;
template <class I, class O> O copy(I, I, O) QN__BODY;
template <class I, class O> O move(I, I, O) QN__BODY;
template <class I, class N, class O> O copy_n(I, N, O) QN__BODY;
template <class I, class O, class F> O copy_if(I, I, O, F)
{
    return __qn_value<O>();
}
template <class I, class T> constexpr void fill(I first, I last, const T &v)
{
    for (; first != last; ++first)
        *first = v;
}
template <class I, class N, class T> constexpr I fill_n(I first, N n, const T &v)
{
    for (; n > 0; --n, ++first)
        *first = v;
    return first;
}
template <class I, class F> void generate(I, I, F)
{
}
template <class I, class N, class F> I generate_n(I, N, F)
{
    return __qn_value<I>();
}
template <class I, class F> F for_each(I, I, F)
{
    return __qn_value<F>();
}
template <class I, class O, class F> O transform(I, I, O, F)
{
    return __qn_value<O>();
}
template <class I, class J, class O, class F> O transform(I, I, J, O, F)
{
    return __qn_value<O>();
}
template <class I, class T> I find(I, I, const T &) QN__BODY;
template <class I, class F> I find_if(I, I, F)
{
    return __qn_value<I>();
}
template <class I, class T> ptrdiff_t count(I, I, const T &) QN__BODY;
template <class I, class F> ptrdiff_t count_if(I, I, F)
{
    return __qn_value<ptrdiff_t>();
}
template <class I, class F> bool all_of(I, I, F)
{
    return __qn_value<bool>();
}
template <class I, class F> bool any_of(I, I, F)
{
    return __qn_value<bool>();
}
template <class I, class F> bool none_of(I, I, F)
{
    return __qn_value<bool>();
}
template <class I, class J> bool equal(I, I, J) QN__BODY;
template <class I, class J, class F> bool equal(I, I, J, F)
{
    return __qn_value<bool>();
}
template <class I, class J> pair<I, J> mismatch(I, I, J) QN__BODY;
template <class I> I min_element(I, I) QN__BODY;
template <class I> I max_element(I, I) QN__BODY;
template <class I, class F> I min_element(I, I, F)
{
    return __qn_value<I>();
}
template <class I, class F> I max_element(I, I, F)
{
    return __qn_value<I>();
}
template <class I> pair<I, I> minmax_element(I, I) QN__BODY;
template <class I, class T> I lower_bound(I, I, const T &) QN__BODY;
template <class I, class T, class F> I lower_bound(I, I, const T &, F) QN__BODY;
template <class I, class T> I upper_bound(I, I, const T &) QN__BODY;
template <class I, class T, class F> I upper_bound(I, I, const T &, F) QN__BODY;
template <class I, class T> pair<I, I> equal_range(I, I, const T &) QN__BODY;
template <class I, class T> bool binary_search(I, I, const T &) QN__BODY;
template <class I, class T, class F> bool binary_search(I, I, const T &, F) QN__BODY;
template <class I> I unique(I, I) QN__BODY;
template <class I, class T> I remove(I, I, const T &) QN__BODY;
template <class I, class F> I remove_if(I, I, F)
{
    return __qn_value<I>();
}
template <class I, class T> void replace(I, I, const T &, const T &) QN__BODY;
template <class I> bool next_permutation(I, I) QN__BODY;
template <class I, class J> void iter_swap(I, J) QN__BODY;
template <class I, class J> J swap_ranges(I, I, J) QN__BODY;
template <class I, class F> I partition(I, I, F)
{
    return __qn_value<I>();
}
template <class I, class T> void iota(I, I, T) QN__BODY;
template <class I, class T> constexpr T accumulate(I first, I last, T v)
{
    for (; first != last; ++first)
        v = v + *first;
    return v;
}
template <class I, class T, class F> T accumulate(I, I, T, F)
{
    return __qn_value<T>();
}
template <class I, class T> T reduce(I, I, T) QN__BODY;
template <class I, class J, class T> T inner_product(I, I, J, T) QN__BODY;
template <class I, class O> O partial_sum(I, I, O) QN__BODY;
template <class I, class O> O inclusive_scan(I, I, O) QN__BODY;
template <class I, class O, class T> O exclusive_scan(I, I, O, T) QN__BODY;
template <class T> constexpr T gcd(T a, T b)
{
    return b ? std::gcd(b, T(a % b)) : a;
}
template <class T> constexpr T lcm(T a, T b)
{
    return a / std::gcd(a, b) * b;
}

template <intmax_t n, intmax_t d = 1> struct ratio {
    static constexpr intmax_t num = n, den = d;
};
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
namespace chrono
{
template <class R, class P = ratio<1>> class duration
{
    R count_;

  public:
    typedef R rep;
    typedef P period;
    constexpr duration() : count_()
    {
    }
    template <class N> constexpr explicit duration(N n) : count_(static_cast<R>(n))
    {
    }
    template <class S, class Q>
    constexpr duration(const duration<S, Q> &d)
        : count_(static_cast<R>(d.count()) * Q::num * P::den / (Q::den * P::num))
    {
    }
    constexpr R count() const
    {
        return count_;
    }
    duration &operator+=(const duration &);
    duration &operator-=(const duration &);
};
template <class R, class P, class S, class Q>
constexpr duration<common_type_t<R, S>, P> operator+(const duration<R, P> &a,
                                                     const duration<S, Q> &b)
{
    return duration<common_type_t<R, S>, P>(a.count() + duration<R, P>(b).count());
}
template <class R, class P, class S, class Q>
constexpr duration<common_type_t<R, S>, P> operator-(const duration<R, P> &a,
                                                     const duration<S, Q> &b)
{
    return duration<common_type_t<R, S>, P>(a.count() - duration<R, P>(b).count());
}
template <class R, class P, class N>
constexpr duration<R, P> operator/(const duration<R, P> &a, N n)
{
    return duration<R, P>(a.count() / n);
}
template <class R, class P, class N>
constexpr duration<R, P> operator*(const duration<R, P> &a, N n)
{
    return duration<R, P>(a.count() * n);
}
template <class R, class P>
constexpr bool operator<(const duration<R, P> &, const duration<R, P> &);
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
template <class D, class R, class P> constexpr D duration_cast(const duration<R, P> &d)
{
    return D(static_cast<typename D::rep>(d.count()) * P::num * D::period::den /
             (P::den * D::period::num));
}
template <class C, class D = nanoseconds> class time_point
{
  public:
    typedef D duration;
    time_point();
    explicit time_point(const D &);
    template <class E> time_point(const time_point<C, E> &);
    D time_since_epoch() const;
    time_point &operator+=(const D &);
};
template <class C, class D, class E>
nanoseconds operator-(const time_point<C, D> &, const time_point<C, E> &);
template <class C, class D, class R, class P>
time_point<C, D> operator+(const time_point<C, D> &, const std::chrono::duration<R, P> &);
template <class C, class D, class E>
bool operator<(const time_point<C, D> &, const time_point<C, E> &);
template <class C, class D, class E>
bool operator>(const time_point<C, D> &, const time_point<C, E> &);
template <class D, class C, class E> time_point<C, D> time_point_cast(const time_point<C, E> &);
#define QN__CLOCK(name)                                                                            \
    struct name {                                                                                  \
        typedef nanoseconds duration;                                                              \
        typedef long rep;                                                                          \
        typedef nano period;                                                                       \
        typedef std::chrono::time_point<name> time_point;                                          \
        static constexpr bool is_steady = true;                                                    \
        static time_point now();                                                                   \
        static long to_time_t(const time_point &);                                                 \
    };
QN__CLOCK(steady_clock)
QN__CLOCK(system_clock)
#undef QN__CLOCK
typedef steady_clock high_resolution_clock;
} // namespace chrono
inline namespace literals
{
inline namespace chrono_literals
{
constexpr chrono::milliseconds operator""ms(unsigned long long n)
{
    return chrono::milliseconds(n);
}
constexpr chrono::seconds operator""s(unsigned long long n)
{
    return chrono::seconds(n);
}
} // namespace chrono_literals
} // namespace literals
using namespace literals;

#define QN__ENGINE(name, type)                                                                     \
    struct name {                                                                                  \
        typedef type result_type;                                                                  \
        name();                                                                                    \
        explicit name(type);                                                                       \
        void seed(type = 0);                                                                       \
        type operator()();                                                                         \
        void discard(unsigned long long);                                                          \
        static constexpr type min()                                                                \
        {                                                                                          \
            return 0;                                                                              \
        }                                                                                          \
        static constexpr type max()                                                                \
        {                                                                                          \
            return (type)(~(type)0);                                                               \
        }                                                                                          \
    };
QN__ENGINE(mt19937, unsigned int)
QN__ENGINE(mt19937_64, unsigned long)
QN__ENGINE(minstd_rand, unsigned int)
QN__ENGINE(random_device, unsigned int)
#undef QN__ENGINE
typedef minstd_rand default_random_engine;
#define QN__DISTRIBUTION(name, fallback, result)                                                   \
    template <class T = fallback> struct name {                                                    \
        typedef result result_type;                                                                \
        struct param_type {                                                                        \
            param_type(T, T);                                                                      \
        };                                                                                         \
        explicit name(T = T(), T = T());                                                           \
        template <class G> result operator()(G &);                                                 \
        template <class G> result operator()(G &, const param_type &);                             \
        void reset();                                                                              \
    };
QN__DISTRIBUTION(uniform_int_distribution, int, T)
QN__DISTRIBUTION(uniform_real_distribution, double, T)
QN__DISTRIBUTION(normal_distribution, double, T)
QN__DISTRIBUTION(exponential_distribution, double, T)
QN__DISTRIBUTION(poisson_distribution, int, T)
#undef QN__DISTRIBUTION
struct bernoulli_distribution {
    explicit bernoulli_distribution(double = 0.5);
    template <class G> bool operator()(G &);
};
template <class T = int> struct discrete_distribution {
    template <class I> discrete_distribution(I, I) QN__BODY;
    discrete_distribution(initializer_list<double>) QN__BODY;
    template <class G> T operator()(G &) QN__BODY;
};

enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
template <class T> class atomic;
class mutex
{
  public:
    void lock();
    void unlock();
    bool try_lock();
};
template <class M> class lock_guard
{
  public:
    explicit lock_guard(M &) QN__BODY;
    ~lock_guard() QN__BODY;
};
template <class M> class unique_lock
{
  public:
    explicit unique_lock(M &) QN__BODY;
    ~unique_lock() QN__BODY;
    void lock() QN__BODY;
    void unlock() QN__BODY;
};
class condition_variable
{
  public:
    void notify_one();
    void notify_all();
    template <class L> void wait(L &) QN__BODY;
    template <class L, class F> void wait(L &, F)
    {
    }
};
class thread
{
  public:
    struct id {
    };
    thread();
    template <class F, class... A> explicit thread(F &&, A &&...)
    {
    }
    thread(thread &&);
    thread &operator=(thread &&);
    void join();
    void detach();
    bool joinable() const;
    static unsigned hardware_concurrency();
};
namespace this_thread
{
thread::id get_id();
template <class D> void sleep_for(const D &) QN__BODY;
void yield();
} // namespace this_thread
template <class T> class future
{
  public:
    T get() QN__BODY;
    void wait() QN__BODY;
};
enum class launch { async, deferred };
template <class F, class... A> future<invoke_result_t<F, A...>> async(F, A...) QN__BODY;
template <class F, class... A> future<invoke_result_t<F, A...>> async(launch, F, A...)
{
    return __qn_value<future<invoke_result_t<F, A...>>>();
}

/* constexpr, so that kernels may use it as with the machine's library */
template <class T> class complex
{
    T re_, im_;

  public:
    typedef T value_type;
    constexpr complex(T re = T(), T im = T()) : re_(re), im_(im)
    {
    }
    template <class U> constexpr complex(const complex<U> &o) : re_(o.real()), im_(o.imag())
    {
    }
    constexpr T real() const
    {
        return re_;
    }
    constexpr T imag() const
    {
        return im_;
    }
    constexpr void real(T v)
    {
        re_ = v;
    }
    constexpr void imag(T v)
    {
        im_ = v;
    }
    template <class U> constexpr complex &operator=(const complex<U> &o)
    {
        return *this = complex(o);
    }
    constexpr complex &operator+=(const complex &o)
    {
        return *this = *this + o;
    }
    constexpr complex &operator-=(const complex &o)
    {
        return *this = *this - o;
    }
    constexpr complex &operator*=(const complex &o)
    {
        return *this = *this * o;
    }
    constexpr complex &operator/=(const complex &o)
    {
        return *this = *this / o;
    }
    friend constexpr complex operator+(const complex &a, const complex &b)
    {
        return complex(a.re_ + b.re_, a.im_ + b.im_);
    }
    friend constexpr complex operator-(const complex &a, const complex &b)
    {
        return complex(a.re_ - b.re_, a.im_ - b.im_);
    }
    friend constexpr complex operator-(const complex &a)
    {
        return complex(-a.re_, -a.im_);
    }
    friend constexpr complex operator*(const complex &a, const complex &b)
    {
        return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
    }
    friend constexpr complex operator/(const complex &a, const complex &b)
    {
        const T n = b.re_ * b.re_ + b.im_ * b.im_;
        return complex((a.re_ * b.re_ + a.im_ * b.im_) / n, (a.im_ * b.re_ - a.re_ * b.im_) / n);
    }
    friend constexpr complex operator*(const complex &a, const T &b)
    {
        return complex(a.re_ * b, a.im_ * b);
    }
    friend constexpr complex operator*(const T &a, const complex &b)
    {
        return complex(a * b.re_, a * b.im_);
    }
    friend constexpr complex operator/(const complex &a, const T &b)
    {
        return complex(a.re_ / b, a.im_ / b);
    }
    friend constexpr bool operator==(const complex &a, const complex &b)
    {
        return a.re_ == b.re_ && a.im_ == b.im_;
    }
    friend constexpr bool operator!=(const complex &a, const complex &b)
    {
        return !(a == b);
    }
};
template <class T> constexpr T real(const complex<T> &z)
{
    return z.real();
}
template <class T> constexpr T imag(const complex<T> &z)
{
    return z.imag();
}
template <class T> constexpr T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> constexpr complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.real(), -z.imag());
}
} // namespace std

#endif
