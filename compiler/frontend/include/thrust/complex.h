/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::complex, for both halves of a program. PyTorch's headers include it. The functions of
 * inverse circles and hyperbolas are declared only: a kernel that calls one is refused. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_COMPLEX
#define QN_STANDIN_THRUST_COMPLEX

#include <cfloat> /* FLT_MAX is found after theirs */
#include <cmath>
#include <complex>

#define QN__CX template <class T> __host__ __device__ inline

namespace thrust
{

template <class T> class alignas(2 * sizeof(T)) complex
{
    T re_, im_;

  public:
    typedef T value_type;
    __host__ __device__ complex() : re_(), im_()
    {
    }
    __host__ __device__ complex(const T &re, const T &im = T()) : re_(re), im_(im)
    {
    }
    template <class U>
    __host__ __device__ complex(const complex<U> &z) : re_((T)z.real()), im_((T)z.imag())
    {
    }
    template <class U> complex(const std::complex<U> &z) : re_((T)z.real()), im_((T)z.imag())
    {
    }
    __host__ __device__ T real() const
    {
        return re_;
    }
    __host__ __device__ T imag() const
    {
        return im_;
    }
    __host__ __device__ void real(T re)
    {
        re_ = re;
    }
    __host__ __device__ void imag(T im)
    {
        im_ = im;
    }
    operator std::complex<T>() const
    {
        return std::complex<T>(re_, im_);
    }
    template <class U> __host__ __device__ complex &operator+=(const complex<U> &z)
    {
        return *this = complex(re_ + z.real(), im_ + z.imag());
    }
    template <class U> __host__ __device__ complex &operator-=(const complex<U> &z)
    {
        return *this = complex(re_ - z.real(), im_ - z.imag());
    }
    template <class U> __host__ __device__ complex &operator*=(const complex<U> &z)
    {
        return *this = *this * complex(z);
    }
    template <class U> __host__ __device__ complex &operator/=(const complex<U> &z)
    {
        return *this = *this / complex(z);
    }
    __host__ __device__ complex &operator+=(const T &x)
    {
        return *this = complex(re_ + x, im_);
    }
    __host__ __device__ complex &operator-=(const T &x)
    {
        return *this = complex(re_ - x, im_);
    }
    __host__ __device__ complex &operator*=(const T &x)
    {
        return *this = complex(re_ * x, im_ * x);
    }
    __host__ __device__ complex &operator/=(const T &x)
    {
        return *this = complex(re_ / x, im_ / x);
    }
};

QN__CX complex<T> operator+(const complex<T> &a)
{
    return a;
}
QN__CX complex<T> operator-(const complex<T> &a)
{
    return complex<T>(-a.real(), -a.imag());
}
QN__CX complex<T> operator+(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() + b.real(), a.imag() + b.imag());
}
QN__CX complex<T> operator-(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() - b.real(), a.imag() - b.imag());
}
QN__CX complex<T> operator*(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() * b.real() - a.imag() * b.imag(),
                      a.real() * b.imag() + a.imag() * b.real());
}
/* Scaled, so that no square of a part overflows. */
QN__CX complex<T> operator/(const complex<T> &a, const complex<T> &b)
{
    const T scale = ::fabs(b.real()) + ::fabs(b.imag());
    const T ar = a.real() / scale, ai = a.imag() / scale, br = b.real() / scale,
            bi = b.imag() / scale, n = br * br + bi * bi;
    return complex<T>((ar * br + ai * bi) / n, (ai * br - ar * bi) / n);
}
QN__CX complex<T> operator+(const complex<T> &a, const T &b)
{
    return complex<T>(a.real() + b, a.imag());
}
QN__CX complex<T> operator+(const T &a, const complex<T> &b)
{
    return complex<T>(a + b.real(), b.imag());
}
QN__CX complex<T> operator-(const complex<T> &a, const T &b)
{
    return complex<T>(a.real() - b, a.imag());
}
QN__CX complex<T> operator-(const T &a, const complex<T> &b)
{
    return complex<T>(a - b.real(), -b.imag());
}
QN__CX complex<T> operator*(const complex<T> &a, const T &b)
{
    return complex<T>(a.real() * b, a.imag() * b);
}
QN__CX complex<T> operator*(const T &a, const complex<T> &b)
{
    return complex<T>(a * b.real(), a * b.imag());
}
QN__CX complex<T> operator/(const complex<T> &a, const T &b)
{
    return complex<T>(a.real() / b, a.imag() / b);
}
QN__CX complex<T> operator/(const T &a, const complex<T> &b)
{
    return complex<T>(a) / b;
}
QN__CX bool operator==(const complex<T> &a, const complex<T> &b)
{
    return a.real() == b.real() && a.imag() == b.imag();
}
QN__CX bool operator!=(const complex<T> &a, const complex<T> &b)
{
    return !(a == b);
}

QN__CX T abs(const complex<T> &z)
{
    return ::hypot(z.real(), z.imag());
}
QN__CX T arg(const complex<T> &z)
{
    return ::atan2(z.imag(), z.real());
}
QN__CX T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
QN__CX complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.real(), -z.imag());
}
QN__CX complex<T> polar(const T &radius, const T &angle = T())
{
    return complex<T>(radius * ::cos(angle), radius * ::sin(angle));
}
QN__CX complex<T> exp(const complex<T> &z)
{
    return polar<T>(::exp(z.real()), z.imag());
}
QN__CX complex<T> log(const complex<T> &z)
{
    return complex<T>(::log(abs(z)), arg(z));
}
QN__CX complex<T> log10(const complex<T> &z)
{
    return log(z) / T(2.30258509299404568402);
}
QN__CX complex<T> pow(const complex<T> &z, const complex<T> &to)
{
    return exp(log(z) * to);
}
QN__CX complex<T> pow(const complex<T> &z, const T &to)
{
    return exp(log(z) * to);
}
QN__CX complex<T> pow(const T &x, const complex<T> &to)
{
    return exp(complex<T>(::log(x)) * to);
}
QN__CX complex<T> sqrt(const complex<T> &z)
{
    return polar<T>(::sqrt(abs(z)), arg(z) / 2);
}
QN__CX complex<T> sin(const complex<T> &z)
{
    return complex<T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag()));
}
QN__CX complex<T> cos(const complex<T> &z)
{
    return complex<T>(::cos(z.real()) * ::cosh(z.imag()), -(::sin(z.real()) * ::sinh(z.imag())));
}
QN__CX complex<T> tan(const complex<T> &z)
{
    return sin(z) / cos(z);
}
QN__CX complex<T> sinh(const complex<T> &z)
{
    return complex<T>(::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag()));
}
QN__CX complex<T> cosh(const complex<T> &z)
{
    return complex<T>(::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag()));
}
QN__CX complex<T> tanh(const complex<T> &z)
{
    return sinh(z) / cosh(z);
}
#undef QN__CX

#define QN__CX template <class T> __host__ __device__
QN__CX complex<T> acos(const complex<T> &z);
QN__CX complex<T> asin(const complex<T> &z);
QN__CX complex<T> atan(const complex<T> &z);
QN__CX complex<T> acosh(const complex<T> &z);
QN__CX complex<T> asinh(const complex<T> &z);
QN__CX complex<T> atanh(const complex<T> &z);
#ifdef __QUERN_CC__
template <class T, class Stream>
auto operator<<(Stream &s, const complex<T> &z) -> decltype(s << std::declval<T>())
{
    return s << '(' << z.real() << ',' << z.imag() << ')';
}
#endif
#undef QN__CX

} // namespace thrust

#endif
