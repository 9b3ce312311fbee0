# Tests on other machines than this one: in containers, on other releases of
# Debian, on its kernels, in a network of its own.  As root; what they need is installed, and kept in
# build/machines.  What cannot be had is skipped, loudly.

.PHONY: test-container test-distros test-engines test-kernels test-network test-agents

# Programs that people use, in an internet of the test's own.
test-network:
	@$(MAKE) --no-print-directory packages WHAT=network
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@SBX_BUILD=$(abspath $(BUILD)) t/machines/network

# Official clients of the Model Context Protocol, from npm, and the schemas of SARIF and JUnit.
test-agents:
	@$(MAKE) --no-print-directory packages WHAT=agents
	@$(MAKE) --no-print-directory all
	@SBX_BUILD=$(abspath $(BUILD)) t/machines/report-schemas
	@SBX_BUILD=$(abspath $(BUILD)) t/machines/agents

# QUICK=1: what CI runs; T='3040 3050': these tests only
test-container:
	@$(MAKE) --no-print-directory packages WHAT=build
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@T='$(T)' t/machines/container $(if $(QUICK),--quick) $(KIND)

# ENGINE='runc crun'; T='3056 3090': these tests only
test-engines:
	@$(MAKE) --no-print-directory packages WHAT=engines
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@T='$(T)' t/machines/engines $(ENGINE)

# SUITE='trixie sid', COMPILER='gcc clang'
test-distros: $(BWRAP_STORE) $(JANSSON_STORE)
	@t/machines/distros $(SUITE) $(COMPILER)

# SUITE='bullseye bookworm trixie sid'; T='3040 3050': these tests only
test-kernels:
	@$(MAKE) --no-print-directory packages WHAT=build
	@$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	@T='$(T)' t/machines/kernels $(ARCH) $(SUITE)
