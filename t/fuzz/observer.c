/*
 * Fuzzing what the observer makes of bytes of the command: addresses and
 * paths, and the kernel's answers about sockets.  The first byte says which.
 *
 * What must hold: nothing crashes; text stays in its buffer; a tidy path is
 * absolute, has no empty and no "." part, and stays as it is.
 */
#include "network/listener.c"

#include "base/memory.h"
#include "must.h"
#include "network/connect_for.h"
#include "observer/command_path.h"

static void take_address(const uint8_t *data, size_t size)
{
	struct sockaddr_storage address = {0};
	char text[80];

	memcpy(&address, data, size < sizeof(address) ? size : sizeof(address));
	if (address_text(&address, text, sizeof(text)))
		must(strlen(text) < sizeof(text) && strchr(text, ':'));
	must(!address_is_loopback(&address) || address.ss_family == AF_INET ||
	     address.ss_family == AF_INET6);
	must(address_port(&address) <= 65535);
}

static void take_path(const uint8_t *data, size_t size)
{
	cleanup_free char *path = xasprintf("/%.*s", (int)size, (const char *)data);
	cleanup_free char *again = NULL;

	path_tidy(path);
	must(path[0] == '/' && !strstr(path, "//") && !strstr(path, "/./"));
	must(!path[1] || path[strlen(path) - 1] != '/');
	again = xstrdup(path);
	path_tidy(again);
	must(strcmp(path, again) == 0);
}

static void take_answer(const uint8_t *data, size_t size)
{
	/* malloc() aligns it as the buffer it is read to is, and ends it exactly. */
	void *answer = malloc(size ? size : 1);
	const struct stat file = {.st_ino = 1, .st_dev = 1};
	unsigned long found = 0;

	must(answer != NULL);
	memcpy(answer, data, size);
	search(answer, size, &file, &found);
	free(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	switch (data[0] % 3) {
	case 0:
		take_address(data + 1, size - 1);
		break;
	case 1:
		take_path(data + 1, size - 1);
		break;
	default:
		take_answer(data + 1, size - 1);
	}
	return 0;
}
