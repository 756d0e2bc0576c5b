/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust for programs that `quern cc` builds: where an algorithm runs. A policy says it, or the
 * iterators do: device_ptr and what is made of it mean the device, other pointers the host. What
 * runs on the host is a plain loop, in kernels too (thrust::seq). */
#pragma clang system_header
#ifndef QN_THRUST_CORE
#define QN_THRUST_CORE

#include <thrust/functional.h>
#include <wide/quern_wide_launch.h>

#include <iterator>
#include <stdexcept>
#include <string>

#define THRUST_VERSION          200300
#define THRUST_MAJOR_VERSION    2
#define THRUST_MINOR_VERSION    3
#define THRUST_SUBMINOR_VERSION 0

#define QN__HD __host__ __device__

namespace thrust
{

/* ---- errors ---- */

class system_error : public std::runtime_error
{
    cudaError_t error;

  public:
    system_error(cudaError_t e, const char *what)
        : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e)), error(e)
    {
    }
    cudaError_t code() const
    {
        return error;
    }
};
namespace system
{
using thrust::system_error;
}

/* ---- policies ---- */

struct __qn_policy {
};
template <class P> struct execution_policy : __qn_policy {
};
struct host_execution_policy_tag {
};
struct __qn_host_policy : execution_policy<__qn_host_policy> {
    static constexpr bool is_device = false;
};
struct __qn_device_policy : execution_policy<__qn_device_policy> {
    static constexpr bool is_device = true;
    cudaStream_t stream = 0;
    bool waits = true;
    constexpr __qn_device_policy() = default;
    constexpr __qn_device_policy(cudaStream_t s, bool w) : stream(s), waits(w)
    {
    }
    constexpr __qn_device_policy on(cudaStream_t s) const
    {
        return __qn_device_policy(s, waits);
    }
    /* An allocator of temporary memory: the runtime's is as good. */
    template <class Allocator> constexpr __qn_device_policy operator()(Allocator &&) const
    {
        return *this;
    }
};
inline constexpr __qn_host_policy host{}, seq{};
inline constexpr __qn_device_policy device{};
namespace cuda
{
inline constexpr __qn_device_policy par{}, par_nosync{(cudaStream_t)0, false};
} // namespace cuda
namespace hip
{
using cuda::par;
using cuda::par_nosync;
} // namespace hip
namespace cpp
{
inline constexpr __qn_host_policy par{};
}
namespace omp
{
using cpp::par;
}
namespace system
{
namespace cuda = thrust::cuda;
namespace hip = thrust::hip;
namespace cpp = thrust::cpp;
namespace omp = thrust::omp;
} // namespace system

/* ---- which system an iterator belongs to ---- */

struct __qn_any_system {
};
struct __qn_host_system {
};
struct __qn_device_system {
};
typedef __qn_host_system host_system_tag;
typedef __qn_device_system device_system_tag;
typedef __qn_any_system any_system_tag;

namespace __qn
{

template <class P> constexpr bool is_policy = std::is_base_of_v<__qn_policy, P>;

template <class T, class = void> struct has_category : std::false_type {
};
template <class T>
struct has_category<T, std::void_t<typename T::iterator_category>> : std::true_type {
};
template <class T, class = void> struct system_of {
    typedef std::conditional_t<has_category<T>::value, __qn_host_system, __qn_any_system> type;
};
template <class T> struct system_of<T *, void> {
    typedef __qn_host_system type;
};
template <class R, class... A> struct system_of<R (*)(A...), void> {
    typedef __qn_any_system type;
};
template <class T> struct system_of<T, std::void_t<typename T::__qn_system>> {
    typedef typename T::__qn_system type;
};
template <class... T>
constexpr bool any_on_device =
    (std::is_same_v<typename system_of<T>::type, __qn_device_system> || ...);
template <class... T>
constexpr bool any_on_host = (std::is_same_v<typename system_of<T>::type, __qn_host_system> || ...);
template <class... T>
using joint_system =
    std::conditional_t<any_on_device<T...>, __qn_device_system,
                       std::conditional_t<any_on_host<T...>, __qn_host_system, __qn_any_system>>;
template <class... T>
using policy_of = std::conditional_t<any_on_host<T...> && !any_on_device<T...>, __qn_host_policy,
                                     __qn_device_policy>;

/* ---- running ---- */

inline void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        throw system_error(error, what);
}
inline void wait(const __qn_device_policy &p)
{
    if (p.waits)
        check(cudaStreamSynchronize(p.stream), "thrust");
}
template <class F> inline void run(const __qn_device_policy &p, size_t n, F f)
{
    check(__qn_wide::for_each(p.stream, n, f), "thrust");
    wait(p);
}

/* Memory of the device for the time of a call. */
template <class T> class temporary
{
    void *p = nullptr;

  public:
    explicit temporary(size_t n)
    {
        check(cudaMalloc(&p, n ? n * sizeof(T) : 1), "thrust: temporary memory");
    }
    temporary(const temporary &) = delete;
    temporary &operator=(const temporary &) = delete;
    ~temporary()
    {
        cudaFree(p);
    }
    T *get() const
    {
        return (T *)p;
    }
    T fetch(const __qn_device_policy &p_, size_t i = 0) const
    {
        __qn_wide::slot<T> v;
        check(
            cudaMemcpyAsync((void *)&v.v, get() + i, sizeof(T), cudaMemcpyDeviceToHost, p_.stream),
            "thrust");
        check(cudaStreamSynchronize(p_.stream), "thrust");
        return v.v;
    }
};

template <class It> using val = std::remove_cv_t<typename std::iterator_traits<It>::value_type>;

/* What kernels are given in an iterator's place: no device_ptr is left in it. */
template <class It> struct raw_of {
    static QN__HD It of(It it)
    {
        return it;
    }
};
template <class It> QN__HD inline auto raw(It it)
{
    return raw_of<It>::of(it);
}

} // namespace __qn

/* An algorithm without a policy. */
#define QN__WITHOUT_POLICY(name)                                                                   \
    template <class QnFirst, class... QnRest,                                                      \
              std::enable_if_t<!__qn::is_policy<QnFirst>, int> = 0>                                \
    QN__HD inline auto name(QnFirst first, QnRest... rest)                                         \
    {                                                                                              \
        return thrust::name(__qn::policy_of<QnFirst, QnRest...>(), first, rest...);                \
    }
#define QN__POLICY    class QnPolicy, std::enable_if_t<__qn::is_policy<QnPolicy>, int> = 0
#define QN__ON_DEVICE if constexpr (QnPolicy::is_device)

} // namespace thrust

#endif
