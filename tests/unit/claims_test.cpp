// Headers that claim what cannot be (10¹⁸ rows, negative sizes, products larger than any number,
// NaN) are refused before memory is asked for. Arrays and texts; HDF5 and images have tests of
// their own.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/npy_header.hpp"
#include "io/npy_numbers.hpp"
#include "io/text_number.hpp"
#include "support/little_memory.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"
#include "tamis/generate/generator.hpp"
#include "tamis/io/writer_sink.hpp"

namespace tamis::test {
namespace {

std::string npy(const std::string& shape, const std::string& type = "<f8") {
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  text.resize(117, ' ');
  text += '\n';
  return std::string(npy_magic) + '\x01' + '\0' + char(text.size()) + '\0' + text;
}

// Standard input has these bytes for as long as this lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& bytes) : before_(::dup(STDIN_FILENO)) {
    const int file = ::memfd_create("input", 0);
    EXPECT_EQ(::write(file, bytes.data(), bytes.size()), ssize_t(bytes.size()));
    ::lseek(file, 0, SEEK_SET);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

class Claims : public ::testing::Test {
 protected:
  void expect_refused(const std::string& name, const std::string& bytes,
                      const std::vector<std::string>& words = {}) {
    SCOPED_TRACE(bytes.substr(0, 100));
    const LittleMemory little;
    write_bytes(folder / name, bytes);
    expect_unreadable(folder / name, words);
  }

  TemporaryFolder folder;
};

const char* const impossible_shapes[] = {
    "(4, 1000000000000000000)",
    "(4294967296, 4294967296)",
    "(1000000000, 1000000000, 1000000000)",
    "(9223372036854775807, 9223372036854775807)",
    "(4, -1)",
    "(4, 0)",
    "(-9223372036854775808, 2)",
    "(99999999999999999999, 2)",
    "(nan, 2)",
    "(2, inf)",
    "(2,",
    "2, 2",
    "()",
};

TEST_F(Claims, Npy) {
  for (const char* shape : impossible_shapes)
    expect_refused("x.npy", npy(shape) + std::string(64, '\0'));
  for (const char* shape : {"(100000000000000000, 4)", "(-1, 2)"})
    expect_refused("x.npy", npy(shape) + std::string(64, '\0'), {"cut short"});
  // Without samples nothing can be cut short.
  expect_refused("x.npy", npy("(0, 1000000000000000)"), {"features"});
  std::string long_header = npy("(1, 2)");
  long_header[6] = 2;  // a header of 4 GB
  for (int i = 8; i < 12; ++i) long_header[std::size_t(i)] = '\xFF';
  expect_refused("x.npy", long_header, {"too long"});
}

TEST_F(Claims, NpyOnStandardInput) {
  for (const char* shape : impossible_shapes) {
    SCOPED_TRACE(shape);
    const StandardInput input(npy(shape) + std::string(64, '\0'));
    const LittleMemory little;
    EXPECT_THROW(open_reader<float>("-"), FileError);
  }
  for (const char* shape : {"(-1, 100000000000000000)", "(0, 300000000)", "(1, 300000000)"}) {
    SCOPED_TRACE(shape);
    const StandardInput input(npy(shape) + std::string(64, '\0'));
    const LittleMemory little;
    EXPECT_THROW(open_reader<float>("-"), FileError);
  }
}

// Samples longer than what is read at once, and shorter ones across its end
TEST_F(Claims, StandardInputInPieces) {
  for (const Index F : {Index(1), Index(1000), Index(300001)}) {
    SCOPED_TRACE(F);
    const Index n = 700000 / F + 1;
    Matrix<float> X(F, n);
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = float(i % 10007);
    std::string bytes = npy(fmt::format("({}, {})", n, F), "<f4");
    bytes.append(reinterpret_cast<const char*>(X.data()), std::size_t(X.size()) * sizeof(float));
    {
      const StandardInput input(bytes);
      const auto reader = open_reader<double>("-");
      Matrix<double> V(F, n + 1);
      EXPECT_EQ(reader->read(V), n);
      EXPECT_EQ(V.leftCols(n), X.cast<double>());
    }
    bytes.resize(bytes.size() - 3);
    const StandardInput input(bytes);
    const auto reader = open_reader<double>("-");
    Matrix<double> V(F, n + 1);
    EXPECT_THROW(reader->read(V), FileError);
  }
}

TEST_F(Claims, NpyNumbers) {
  const auto refused = [&](const std::string& shape, const std::string& type) {
    SCOPED_TRACE(shape + type);
    write_bytes(folder / "x.npy", npy(shape, type) + std::string(16, '\0'));
    expect_file_error([&] { read_npy_numbers(folder / "x.npy"); }, folder / "x.npy", {});
  };
  // Eight times that is 0 in 64 bits.
  refused("(2305843009213693952,)", "<i8");
  refused("(9223372036854775807,)", "<u1");
  refused("(-1,)", "<i8");
  refused("(-2305843009213693952,)", "<i8");
  refused("(2, 1)", "<i8");
  refused("(2,)", "<i3");
  refused("(2,)", "<f8");
  write_bytes(folder / "x.npy",
              npy("(2,)", "<i8") + std::string("\5\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(read_npy_numbers(folder / "x.npy"), (std::vector<Index>{5, 7}));
}

TEST_F(Claims, MatrixMarket) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  for (const char* sizes :
       {"1000000000000000000 3 1", "3 1000000000000000000 1", "3 3 1000000000000000000",
        "4294967295 268435456 1000000", "-3 3 1", "3 -3 1", "3 3 -1", "nan nan nan", "inf 3 1",
        "18446744073709551617 3 1", "1e3 3 1"})
    expect_refused("x.mtx", head + sizes + "\n1 1 1\n", {"line 2"});
  expect_refused("x.mtx", "%%MatrixMarket matrix array real symmetric\n268435456 268435456\n1\n",
                 {"more than the file has"});
}

TEST_F(Claims, TextTables) {
  expect_refused("x.csv", "1,2\n3,0.5e400\n", {"line 2 column 2"});
  expect_refused("x.csv", "1,2\n3,.5e999\n", {"line 2 column 2"});
  expect_refused("x.csv", "1,2\n3,1" + std::string(400, '0') + "e-1\n", {"line 2 column 2"});
}

// Too large for the type is no number, too small is 0; the exponent alone does not tell which.
TEST(OutOfRange, TooSmallIsZeroTooLargeIsNone) {
  double x = 7;
  const std::string zeros(400, '0');
  for (const std::string& text : std::vector<std::string>{
           "1e-400", "-1e-400", "0.5e-400", "0." + zeros + "1", "." + zeros + "1e5",
           "1e-99999999999999999999", "123456e-999", "1" + zeros + "e-900"}) {
    EXPECT_TRUE(parse_number(text, x = 7)) << text;
    EXPECT_EQ(x, 0) << text;
  }
  for (const std::string& text : std::vector<std::string>{
           "1e400", "0.5e400", ".5e400", "-0.1e999", "0.001E+400", "1" + zeros, "1" + zeros + "e-1",
           "1e99999999999999999999", "0." + zeros + "1e900"})
    EXPECT_FALSE(parse_number(text, x)) << text;
  float y = 0;
  EXPECT_FALSE(parse_number("0.1e40", y));
  EXPECT_TRUE(parse_number("0.1e-60", y));
  EXPECT_TRUE(parse_number("1" + zeros + "e-400", x));
  EXPECT_EQ(x, 1);
}

// The same of generated data, which are named, not read
TEST(GeneratorClaims, AreRefused) {
  const LittleMemory little;
  for (const char* input :
       {"synthetic:features=1e18", "synthetic:features=9223372036854775807", "synthetic:rank=1e12",
        "synthetic:samples=9223372036854775807", "synthetic:features=nan", "synthetic:features=inf",
        "synthetic:features=-5", "swimmer:copies=1e17", "video:height=1e15,width=1e15",
        "video:height=4294967296,width=4294967296", "video:objects=1e15", "video:noise=nan"}) {
    SCOPED_TRACE(input);
    EXPECT_THROW(open_reader<float>(input), SettingsError);
  }
  EXPECT_EQ(open_reader<float>("swimmer:copies=9007199254740992")->samples(),
            Index(256) * 9007199254740992);
}

// What a checkpoint says about outputs that were begun
TEST(SinkClaims, AreRefused) {
  const TemporaryFolder folder;
  for (const std::string name : {"x.npy", "x.csv", "x.mtx", "x.h5"}) {
    const WriterOptions options{.format = {.shape = {2}, .type = ElementType::f64}};
    const auto writer = [&] { return open_writer<double>(folder / name, options); };
    std::string sound;
    {
      const auto begun = writer();
      begun->write(Matrix<double>::Ones(2, 3), Rows{.first = 0});
      sound = begun->state();
    }
    for (const char* state : {"", "x", "-1", "4", "1152921504606846976", "9223372036854775807",
                              "99999999999999999999", "3x", "nan", "-1 -1 -1"}) {
      SCOPED_TRACE(name + " " + state);
      EXPECT_THROW(writer()->resume(state), FileError);
    }
    const auto again = writer();
    again->resume(sound);
    again->write(Matrix<double>::Zero(2, 1), Rows{.first = 3});
    again->finish();
    EXPECT_EQ(read_file<double>(folder / name).cols(), 4) << name;
  }
}

}  // namespace
}  // namespace tamis::test
