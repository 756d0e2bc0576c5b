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
template <class It> ptrdiff_t distance(It, It);
template <class It, class N> void advance(It &, N);
template <class It> It next(It, ptrdiff_t = 1);
template <class It> It prev(It, ptrdiff_t = 1);
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
    T *allocate(size_t);
    void deallocate(T *, size_t);
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
    __qn_node();
    template <class U> __qn_node(const __qn_node<U> &);
    T &operator*() const;
    T *operator->() const;
    __qn_node &operator++();
    __qn_node operator++(int);
    __qn_node &operator--();
    __qn_node operator--(int);
    bool operator==(const __qn_node &) const;
    bool operator!=(const __qn_node &) const;
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
    __qn_step();
    template <class U, class = enable_if_t<is_convertible_v<U *, T *>>>
    __qn_step(const __qn_step<U> &);
    T &operator*() const;
    T *operator->() const;
    T &operator[](ptrdiff_t) const;
    __qn_step &operator++();
    __qn_step operator++(int);
    __qn_step &operator--();
    __qn_step operator--(int);
    __qn_step &operator+=(ptrdiff_t);
    __qn_step &operator-=(ptrdiff_t);
    __qn_step operator+(ptrdiff_t) const;
    __qn_step operator-(ptrdiff_t) const;
    friend __qn_step operator+(ptrdiff_t, const __qn_step &i)
    {
        return i;
    }
    template <class U> ptrdiff_t operator-(const __qn_step<U> &) const;
    template <class U> bool operator==(const __qn_step<U> &) const;
    template <class U> bool operator!=(const __qn_step<U> &) const;
    template <class U> bool operator<(const __qn_step<U> &) const;
    template <class U> bool operator>(const __qn_step<U> &) const;
    template <class U> bool operator<=(const __qn_step<U> &) const;
    template <class U> bool operator>=(const __qn_step<U> &) const;
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
    It begin();
    It end();
    ConstIt begin() const;
    ConstIt end() const;
    ConstIt cbegin() const;
    ConstIt cend() const;
    reverse_iterator rbegin();
    reverse_iterator rend();
    size_t size() const;
    size_t max_size() const;
    bool empty() const;
    void clear();
    void resize(size_t);
    void resize(size_t, const T &);
    void push_back(const T &);
    void pop_back();
    void push_front(const T &);
    void pop_front();
    template <class... A> T &emplace_back(A &&...);
    template <class... A> T &emplace_front(A &&...);
    template <class... A> It emplace(ConstIt, A &&...);
    T &front();
    const T &front() const;
    T &back();
    const T &back() const;
    void assign(size_t, const T &);
    template <class I, class = enable_if_t<!is_integral_v<I>>> void assign(I, I);
    void assign(initializer_list<T>);
    It insert(ConstIt, const T &);
    It insert(ConstIt, size_t, const T &);
    template <class I, class = enable_if_t<!is_integral_v<I>>> It insert(ConstIt, I, I);
    It insert(ConstIt, initializer_list<T>);
    It erase(ConstIt);
    It erase(ConstIt, ConstIt);
    void swap(Self &);
    bool operator==(const Self &) const;
    bool operator!=(const Self &) const;
    bool operator<(const Self &) const;
};
template <class T, class A = allocator<T>>
class vector : public __qn_sequence<T, vector<T, A>, __qn_step<T>, __qn_step<const T>>
{
  public:
    vector();
    explicit vector(const A &);
    explicit vector(size_t);
    vector(size_t, const T &);
    template <class I, class = enable_if_t<!is_integral_v<I>>> vector(I, I);
    vector(initializer_list<T>);
    vector(const vector &);
    vector(vector &&);
    ~vector();
    vector &operator=(const vector &);
    vector &operator=(vector &&);
    vector &operator=(initializer_list<T>);
    T &operator[](size_t);
    const T &operator[](size_t) const;
    T &at(size_t);
    const T &at(size_t) const;
    T *data();
    const T *data() const;
    void reserve(size_t);
    size_t capacity() const;
    void shrink_to_fit();
};
template <class I> vector(I, I) -> vector<typename iterator_traits<I>::value_type>;
template <class T> class deque : public __qn_sequence<T, deque<T>, __qn_step<T>, __qn_step<const T>>
{
  public:
    deque();
    explicit deque(size_t);
    deque(size_t, const T &);
    deque(initializer_list<T>);
    T &operator[](size_t);
    const T &operator[](size_t) const;
};
template <class T> class list : public __qn_sequence<T, list<T>, __qn_node<T>, __qn_node<const T>>
{
  public:
    list();
    list(size_t, const T &);
    list(initializer_list<T>);
    void sort();
    template <class F> void sort(F)
    {
    }
    void remove(const T &);
};
template <class T, class C = deque<T>> class queue
{
  public:
    void push(const T &);
    template <class... A> void emplace(A &&...);
    void pop();
    T &front();
    T &back();
    bool empty() const;
    size_t size() const;
};
template <class T, class C = deque<T>> class stack
{
  public:
    void push(const T &);
    template <class... A> void emplace(A &&...);
    void pop();
    T &top();
    bool empty() const;
    size_t size() const;
};
template <class T, class C = vector<T>, class F = less<T>> class priority_queue
{
  public:
    priority_queue();
    explicit priority_queue(F);
    void push(const T &);
    template <class... A> void emplace(A &&...);
    void pop();
    const T &top() const;
    bool empty() const;
    size_t size() const;
};
template <class K, class V, class Self> class __qn_tree
{
  public:
    typedef K key_type;
    typedef V value_type;
    typedef size_t size_type;
    typedef __qn_node<V> iterator;
    typedef __qn_node<const V> const_iterator;
    iterator begin();
    iterator end();
    const_iterator begin() const;
    const_iterator end() const;
    const_iterator cbegin() const;
    const_iterator cend() const;
    size_t size() const;
    bool empty() const;
    void clear();
    void reserve(size_t);
    iterator find(const K &);
    const_iterator find(const K &) const;
    size_t count(const K &) const;
    bool contains(const K &) const;
    pair<iterator, bool> insert(const V &);
    template <class I> void insert(I, I);
    template <class... A> pair<iterator, bool> emplace(A &&...);
    iterator erase(const_iterator);
    size_t erase(const K &);
    iterator lower_bound(const K &);
    iterator upper_bound(const K &);
    pair<iterator, iterator> equal_range(const K &);
    bool operator==(const Self &) const;
};
#define QN__MAP(name, extra)                                                                       \
    template <class K, class V, class... Extra>                                                    \
    class name : public __qn_tree<K, pair<const K, V>, name<K, V, Extra...>>                       \
    {                                                                                              \
      public:                                                                                      \
        typedef V mapped_type;                                                                     \
        name();                                                                                    \
        name(initializer_list<pair<const K, V>>);                                                  \
        V &operator[](const K &);                                                                  \
        V &at(const K &);                                                                          \
        const V &at(const K &) const;                                                              \
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
        name();                                                                                    \
        name(initializer_list<K>);                                                                 \
        template <class I> name(I, I);                                                             \
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
    unique_ptr();
    unique_ptr(nullptr_t);
    explicit unique_ptr(element_type *);
    unique_ptr(element_type *, D);
    unique_ptr(unique_ptr &&);
    template <class U, class E> unique_ptr(unique_ptr<U, E> &&);
    ~unique_ptr();
    unique_ptr &operator=(unique_ptr &&);
    unique_ptr &operator=(nullptr_t);
    element_type *get() const;
    element_type *release();
    void reset(element_type * = nullptr);
    element_type &operator*() const;
    element_type *operator->() const;
    element_type &operator[](size_t) const;
    explicit operator bool() const;
};
template <class T> class shared_ptr
{
  public:
    typedef remove_extent_t<T> element_type;
    shared_ptr();
    shared_ptr(nullptr_t);
    explicit shared_ptr(element_type *);
    template <class D> shared_ptr(element_type *, D)
    {
    }
    template <class U> shared_ptr(const shared_ptr<U> &);
    element_type *get() const;
    void reset(element_type * = nullptr);
    element_type &operator*() const;
    element_type *operator->() const;
    element_type &operator[](size_t) const;
    explicit operator bool() const;
    long use_count() const;
};
template <class T, class D> bool operator==(const unique_ptr<T, D> &, nullptr_t);
template <class T, class D> bool operator!=(const unique_ptr<T, D> &, nullptr_t);
template <class T, class D> bool operator==(nullptr_t, const unique_ptr<T, D> &);
template <class T, class D> bool operator!=(nullptr_t, const unique_ptr<T, D> &);
template <class T, class D, class U, class E>
bool operator==(const unique_ptr<T, D> &, const unique_ptr<U, E> &);
template <class T, class D, class U, class E>
bool operator!=(const unique_ptr<T, D> &, const unique_ptr<U, E> &);
template <class T> bool operator==(const shared_ptr<T> &, nullptr_t);
template <class T> bool operator!=(const shared_ptr<T> &, nullptr_t);
template <class T> bool operator==(nullptr_t, const shared_ptr<T> &);
template <class T> bool operator!=(nullptr_t, const shared_ptr<T> &);
template <class T, class U> bool operator==(const shared_ptr<T> &, const shared_ptr<U> &);
template <class T, class U> bool operator!=(const shared_ptr<T> &, const shared_ptr<U> &);
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
void *align(size_t, size_t, void *&, size_t &);
} // namespace std

#endif
