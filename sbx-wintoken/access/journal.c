#include "access/journal.h"

#include "access/acl.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "access/folder.h"

#include <jansson.h>
#include <string.h>

/* Which byte of the lock file stands for what. */
enum {
	RUNNING,
	CHANGING,
};

#define JOURNAL_MAX (16UL << 20)

static BOOL lock(HANDLE file, DWORD byte, DWORD flags)
{
	OVERLAPPED at = {.Offset = byte};

	return LockFileEx(file, flags, 0, 1, 0, &at);
}

static void unlock(HANDLE file, DWORD byte)
{
	OVERLAPPED at = {.Offset = byte};

	UnlockFileEx(file, 0, 1, 0, &at);
}

static HANDLE open_file(const char *state, const char *name, struct error *err)
{
	cleanup_free char *path = xasprintf("%s\\%s", state, name);
	cleanup_free WCHAR *wide = system_path(path, err);
	HANDLE file;

	if (!wide)
		return NULL;
	file = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
	                   NULL, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (file == INVALID_HANDLE_VALUE) {
		system_failed(err, "CreateFileW", path);
		return NULL;
	}
	return file;
}

static char *read_all(HANDLE file, size_t *size, struct error *err)
{
	LARGE_INTEGER length, start = {0};
	cleanup_free char *text = NULL;
	DWORD got = 0;

	if (!GetFileSizeEx(file, &length) || !SetFilePointerEx(file, start, NULL, FILE_BEGIN)) {
		system_failed(err, "GetFileSizeEx", "journal");
		return NULL;
	}
	if (length.QuadPart > (LONGLONG)JOURNAL_MAX) {
		error_set(err, EXIT_INPUT, "bad-journal", "journal: larger than 16 MiB");
		return NULL;
	}
	text = xmalloc((size_t)length.QuadPart + 1);
	if (!ReadFile(file, text, (DWORD)length.QuadPart, &got, NULL)) {
		system_failed(err, "ReadFile", "journal");
		return NULL;
	}
	text[got] = '\0';
	*size = got;
	return keep_ptr(text);
}

static int undo_entry(const char *path, const char *sid, struct error *err)
{
	bool directory, missing;
	cleanup_handle HANDLE handle = folder_pin(path, &directory, &missing, err);

	if (!handle)
		return missing ? 0 : -1;
	return acl_change(handle, SE_FILE_OBJECT, sid, ACL_REMOVE, directory, err);
}

/* One that somebody used meanwhile is somebody's, and stays. */
static int undo_directory(const char *path, struct error *err)
{
	cleanup_free WCHAR *wide = system_path(path, err);

	if (!wide)
		return -1;
	if (RemoveDirectoryW(wide) || GetLastError() == ERROR_FILE_NOT_FOUND ||
	    GetLastError() == ERROR_PATH_NOT_FOUND || GetLastError() == ERROR_DIR_NOT_EMPTY)
		return 0;
	return system_failed(err, "RemoveDirectoryW", path);
}

static int undo(const json_t *line, struct error *err)
{
	const char *path = json_string_value(json_object_get(line, "path"));
	const char *sid = json_string_value(json_object_get(line, "sid"));

	if (!path)
		return error_set(err, EXIT_INPUT, "bad-journal", "journal: a line without a path");
	return sid ? undo_entry(path, sid, err) : undo_directory(path, err);
}

/* Last change first.  What fails is tried again by the next run. */
static int undo_all(struct journal *journal, struct error *err)
{
	LARGE_INTEGER start = {0};
	size_t size;
	cleanup_free char *text = read_all(journal->file, &size, err);
	struct error first = {0};

	if (!text)
		return -1;
	while (size > 0) {
		size_t begin = size - 1;
		json_t *line;

		while (begin > 0 && text[begin - 1] != '\n')
			begin--;
		line = json_loadb(text + begin, size - begin, JSON_REJECT_DUPLICATES, NULL);
		/* Half a line: its change was not made yet. */
		if (line && undo(line, first.exit ? &(struct error){0} : &first) < 0 &&
		    first.exit == 0)
			first.exit = EXIT_SYSTEM;
		json_decref(line);
		size = begin;
	}
	if (first.exit) {
		*err = first;
		return -1;
	}
	if (!SetFilePointerEx(journal->file, start, NULL, FILE_BEGIN) ||
	    !SetEndOfFile(journal->file))
		return system_failed(err, "SetEndOfFile", "journal");
	return 0;
}

/* With CHANGING held, so that nobody begins meanwhile. */
static int undo_if_alone(struct journal *journal, struct error *err)
{
	int status;

	if (!lock(journal->lock, RUNNING, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY))
		return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING
		               ? 0
		               : system_failed(err, "LockFileEx", NULL);
	status = undo_all(journal, err);
	unlock(journal->lock, RUNNING);
	return status;
}

static void release(struct journal *journal)
{
	cleanup_handle_(&journal->file);
	cleanup_handle_(&journal->lock);
	*journal = (struct journal){0};
}

int journal_begin(struct journal *journal, const char *state, struct error *err)
{
	*journal = (struct journal){0};
	if (folder_make_private(state, err) < 0)
		return -1;
	journal->lock = open_file(state, "lock", err);
	journal->file = journal->lock ? open_file(state, "journal", err) : NULL;
	if (!journal->file)
		goto bad;
	if (!lock(journal->lock, CHANGING, LOCKFILE_EXCLUSIVE_LOCK)) {
		system_failed(err, "LockFileEx", NULL);
		goto bad;
	}
	if (undo_if_alone(journal, err) < 0)
		goto bad;
	if (!lock(journal->lock, RUNNING, 0)) {
		system_failed(err, "LockFileEx", NULL);
		goto bad;
	}
	return 0;
bad:
	release(journal);
	return -1;
}

static int append(struct journal *journal, json_t *line, struct error *err)
{
	cleanup_free char *text = xjson(json_text_dump(line, JSON_COMPACT));
	LARGE_INTEGER zero = {0};
	size_t len = strlen(text);
	DWORD written;

	json_decref(line);
	text[len] = '\n';
	if (!SetFilePointerEx(journal->file, zero, NULL, FILE_END) ||
	    !WriteFile(journal->file, text, (DWORD)len + 1, &written, NULL) || written != len + 1 ||
	    !FlushFileBuffers(journal->file))
		return system_failed(err, "WriteFile", "journal");
	return 0;
}

int journal_entry(struct journal *journal, const char *path, const char *sid, struct error *err)
{
	return append(journal, xjson(json_pack("{s:s,s:s}", "path", path, "sid", sid)), err);
}

int journal_directory(struct journal *journal, const char *path, struct error *err)
{
	return append(journal, xjson(json_pack("{s:s}", "path", path)), err);
}

void journal_ready(struct journal *journal)
{
	unlock(journal->lock, CHANGING);
}

int journal_end(struct journal *journal, struct error *err)
{
	int status = 0;

	if (!journal->lock)
		return 0;
	if (!lock(journal->lock, CHANGING, LOCKFILE_EXCLUSIVE_LOCK))
		status = system_failed(err, "LockFileEx", NULL);
	unlock(journal->lock, RUNNING);
	if (status == 0)
		status = undo_if_alone(journal, err);
	unlock(journal->lock, CHANGING);
	release(journal);
	return status;
}
