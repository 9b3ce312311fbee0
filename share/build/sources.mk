# Sources obtained by hash: bubblewrap, and jansson for what is linked with musl.
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

# What it does differently here: the start of the inner stage in place, fast_bind.c, more addresses, and words
# that must not get lost.
BWRAP_HOOKS_bubblewrap = -Dexecvp=bwrap_execvp -Dbind_mount_fd=bwrap_bind_mount_fd -Drealpath=bwrap_realpath -Dread=bwrap_read -Dwrite=bwrap_write -Dwaitpid=bwrap_waitpid -Dmount=bwrap_mount -Dumount2=bwrap_umount2 -Dloopback_setup=bwrap_loopback_setup

# Verified again at every unpacking: the store is only a cache.
$(BUILD)/bubblewrap/config.h: $(BWRAP_STORE)
	@lib/fetch-source $(BWRAP_LOCK) $(BWRAP_STORE)
	@rm -rf $(BUILD)/bubblewrap && mkdir -p $(BUILD)/bubblewrap
	@tar -xJf $(BWRAP_STORE) -C $(BUILD)/bubblewrap --strip-components=1
	@printf '#define PACKAGE_STRING "bubblewrap $(BWRAP_VERSION)"\n' >$@

$(BWRAP_OBJECTS): %.o: $(BUILD)/bubblewrap/config.h $(LEAN_READY) $(BUILD)/packages.ok Makefile share/build/sources.mk
	$(call quietly,CC) $(or $(LEAN_CC),$(CC)) -D_GNU_SOURCE -Dmain=bwrap_main $(BWRAP_HOOKS_$(*F)) -include limits.h -I$(BUILD)/bubblewrap $(LEAN_FLAGS) $(CFLAGS) -w -c -o $@ $*.c

# One object with one name: its other functions must not meet ours.
$(BUILD)/bubblewrap.o: $(BWRAP_OBJECTS)
	$(call quietly,LINK) $(LD) -r -o $@ $^
	@$(OBJCOPY) --keep-global-symbol=bwrap_main --keep-global-symbol=bind_mount_fd --keep-global-symbol=loopback_setup $@
