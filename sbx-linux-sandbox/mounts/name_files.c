#include "mounts/name_files.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "names/name_servers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The resolver waits for others itself; who asks it again only asks twice. */
static void write_resolv_conf(FILE *out)
{
	struct name_servers servers;

	name_servers_read(&servers);
	fputs("nameserver 127.0.0.1\noptions timeout:15 attempts:2\n", out);
	if (servers.search[0])
		fprintf(out, "search %s\n", servers.search);
	fputs(servers.ndots, out);
	name_servers_free(&servers);
}

/* Everything but hosts stays as the host has it. */
static void write_nsswitch(FILE *out)
{
	FILE *file = fopen("/etc/nsswitch.conf", "re");
	char line[1024];

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "hosts:", 6) != 0)
			fputs(line, out);
	if (file)
		fclose(file);
	fputs("hosts: files dns\n", out);
}

static void write_hosts(FILE *out)
{
	char name[HOST_NAME_MAX_LENGTH + 1] = "";

	fputs("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n", out);
	if (gethostname(name, sizeof(name) - 1) == 0 && name[0] && !strpbrk(name, " \t\r\n#"))
		fprintf(out, "127.0.0.1 %s\n", name);
}

static const struct {
	const char *path;
	void (*write)(FILE *out);
} files[] = {
        {"/etc/resolv.conf", write_resolv_conf},
        {"/etc/nsswitch.conf", write_nsswitch},
        {"/etc/hosts", write_hosts},
};

static int content(void (*write)(FILE *out), struct error *err)
{
	cleanup_close int fd = memfd_create("sbx-names", MFD_CLOEXEC);
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out)
		return error_system(err, "memfd_create");
	write(out);
	if (fclose(out) != 0 || lseek(fd, 0, SEEK_SET) < 0)
		return error_system(err, "writing a file for the sandbox");
	return keep_fd(&fd);
}

int plan_name_files(const struct permissions *permissions, struct mounts *mounts, struct error *err)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		/* Often a link to a file in /run, which may be missing. */
		cleanup_free char *real = realpath(files[i].path, NULL);
		struct mount *at;
		struct stat st;
		int fd;

		if (!real || stat(real, &st) < 0 || !S_ISREG(st.st_mode) ||
		    permissions_resolve(permissions, real, NULL) == ACCESS_NONE)
			continue;
		fd = content(files[i].write, err);
		if (fd < 0)
			return -1;
		at = mounts_append(mounts, MOUNT_TEXT, real);
		at->fd = fd;
		at->passing = true; /* whatever becomes of the host's */
	}
	return 0;
}
