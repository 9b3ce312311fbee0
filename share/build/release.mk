# Archives that need neither root nor packages where they are unpacked.

.PHONY: release test-release clients test-clients test-agents
RELEASE = build/sbx-$(VERSION)-linux

release:
	@$(MAKE) --no-print-directory packages WHAT=build
	@$(MAKE) --no-print-directory ARCH=x86_64 all
	@share/release/pack build x86_64 $(VERSION) $(RELEASE)-x86_64.tar.xz
	@$(MAKE) --no-print-directory packages WHAT=arm64
	@$(MAKE) --no-print-directory ARCH=arm64 all
	@STRIP=aarch64-linux-gnu-strip share/release/pack build/arm64 arm64 $(VERSION) $(RELEASE)-arm64.tar.xz
	@cd build && sha256sum sbx-$(VERSION)-linux-*.tar.xz >sbx-$(VERSION)-SHA256SUMS && cat sbx-$(VERSION)-SHA256SUMS

# Unpacked by an ordinary user on a system that has none of our packages.
test-release: release
	@t/machines/release $(RELEASE)-$(HOST_ARCH).tar.xz

# The clients for Python and Node, with those programs.
clients: release
	@share/clients/pack $(VERSION) $(RELEASE) build

# Both installed from their packages into an empty environment, as root and as a user.
test-clients: clients
	@T='$(T)' t/machines/packaged build $(VERSION)

test-agents: test-clients
