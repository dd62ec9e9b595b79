//===- ElfModuleTest.cpp - Shared objects, whole and damaged --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "lib/Plugin/ElfModule.h"
#include "gtest/gtest.h"

#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>

using namespace heddle;

/// Some small shared object that this process has loaded: GoogleMock's or the C++ library's.
static std::string someSharedObject() {
  for (const char *symbol : {"deflate", "ZSTD_versionNumber", "malloc"})
    if (void *address = dlsym(RTLD_DEFAULT, symbol)) {
      Dl_info info;
      if (dladdr(address, &info) && info.dli_fname) {
        std::ifstream file(info.dli_fname, std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(file), {}};
        if (llvm::StringRef(bytes).starts_with("\x7f"
                                               "ELF") &&
            bytes.size() < 2'000'000)
          return bytes;
      }
    }
  return "";
}

TEST(ElfModule, ReadsWhatTheDynamicLinkerWould) {
  std::string bytes = someSharedObject();
  if (bytes.empty())
    GTEST_SKIP() << "no small shared object in this process";
  llvm::Expected<ElfModule> module = readElfModule(bytes);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  EXPECT_GT(module->symbols.size(), 20u);
  EXPECT_FALSE(module->needed.empty());
  EXPECT_EQ(module->find("heddlePluginInfo"), nullptr);
}

// Any byte may be anything, any length may be cut: an answer or an error, and no access beyond the
// end (which AddressSanitizer sees, since the bytes end where their heap block does).
TEST(ElfModule, SurvivesDamage) {
  const std::string whole = someSharedObject();
  if (whole.empty())
    GTEST_SKIP() << "no small shared object in this process";
  auto tryRead = [](std::string bytes) {
    bytes.shrink_to_fit();
    llvm::Expected<ElfModule> module = readElfModule(bytes);
    if (!module)
      llvm::consumeError(module.takeError());
  };
  for (size_t length = 0; length < whole.size(); length += 1 + length / 16)
    tryRead(whole.substr(0, length));
  size_t step = 1;
  for (size_t at = 0; at < whole.size(); at += step) {
    if (at == 1024)
      step = whole.size() / 500 + 1;
    for (unsigned char byte : {0x00, 0x7f, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(byte);
      tryRead(damaged);
    }
  }
}
