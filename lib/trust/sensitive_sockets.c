#include "trust/sensitive_sockets.h"

#include <stdlib.h>
#include <string.h>

const char *sensitive_socket(const char *path)
{
	static const struct {
		const char *name, *why;
	} known[] = {
	        {"docker.sock", "starts anything, as root, outside of the sandbox"},
	        {"podman.sock", "starts anything outside of the sandbox"},
	        {"containerd.sock", "starts anything, as root, outside of the sandbox"},
	        {"system_bus_socket", "reaches every system service"},
	        {"bus", "starts anything of the user's, outside of the sandbox"},
	        {"agent", "uses the user's keys"},
	        {"S.gpg-agent", "uses the user's keys"},
	        {"X0", "sees every key and window"},
	        {"X1", "sees every key and window"},
	};
	const char *name = strrchr(path, '/');
	const char *agent = getenv("SSH_AUTH_SOCK");

	if (agent && strcmp(agent, path) == 0)
		return "uses the user's keys";
	name = name ? name + 1 : path;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0 ||
		    (strcmp(known[i].name, "agent") == 0 && strncmp(name, "agent.", 6) == 0))
			return known[i].why;
	return NULL;
}
