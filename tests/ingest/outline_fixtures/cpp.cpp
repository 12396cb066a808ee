#include "store.h"
#include <vector>

using std::string;
using namespace std::chrono;

#define STORE_CHECK(x) \
  do { if (!(x)) abort(); } while (0)

namespace store {
namespace {

constexpr int kLimit = 10;

bool IsValid(const string& key) { return !key.empty(); }

}  // namespace

class Iterator;
enum class Status : uint8_t { kOk, kMissing = 4 };
using Clock = steady_clock;
typedef std::map<string, int> Counts;

/// A table of values.
/// It owns them.
template <typename K, typename V = int>
class Table final : public Base<K>, private Noncopyable {
 public:
  using key_type = K;

  explicit Table(const Options& options);
  Table(const Table&) = delete;
  ~Table() override;

  // Gets a value.
  V* Get(const K& key) const;
  V& operator[](const K& key) { return values_[key]; }
  operator bool() const noexcept { return true; }
  static std::unique_ptr<Table> Open(const string& path);
  virtual void Flush() = 0;

  template <class F>
  void Each(F&& f) {
    auto visit = [&](const V& v) { f(v); };
    for (auto& v : values_) visit(v);
  }

  struct Stats {
    int hits = 0, misses;
  };

  friend class Iterator;
  friend bool operator<(const Table& a, const Table& b);

 protected:
  int size_;

 private:
  std::vector<V> values_;
  static int count_;
};

template <typename K, typename V>
V* Table<K, V>::Get(const K& key) const {
  return nullptr;
}

template <>
int Table<int, int>::count_ = 0;

template <typename T>
concept Hashable = requires(T a) { a.hash(); };

Store::Impl::Impl(int n) : n_(n), m_{0} {
  Start();
}

Store::~Store() {}

bool Store::operator==(const Store& other) const { return true; }

auto Store::Find(const string& key) -> Status {
  struct Local { int n; };
  return Status::kOk;
}

Store* global_store = nullptr;
std::vector<int> MakeList(int n);

extern "C" {
int store_open(const char* path);
void store_close(int handle) {}
}

}  // namespace store

namespace a::b {
inline namespace v1 { void f(); }
}

TEST(StoreTest, Opens) {
  EXPECT_TRUE(true);
}
