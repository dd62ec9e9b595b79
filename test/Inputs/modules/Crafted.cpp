// Modules made by hand, each wrong in one way; the macro ANCHOR is the anchor that it refers to, if
// any; WITH_HEADERS takes it from Heddle's header, which nothing else here uses. The constructor
// tells that code of it has run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void write() {
  if (const char *path = std::getenv("HEDDLE_TEST_WRITES"))
    if (std::FILE *file = std::fopen(path, "w"))
      std::fclose(file);
}

#ifdef WITH_HEADERS
#include "heddle/Plugin/Abi.h"
#define ANCHOR HEDDLE_ABI_ANCHOR
#endif

struct Info {
  uint32_t size;
  const char *name;
  void (*registerAll)();
  const char *abi;
};

#ifdef ANCHOR
extern "C" const char ANCHOR[];
#define ABI ANCHOR
#else
#define ABI nullptr
#endif
const char *const *volatile abi; // keeps the reference in any case
static const char *const abiOfModule = ABI;
__attribute__((constructor)) static void keep() { abi = &abiOfModule; }

// A name of libheddle, so that the module is linked to it in any case.
extern "C" void idOfLibrary() __asm__("_ZN6heddle5abiIdEv");

#ifdef DEFINES_LLVM
// A function that libheddle has too, as a static libLLVMSupport would bring it.
extern "C" void ofLLVM() __asm__("_ZN4llvm4errsEv");
extern "C" void ofLLVM() {}
#endif

#ifdef NULL_INFO
extern "C" const Info *heddlePluginInfo() { return nullptr; }
#elif !defined(NO_ENTRY)
extern "C" const Info *heddlePluginInfo() {
  static const Info info = {8, "crafted", &idOfLibrary, ABI};
  return &info;
}
#endif
