# What is installed, where, and packages of it.
SHARE = $(DESTDIR)$(PREFIX)/share
ZSH_FUNCTIONS = $(PREFIX)/share/zsh/site-functions
MAN_PAGES = $(wildcard share/man/*.[1-9])

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/sbx $(DESTDIR)$(ZSH_FUNCTIONS) \
		$(addprefix $(SHARE)/,sbx/schema sbx/prompt sbx/sbpl sbx/apparmor doc/sbx man/man1 man/man5 man/man7 \
		bash-completion/completions fish/vendor_completions.d)
	install -m 755 $(COMMANDS:%=$(BUILD)/bin/%) $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(HELPERS:%=$(BUILD)/bin/%) $(DESTDIR)$(PREFIX)/libexec/sbx
	install -m 644 share/schema/*.json $(SHARE)/sbx/schema
	install -m 644 share/prompt/*.md $(SHARE)/sbx/prompt
	install -m 644 $(SBPL) $(SHARE)/sbx/sbpl
	for folder in clients examples; do rm -rf $(SHARE)/doc/sbx/$$folder; cp -R share/$$folder $(SHARE)/doc/sbx/ || exit 1; done
	rm -rf $(SHARE)/doc/sbx/clients/*/__pycache__
	for page in $(MAN_PAGES); do install -m 644 $$page $(SHARE)/man/man$${page##*.} || exit 1; done
	install -m 644 README LICENSE SECURITY NEWS share/doc/* $(SHARE)/doc/sbx
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/bash/%) $(SHARE)/bash-completion/completions
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/zsh/_%) $(DESTDIR)$(ZSH_FUNCTIONS)
	install -m 644 $(PROGRAMS:%=$(BUILD)/completions/fish/%.fish) $(SHARE)/fish/vendor_completions.d
	sed 's|@PREFIX@|$(PREFIX)|' share/apparmor/sbx >$(SHARE)/sbx/apparmor/sbx
	chmod 644 $(SHARE)/sbx/apparmor/sbx

uninstall:
	rm -f $(COMMANDS:%=$(DESTDIR)$(PREFIX)/bin/%) $(PROGRAMS:%=$(SHARE)/bash-completion/completions/%) \
		$(PROGRAMS:%=$(DESTDIR)$(ZSH_FUNCTIONS)/_%) $(PROGRAMS:%=$(SHARE)/fish/vendor_completions.d/%.fish)
	for page in $(notdir $(MAN_PAGES)); do rm -f $(SHARE)/man/man$${page##*.}/$$page; done
	rm -rf $(DESTDIR)$(PREFIX)/libexec/sbx $(SHARE)/sbx $(SHARE)/doc/sbx

# What is installed in $(DESTDIR)$(PREFIX); in a checkout from which nothing
# was installed, and nobody said where, a copy made for that.
installcheck:
ifeq ($(origin PREFIX)$(origin DESTDIR)-$(wildcard $(PREFIX)/bin/sbx-run),filefile-)
	@echo "sbx: nothing is installed in $(PREFIX): checking a copy in $(BUILD)/installed"
	@rm -rf $(BUILD)/installed
	@$(MAKE) --no-print-directory -s install DESTDIR=$(abspath $(BUILD))/installed
	@t/installcheck $(abspath $(BUILD))/installed$(PREFIX) $(VERSION)
	@rm -rf $(BUILD)/installed
else
	@t/installcheck $(DESTDIR)$(PREFIX) $(VERSION)
endif

# The package is made, judged by lintian, unpacked and tried.
deb: DEB = $(abspath $(BUILD))/deb
deb:
	@$(MAKE) --no-print-directory packages WHAT=deb
	@rm -rf $(DEB) $(BUILD)/sbx_*.deb && mkdir -p $(DEB)
	@$(MAKE) --no-print-directory -s install DESTDIR=$(DEB)/root PREFIX=/usr ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions
	@share/debian/check-profile $(DEB)/root/usr/share/sbx/apparmor/sbx
	@share/debian/build $(VERSION) $(DEB)/root $(BUILD)
	@lintian --no-cfg --allow-root --fail-on error,warning $(BUILD)/sbx_*.deb || { rm -f $(BUILD)/sbx_*.deb; exit 1; }
	@dpkg-deb -x $(BUILD)/sbx_*.deb $(DEB)/unpacked
	@t/installcheck $(DEB)/unpacked/usr $(VERSION) || { rm -f $(BUILD)/sbx_*.deb; exit 1; }
	@rm -rf $(DEB)

# All tests, of the programs in the package.
deb-test: deb
	@$(MAKE) --no-print-directory packages WHAT=test
	@$(MAKE) --no-print-directory $(TEST_PROGRAMS)
	@place=$$(mktemp -d /var/tmp/sbx-deb.XXXXXX) && trap 'rm -rf $$place' EXIT && chmod 755 $$place && \
		dpkg-deb -x $(BUILD)/sbx_*.deb $$place && \
		SBX_BUILD=$(abspath $(BUILD)) SBX_PREFIX=$$place/usr t/run $(T)
