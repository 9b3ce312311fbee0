#include "session/other_end.h"

#include "base/cleanup.h"
#include "base/read_full.h"
#include "fs/only_ours.h"
#include "fs/path.h"
#include "fs/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#ifdef __linux__
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/*
 * The process whose number we looked up is the one that connected or listened.
 * One that has ended leaves its number to another, and what it opened to its
 * children.  Kernels before 6.5 cannot tell.
 */
static bool still_there(int fd)
{
	cleanup_close int process = -1;
	socklen_t size = sizeof(process);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &size) < 0) {
		process = -1;
		return errno == ENOPROTOOPT;
	}
	return syscall(SYS_pidfd_send_signal, process, 0, NULL, 0) == 0 || errno == EPERM;
}

/* How many filters of system calls a process has; before Linux 5.9 nobody says: 0. */
static long filters_of(const char *process)
{
	static const char word[] = "\nSeccomp_filters:";
	char name[64], text[4096];
	const char *at;

	snprintf(name, sizeof(name), "/proc/%s/status", process);
	read_small(AT_FDCWD, name, text, sizeof(text));
	at = strstr(text, word);
	return at ? strtol(at + strlen(word), NULL, 10) : 0;
}

/*
 * A sandbox without namespaces has filters: they are only ever added, so that
 * nobody in one has as few as we have.
 */
static bool is_filtered(pid_t pid)
{
	char number[24];

	snprintf(number, sizeof(number), "%ld", (long)pid);
	return filters_of(number) > filters_of("self");
}
#endif

#ifdef __linux__
static bool peer_of(int fd, struct ucred *peer)
{
	socklen_t size = sizeof(*peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0 && peer->pid > 0;
}

/* In our user namespace, with no more filters than we have, and still there. */
static bool is_outside(int fd, pid_t pid)
{
	struct stat own, other;
	char name[64];

	snprintf(name, sizeof(name), "/proc/%ld/ns/user", (long)pid);
	/* What cannot be looked at is not trusted. */
	return stat("/proc/self/ns/user", &own) == 0 && stat(name, &other) == 0 &&
	       same_file(&own, &other) && !is_filtered(pid) && still_there(fd);
}
#endif

bool peer_is_trusted(int fd)
{
#ifdef __linux__
	struct ucred peer;

	return peer_of(fd, &peer) && peer.uid == geteuid() && is_outside(fd, peer.pid);
#else
	uid_t uid;
	gid_t gid;

	return getpeereid(fd, &uid, &gid) == 0 && uid == geteuid();
#endif
}

bool peer_may_answer(int fd)
{
#ifdef __linux__
	struct ucred peer;

	if (!peer_of(fd, &peer))
		return false;
	/* Nobody but root can look at root's namespaces; its number alone is none of a sandbox's:
	 * those have this user's. */
	if (peer.uid == 0 && geteuid() != 0)
		return !is_filtered(peer.pid) && still_there(fd);
	return peer.uid == geteuid() && is_outside(fd, peer.pid);
#else
	uid_t uid;
	gid_t gid;

	return getpeereid(fd, &uid, &gid) == 0 && (uid == geteuid() || uid == 0);
#endif
}

int peer_directory(const char *path, struct error *err)
{
	cleanup_free char *directory = path_parent(path);
	struct error why = {0};
	cleanup_close int fd = only_ours_open(directory, O_PATH | O_DIRECTORY, &why);
	struct stat st;

	if (fd < 0)
		return error_set(err, EXIT_INPUT, "bad-session", "SBX_SESSION: %s", why.message);
	if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 077))
		return error_set(err, EXIT_INPUT, "bad-session",
		                 "SBX_SESSION: \"%s\": not a directory of this user's alone",
		                 directory);
	return keep_fd(&fd);
}
