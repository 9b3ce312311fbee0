# sbx: build, test, install, bench, lint.
#
# "make" builds and installs nothing; "make demo" also installs the packages
# that are missing.  Everything is made in build/.

VERSION = 0.5.0
PREFIX = /usr/local
DESTDIR =
CC = gcc
BUILD = build
include share/build/arch.mk

COMMANDS = sbx-policy sbx-approve sbx-select sbx-wrap sbx-run
HELPERS = sbx-linux-sandbox sbx-seatbelt sbx-wintoken
PROGRAMS = $(COMMANDS) $(HELPERS)

WARNINGS = -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla \
	-Wimplicit-fallthrough -Wundef -Wformat=2 -Wdate-time
HARDEN = -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fno-strict-overflow -fno-common
CFLAGS = -O2 -g
SBX_CFLAGS = -std=gnu17 -D_GNU_SOURCE -DSBX_VERSION='"$(VERSION)"' -iquote lib $(WARNINGS) $(HARDEN)
LIBS = -ljansson
ifeq ($(SAN),1)
override CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all
# lib/base/leaks.c
LDFLAGS += -Wl,-u,__lsan_is_turned_off
BUILD = build/san
endif

# The same source gives the same programs, wherever it was built.
override CFLAGS += '-ffile-prefix-map=$(CURDIR)=.'

# Static where every library exists as an archive: a static program starts in
# half the time, and no loader variable can reach into it.
archives := $(foreach a,libc.a libjansson.a libseccomp.a libcap.a,\
	$(filter /%,$(shell $(CC) -print-file-name=$a 2>/dev/null)))
ifeq ($(SAN)-$(words $(archives)),-4)
STATIC = -static
endif

LIB_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/*/*.c))
BINARIES = $(PROGRAMS:%=$(BUILD)/bin/%)

all: $(BINARIES) $(BUILD)/completions/ready

.PHONY: all clean distclean test demo install uninstall installcheck lint dist distcheck deb deb-test reproducible bench plots fault-sweep fuzz packages windows test-windows
# One line for each file, on all processors; V=1 shows the commands, JOBS=1 takes one at a time.
quietly = $(if $(V),,@echo "  $(1) $@";)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(or $(JOBS),$(shell nproc 2>/dev/null),1)
endif

.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

include $(addprefix share/build/,packages.mk sources.mk lean.mk generated.mk)

# ---- programs --------------------------------------------------------------

$(BUILD)/%.o: %.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(call quietly,CC) $(CC) $(SBX_CFLAGS) $(call within,$<) $(CFLAGS) -MMD -MP -c -o $@ $<

# It says the version.
$(BUILD)/lib/document/options.o $(BUILD)/lean/lib/document/options.o: Makefile

$(BUILD)/libsbx.a: $(LIB_OBJECTS)
	@rm -f $@
	$(call quietly,AR) $(AR) rcs $@ $^

# Some files are no part of the program beside which they lie: the filters are made
# when building, and the launcher of Windows is built for Windows.
APART = sbx-linux-sandbox/filter/generate.c sbx-linux-sandbox/filter/rules.c $(wildcard sbx-wintoken/windows/*.c sbx-wintoken/access/*.c)
program_sources = $(filter-out $(APART),$(wildcard $(1)/*.c $(1)/*/*.c))
# A file names what it includes from the top of the library or of its own program.
# Tests look into every program that has rooms.
within = $(patsubst %,-iquote %,$(if $(filter t/%,$(1)),$(LARGE),$(firstword $(subst /, ,$(1)))))
LARGE = sbx-policy sbx-approve sbx-linux-sandbox sbx-run sbx-seatbelt sbx-wintoken
program_objects = $(patsubst %.c,$(BUILD)/%.o,$(call program_sources,$(1)))

$(BUILD)/bin/sbx-linux-sandbox: $(BUILD)/bubblewrap.o $(BUILD)/filters.o
$(BUILD)/bin/sbx-wrap: $(BUILD)/engine-filters.o
$(BUILD)/bin/sbx-seatbelt: $(BUILD)/sbpl.o
# glibc looks names up with libraries that it loads.
$(BUILD)/bin/sbx-seatbelt: STATIC =
$(BUILD)/bin/sbx-run: $(BUILD)/mcp_tools.o
$(BUILD)/bin/%: $$(call program_objects,$$*) $(BUILD)/libsbx.a
	@mkdir -p $(@D)
	$(call quietly,LINK) $(CC) $(CFLAGS) $(STATIC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libsbx.a $(LIBS)

-include $(wildcard $(foreach d,$(BUILD) $(BUILD)/lean,$(d)/lib/*/*.d $(d)/sbx-*/*.d $(d)/sbx-*/*/*.d) $(BUILD)/t/*.d $(BUILD)/t/*/*.d)

include share/build/test.mk

# Few lines: what the compiler says is of interest when it fails.
demo:
	@mkdir -p $(BUILD) && echo "Building in $(BUILD), which takes less than a minute ..."
	@$(MAKE) --no-print-directory all >$(BUILD)/demo.log 2>&1 || \
		{ tail -n 20 $(BUILD)/demo.log >&2; exit 1; }
	@SBX_BUILD=$(abspath $(BUILD)) t/demo

bench: all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/perf/all $(ONLY)

# The pictures that README shows, from the last "make bench-peers" (or "make bench
# ONLY=launch") and "make test-compat".
plots:
	@t/perf/keep-pictures $(BUILD)/bench .

bench-peers: all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/perf/peers $(PACKAGES_PEERS)

# ---- everything else -------------------------------------------------------

include $(addprefix share/build/,windows.mk install.mk upkeep.mk machines.mk release.mk)
