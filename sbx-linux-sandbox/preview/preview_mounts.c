#include "preview/preview_mounts.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "caches/spent_work.h"
#include "policy/slash_tmp.h"

#include <fcntl.h>
#include <string.h>

/* A part is known by what the host has there: that is what bubblewrap opens. */
static void add_part(struct preview_root *root, struct mount *mount)
{
	const char *name = mount->path + strlen(root->lower);
	struct overlay *o = &root->overlay;

	name += *name == '/';
	o->parts = xrealloc_array(o->parts, o->count + 1, sizeof(*o->parts));
	o->parts[o->count++] = (struct overlay_part){
	        .dev = mount->dev, .ino = mount->ino, .name = *name ? name : "."};
	mount->overlay = true;
}

/* Private is what is not shown from where it is. */
static bool is_private(const struct request *request, const struct mount *mount)
{
	return mount->source ||
	       (request->tmp && tmp_decides(&request->permissions, request->tmp, mount->path));
}

/* One that was tried before may have been mounted, and failed later. */
static int begin_again(struct preview_root *root, struct error *err)
{
	cleanup_close int layer =
	        open(root->layer, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	root->overlay.count = 0;
	return layer < 0 || work_renew(layer) < 0
	               ? error_system(err, "--preview: a copy of \"%s\"", root->lower)
	               : 0;
}

int preview_mount(const struct request *request, struct preview *preview, struct mounts *mounts,
                  struct error *err)
{
	for (size_t i = 0; i < preview->count; i++)
		if (begin_again(&preview->roots[i], err) < 0)
			return -1;
	for (size_t i = 0; preview->state >= 0 && i < mounts->count; i++) {
		struct mount *mount = &mounts->items[i];
		struct preview_root *root = preview_root_of(preview, mount->path);

		mount->copied = root != NULL;
		if (mount->kind != MOUNT_WRITE && mount->kind != MOUNT_DEVICE)
			continue;
		if (is_private(request, mount))
			continue;
		if (!root || mount->kind == MOUNT_DEVICE)
			return error_set(err, EXIT_UNAVAILABLE, "preview",
			                 "--preview: \"%s\" is writable and cannot be copied",
			                 mount->path);
		add_part(root, mount);
	}
	return 0;
}
