#include "typed/other_tools.h"

#include <stddef.h>
#include <string.h>

/* Words that bubblewrap, firejail, docker, codex and others have for what we have as well. */
static const struct {
	const char *theirs, *ours;
} words[] = {
        {"V", "version"},
        {"add-directory", "add-dir"},
        {"allow-domain", "allow-host"},
        {"allow-net", "allow-host"},
        {"allow-read", "permissions NAME"},
        {"allow-write", "add-dir"},
        {"bind", "add-dir"},
        {"blacklist", "hide"},
        {"chdir", "cd"},
        {"cpus", "limit cpu=CORES"},
        {"cwd", "cd"},
        {"danger-full-access", "sandbox danger-full-access"},
        {"deny-read", "hide"},
        {"domain", "allow-host"},
        {"host", "allow-host"},
        {"memory", "limit memory=SIZE"},
        {"net", "network"},
        {"never", "ask-for-approval never"},
        {"no-net", "network off"},
        {"no-network", "network off"},
        {"offline", "network off"},
        {"on-failure", "ask-for-approval on-failure"},
        {"on-request", "ask-for-approval on-request"},
        {"pids-limit", "limit processes=N"},
        {"private", "tmp private"},
        {"private-tmp", "tmp private"},
        {"q", "report off"},
        {"quiet", "report off"},
        {"read-only", "sandbox read-only"},
        {"readonly", "sandbox read-only"},
        {"ro", "sandbox read-only"},
        {"rw", "add-dir"},
        {"setenv", "env NAME=VALUE"},
        {"silent", "report off"},
        {"unshare-net", "network off"},
        {"untrusted", "ask-for-approval untrusted"},
        {"workdir", "cd"},
        {"workspace-write", "sandbox workspace-write"},
        {"writable", "add-dir"},
        {"write", "add-dir"},
        /* Who wants no questions gets none: in the sandbox. */
        {"dangerously-bypass-approvals-and-sandbox", "auto"},
        {"dangerously-skip-permissions", "auto"},
        {"yes", "auto"},
        {"yolo", "auto"},
};

const char *other_tools_word(const char *name)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].theirs, name) == 0)
			return words[i].ours;
	return NULL;
}
