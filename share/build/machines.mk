# Tests on other machines than this one: in containers, on other releases of
# Debian, on its kernels, in a network of its own.  As root; what they need is installed, and kept in
# build/machines.  What cannot be had is skipped, loudly.

.PHONY: test-container test-distros test-kernels test-network

# Programs that people use, in an internet of the test's own.
test-network:
	@$(MAKE) --no-print-directory packages WHAT=network
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/machines/network

# QUICK=1: what CI runs; T='3040 3050': these tests only
test-container:
	@$(MAKE) --no-print-directory packages WHAT=build
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@T='$(T)' t/machines/container $(if $(QUICK),--quick) $(KIND)

# SUITE='trixie sid', COMPILER='gcc clang'
test-distros: $(BWRAP_STORE) $(JANSSON_STORE)
	@t/machines/distros $(SUITE) $(COMPILER)

# SUITE='bullseye bookworm trixie sid'; T='3040 3050': these tests only
test-kernels:
	@$(MAKE) --no-print-directory packages WHAT=build
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@T='$(T)' t/machines/kernels $(ARCH) $(SUITE)
