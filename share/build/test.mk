# The tests, the fault sweep and the fuzzers: t/README.

.PHONY: test test-long test-compat fault-sweep fuzz

TEST_PROGRAMS = $(patsubst t/%.c,$(BUILD)/t/%,$(wildcard t/helper/*.c t/unit/*.c))

$(BUILD)/t/helper/try: $(patsubst %.c,$(BUILD)/%.o,$(wildcard t/helper/attempt/*.c))
$(BUILD)/t/helper/jq: $(patsubst %.c,$(BUILD)/%.o,$(wildcard t/helper/filter/*.c))
$(BUILD)/t/unit/linux-filter: $(BUILD)/filters.o
$(BUILD)/t/helper/toml-decode: $(patsubst %.c,$(BUILD)/%.o,$(wildcard sbx-policy/toml/*.c))
# Those of a cross-build are judged here as well.
ifeq ($(CROSS)$(HOST_ARCH),x86_64)
TEST_PROGRAMS += $(BUILD)/t/unit/linux-filter-arm64
$(BUILD)/filters-arm64.c: $(BUILD)/generate
	$(call quietly,GENERATE) $< arm64 >$@
$(BUILD)/filters-arm64.o: $(BUILD)/filters-arm64.c
	$(call quietly,CC) $(CC) $(SBX_CFLAGS) -iquote sbx-linux-sandbox $(CFLAGS) -c -o $@ $<
$(BUILD)/t/unit/linux-filter-arm64.o: t/unit/linux-filter.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(call quietly,CC) $(CC) $(SBX_CFLAGS) $(call within,$<) $(CFLAGS) -DFILTERS_FOR_ARM64 -MMD -MP -c -o $@ $<
$(BUILD)/t/unit/linux-filter-arm64: $(BUILD)/filters-arm64.o
endif
# It names system calls.
$(BUILD)/t/helper/fault: LIBS += -lseccomp
ifdef CROSS
# No library of that machine is there: with the JSON library that we build, and without what names
# system calls.
TEST_PROGRAMS := $(filter-out $(BUILD)/t/helper/fault $(BUILD)/t/unit/%,$(TEST_PROGRAMS))
TEST_LIBRARY = $(BUILD)/lean/libsbx.a
else
TEST_LIBRARY = $(BUILD)/libsbx.a
endif
$(BUILD)/t/%: $(BUILD)/t/%.o $(TEST_LIBRARY)
	$(call quietly,LINK) $(CC) $(CFLAGS) $(STATIC) $(LDFLAGS) -pthread -o $@ $(filter %.o,$^) $(TEST_LIBRARY) $(if $(CROSS),,$(LIBS))

test: all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/run $(T)

# What "make test" tries less often, or once instead of twice.
test-long: all $(TEST_PROGRAMS)
	@LONG=1 SBX_BUILD=$(abspath $(BUILD)) t/run $(T)

# Real programs, bare and in the sandbox; with T=WORD some of them.
test-compat: all
	@t/compat/run --build $(abspath $(BUILD)) $(T)

# Every call that sets up a sandbox fails once, in every way; with ONLY=REGEX
# some of them.  What a caller reads and what sbx-run reads itself differ.
fault-sweep: all $(BUILD)/t/helper/fault $(BUILD)/t/helper/try
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
FUZZ_OF_change = sbx-run
FUZZ_OF_rules = sbx-approve
FUZZ_OF_toml = sbx-policy
FUZZ_OF_shell = sbx-approve
FUZZ_OF_logline = sbx-seatbelt
FUZZ_OF_report = sbx-run
FUZZ_OF_rpc = sbx-run
FUZZ_OF_request = sbx-linux-sandbox
FUZZ_OF_observer = sbx-linux-sandbox
FUZZ_OF_names = sbx-linux-sandbox

$(FUZZ)/%.o: %.c $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(call quietly,CC) clang $(FUZZ_FLAGS) $(call within,$<) -MMD -MP -c -o $@ $<

fuzz_objects = $(patsubst %.c,$(FUZZ)/%.o,$(filter-out $(1)/main.c,$(call program_sources,$(1))))
$(FUZZ)/%.a: $$(call fuzz_objects,$$*)
	@rm -f $@
	$(call quietly,AR) $(AR) rcs $@ $^

$(FUZZ)/bin/%: $(FUZZ)/t/fuzz/%.o $$(if $$(FUZZ_OF_$$*),$(FUZZ)/$$(FUZZ_OF_$$*).a) $(FUZZ)/lib.a
	@mkdir -p $(@D)
	$(call quietly,LINK) clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

fuzz: $(FUZZERS:%=$(FUZZ)/bin/%)
	@t/fuzz/run $(FUZZ) $(TIME) $(FUZZERS)

-include $(wildcard $(BUILD)/t/helper/*/*.d $(FUZZ)/*/*.d $(FUZZ)/*/*/*.d $(FUZZ)/t/fuzz/*.d)
