# sbx: build, test, install, bench, lint.
#
# "make" builds and installs nothing; "make demo" also installs the packages
# that are missing.  Everything is made in build/.

VERSION = 0.2.0
PREFIX = /usr/local
DESTDIR =
CC = gcc
BUILD = build
include share/build/arch.mk

PACKAGES_BUILD = gcc musl-tools libc6-dev linux-libc-dev libseccomp-dev libcap-dev libjansson-dev xz-utils
PACKAGES_TEST = bubblewrap perl expect git jq procps util-linux python3 python3-jsonschema strace guile-3.0 zsh fish iproute2 curl python3-fusepy libfuse2 e2fsprogs \
	python3-pip cargo
PACKAGES_BENCH = bubblewrap valgrind python3 jq gcc
# What Debian has of other sandboxes; not every release has each.
PACKAGES_PEERS = bubblewrap firejail nsjail
PACKAGES_DEB = lintian binutils
PACKAGES_ARM64 = gcc-aarch64-linux-gnu libc6-dev-arm64-cross
PACKAGES_WINDOWS = gcc-mingw-w64-x86-64-win32 wine64 wine
PACKAGES_FUZZ = clang libclang-rt-dev
PACKAGES_LINT = clang clang-format cppcheck shellcheck mandoc

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

# Lean: A program's start is most of what a stage costs.  glibc asks the processor
# about itself two dozen times first, which a virtual machine answers slowly;
# musl does not.  So the stages and sbx-run are linked with musl where it is
# installed, with a jansson built for it.  LEAN=0 turns that off.
LEAN_CC := $(shell command -v musl-gcc 2>/dev/null)
ifneq ($(SAN)-$(LEAN)-$(notdir $(CC))-$(if $(LEAN_CC),yes),--gcc-yes)
LEAN_CC :=
endif
# No library is there for another machine, either: all programs are built so, with
# what the cross compiler brings.
ifdef CROSS
LEAN_CC := $(CC)
endif
ifneq ($(LEAN_CC),)
LEAN_INCLUDE = $(BUILD)/lean/include
LEAN_READY = $(BUILD)/lean/ready
LEAN_FLAGS = -I$(BUILD)/lean/jansson -idirafter $(LEAN_INCLUDE)
endif

LIB_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/*/*.c))
BINARIES = $(PROGRAMS:%=$(BUILD)/bin/%)

all: $(BINARIES) $(BUILD)/completions/ready

.PHONY: all clean distclean test demo install uninstall installcheck lint dist distcheck deb deb-test reproducible bench fault-sweep fuzz packages windows test-windows
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

# ---- what the build needs ------------------------------------------------

missing = $(shell for p in $(1); do dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null | \
	grep -qx installed || printf '%s ' $$p; done)

# Headers are what the build really needs; package names are only the cure.
$(BUILD)/packages.ok:
	@mkdir -p $(BUILD)
	@printf '#include <jansson.h>\n#include <seccomp.h>\n#include <sys/capability.h>\n#include <linux/landlock.h>\nint main(void){return 0;}\n' >$(BUILD)/packages.c
	@if ! $(if $(CROSS),gcc,$(CC)) -o $(BUILD)/packages.out $(BUILD)/packages.c -ljansson -lseccomp -lcap 2>$(BUILD)/packages.log || \
		! command -v $(firstword $(CC)) >/dev/null; then \
		echo "sbx: packages are missing: $(call missing,$(PACKAGES_BUILD) $(if $(CROSS),$(PACKAGES_ARM64)))" >&2; \
		echo "sbx: install them with: apt-get install $(PACKAGES_BUILD) $(if $(CROSS),$(PACKAGES_ARM64))" >&2; \
		exit 1; \
	fi
	@rm -f $(BUILD)/packages.c $(BUILD)/packages.out $(BUILD)/packages.log
	@touch $@

# Installs what is missing, and says so.  WHAT=build|test|bench|deb|fuzz|windows|arm64|all
packages:
	@set -e; need="$(call missing,$(PACKAGES_BUILD) $(if $(filter all test windows,$(WHAT)),$(PACKAGES_TEST)) $(if $(filter bench,$(WHAT)),$(PACKAGES_BENCH)) $(if $(filter deb,$(WHAT)),$(PACKAGES_DEB)) $(if $(filter fuzz,$(WHAT)),$(PACKAGES_FUZZ)) $(if $(filter windows,$(WHAT)),$(PACKAGES_WINDOWS)) $(if $(filter arm64,$(WHAT)),$(PACKAGES_ARM64)) $(if $(filter all,$(WHAT)),$(PACKAGES_LINT)))"; \
	[ -n "$${need% }" ] || exit 0; \
	share/build/get-packages sbx-$(VERSION)-linux-$(HOST_ARCH).tar.xz $$need

# ---- sources obtained by hash --------------------------------------------

field = $(shell sed -n 's/^$(2) //p' $(1))
stored = build/download/$(call field,$(1),file)
BWRAP_LOCK = sbx-linux-sandbox/bubblewrap.lock
BWRAP_VERSION := $(call field,$(BWRAP_LOCK),version)
BWRAP_STORE := $(call stored,$(BWRAP_LOCK))
JANSSON_LOCK = lib/jansson.lock
JANSSON_STORE := $(call stored,$(JANSSON_LOCK))

$(BWRAP_STORE): $(BWRAP_LOCK) lib/fetch-source $(BWRAP_TARBALL)
	@lib/fetch-source $(BWRAP_LOCK) $@ $(BWRAP_TARBALL)
	@touch $@

$(JANSSON_STORE): $(JANSSON_LOCK) lib/fetch-source $(JANSSON_TARBALL)
	@lib/fetch-source $(JANSSON_LOCK) $@ $(JANSSON_TARBALL)
	@touch $@

BWRAP_SOURCES = bind-mount bubblewrap chroot_realpath network safe_openat utils
BWRAP_OBJECTS = $(BWRAP_SOURCES:%=$(BUILD)/bubblewrap/%.o)

# What it does differently here: the start of the inner stage in place, bind.c, and words
# that must not get lost.
BWRAP_HOOKS_bubblewrap = -Dexecvp=bwrap_execvp -Dbind_mount_fd=bwrap_bind_mount_fd -Drealpath=bwrap_realpath -Dread=bwrap_read -Dwrite=bwrap_write -Dwaitpid=bwrap_waitpid -Dmount=bwrap_mount

# Verified again at every unpacking: the store is only a cache.
$(BUILD)/bubblewrap/config.h: $(BWRAP_STORE)
	@lib/fetch-source $(BWRAP_LOCK) $(BWRAP_STORE)
	@rm -rf $(BUILD)/bubblewrap && mkdir -p $(BUILD)/bubblewrap
	tar -xJf $(BWRAP_STORE) -C $(BUILD)/bubblewrap --strip-components=1
	@printf '#define PACKAGE_STRING "bubblewrap $(BWRAP_VERSION)"\n' >$@

$(BWRAP_OBJECTS): %.o: $(BUILD)/bubblewrap/config.h $(LEAN_READY) $(BUILD)/packages.ok Makefile
	$(or $(LEAN_CC),$(CC)) -D_GNU_SOURCE -Dmain=bwrap_main $(BWRAP_HOOKS_$(*F)) -include limits.h -I$(BUILD)/bubblewrap $(LEAN_FLAGS) $(CFLAGS) -w -c -o $@ $*.c

# One object with one name: its other functions must not meet ours.
$(BUILD)/bubblewrap.o: $(BWRAP_OBJECTS)
	$(LD) -r -o $@ $^
	$(OBJCOPY) --keep-global-symbol=bwrap_main --keep-global-symbol=bind_mount_fd $@

# ---- our own programs ----------------------------------------------------

$(BUILD)/%.o: %.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	@echo "  CC $<"; $(CC) $(SBX_CFLAGS) $(call within,$<) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libsbx.a: $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# Profile text as C strings, one per file: nothing is read again at run time.
SBPL = $(wildcard share/sbpl/*.sbpl)
$(BUILD)/sbpl.c: $(SBPL)
	@mkdir -p $(@D)
	@for f in $(SBPL); do n=$${f##*/}; \
		printf 'extern const char sbpl_%s[];\nconst char sbpl_%s[] = {' $$(echo $${n%.sbpl} $${n%.sbpl} | tr - _); \
		od -An -v -tu1 $$f | sed 's/ *\([0-9][0-9]*\)/\1,/g'; \
		echo '0};'; done >$@

$(BUILD)/sbpl.o: $(BUILD)/sbpl.c $(BUILD)/packages.ok
	@echo "  CC $<"; $(CC) $(SBX_CFLAGS) $(CFLAGS) -c -o $@ $<

# Some files are no part of the program beside which they lie: the filters are made
# when building, and the launcher of Windows is built for Windows.
APART = sbx-linux-sandbox/filter/generate.c sbx-linux-sandbox/filter/rules.c $(wildcard sbx-wintoken/windows/*.c)
program_sources = $(filter-out $(APART),$(wildcard $(1)/*.c $(1)/*/*.c))
# A file names what it includes from the top of the library or of its own program.
# Tests look into every program that has rooms.
within = $(patsubst %,-iquote %,$(if $(filter t/%,$(1)),$(LARGE),$(firstword $(subst /, ,$(1)))))
LARGE = sbx-policy sbx-approve sbx-linux-sandbox sbx-run
program_objects = $(patsubst %.c,$(BUILD)/%.o,$(call program_sources,$(1)))

# libseccomp is needed when building only: the filters are made here.
FILTER_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(addprefix sbx-linux-sandbox/,filter/generate.c filter/rules.c filter/filter_rule.c observer/watched_calls.c))
ifdef CROSS
.PHONY: native
native:
	@$(MAKE) --no-print-directory ARCH=$(HOST_ARCH) CC=gcc BUILD=build all
$(BUILD)/filters.c: native
	@mkdir -p $(@D)
	build/generate $(ARCH) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
else
$(BUILD)/generate: $(FILTER_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ -lseccomp
$(BUILD)/filters.c: $(BUILD)/generate
	$< $(ARCH) >$@
endif
$(BUILD)/filters.o: $(BUILD)/filters.c $(LEAN_READY)
	$(or $(LEAN_CC),$(CC)) $(SBX_CFLAGS) -iquote sbx-linux-sandbox $(LEAN_FLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/bin/sbx-linux-sandbox: $(BUILD)/bubblewrap.o $(BUILD)/filters.o
$(BUILD)/bin/sbx-seatbelt: $(BUILD)/sbpl.o
$(BUILD)/bin/%: $$(call program_objects,$$*) $(BUILD)/libsbx.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(STATIC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libsbx.a $(LIBS)

# ---- lean programs -------------------------------------------------------
#
LEAN_BINARIES = $(if $(LEAN_CC),$(COMMANDS:%=$(BUILD)/bin/%) $(BUILD)/bin/sbx-linux-sandbox $(if $(CROSS),$(HELPERS:%=$(BUILD)/bin/%)))
lean_objects = $(patsubst %.c,$(BUILD)/lean/%.o,$(call program_sources,$(1)))
JANSSON_SOURCES = dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value version
JANSSON_OBJECTS = $(JANSSON_SOURCES:%=$(BUILD)/lean/jansson/%.o)

# What jansson's own configuration finds out about a system like this one.
JANSSON_CONFIG = HAVE_CLOSE HAVE_FCNTL_H HAVE_GETPID HAVE_GETTIMEOFDAY HAVE_LOCALECONV HAVE_OPEN \
	HAVE_READ HAVE_SCHED_H HAVE_SCHED_YIELD HAVE_STDINT_H HAVE_STRTOLL HAVE_SYS_PARAM_H \
	HAVE_SYS_STAT_H HAVE_SYS_TIME_H HAVE_SYS_TYPES_H HAVE_UNISTD_H HAVE_ATOMIC_BUILTINS \
	HAVE_SYNC_BUILTINS USE_URANDOM

# The kernel's headers, and none of the other C library's.
$(BUILD)/lean/ready: $(JANSSON_STORE) $(BUILD)/packages.ok
	@lib/fetch-source $(JANSSON_LOCK) $(JANSSON_STORE)
	@rm -rf $(BUILD)/lean && mkdir -p $(LEAN_INCLUDE) $(BUILD)/lean/jansson
ifndef CROSS
	@for d in linux asm-generic; do ln -s /usr/include/$$d $(LEAN_INCLUDE)/$$d; done
	@ln -s $$($(CC) -print-sysroot)/usr/include/$$($(CC) -print-multiarch)/asm $(LEAN_INCLUDE)/asm
endif
	@mkdir $(LEAN_INCLUDE)/sys && ln -s /usr/include/sys/capability.h $(LEAN_INCLUDE)/sys/
	tar -xzf $(JANSSON_STORE) -C $(BUILD)/lean/jansson --strip-components=2 --wildcards '*/src/*.[ch]' '*/src/jansson_config.h.in'
	@{ for d in $(JANSSON_CONFIG); do echo "#define $$d 1"; done; \
		echo '#define INITIAL_HASHTABLE_ORDER 3'; } >$(BUILD)/lean/jansson/jansson_private_config.h
	@sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/; s/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
		$(BUILD)/lean/jansson/jansson_config.h.in >$(BUILD)/lean/jansson/jansson_config.h
	@touch $@

$(JANSSON_OBJECTS): %.o: $(LEAN_READY)
	$(LEAN_CC) -DHAVE_CONFIG_H -D_GNU_SOURCE -I$(BUILD)/lean/jansson $(CFLAGS) -w -c -o $@ $*.c

$(BUILD)/lean/%.o: %.c $(LEAN_READY)
	@mkdir -p $(@D)
	@echo "  CC $< (lean)"; $(LEAN_CC) $(SBX_CFLAGS) $(call within,$<) $(LEAN_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(LEAN_BINARIES): $(BUILD)/bin/%: $$(call lean_objects,$$*) $(BUILD)/lean/libsbx.a
	@mkdir -p $(@D)
	$(LEAN_CC) $(CFLAGS) -static $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/lean/libsbx.a

$(BUILD)/lean/libsbx.a: $(LIB_OBJECTS:$(BUILD)/%=$(BUILD)/lean/%) $(JANSSON_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# ---- completions ---------------------------------------------------------

ifdef CROSS
$(BUILD)/completions/ready: native
	@rm -rf $(@D) && mkdir -p $(@D) && cp -a build/completions/. $(@D)
else
$(BUILD)/completions/ready: $(BINARIES) $(wildcard share/completions/*) share/presets
	@echo "  GENERATE completions"; share/completions/generate $(@D) $(BUILD)/bin share/presets $(PROGRAMS)
	@touch $@
endif

-include $(wildcard $(foreach d,$(BUILD) $(BUILD)/lean,$(d)/lib/*/*.d $(d)/sbx-*/*.d $(d)/sbx-*/*/*.d) $(BUILD)/t/*.d $(BUILD)/t/*/*.d)

# ---- Windows -------------------------------------------------------------
#
# The launcher, cross-compiled, with the parts of libsbx that it needs and a
# jansson built for it.  "make test-windows" also installs wine, and runs it.

WINDOWS = $(BUILD)/windows
WINDOWS_CC = x86_64-w64-mingw32-gcc
WINDOWS_LIB = base/clean_text base/complain base/error base/fold base/memory document/approval document/document document/json_pool \
	document/json_text document/options document/osstring document/platform document/stage fs/path \
	policy/not_windows policy/permissions
WINDOWS_SOURCES = $(WINDOWS_LIB:%=lib/%.c) $(wildcard sbx-wintoken/*.c sbx-wintoken/windows/*.c)
WINDOWS_OBJECTS = $(WINDOWS_SOURCES:%.c=$(WINDOWS)/%.o)
WINDOWS_JANSSON = $(JANSSON_SOURCES:%=$(WINDOWS)/jansson/%.o)
WINDOWS_CONFIG = HAVE_FCNTL_H HAVE_GETPID HAVE_LOCALECONV HAVE_STDINT_H HAVE_STRTOLL HAVE_SYS_STAT_H \
	HAVE_SYS_TYPES_H HAVE_ATOMIC_BUILTINS HAVE_SYNC_BUILTINS USE_WINDOWS_CRYPTOAPI
WINDOWS_CFLAGS = -std=gnu17 -D_GNU_SOURCE -D__USE_MINGW_ANSI_STDIO=1 -DUNICODE -D_UNICODE \
	-DSBX_VERSION='"$(VERSION)"' -include sbx-wintoken/windows/posix.h -iquote lib -iquote sbx-wintoken \
	-iquote sbx-wintoken/windows -I$(WINDOWS)/jansson $(WARNINGS) -fno-common -fstack-protector-strong
WINDOWS_LIBS = -static -lssp -ladvapi32 -lshell32 -Wl,--dynamicbase,--nxcompat,--high-entropy-va
WINDOWS_TESTS = $(patsubst t/windows/%.c,$(WINDOWS)/t/%.exe,$(wildcard t/windows/*.c))

windows: $(WINDOWS)/bin/sbx-wintoken.exe

$(WINDOWS)/ready: $(JANSSON_STORE) Makefile
	@command -v $(WINDOWS_CC) >/dev/null || { echo "sbx: packages are missing: apt-get install $(PACKAGES_WINDOWS)" >&2; exit 1; }
	@lib/fetch-source $(JANSSON_LOCK) $(JANSSON_STORE)
	@rm -rf $(WINDOWS)/jansson && mkdir -p $(WINDOWS)/jansson
	tar -xzf $(JANSSON_STORE) -C $(WINDOWS)/jansson --strip-components=2 --wildcards '*/src/*.[ch]' '*/src/jansson_config.h.in'
	@{ for d in $(WINDOWS_CONFIG); do echo "#define $$d 1"; done; \
		echo '#define INITIAL_HASHTABLE_ORDER 3'; } >$(WINDOWS)/jansson/jansson_private_config.h
	@sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/; s/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
		$(WINDOWS)/jansson/jansson_config.h.in >$(WINDOWS)/jansson/jansson_config.h
	@touch $@

$(WINDOWS_JANSSON): %.o: $(WINDOWS)/ready
	$(WINDOWS_CC) -DHAVE_CONFIG_H -D__USE_MINGW_ANSI_STDIO=1 -I$(WINDOWS)/jansson -O2 -w -c -o $@ $*.c

# Formats of shared files are checked by the other builds: this compiler takes
# %zu for a mistake, which the C library here is not.
$(WINDOWS)/lib/%.o $(WINDOWS)/sbx-wintoken/%.o: WINDOWS_CFLAGS += -Wno-format
$(WINDOWS)/sbx-wintoken/windows/%.o: WINDOWS_CFLAGS += -Wformat=2
# It is started ten thousand times; what guards the stack would cost a library.
$(WINDOWS)/t/windows/echo.o: WINDOWS_CFLAGS += -fno-stack-protector
$(WINDOWS)/%.o: %.c $(WINDOWS)/ready
	@mkdir -p $(@D)
	@echo "  CC $< (windows)"; $(WINDOWS_CC) $(WINDOWS_CFLAGS) -O2 -MMD -MP -c -o $@ $<

$(WINDOWS)/libsbx.a: $(WINDOWS_OBJECTS) $(WINDOWS_JANSSON)
	@rm -f $@
	$(AR) rcs $@ $^

$(WINDOWS)/bin/sbx-wintoken.exe: $(WINDOWS)/libsbx.a
	@mkdir -p $(@D)
	$(WINDOWS_CC) -o $@ $(WINDOWS)/sbx-wintoken/main.o $< $(WINDOWS_LIBS)

$(WINDOWS)/t/%.exe: $(WINDOWS)/t/windows/%.o $(WINDOWS)/libsbx.a
	@mkdir -p $(@D)
	$(WINDOWS_CC) -o $@ $^ $(WINDOWS_LIBS)

test-windows:
	@$(MAKE) --no-print-directory packages WHAT=windows
	@$(MAKE) --no-print-directory all windows $(WINDOWS_TESTS)
	@SBX_BUILD=$(abspath $(BUILD)) t/windows/run $(T)

-include $(wildcard $(WINDOWS)/*/*.d $(WINDOWS)/*/*/*.d $(WINDOWS)/lib/*/*.d)

# ---- tests ---------------------------------------------------------------

TEST_PROGRAMS = $(patsubst t/%.c,$(BUILD)/t/%,$(wildcard t/*.c t/unit/*.c))

$(BUILD)/t/try: $(patsubst %.c,$(BUILD)/%.o,$(wildcard t/attempt/*.c))
$(BUILD)/t/unit/linux-filter: $(BUILD)/filters.o
$(BUILD)/t/toml-decode: $(patsubst %.c,$(BUILD)/%.o,$(wildcard sbx-policy/toml/*.c))
# Those of a cross-build are judged here as well.
ifeq ($(CROSS)$(HOST_ARCH),x86_64)
TEST_PROGRAMS += $(BUILD)/t/unit/linux-filter-arm64
$(BUILD)/filters-arm64.c: $(BUILD)/generate
	$< arm64 >$@
$(BUILD)/filters-arm64.o: $(BUILD)/filters-arm64.c
	$(CC) $(SBX_CFLAGS) -iquote sbx-linux-sandbox $(CFLAGS) -c -o $@ $<
$(BUILD)/t/unit/linux-filter-arm64.o: t/unit/linux-filter.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(CC) $(SBX_CFLAGS) $(call within,$<) $(CFLAGS) -DFILTERS_FOR_ARM64 -MMD -MP -c -o $@ $<
$(BUILD)/t/unit/linux-filter-arm64: $(BUILD)/filters-arm64.o
endif
# It names system calls.
$(BUILD)/t/fault: LIBS += -lseccomp
$(BUILD)/t/%: $(BUILD)/t/%.o $(BUILD)/libsbx.a
	$(CC) $(CFLAGS) $(STATIC) $(LDFLAGS) -pthread -o $@ $(filter %.o,$^) $(BUILD)/libsbx.a $(LIBS)

test:
	@$(MAKE) --no-print-directory packages WHAT=test
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/run $(T)

# Every call that sets up a sandbox fails once, in every way; with ONLY=REGEX
# some of them.  What a caller reads and what sbx-run reads itself differ.
fault-sweep:
	@$(MAKE) --no-print-directory packages WHAT=test
	@$(MAKE) --no-print-directory all $(BUILD)/t/fault $(BUILD)/t/try
	t/fault-sweep $(abspath $(BUILD)) --only '$(ONLY)'
	t/fault-sweep $(abspath $(BUILD)) --only '$(ONLY)' --with=--json

# ---- fuzzing ---------------------------------------------------------------
#
# Each harness in t/fuzz, with the program whose parser it is about.  TIME is
# for all of them together.
TIME = 60
FUZZ = $(BUILD)/fuzz
FUZZERS = $(patsubst t/fuzz/%.c,%,$(wildcard t/fuzz/*.c))
FUZZ_FLAGS = $(filter-out -D_FORTIFY_SOURCE=2,$(SBX_CFLAGS)) -g -O1 \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_OF_config = sbx-policy
FUZZ_OF_answer = sbx-approve
FUZZ_OF_rules = sbx-approve
FUZZ_OF_toml = sbx-policy
FUZZ_OF_shell = sbx-approve
FUZZ_OF_logline = sbx-seatbelt
FUZZ_OF_report = sbx-run
FUZZ_OF_request = sbx-linux-sandbox
FUZZ_OF_observer = sbx-linux-sandbox

$(FUZZ)/%.o: %.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	@echo "  CC $< (fuzz)"; clang $(FUZZ_FLAGS) $(call within,$<) -MMD -MP -c -o $@ $<

fuzz_objects = $(patsubst %.c,$(FUZZ)/%.o,$(filter-out $(1)/main.c,$(call program_sources,$(1))))
$(FUZZ)/%.a: $$(call fuzz_objects,$$*)
	@rm -f $@
	$(AR) rcs $@ $^

$(FUZZ)/bin/%: $(FUZZ)/t/fuzz/%.o $$(if $$(FUZZ_OF_$$*),$(FUZZ)/$$(FUZZ_OF_$$*).a) $(FUZZ)/lib.a
	@mkdir -p $(@D)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

fuzz:
	@$(MAKE) --no-print-directory packages WHAT=fuzz
	@$(MAKE) --no-print-directory $(FUZZERS:%=$(FUZZ)/bin/%)
	@t/fuzz/run $(FUZZ) $(TIME) $(FUZZERS)

-include $(wildcard $(FUZZ)/*/*.d $(FUZZ)/*/*/*.d $(FUZZ)/t/fuzz/*.d)

# Few lines: what the compiler says is of interest when it fails.
demo:
	@$(MAKE) --no-print-directory packages WHAT=build
	@mkdir -p $(BUILD) && echo "Building in $(BUILD), which takes less than a minute ..."
	@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) all >$(BUILD)/demo.log 2>&1 || \
		{ tail -n 20 $(BUILD)/demo.log >&2; exit 1; }
	@SBX_BUILD=$(abspath $(BUILD)) t/demo

bench:
	@$(MAKE) --no-print-directory packages WHAT=bench
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/perf/all

bench-peers:
	@$(MAKE) --no-print-directory packages WHAT=bench
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/perf/peers $(PACKAGES_PEERS)

include share/build/machines.mk
include share/build/release.mk

# ---- install -------------------------------------------------------------

SHARE = $(DESTDIR)$(PREFIX)/share
ZSH_FUNCTIONS = $(PREFIX)/share/zsh/site-functions
MAN_PAGES = $(wildcard share/man/*.[1-9])

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/sbx $(DESTDIR)$(ZSH_FUNCTIONS) \
		$(addprefix $(SHARE)/,sbx/schema sbx/prompt sbx/sbpl sbx/apparmor doc/sbx man/man1 man/man5 man/man7 \
		bash-completion/completions fish/vendor_completions.d)
	install -m 755 $(COMMANDS:%=$(BUILD)/bin/%) $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(HELPERS:%=$(BUILD)/bin/%) $(DESTDIR)$(PREFIX)/libexec/sbx
	install -m 644 share/schema/*.json $(SHARE)/sbx/schema
	install -m 644 share/prompt/*.md $(SHARE)/sbx/prompt
	install -m 644 $(SBPL) $(SHARE)/sbx/sbpl
	for page in $(MAN_PAGES); do install -m 644 $$page $(SHARE)/man/man$${page##*.} || exit 1; done
	install -m 644 README LICENSE SECURITY NEWS $(SHARE)/doc/sbx
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/bash/%) $(SHARE)/bash-completion/completions
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/zsh/_%) $(DESTDIR)$(ZSH_FUNCTIONS)
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/fish/%.fish) $(SHARE)/fish/vendor_completions.d
	sed 's|@PREFIX@|$(PREFIX)|' share/apparmor/sbx >$(SHARE)/sbx/apparmor/sbx
	chmod 644 $(SHARE)/sbx/apparmor/sbx

uninstall:
	rm -f $(COMMANDS:%=$(DESTDIR)$(PREFIX)/bin/%) $(PROGRAMS:%=$(SHARE)/bash-completion/completions/%) \
		$(PROGRAMS:%=$(DESTDIR)$(ZSH_FUNCTIONS)/_%) $(PROGRAMS:%=$(SHARE)/fish/vendor_completions.d/%.fish)
	for page in $(notdir $(MAN_PAGES)); do rm -f $(SHARE)/man/man$${page##*.}/$$page; done
	rm -rf $(DESTDIR)$(PREFIX)/libexec/sbx $(SHARE)/sbx $(SHARE)/doc/sbx

# What is installed in $(DESTDIR)$(PREFIX); in a checkout from which nothing
# was installed, and nobody said where, a copy made for that.
installcheck:
ifeq ($(origin PREFIX)$(origin DESTDIR)-$(wildcard $(PREFIX)/bin/sbx-run),filefile-)
	@echo "sbx: nothing is installed in $(PREFIX): checking a copy in $(BUILD)/installed"
	@rm -rf $(BUILD)/installed
	@$(MAKE) --no-print-directory -s install DESTDIR=$(abspath $(BUILD))/installed
	@t/installcheck $(abspath $(BUILD))/installed$(PREFIX) $(VERSION)
	@rm -rf $(BUILD)/installed
else
	@t/installcheck $(DESTDIR)$(PREFIX) $(VERSION)
endif

# The package is made, judged by lintian, unpacked and tried.
deb: DEB = $(abspath $(BUILD))/deb
deb:
	@$(MAKE) --no-print-directory packages WHAT=deb
	@rm -rf $(DEB) $(BUILD)/sbx_*.deb && mkdir -p $(DEB)
	@$(MAKE) --no-print-directory -s install DESTDIR=$(DEB)/root PREFIX=/usr ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions
	@share/debian/check-profile $(DEB)/root/usr/share/sbx/apparmor/sbx
	@share/debian/build $(VERSION) $(DEB)/root $(BUILD)
	@lintian --no-cfg --allow-root --fail-on error,warning $(BUILD)/sbx_*.deb || { rm -f $(BUILD)/sbx_*.deb; exit 1; }
	@dpkg-deb -x $(BUILD)/sbx_*.deb $(DEB)/unpacked
	@t/installcheck $(DEB)/unpacked/usr $(VERSION) || { rm -f $(BUILD)/sbx_*.deb; exit 1; }
	@rm -rf $(DEB)

# All tests, of the programs in the package.
deb-test: deb
	@$(MAKE) --no-print-directory packages WHAT=test
	@$(MAKE) --no-print-directory $(TEST_PROGRAMS)
	@place=$$(mktemp -d /var/tmp/sbx-deb.XXXXXX) && trap 'rm -rf $$place' EXIT && chmod 755 $$place && \
		dpkg-deb -x $(BUILD)/sbx_*.deb $$place && \
		SBX_BUILD=$(abspath $(BUILD)) SBX_PREFIX=$$place/usr t/run $(T)

# ---- upkeep --------------------------------------------------------------

C_FILES = $(wildcard lib/*/*.[ch] sbx-*/*.[ch] sbx-*/*/*.[ch] t/*.[ch] t/*/*.[ch])
SHELL_FILES = lib/fetch-source share/build/get-packages $(wildcard share/release/*) $(wildcard t/machines/*) t/fuzz/run $(addprefix share/debian/,build check-profile postinst prerm) t/installcheck t/distcheck t/reproducible share/completions/generate share/completions/body.bash .ci/run t/run t/windows/run t/demo $(wildcard t/*.t t/*.sh t/windows/*.t t/windows/*.sh t/perf/*)

lint:
	@$(MAKE) --no-print-directory packages WHAT=all
	clang-format --dry-run -Werror $(C_FILES)
	cppcheck --quiet --error-exitcode=1 --std=c17 --inline-suppr --suppress=missingIncludeSystem \
		--enable=warning,portability -Ilib -D__linux__ -DSBX_VERSION='""' \
		'-Djson_array_foreach(a,i,v)=for(i=0;(v=json_array_get(a,i))!=0;i++)' \
		'-Djson_object_foreach(o,k,v)=for(k=0;(v=json_object_get(o,k))!=0;)' \
		 lib $(wildcard sbx-*)
	shellcheck -x $(SHELL_FILES)
	share/build/check-layers
	mandoc -Tlint -Wwarning share/man/*.[1-9]
	$(MAKE) --no-print-directory BUILD=build/clang CC=clang CFLAGS='-O1' all

# A release carries bubblewrap, so that it builds without a network.
DIST = sbx-$(VERSION)
dist: $(BWRAP_STORE) $(JANSSON_STORE)
	@mkdir -p build/dist
	@rm -rf build/dist/$(DIST)
	git archive --prefix=$(DIST)/ HEAD | tar -x -C build/dist
	cp $(BWRAP_STORE) build/dist/$(DIST)/sbx-linux-sandbox/
	cp $(JANSSON_STORE) build/dist/$(DIST)/lib/
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) \
		-C build/dist -cJf build/$(DIST).tar.xz $(DIST)
	@rm -rf build/dist
	@git diff --quiet HEAD || echo "sbx: what is not committed is not in the release"
	@t/distcheck build/$(DIST).tar.xz || { rm -f build/$(DIST).tar.xz; exit 1; }
	@echo build/$(DIST).tar.xz

# The same, and all tests of it, without a network.
distcheck: dist
	@t/distcheck build/$(DIST).tar.xz test

# Two builds of the release, in two places: the same programs.
reproducible: dist
	@t/reproducible build/$(DIST).tar.xz

clean:
	find build -mindepth 1 -maxdepth 1 ! -name download ! -name machines -exec rm -rf {} + 2>/dev/null || true

distclean:
	rm -rf build
