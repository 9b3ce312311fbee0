#include "repositories/git_keys.h"

#include <stddef.h>
#include <string.h>

/*
 * Not here, because they are only data: core.attributesFile (it chooses among
 * the filters that the settings define), commit.template,
 * mailmap.file, blame.ignoreRevsFile and what else is only read.
 */
static const struct git_key keys[] = {
        /* What decides about the rest. */
        {"include", "path", VALUE_INCLUDE, "include.path"},
        {"includeif", "path", VALUE_INCLUDE, "includeIf.*.path"},
        {"core", "worktree", VALUE_TOP, "core.worktree"},
        {"extensions", "worktreeconfig", VALUE_OWN_FILE, "extensions.worktreeConfig"},
        /* Data, for --hide gitignored. */
        {"core", "excludesfile", VALUE_EXCLUDES, "core.excludesFile"},
        {"core", "ignorecase", VALUE_FOLD, "core.ignoreCase"},
        /* Directories of programs. */
        {"core", "hookspath", VALUE_DIRECTORY, "core.hooksPath"},     /* every commit */
        {"init", "templatedir", VALUE_DIRECTORY, "init.templateDir"}, /* hooks of the next clone */
        /* Run by looking at the work tree: status, diff, add, checkout. */
        {"core", "fsmonitor", VALUE_LINE, "core.fsmonitor"},
        {"filter", "clean", VALUE_LINE, "filter.*.clean"},
        {"filter", "smudge", VALUE_LINE, "filter.*.smudge"},
        {"filter", "process", VALUE_LINE, "filter.*.process"},
        {"diff", "external", VALUE_LINE, "diff.external"},
        {"diff", "command", VALUE_LINE, "diff.*.command"},
        {"diff", "textconv", VALUE_LINE, "diff.*.textconv"},
        {"merge", "driver", VALUE_LINE, "merge.*.driver"},
        {"mergetool", "cmd", VALUE_LINE, "mergetool.*.cmd"},
        {"mergetool", "path", VALUE_LINE, "mergetool.*.path"},
        {"difftool", "cmd", VALUE_LINE, "difftool.*.cmd"},
        {"difftool", "path", VALUE_LINE, "difftool.*.path"},
        {"interactive", "difffilter", VALUE_LINE, "interactive.diffFilter"}, /* add -p */
        /* Run by what git shows, and where it asks. */
        {"core", "pager", VALUE_LINE, "core.pager"},
        {"pager", NULL, VALUE_LINE, "pager.*"},
        {"core", "editor", VALUE_LINE, "core.editor"},
        {"sequence", "editor", VALUE_LINE, "sequence.editor"}, /* rebase -i */
        {"core", "askpass", VALUE_LINE, "core.askPass"},
        {"credential", "helper", VALUE_HELPER, "credential.helper"},
        {"web", "browser", VALUE_LINE, "web.browser"},
        {"browser", "cmd", VALUE_LINE, "browser.*.cmd"},
        {"browser", "path", VALUE_LINE, "browser.*.path"},
        {"man", "cmd", VALUE_LINE, "man.*.cmd"},
        {"man", "path", VALUE_LINE, "man.*.path"},
        {"instaweb", "httpd", VALUE_LINE, "instaweb.httpd"},
        {"instaweb", "modulepath", VALUE_DIRECTORY, "instaweb.modulePath"}, /* apache loads them */
        {"guitool", "cmd", VALUE_LINE, "guitool.*.cmd"},
        {"gui", "program", VALUE_LINE, "gui.*.program"},
        {"alias", NULL, VALUE_BANG_LINE, "alias.*"},
        /* Run by commits and signatures. */
        {"gpg", "program", VALUE_LINE, "gpg.program"},
        {"gpg", "defaultkeycommand", VALUE_LINE, "gpg.ssh.defaultKeyCommand"},
        {"trailer", "command", VALUE_LINE, "trailer.*.command"},
        {"trailer", "cmd", VALUE_LINE, "trailer.*.cmd"},
        {"hook", "command", VALUE_LINE, "hook.*.command"},
        /* Run by fetch, push and what else reaches another repository. */
        {"core", "sshcommand", VALUE_LINE, "core.sshCommand"},
        {"core", "gitproxy", VALUE_LINE, "core.gitProxy"},
        {"core", "alternaterefscommand", VALUE_LINE, "core.alternateRefsCommand"},
        {"remote", "uploadpack", VALUE_LINE, "remote.*.uploadpack"},
        {"remote", "receivepack", VALUE_LINE, "remote.*.receivepack"},
        {"remote", "vcs", VALUE_LINE, "remote.*.vcs"},
        {"uploadpack", "packobjectshook", VALUE_LINE, "uploadpack.packObjectsHook"},
        {"submodule", "update", VALUE_BANG_LINE, "submodule.*.update"},
        {"imap", "tunnel", VALUE_LINE, "imap.tunnel"},
        {"sendemail", NULL, VALUE_LINE, "sendemail.*"}, /* servers, validators, commands */
        {"lfs", "process", VALUE_LINE, "lfs.*.process"},
        {"lfs", "path", VALUE_LINE, "lfs.customtransfer.*.path"},
        {"lfs", "clean", VALUE_LINE, "lfs.extension.*.clean"},
        {"lfs", "smudge", VALUE_LINE, "lfs.extension.*.smudge"},
        {"annex", NULL, VALUE_LINE, "annex.*"}, /* git-annex: many keys are command lines */
};

const struct git_key *git_key_find(const char *section, const char *key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct git_key *k = &keys[i];

		if (k->section[0] == section[0] && strcmp(k->section, section) == 0 &&
		    (!k->key || strcmp(k->key, key) == 0))
			return k;
	}
	return NULL;
}
