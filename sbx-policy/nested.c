#include "nested.h"

#include "cleanup.h"
#include "listing.h"
#include "memory.h"
#include "path.h"
#include "protect.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/*
 * What a walk may cost.  A directory costs about 4 us to open and list, a
 * name in it about 0.05 us.
 */
static const struct budget {
	size_t directories;
	size_t names;
} budgets[] = {
        [PLACE_WORKSPACE] = {200, 10000}, /* all of a usual project's upper levels */
        [PLACE_ROOT] = {100, 5000},
        /* Shared and short-lived; nobody runs git there by habit. */
        [PLACE_TEMPORARY] = {16, 1000},
};

struct walk {
	struct policy *policy;
	const char *root;
	int fd; /* of the root */
	dev_t device;
	struct budget left;
	char **queue; /* relative to the root; "" is the root itself */
	size_t head, tail;
	int directory;  /* being listed */
	const char *at; /* its name in the queue */
	struct error *err;
	bool failed;
};

static void push(struct walk *walk, char *relative)
{
	/* More could never be opened. */
	if (walk->tail - walk->head >= walk->left.directories) {
		walk->policy->cut = true;
		free(relative);
		return;
	}
	walk->queue = xrealloc_array(walk->queue, walk->tail + 1, sizeof(*walk->queue));
	walk->queue[walk->tail++] = relative;
}

static char *below(const char *at, const char *name)
{
	return at[0] ? xasprintf("%s/%s", at, name) : xstrdup(name);
}

/* On a file system that folds case, `.GIT` is a repository as well. */
static bool is_git(int directory, const char *name)
{
	struct stat st;

	if (strcasecmp(name, ".git") != 0)
		return false;
	return name[1] == 'g' && name[2] == 'i' && name[3] == 't'
	               ? true
	               : fstatat(directory, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool visit(void *context, const char *name, enum kind kind)
{
	struct walk *walk = context;
	cleanup_free char *relative = NULL;
	cleanup_free char *path = NULL;
	const struct entry *entry;
	struct stat st;

	if (walk->left.names == 0) {
		walk->policy->cut = true;
		return false;
	}
	walk->left.names--;
	if (is_git(walk->directory, name)) {
		relative = below(walk->at, name);
		path = path_join(walk->root, relative);
		walk->failed = protect_git(walk->policy, path, "nested repository", walk->err) < 0;
		return !walk->failed;
	}
	if (kind == KIND_OTHER)
		return true;
	if (kind == KIND_UNKNOWN &&
	    (fstatat(walk->directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode)))
		return true;
	relative = below(walk->at, name);
	path = path_join(walk->root, relative);
	/* Another root has a walk of its own, and what is protected needs none. */
	entry = permissions_find(&walk->policy->permissions, path);
	if (!entry)
		push(walk, keep_ptr(relative));
	return true;
}

static void list(struct walk *walk, const char *at)
{
	cleanup_close int fd =
	        path_open_beneath(walk->fd, at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	walk->policy->walked++;
	/*
	 * Gone since, or not ours to read.  Another file system may be a dead
	 * server that never answers: it is left out, and that is said.
	 */
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_dev != walk->device) {
		walk->policy->cut |= !(fd < 0 && errno == ENOENT);
		return;
	}
	walk->directory = fd;
	walk->at = at;
	if (listing(fd, visit, walk) < 0)
		walk->policy->cut = true;
}

int protect_nested(struct policy *policy, const char *root, enum place place, struct error *err)
{
	cleanup_close int fd = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct walk walk = {
	        .policy = policy, .root = root, .fd = fd, .left = budgets[place], .err = err};
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		policy->cut = true;
		return 0;
	}
	walk.device = st.st_dev;
	push(&walk, xstrdup(""));
	while (walk.head < walk.tail && !walk.failed) {
		char *at = walk.queue[walk.head++];

		if (walk.left.directories == 0) {
			policy->cut = true;
			free(at);
			break;
		}
		walk.left.directories--;
		list(&walk, at);
		free(at);
	}
	while (walk.head < walk.tail)
		free(walk.queue[walk.head++]);
	free(walk.queue);
	return walk.failed ? -1 : 0;
}
