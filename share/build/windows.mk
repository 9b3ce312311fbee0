# Windows: The launcher, cross-compiled, with the parts of libsbx that it needs and a
# jansson built for it.  "make test-windows" also installs wine, and runs it.

WINDOWS = $(BUILD)/windows
WINDOWS_CC = x86_64-w64-mingw32-gcc
WINDOWS_LIB = base/clean_text base/complain base/error base/fold base/memory typed/nearest_word typed/other_tools base/strings document/approval document/document document/help document/json_pool \
	document/json_list document/json_text document/options document/osstring document/platform document/stage fs/path \
	hosts/host_rule hosts/hosts policy/not_windows policy/permissions policy/words
WINDOWS_SOURCES = $(WINDOWS_LIB:%=lib/%.c) $(wildcard sbx-wintoken/*.c sbx-wintoken/*/*.c)
WINDOWS_OBJECTS = $(WINDOWS_SOURCES:%.c=$(WINDOWS)/%.o)
WINDOWS_JANSSON = $(JANSSON_SOURCES:%=$(WINDOWS)/jansson/%.o)
WINDOWS_CONFIG = HAVE_FCNTL_H HAVE_GETPID HAVE_LOCALECONV HAVE_STDINT_H HAVE_STRTOLL HAVE_SYS_STAT_H \
	HAVE_SYS_TYPES_H HAVE_ATOMIC_BUILTINS HAVE_SYNC_BUILTINS USE_WINDOWS_CRYPTOAPI
WINDOWS_CFLAGS = -std=gnu17 -D_GNU_SOURCE -D__USE_MINGW_ANSI_STDIO=1 -DUNICODE -D_UNICODE \
	-DSBX_VERSION='"$(VERSION)"' -include sbx-wintoken/windows/posix.h -iquote lib -iquote sbx-wintoken \
	-I$(WINDOWS)/jansson $(WARNINGS) -fno-common -fstack-protector-strong
WINDOWS_LIBS = -static -lssp -ladvapi32 -lshell32 -lws2_32 -Wl,--dynamicbase,--nxcompat,--high-entropy-va
WINDOWS_TESTS = $(patsubst t/windows/%.c,$(WINDOWS)/t/%.exe,$(wildcard t/windows/*.c))

windows: $(WINDOWS)/bin/sbx-wintoken.exe

$(WINDOWS)/ready: $(JANSSON_STORE) Makefile
	@command -v $(WINDOWS_CC) >/dev/null || { echo "sbx: packages are missing: apt-get install $(PACKAGES_WINDOWS)" >&2; exit 1; }
	@lib/fetch-source $(JANSSON_LOCK) $(JANSSON_STORE)
	@rm -rf $(WINDOWS)/jansson && mkdir -p $(WINDOWS)/jansson
	@tar -xzf $(JANSSON_STORE) -C $(WINDOWS)/jansson --strip-components=2 --wildcards '*/src/*.[ch]' '*/src/jansson_config.h.in'
	@{ for d in $(WINDOWS_CONFIG); do echo "#define $$d 1"; done; \
		echo '#define INITIAL_HASHTABLE_ORDER 3'; } >$(WINDOWS)/jansson/jansson_private_config.h
	@sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/; s/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
		$(WINDOWS)/jansson/jansson_config.h.in >$(WINDOWS)/jansson/jansson_config.h
	@touch $@

$(WINDOWS_JANSSON): %.o: $(WINDOWS)/ready
	$(call quietly,CC) $(WINDOWS_CC) -DHAVE_CONFIG_H -D__USE_MINGW_ANSI_STDIO=1 -I$(WINDOWS)/jansson -O2 -w -c -o $@ $*.c

# Formats of shared files are checked by the other builds: this compiler takes
# %zu for a mistake, which the C library here is not.
$(WINDOWS)/lib/%.o $(WINDOWS)/sbx-wintoken/%.o: WINDOWS_CFLAGS += -Wno-format
$(WINDOWS)/sbx-wintoken/windows/%.o $(WINDOWS)/sbx-wintoken/access/%.o: WINDOWS_CFLAGS += -Wformat=2
# It is started ten thousand times; what guards the stack would cost a library.
$(WINDOWS)/t/windows/echo.o: WINDOWS_CFLAGS += -fno-stack-protector
$(WINDOWS)/%.o: %.c $(WINDOWS)/ready
	@mkdir -p $(@D)
	$(call quietly,CC) $(WINDOWS_CC) $(WINDOWS_CFLAGS) -O2 -MMD -MP -c -o $@ $<

$(WINDOWS)/libsbx.a: $(WINDOWS_OBJECTS) $(WINDOWS_JANSSON)
	@rm -f $@
	$(call quietly,AR) $(AR) rcs $@ $^

$(WINDOWS)/bin/sbx-wintoken.exe: $(WINDOWS)/libsbx.a
	@mkdir -p $(@D)
	$(call quietly,LINK) $(WINDOWS_CC) -o $@ $(WINDOWS)/sbx-wintoken/main.o $< $(WINDOWS_LIBS)

$(WINDOWS)/t/%.exe: $(WINDOWS)/t/windows/%.o $(WINDOWS)/libsbx.a
	@mkdir -p $(@D)
	$(call quietly,LINK) $(WINDOWS_CC) -o $@ $^ $(WINDOWS_LIBS)

test-windows:
	@$(MAKE) --no-print-directory packages WHAT=windows
	@$(MAKE) --no-print-directory all windows $(WINDOWS_TESTS)
	@SBX_BUILD=$(abspath $(BUILD)) t/windows/run $(T)

-include $(wildcard $(WINDOWS)/*/*.d $(WINDOWS)/*/*/*.d $(WINDOWS)/lib/*/*.d)
