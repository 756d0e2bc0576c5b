/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_STREAMS_H
#define QN_STD_QUERN_STD_STREAMS_H

#include <quern_std_memory.h>

namespace std
{
class ios_base
{
  public:
    typedef int fmtflags;
    typedef int openmode;
    typedef int seekdir;
    static constexpr int in = 1, out = 2, binary = 4, app = 8, trunc = 16, ate = 32;
    static constexpr int beg = 0, cur = 1, end = 2;
    static constexpr int fixed = 64, scientific = 128, left = 256, right = 512, hex = 1024,
                         dec = 2048;
    static bool sync_with_stdio(bool = true);
    long precision(long);
    long precision() const;
    long width(long);
    fmtflags setf(fmtflags);
    fmtflags flags() const;
    fmtflags flags(fmtflags);
    explicit operator bool() const;
    bool operator!() const;
    bool good() const;
    bool fail() const;
    bool eof() const;
    bool bad() const;
    void clear();
    char fill(char);
};
typedef ios_base ios;
typedef long streamsize;
class streampos
{
  public:
    streampos(long);
    operator long() const;
};
class streambuf;
class ostream : virtual public ios_base
{
  public:
    ostream &operator<<(bool);
    ostream &operator<<(int);
    ostream &operator<<(unsigned);
    ostream &operator<<(long);
    ostream &operator<<(unsigned long);
    ostream &operator<<(long long);
    ostream &operator<<(unsigned long long);
    ostream &operator<<(float);
    ostream &operator<<(double);
    ostream &operator<<(long double);
    ostream &operator<<(const void *);
    ostream &operator<<(ostream &(*)(ostream &));
    ostream &operator<<(ios_base &(*)(ios_base &));
    ostream &write(const char *, streamsize);
    ostream &put(char);
    ostream &flush();
    streampos tellp();
    streambuf *rdbuf() const;
};
ostream &operator<<(ostream &, char);
ostream &operator<<(ostream &, signed char);
ostream &operator<<(ostream &, unsigned char);
ostream &operator<<(ostream &, const char *);
ostream &operator<<(ostream &, const string &);
ostream &operator<<(ostream &, string_view);
class istream : virtual public ios_base
{
  public:
    template <class T> istream &operator>>(T &) QN__BODY;
    istream &read(char *, streamsize);
    istream &getline(char *, streamsize);
    istream &get(char &);
    int get();
    int peek();
    istream &ignore(streamsize = 1, int = -1);
    istream &seekg(streampos);
    istream &seekg(long, seekdir);
    streampos tellg();
    streamsize gcount() const;
    streambuf *rdbuf() const;
};
istream &getline(istream &, string &);
istream &getline(istream &, string &, char);
class iostream : public istream, public ostream
{
};
#define QN__FILE_STREAM(name, base)                                                                \
    class name : public base                                                                       \
    {                                                                                              \
      public:                                                                                      \
        name();                                                                                    \
        explicit name(const char *, int = 0);                                                      \
        explicit name(const string &, int = 0);                                                    \
        void open(const char *, int = 0);                                                          \
        void open(const string &, int = 0);                                                        \
        bool is_open() const;                                                                      \
        void close();                                                                              \
    };
QN__FILE_STREAM(ifstream, istream)
QN__FILE_STREAM(ofstream, ostream)
QN__FILE_STREAM(fstream, iostream)
#undef QN__FILE_STREAM
#define QN__STRING_STREAM(name, base)                                                              \
    class name : public base                                                                       \
    {                                                                                              \
      public:                                                                                      \
        name();                                                                                    \
        explicit name(const string &, int = 0);                                                    \
        string str() const;                                                                        \
        void str(const string &);                                                                  \
    };
QN__STRING_STREAM(istringstream, istream)
QN__STRING_STREAM(ostringstream, ostream)
QN__STRING_STREAM(stringstream, iostream)
#undef QN__STRING_STREAM
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &);
ostream &flush(ostream &);
ostream &ends(ostream &);
ios_base &fixed(ios_base &);
ios_base &scientific(ios_base &);
ios_base &defaultfloat(ios_base &);
ios_base &hex(ios_base &);
ios_base &dec(ios_base &);
ios_base &oct(ios_base &);
ios_base &left(ios_base &);
ios_base &right(ios_base &);
ios_base &internal(ios_base &);
ios_base &boolalpha(ios_base &);
ios_base &showpoint(ios_base &);
ios_base &uppercase(ios_base &);
struct __qn_manipulator {
};
__qn_manipulator setw(int);
__qn_manipulator setprecision(int);
__qn_manipulator setfill(char);
__qn_manipulator setbase(int);
ostream &operator<<(ostream &, __qn_manipulator);
istream &operator>>(istream &, __qn_manipulator);
} // namespace std

#endif
