# Which machine the programs are for: ARCH=x86_64 or ARCH=arm64.  Another one
# than this machine's is built in build/ARCH with a cross compiler; what has to
# run while building, the generator of the filters and the completions, is
# built for this machine first.

ARCHES = x86_64 arm64
arch_of = $(patsubst aarch64,arm64,$(firstword $(subst -, ,$(1))))
HOST_ARCH := $(call arch_of,$(shell uname -m))
ARCH = $(HOST_ARCH)

ifeq ($(filter $(ARCH),$(ARCHES)),)
$(error sbx: ARCH=$(ARCH): the filters of system calls are written for x86_64 and arm64 only)
endif

ifneq ($(ARCH),$(HOST_ARCH))
ifneq ($(HOST_ARCH)-$(ARCH),x86_64-arm64)
$(error sbx: ARCH=$(ARCH): cross-building is from x86_64 to arm64 only; build it on such a machine)
endif
CROSS = aarch64-linux-gnu-
BUILD = build/$(ARCH)
ifeq ($(origin CC),file)
CC = $(CROSS)gcc
endif
endif

# The other tools are those of the compiler: X-gcc, X-gcc-14, /dir/X-gcc.
CC_PREFIX := $(shell echo '$(firstword $(CC))' | sed -nE 's/^(.*-)(gcc|cc)(-[0-9.]+)?$$/\1/p')
ifeq ($(origin LD),default)
LD = $(CC_PREFIX)ld
endif
ifeq ($(origin AR),default)
AR = $(CC_PREFIX)ar
endif
ifeq ($(origin OBJCOPY),undefined)
OBJCOPY = $(CC_PREFIX)objcopy
endif
STRIP = $(CC_PREFIX)strip

# A compiler for something else would fail in the middle of the build.
CC_ARCH := $(call arch_of,$(shell $(CC) -dumpmachine 2>/dev/null))
ifneq ($(CC_ARCH),)
ifneq ($(CC_ARCH),$(ARCH))
$(error sbx: $(CC) compiles for $(CC_ARCH), and ARCH is $(ARCH): only x86_64 and arm64 are supported)
endif
endif
