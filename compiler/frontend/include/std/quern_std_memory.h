/* SPDX-License-Identifier: Apache-2.0
 *
 * Strings, containers, smart pointers, iterators. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_MEMORY_H
#define QN_STD_QUERN_STD_MEMORY_H

#include <quern_std_core.h>

namespace std
{
/* programs find them after <string> or <vector> */
#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max
template <class T> constexpr const T &min(const T &a, const T &b)
{
    return b < a ? b : a;
}
template <class T> constexpr const T &max(const T &a, const T &b)
{
    return a < b ? b : a;
}
template <class T, class F> constexpr const T &min(const T &a, const T &b, F f)
{
    return f(b, a) ? b : a;
}
template <class T, class F> constexpr const T &max(const T &a, const T &b, F f)
{
    return f(a, b) ? b : a;
}
template <class T> constexpr T min(initializer_list<T> l)
{
    T r = *l.begin();
    for (const T &v : l)
        r = v < r ? v : r;
    return r;
}
template <class T> constexpr T max(initializer_list<T> l)
{
    T r = *l.begin();
    for (const T &v : l)
        r = r < v ? v : r;
    return r;
}
#pragma pop_macro("min")
#pragma pop_macro("max")

struct input_iterator_tag {
};
struct output_iterator_tag {
};
struct forward_iterator_tag : input_iterator_tag {
};
struct bidirectional_iterator_tag : forward_iterator_tag {
};
struct random_access_iterator_tag : bidirectional_iterator_tag {
};
template <class T> struct iterator_traits {
    typedef typename T::value_type value_type;
    typedef typename T::difference_type difference_type;
    typedef typename T::reference reference;
    typedef typename T::pointer pointer;
    typedef typename T::iterator_category iterator_category;
};
template <class T> struct iterator_traits<T *> {
    typedef remove_cv_t<T> value_type;
    typedef ptrdiff_t difference_type;
    typedef T &reference;
    typedef T *pointer;
    typedef random_access_iterator_tag iterator_category;
};
template <class It> class reverse_iterator
{
    It it_;

  public:
    explicit reverse_iterator(It it) : it_(it)
    {
    }
    decltype(auto) operator*() const
    {
        It before = it_;
        return *--before;
    }
    reverse_iterator &operator++()
    {
        --it_;
        return *this;
    }
    bool operator!=(const reverse_iterator &o) const
    {
        return it_ != o.it_;
    }
    bool operator==(const reverse_iterator &o) const
    {
        return it_ == o.it_;
    }
    It base() const
    {
        return it_;
    }
};
template <class C> constexpr auto begin(C &c) -> decltype(c.begin())
{
    return c.begin();
}
template <class C> constexpr auto end(C &c) -> decltype(c.end())
{
    return c.end();
}
template <class C> constexpr auto cbegin(const C &c) -> decltype(c.begin())
{
    return c.begin();
}
template <class C> constexpr auto cend(const C &c) -> decltype(c.end())
{
    return c.end();
}
template <class T, size_t n> constexpr T *begin(T (&a)[n])
{
    return a;
}
template <class T, size_t n> constexpr T *end(T (&a)[n])
{
    return a + n;
}
template <class C> constexpr auto size(const C &c) -> decltype(c.size())
{
    return c.size();
}
template <class T, size_t n> constexpr size_t size(const T (&)[n])
{
    return n;
}
template <class C> constexpr auto data(C &c) -> decltype(c.data())
{
    return c.data();
}
template <class It> ptrdiff_t distance(It, It) QN__BODY;
template <class It, class N> void advance(It &, N) QN__BODY;
template <class It> It next(It, ptrdiff_t = 1) QN__BODY;
template <class It> It prev(It, ptrdiff_t = 1) QN__BODY;
template <class C> struct back_insert_iterator {
    C *c;
    back_insert_iterator &operator*()
    {
        return *this;
    }
    back_insert_iterator &operator++()
    {
        return *this;
    }
    back_insert_iterator operator++(int)
    {
        return *this;
    }
    template <class V> back_insert_iterator &operator=(const V &v)
    {
        c->push_back(v);
        return *this;
    }
};
template <class C> back_insert_iterator<C> back_inserter(C &c)
{
    return {&c};
}
template <class C> back_insert_iterator<C> inserter(C &c, typename C::iterator)
{
    return {&c};
}
template <class T, class S = char> struct istream_iterator;
template <class T, class S = char> struct ostream_iterator;

template <class T> struct allocator {
    typedef T value_type;
    T *allocate(size_t) QN__BODY;
    void deallocate(T *, size_t) QN__BODY;
};

/* a bidirectional iterator over what is not contiguous */
template <class T> class __qn_node
{
  public:
    typedef remove_cv_t<T> value_type;
    typedef ptrdiff_t difference_type;
    typedef T &reference;
    typedef T *pointer;
    typedef bidirectional_iterator_tag iterator_category;
    __qn_node() QN__BODY;
    template <class U> __qn_node(const __qn_node<U> &) QN__BODY;
    T &operator*() const QN__BODY;
    T *operator->() const QN__BODY;
    __qn_node &operator++() QN__BODY;
    __qn_node operator++(int) QN__BODY;
    __qn_node &operator--() QN__BODY;
    __qn_node operator--(int) QN__BODY;
    bool operator==(const __qn_node &) const QN__BODY;
    bool operator!=(const __qn_node &) const QN__BODY;
};

/* an iterator over what is contiguous: a class, so that sort(v.begin(), v.end()) finds std::sort */
template <class T> class __qn_step
{
  public:
    typedef remove_cv_t<T> value_type;
    typedef ptrdiff_t difference_type;
    typedef T &reference;
    typedef T *pointer;
    typedef random_access_iterator_tag iterator_category;
    __qn_step() QN__BODY;
    template <class U, class = enable_if_t<is_convertible_v<U *, T *>>>
    __qn_step(const __qn_step<U> &) QN__BODY;
    T &operator*() const QN__BODY;
    T *operator->() const QN__BODY;
    T &operator[](ptrdiff_t) const QN__BODY;
    __qn_step &operator++() QN__BODY;
    __qn_step operator++(int) QN__BODY;
    __qn_step &operator--() QN__BODY;
    __qn_step operator--(int) QN__BODY;
    __qn_step &operator+=(ptrdiff_t) QN__BODY;
    __qn_step &operator-=(ptrdiff_t) QN__BODY;
    __qn_step operator+(ptrdiff_t) const QN__BODY;
    __qn_step operator-(ptrdiff_t) const QN__BODY;
    friend __qn_step operator+(ptrdiff_t, const __qn_step &i)
    {
        return i;
    }
    template <class U> ptrdiff_t operator-(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator==(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator!=(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator<(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator>(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator<=(const __qn_step<U> &) const QN__BODY;
    template <class U> bool operator>=(const __qn_step<U> &) const QN__BODY;
};

/* what sequences have: vector, deque, list, string */
template <class T, class Self, class It, class ConstIt> class __qn_sequence
{
  public:
    typedef T value_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef It iterator;
    typedef ConstIt const_iterator;
    typedef std::reverse_iterator<It> reverse_iterator;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    It begin() QN__BODY;
    It end() QN__BODY;
    ConstIt begin() const QN__BODY;
    ConstIt end() const QN__BODY;
    ConstIt cbegin() const QN__BODY;
    ConstIt cend() const QN__BODY;
    reverse_iterator rbegin() QN__BODY;
    reverse_iterator rend() QN__BODY;
    size_t size() const QN__BODY;
    size_t max_size() const QN__BODY;
    bool empty() const QN__BODY;
    void clear() QN__BODY;
    void resize(size_t) QN__BODY;
    void resize(size_t, const T &) QN__BODY;
    void push_back(const T &) QN__BODY;
    void pop_back() QN__BODY;
    void push_front(const T &) QN__BODY;
    void pop_front() QN__BODY;
    template <class... A> T &emplace_back(A &&...) QN__BODY;
    template <class... A> T &emplace_front(A &&...) QN__BODY;
    template <class... A> It emplace(ConstIt, A &&...) QN__BODY;
    T &front() QN__BODY;
    const T &front() const QN__BODY;
    T &back() QN__BODY;
    const T &back() const QN__BODY;
    void assign(size_t, const T &) QN__BODY;
    template <class I, class = enable_if_t<!is_integral_v<I>>> void assign(I, I) QN__BODY;
    void assign(initializer_list<T>) QN__BODY;
    It insert(ConstIt, const T &) QN__BODY;
    It insert(ConstIt, size_t, const T &) QN__BODY;
    template <class I, class = enable_if_t<!is_integral_v<I>>> It insert(ConstIt, I, I) QN__BODY;
    It insert(ConstIt, initializer_list<T>) QN__BODY;
    It erase(ConstIt) QN__BODY;
    It erase(ConstIt, ConstIt) QN__BODY;
    void swap(Self &) QN__BODY;
    bool operator==(const Self &) const QN__BODY;
    bool operator!=(const Self &) const QN__BODY;
    bool operator<(const Self &) const QN__BODY;
};
template <class T, class A = allocator<T>>
class vector : public __qn_sequence<T, vector<T, A>, __qn_step<T>, __qn_step<const T>>
{
  public:
    vector() QN__BODY;
    explicit vector(const A &) QN__BODY;
    explicit vector(size_t) QN__BODY;
    vector(size_t, const T &) QN__BODY;
    template <class I, class = enable_if_t<!is_integral_v<I>>> vector(I, I) QN__BODY;
    vector(initializer_list<T>) QN__BODY;
    vector(const vector &) QN__BODY;
    vector(vector &&) QN__BODY;
    ~vector() QN__BODY;
    vector &operator=(const vector &) QN__BODY;
    vector &operator=(vector &&) QN__BODY;
    vector &operator=(initializer_list<T>) QN__BODY;
    T &operator[](size_t) QN__BODY;
    const T &operator[](size_t) const QN__BODY;
    T &at(size_t) QN__BODY;
    const T &at(size_t) const QN__BODY;
    T *data() QN__BODY;
    const T *data() const QN__BODY;
    void reserve(size_t) QN__BODY;
    size_t capacity() const QN__BODY;
    void shrink_to_fit() QN__BODY;
};
template <class I> vector(I, I) -> vector<typename iterator_traits<I>::value_type>;
template <class T> class deque : public __qn_sequence<T, deque<T>, __qn_step<T>, __qn_step<const T>>
{
  public:
    deque() QN__BODY;
    explicit deque(size_t) QN__BODY;
    deque(size_t, const T &) QN__BODY;
    deque(initializer_list<T>) QN__BODY;
    T &operator[](size_t) QN__BODY;
    const T &operator[](size_t) const QN__BODY;
};
template <class T> class list : public __qn_sequence<T, list<T>, __qn_node<T>, __qn_node<const T>>
{
  public:
    list() QN__BODY;
    list(size_t, const T &) QN__BODY;
    list(initializer_list<T>) QN__BODY;
    void sort() QN__BODY;
    template <class F> void sort(F)
    {
    }
    void remove(const T &) QN__BODY;
};
template <class T, class C = deque<T>> class queue
{
  public:
    void push(const T &) QN__BODY;
    template <class... A> void emplace(A &&...) QN__BODY;
    void pop() QN__BODY;
    T &front() QN__BODY;
    T &back() QN__BODY;
    bool empty() const QN__BODY;
    size_t size() const QN__BODY;
};
template <class T, class C = deque<T>> class stack
{
  public:
    void push(const T &) QN__BODY;
    template <class... A> void emplace(A &&...) QN__BODY;
    void pop() QN__BODY;
    T &top() QN__BODY;
    bool empty() const QN__BODY;
    size_t size() const QN__BODY;
};
template <class T, class C = vector<T>, class F = less<T>> class priority_queue
{
  public:
    priority_queue() QN__BODY;
    explicit priority_queue(F) QN__BODY;
    void push(const T &) QN__BODY;
    template <class... A> void emplace(A &&...) QN__BODY;
    void pop() QN__BODY;
    const T &top() const QN__BODY;
    bool empty() const QN__BODY;
    size_t size() const QN__BODY;
};
template <class K, class V, class Self> class __qn_tree
{
  public:
    typedef K key_type;
    typedef V value_type;
    typedef size_t size_type;
    typedef __qn_node<V> iterator;
    typedef __qn_node<const V> const_iterator;
    iterator begin() QN__BODY;
    iterator end() QN__BODY;
    const_iterator begin() const QN__BODY;
    const_iterator end() const QN__BODY;
    const_iterator cbegin() const QN__BODY;
    const_iterator cend() const QN__BODY;
    size_t size() const QN__BODY;
    bool empty() const QN__BODY;
    void clear() QN__BODY;
    void reserve(size_t) QN__BODY;
    iterator find(const K &) QN__BODY;
    const_iterator find(const K &) const QN__BODY;
    size_t count(const K &) const QN__BODY;
    bool contains(const K &) const QN__BODY;
    pair<iterator, bool> insert(const V &) QN__BODY;
    template <class I> void insert(I, I) QN__BODY;
    template <class... A> pair<iterator, bool> emplace(A &&...) QN__BODY;
    iterator erase(const_iterator) QN__BODY;
    size_t erase(const K &) QN__BODY;
    iterator lower_bound(const K &) QN__BODY;
    iterator upper_bound(const K &) QN__BODY;
    pair<iterator, iterator> equal_range(const K &) QN__BODY;
    bool operator==(const Self &) const QN__BODY;
};
#define QN__MAP(name, extra)                                                                       \
    template <class K, class V, class... Extra>                                                    \
    class name : public __qn_tree<K, pair<const K, V>, name<K, V, Extra...>>                       \
    {                                                                                              \
      public:                                                                                      \
        typedef V mapped_type;                                                                     \
        name() QN__BODY;                                                                           \
        name(initializer_list<pair<const K, V>>) QN__BODY;                                         \
        template <class F> explicit name(F) QN__BODY;                                              \
        template <class I> name(I, I) QN__BODY;                                                    \
        V &operator[](const K &) QN__BODY;                                                         \
        V &at(const K &) QN__BODY;                                                                 \
        const V &at(const K &) const QN__BODY;                                                     \
    };
QN__MAP(map, )
QN__MAP(unordered_map, )
QN__MAP(multimap, )
QN__MAP(unordered_multimap, )
#undef QN__MAP
#define QN__SET(name)                                                                              \
    template <class K, class... Extra> class name : public __qn_tree<K, K, name<K, Extra...>>      \
    {                                                                                              \
      public:                                                                                      \
        name() QN__BODY;                                                                           \
        name(initializer_list<K>) QN__BODY;                                                        \
        template <class F> explicit name(F) QN__BODY;                                              \
        template <class I> name(I, I) QN__BODY;                                                    \
    };
QN__SET(set)
QN__SET(unordered_set)
QN__SET(multiset)
#undef QN__SET
template <size_t n> class bitset
{
  public:
    bitset();
    bitset(unsigned long long);
    bool operator[](size_t) const;
    bitset &set(size_t, bool = true);
    bool test(size_t) const;
    size_t count() const;
    unsigned long long to_ulong() const;
};

template <class C> class basic_string;
template <class C> class basic_string_view
{
  public:
    constexpr basic_string_view()
    {
    }
    constexpr basic_string_view(const C *)
    {
    }
    constexpr basic_string_view(const C *, size_t)
    {
    }
    const C *data() const;
    const C *begin() const;
    const C *end() const;
    size_t size() const;
    bool empty() const;
    C operator[](size_t) const;
    static constexpr size_t npos = ~size_t(0);
    size_t find(basic_string_view, size_t = 0) const;
    size_t find(C, size_t = 0) const;
    size_t rfind(C, size_t = npos) const;
    size_t find_first_of(basic_string_view, size_t = 0) const;
    size_t find_last_of(basic_string_view, size_t = npos) const;
    basic_string_view substr(size_t, size_t = ~size_t(0)) const;
    bool operator==(basic_string_view) const;
};
template <class C> class basic_string : public __qn_sequence<C, basic_string<C>, C *, const C *>
{
  public:
    static constexpr size_t npos = ~size_t(0);
    basic_string();
    basic_string(const C *);
    basic_string(const C *, size_t);
    basic_string(size_t, C);
    template <class I, class = enable_if_t<!is_integral_v<I>>> basic_string(I, I);
    basic_string(const basic_string &, size_t, size_t = npos);
    explicit basic_string(basic_string_view<C>);
    basic_string(const basic_string &);
    basic_string(basic_string &&);
    ~basic_string();
    basic_string &operator=(const basic_string &);
    basic_string &operator=(const C *);
    C &operator[](size_t);
    const C &operator[](size_t) const;
    C &at(size_t);
    const C &at(size_t) const;
    const C *c_str() const;
    const C *data() const;
    C *data();
    size_t length() const;
    size_t capacity() const;
    void reserve(size_t);
    basic_string substr(size_t = 0, size_t = npos) const;
    size_t find(const basic_string &, size_t = 0) const;
    size_t find(C, size_t = 0) const;
    size_t rfind(const basic_string &, size_t = npos) const;
    size_t rfind(C, size_t = npos) const;
    size_t find_first_of(const basic_string &, size_t = 0) const;
    size_t find_first_of(C, size_t = 0) const;
    size_t find_last_of(const basic_string &, size_t = npos) const;
    size_t find_last_of(C, size_t = npos) const;
    size_t find_first_not_of(const basic_string &, size_t = 0) const;
    size_t find_last_not_of(const basic_string &, size_t = npos) const;
    int compare(const basic_string &) const;
    int compare(size_t, size_t, const basic_string &) const;
    basic_string &append(const basic_string &);
    basic_string &append(size_t, C);
    basic_string &replace(size_t, size_t, const basic_string &);
    basic_string &operator+=(const basic_string &);
    basic_string &operator+=(C);
    operator basic_string_view<C>() const;
};
typedef basic_string<char> string;
typedef basic_string<wchar_t> wstring;
typedef basic_string_view<char> string_view;
string operator+(const string &, const string &);
string operator+(const string &, char);
string operator+(char, const string &);
bool operator==(const string &, const char *);
bool operator==(const char *, const string &);
bool operator!=(const string &, const char *);
string to_string(int);
string to_string(unsigned);
string to_string(long);
string to_string(unsigned long);
string to_string(long long);
string to_string(unsigned long long);
string to_string(float);
string to_string(double);
int stoi(const string &, size_t * = 0, int = 10);
long stol(const string &, size_t * = 0, int = 10);
long long stoll(const string &, size_t * = 0, int = 10);
unsigned long stoul(const string &, size_t * = 0, int = 10);
unsigned long long stoull(const string &, size_t * = 0, int = 10);
float stof(const string &, size_t * = 0);
double stod(const string &, size_t * = 0);
inline namespace literals
{
string operator""s(const char *, size_t);
}

class exception
{
  public:
    exception() noexcept;
    virtual ~exception();
    virtual const char *what() const noexcept;
};
#define QN__ERROR(name, base)                                                                      \
    class name : public base                                                                       \
    {                                                                                              \
      public:                                                                                      \
        explicit name(const string &);                                                             \
        explicit name(const char *);                                                               \
    };
class bad_alloc : public exception
{
};
class bad_cast : public exception
{
};
QN__ERROR(runtime_error, exception)
QN__ERROR(logic_error, exception)
QN__ERROR(invalid_argument, logic_error)
QN__ERROR(domain_error, logic_error)
QN__ERROR(length_error, logic_error)
QN__ERROR(out_of_range, logic_error)
QN__ERROR(range_error, runtime_error)
QN__ERROR(overflow_error, runtime_error)
QN__ERROR(underflow_error, runtime_error)
#undef QN__ERROR
__attribute__((noreturn)) void terminate();

template <class T> struct default_delete {
    void operator()(T *) const;
};
template <class T, class D = default_delete<T>> class unique_ptr
{
  public:
    typedef remove_extent_t<T> element_type;
    unique_ptr() QN__BODY;
    unique_ptr(nullptr_t) QN__BODY;
    explicit unique_ptr(element_type *) QN__BODY;
    unique_ptr(element_type *, D) QN__BODY;
    unique_ptr(unique_ptr &&) QN__BODY;
    template <class U, class E> unique_ptr(unique_ptr<U, E> &&) QN__BODY;
    ~unique_ptr() QN__BODY;
    unique_ptr &operator=(unique_ptr &&) QN__BODY;
    unique_ptr &operator=(nullptr_t) QN__BODY;
    element_type *get() const QN__BODY;
    element_type *release() QN__BODY;
    void reset(element_type * = nullptr) QN__BODY;
    element_type &operator*() const QN__BODY;
    element_type *operator->() const QN__BODY;
    element_type &operator[](size_t) const QN__BODY;
    explicit operator bool() const QN__BODY;
};
template <class T> class shared_ptr
{
  public:
    typedef remove_extent_t<T> element_type;
    shared_ptr() QN__BODY;
    shared_ptr(nullptr_t) QN__BODY;
    explicit shared_ptr(element_type *) QN__BODY;
    template <class D> shared_ptr(element_type *, D)
    {
    }
    template <class U> shared_ptr(const shared_ptr<U> &) QN__BODY;
    element_type *get() const QN__BODY;
    void reset(element_type * = nullptr) QN__BODY;
    element_type &operator*() const QN__BODY;
    element_type *operator->() const QN__BODY;
    element_type &operator[](size_t) const QN__BODY;
    explicit operator bool() const QN__BODY;
    long use_count() const QN__BODY;
};
template <class T, class D> bool operator==(const unique_ptr<T, D> &, nullptr_t) QN__BODY;
template <class T, class D> bool operator!=(const unique_ptr<T, D> &, nullptr_t) QN__BODY;
template <class T, class D> bool operator==(nullptr_t, const unique_ptr<T, D> &) QN__BODY;
template <class T, class D> bool operator!=(nullptr_t, const unique_ptr<T, D> &) QN__BODY;
template <class T, class D, class U, class E>
bool operator==(const unique_ptr<T, D> &, const unique_ptr<U, E> &) QN__BODY;
template <class T, class D, class U, class E>
bool operator!=(const unique_ptr<T, D> &, const unique_ptr<U, E> &) QN__BODY;
template <class T> bool operator==(const shared_ptr<T> &, nullptr_t) QN__BODY;
template <class T> bool operator!=(const shared_ptr<T> &, nullptr_t) QN__BODY;
template <class T> bool operator==(nullptr_t, const shared_ptr<T> &) QN__BODY;
template <class T> bool operator!=(nullptr_t, const shared_ptr<T> &) QN__BODY;
template <class T, class U> bool operator==(const shared_ptr<T> &, const shared_ptr<U> &) QN__BODY;
template <class T, class U> bool operator!=(const shared_ptr<T> &, const shared_ptr<U> &) QN__BODY;
template <class T, class... A> unique_ptr<T> make_unique(A &&...) QN__BODY;
template <class T, class... A> shared_ptr<T> make_shared(A &&...) QN__BODY;
void *align(size_t, size_t, void *&, size_t &);
} // namespace std

#endif
