# What is made of data when building: profiles, filters, completions.

# Profile text as C strings, one per file: nothing is read again at run time.
SBPL = $(wildcard share/sbpl/*.sbpl)
$(BUILD)/sbpl.c: $(SBPL)
	@mkdir -p $(@D)
	@for f in $(SBPL); do n=$${f##*/}; \
		printf 'extern const char sbpl_%s[];\nconst char sbpl_%s[] = {' $$(echo $${n%.sbpl} $${n%.sbpl} | tr - _); \
		od -An -v -tu1 $$f | sed 's/ *\([0-9][0-9]*\)/\1,/g'; \
		echo '0};'; done >$@

$(BUILD)/sbpl.o: $(BUILD)/sbpl.c $(BUILD)/packages.ok
	$(call quietly,CC) $(CC) $(SBX_CFLAGS) $(CFLAGS) -c -o $@ $<

# What the tools of --mcp are called, take and return.
$(BUILD)/mcp_tools.c: share/schema/mcp-tools.json
	@mkdir -p $(@D)
	@{ printf 'extern const char mcp_tools[];\nconst char mcp_tools[] = {'; \
		od -An -v -tu1 $< | sed 's/ *\([0-9][0-9]*\)/\1,/g'; echo '0};'; } >$@
$(BUILD)/mcp_tools.o: $(BUILD)/mcp_tools.c $(LEAN_READY)
	$(call quietly,CC) $(or $(LEAN_CC),$(CC)) $(SBX_CFLAGS) $(LEAN_FLAGS) $(CFLAGS) -c -o $@ $<

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
$(BUILD)/engine-filters.c: native
	@mkdir -p $(@D)
	build/generate --engines $(ARCH) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
else
$(BUILD)/generate: $(FILTER_OBJECTS)
	$(call quietly,LINK) $(CC) $(CFLAGS) -o $@ $^ -lseccomp
$(BUILD)/filters.c: $(BUILD)/generate
	$(call quietly,GENERATE) $< $(ARCH) >$@
$(BUILD)/engine-filters.c: $(BUILD)/generate
	$(call quietly,GENERATE) $< --engines $(ARCH) >$@
endif
$(BUILD)/engine-filters.o: $(BUILD)/engine-filters.c $(LEAN_READY)
	$(call quietly,CC) $(or $(LEAN_CC),$(CC)) $(SBX_CFLAGS) -iquote sbx-wrap $(LEAN_FLAGS) $(CFLAGS) -c -o $@ $<
$(BUILD)/filters.o: $(BUILD)/filters.c $(LEAN_READY)
	$(call quietly,CC) $(or $(LEAN_CC),$(CC)) $(SBX_CFLAGS) -iquote sbx-linux-sandbox $(LEAN_FLAGS) $(CFLAGS) -c -o $@ $<

# Completions of the shells come from --help.
ifdef CROSS
$(BUILD)/completions/ready: native
	@rm -rf $(@D) && mkdir -p $(@D) && cp -a build/completions/. $(@D)
else
$(BUILD)/completions/ready: $(BINARIES) $(wildcard share/completions/*) share/presets
	$(call quietly,GENERATE) share/completions/generate $(@D) $(BUILD)/bin share/presets $(PROGRAMS)
	@touch $@
endif
