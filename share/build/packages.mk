# What the build, the tests and the rest need, by the names of Debian.

PACKAGES_BUILD = gcc musl-tools libc6-dev linux-libc-dev libseccomp-dev libcap-dev libjansson-dev xz-utils
PACKAGES_TEST = bubblewrap perl expect git jq procps util-linux python3 python3-jsonschema strace guile-3.0 zsh fish iproute2 curl python3-fusepy libfuse2 e2fsprogs \
	python3-pip cargo
# Clients and servers of make test-network; node and npm come from elsewhere on many machines.
PACKAGES_NETWORK = wget python3-requests openssh-client openssh-server postgresql redis-server bind9-dnsutils rustc cargo golang-go default-jdk-headless \
	$(if $(shell command -v npm),,nodejs npm)
# Of make test-agents.
PACKAGES_AGENTS = jq util-linux procps openssl libxml2-utils python3-jsonschema $(if $(shell command -v npm),,nodejs npm)
# What runs what sbx-wrap makes for engines, and the examples of many machines.
PACKAGES_ENGINES = runc crun systemd jq parallel openssh-client openssh-server
PACKAGES_BENCH = bubblewrap valgrind python3 jq gcc git
# What Debian has of other sandboxes; not every release has each.
PACKAGES_PEERS = bubblewrap firejail nsjail socat ripgrep
PACKAGES_DEB = lintian binutils
PACKAGES_ARM64 = gcc-aarch64-linux-gnu libc6-dev-arm64-cross
PACKAGES_WINDOWS = gcc-mingw-w64-x86-64-win32 wine64 wine
# The programs of the corpus, as its table names them.
PACKAGES_COMPAT = $(sort $(shell awk -F ' :: ' 'NF >= 5 && /^[a-z]/ { print $$2 }' t/compat/workloads))
PACKAGES_FUZZ = clang libclang-rt-dev
PACKAGES_LINT = clang clang-format cppcheck shellcheck mandoc


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

# For WHAT=build|test|network|agents|compat|bench|deb|fuzz|windows|arm64|all
packages_for = $(PACKAGES_BUILD) $(if $(filter all test windows,$(1)),$(PACKAGES_TEST)) \
	$(if $(filter compat,$(1)),$(PACKAGES_COMPAT)) \
	$(if $(filter engines,$(1)),$(PACKAGES_TEST) $(PACKAGES_ENGINES)) \
	$(if $(filter network,$(1)),$(PACKAGES_TEST) $(PACKAGES_NETWORK)) \
	$(if $(filter agents,$(1)),$(PACKAGES_AGENTS)) \
	$(if $(filter bench,$(1)),$(PACKAGES_BENCH)) $(if $(filter deb,$(1)),$(PACKAGES_DEB)) \
	$(if $(filter fuzz,$(1)),$(PACKAGES_FUZZ)) $(if $(filter windows,$(1)),$(PACKAGES_WINDOWS)) \
	$(if $(filter arm64,$(1)),$(PACKAGES_ARM64)) $(if $(filter all,$(1)),$(PACKAGES_LINT))
install_missing = need="$(call missing,$(call packages_for,$(1)))"; \
	[ -z "$${need% }" ] || share/build/get-packages sbx-$(VERSION)-linux-$(HOST_ARCH).tar.xz $$need

# Installs what is missing, and says so.
packages:
	@$(call install_missing,$(WHAT))

# Goals that install first what they need.  How the rest is built depends on what is
# there, so make reads everything again once such a file has been made.
INSTALLS = $(foreach goal,$(MAKECMDGOALS),$(INSTALLS_$(goal)))
INSTALLS_demo = build
INSTALLS_test = test
INSTALLS_test-long = test
INSTALLS_fault-sweep = test
INSTALLS_test-compat = compat
INSTALLS_fuzz = fuzz
INSTALLS_bench = bench
INSTALLS_bench-peers = bench
include $(patsubst %,$(BUILD)/installed/%,$(sort $(INSTALLS)))
$(BUILD)/installed/%: share/build/packages.mk
	@$(call install_missing,$*)
	@mkdir -p $(@D)
	@: >$@
