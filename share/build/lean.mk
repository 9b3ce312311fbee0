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

LEAN_BINARIES = $(if $(LEAN_CC),$(COMMANDS:%=$(BUILD)/bin/%) $(BUILD)/bin/sbx-linux-sandbox $(BUILD)/bin/sbx-seatbelt $(if $(CROSS),$(HELPERS:%=$(BUILD)/bin/%)))
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
	@tar -xzf $(JANSSON_STORE) -C $(BUILD)/lean/jansson --strip-components=2 --wildcards '*/src/*.[ch]' '*/src/jansson_config.h.in'
	@{ for d in $(JANSSON_CONFIG); do echo "#define $$d 1"; done; \
		echo '#define INITIAL_HASHTABLE_ORDER 3'; } >$(BUILD)/lean/jansson/jansson_private_config.h
	@sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/; s/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
		$(BUILD)/lean/jansson/jansson_config.h.in >$(BUILD)/lean/jansson/jansson_config.h
	@touch $@

$(JANSSON_OBJECTS): %.o: $(LEAN_READY)
	$(call quietly,CC) $(LEAN_CC) -DHAVE_CONFIG_H -D_GNU_SOURCE -I$(BUILD)/lean/jansson $(CFLAGS) -w -c -o $@ $*.c

$(BUILD)/lean/%.o: %.c $(LEAN_READY)
	@mkdir -p $(@D)
	$(call quietly,CC) $(LEAN_CC) $(SBX_CFLAGS) -DSBX_LEAN $(call within,$<) $(LEAN_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(sort $(LEAN_BINARIES)): $(BUILD)/bin/%: $$(call lean_objects,$$*) $(BUILD)/lean/libsbx.a
	@mkdir -p $(@D)
	$(call quietly,LINK) $(LEAN_CC) $(CFLAGS) -static $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/lean/libsbx.a

$(BUILD)/lean/libsbx.a: $(LIB_OBJECTS:$(BUILD)/%=$(BUILD)/lean/%) $(JANSSON_OBJECTS)
	@rm -f $@
	$(call quietly,AR) $(AR) rcs $@ $^
