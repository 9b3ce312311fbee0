#include "session/listening_place.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/only_ours.h"
#include "fs/path.h"
#include "git/repository.h"
#include "process/this_kernel.h"
#include "session/client.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/*
 * Where a session's directory can be: nobody takes away there what is ours,
 * and no command of ours works there.
 */
static bool is_good_parent(const char *path)
{
	cleanup_free char *here = getcwd(NULL, 0);
	cleanup_free char *above = path_parent(path);
	cleanup_free char *real = realpath(path, NULL);
	struct error none = {0};
	cleanup_close int fd = -1;
	struct repository repository;
	struct stat st;
	bool in_project;

	if (!real || strcmp(real, path) != 0)
		return false;
	fd = only_ours_open(above, O_PATH | O_DIRECTORY, &none);
	if (fd < 0 || stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	repository_find(&repository, path);
	in_project = repository.root || (here && path_depth(here) > 0 && path_contains(here, path));
	repository_free(&repository);
	if (in_project || path_contains("/tmp", path))
		return false;
	if (st.st_uid == geteuid() && (st.st_mode & 022) == 0)
		return true;
	return st.st_uid == 0 && ((st.st_mode & 022) == 0 || (st.st_mode & S_ISVTX));
}

/* A session that was killed leaves its socket; nobody answers there any more. */
static void remove_stale(const char *place)
{
	DIR *dir = opendir(place);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		cleanup_free char *directory = xasprintf("%s/%s", place, entry->d_name);
		cleanup_free char *path = xasprintf("%s/s", directory);
		cleanup_close int fd = -1;
		struct error err = {0};
		struct stat st;

		/* One that is just being made does not answer yet either. */
		if (strncmp(entry->d_name, SESSION_DIRECTORY, strlen(SESSION_DIRECTORY)) != 0 ||
		    lstat(path, &st) < 0 || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid() ||
		    st.st_mtime > time(NULL) - 10)
			continue;
		fd = client_connect(path, &err);
		if (fd < 0 && strcmp(err.code, "no-answer") == 0)
			listening_place_remove(path, directory);
	}
	if (dir)
		closedir(dir);
}

/* Not /tmp: most sandboxes have written there. */
void listening_places(struct strings *places)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (runtime)
		strings_add(places, xstrdup(runtime));
	strings_add(places, xasprintf("/run/user/%ld", (long)geteuid()));
	strings_add(places, xstrdup("/var/tmp"));
}

static char *make_in(const char *place)
{
	cleanup_free char *path = NULL;

	if (!path_is_normal(place) || !is_good_parent(place))
		return NULL;
	remove_stale(place);
	path = xasprintf("%s/" SESSION_DIRECTORY "XXXXXX", place);
	return strlen(path) + 3 < sizeof(((struct sockaddr_un *)0)->sun_path) && mkdtemp(path)
	               ? keep_ptr(path)
	               : NULL;
}

static char *make_directory(struct error *err)
{
	struct strings places = {0};
	char *made = NULL;

	listening_places(&places);
	for (size_t i = 0; i < places.count && !made; i++)
		made = make_in(places.items[i]);
	strings_free(&places);
	if (!made)
		error_set(err, EXIT_SYSTEM, "no-session",
		          "no place for the session's socket: XDG_RUNTIME_DIR, /run/user/%ld and "
		          "/var/tmp cannot be used (they must be this user's or root's, and not in "
		          "a project or /tmp)",
		          (long)geteuid());
	return made;
}

int session_listen(char **path, char **directory, struct error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	cleanup_close int fd = kernel_socket();

	if (fd < 0)
		return error_system(err, "making a socket");
	*directory = make_directory(err);
	if (!*directory)
		return -1;
	*path = xasprintf("%s/s", *directory);
	memcpy(address.sun_path, *path, strlen(*path) + 1);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || chmod(*path, 0600) < 0 ||
	    listen(fd, 256) < 0) {
		error_system(err, "%s", *path);
		listening_place_remove(*path, *directory);
		return -1;
	}
	return keep_fd(&fd);
}

int session_listen_again(int listener, struct error *err)
{
	return listen(listener, 256) < 0 ? error_system(err, "listening") : 0;
}

void listening_place_remove(const char *path, const char *directory)
{
	unlink(path);
	rmdir(directory);
}
