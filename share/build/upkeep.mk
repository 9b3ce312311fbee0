# Linters and releases.
C_FILES = $(wildcard lib/*/*.[ch] sbx-*/*.[ch] sbx-*/*/*.[ch] t/*/*.[ch] t/helper/*/*.[ch])
SHELL_FILES = lib/fetch-source share/build/get-packages $(wildcard share/release/*) share/clients/pack share/examples/github-actions/step share/examples/git-bisect/bisect $(wildcard t/machines/*) t/fuzz/run $(addprefix share/debian/,build check-profile postinst prerm) t/installcheck t/distcheck t/reproducible share/completions/generate share/completions/body.bash .ci/run t/run t/windows/run t/demo $(wildcard t/*.t t/lib/*.sh t/windows/*.t t/windows/*.sh t/perf/*)

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
