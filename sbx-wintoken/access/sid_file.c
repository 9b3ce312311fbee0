/*
 * How is the folder that outlives a run locked, read and written?
 */
#include "sid_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "access/file.h"
#include "access/folder.h"
#include "spelling/winpath.h"

#define TEXT_MAX (1UL << 20)

/* In advapi32 under this name only. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

struct store {
	HANDLE lock;
	WCHAR *file;
};

static int open_lock(struct store *store, const char *folder, struct error *err)
{
	cleanup_free char *name = xasprintf("%s\\cap_sid.lock", folder);
	cleanup_free WCHAR *wide = system_path(name, err);
	OVERLAPPED at = {0};

	if (!wide)
		return -1;
	store->lock =
	        CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
	                    NULL, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (store->lock == INVALID_HANDLE_VALUE)
		return system_failed(err, "CreateFileW", name);
	if (!LockFileEx(store->lock, LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &at))
		return system_failed(err, "LockFileEx", name);
	return 0;
}

struct store *store_open(const char *home, struct error *err)
{
	struct store *store = xmalloc(sizeof(*store));
	cleanup_free char *file = NULL;
	struct winpath folder = {0};
	int status = winpath_get(home, &folder, err);

	*store = (struct store){0};
	if (status == 0)
		status = folder_make_private(folder.path, err);
	if (status == 0)
		status = open_lock(store, folder.path, err);
	if (status == 0) {
		file = xasprintf("%s\\cap_sid", folder.path);
		store->file = system_path(file, err);
	}
	winpath_free(&folder);
	if (store->file)
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	cleanup_handle_(&store->lock);
	free(store->file);
	free(store);
}

char *store_read(const struct store *store, struct error *err)
{
	size_t len;

	return file_read(store->file, TEXT_MAX, &len, err);
}

int store_write(const struct store *store, const char *text, struct error *err)
{
	return file_replace(store->file, text, err);
}

int store_random(void *bytes, size_t len, struct error *err)
{
	return SystemFunction036(bytes, (ULONG)len) ? 0 : system_failed(err, "RtlGenRandom", NULL);
}
