#include "access/rights.h"

#include "access/acl.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "access/folder.h"

/* Each is written down first, and removed in the end if it is still empty. */
static int make_missing(struct rights *rights, const char *path, struct error *err)
{
	for (;;) {
		cleanup_free char *missing = folder_next_missing(path);

		if (!missing)
			return 0;
		if (journal_directory(&rights->journal, missing, err) < 0 ||
		    folder_make(missing, err) < 0)
			return -1;
	}
}

static int check_kept(HANDLE handle, const struct order_ace *ace, enum acl_change change,
                      struct error *err)
{
	int kept = acl_has(handle, SE_FILE_OBJECT, ace->sid, change, err);

	if (kept < 0)
		return -1;
	return kept ? 0
	            : error_set(err, EXIT_UNAVAILABLE, "not-kept",
	                        "\"%s\": the file system did not keep the access entry: use "
	                        "one that does, as NTFS (--unenforced runs without)",
	                        ace->path);
}

static int add(struct rights *rights, const struct order_ace *ace, bool unenforced,
               struct error *err)
{
	enum acl_change change = ace->allow ? ACL_ALLOW : ACL_DENY;
	bool directory = false, missing;
	struct error why = {0};
	HANDLE handle = folder_pin(ace->path, &directory, &missing, &why);

	if (!handle && missing) {
		/* Nothing to grant; but a carve-out is there before anybody makes it. */
		if (!ace->make)
			return 0;
		if (make_missing(rights, ace->path, err) < 0)
			return -1;
		handle = folder_pin(ace->path, &directory, &missing, &why);
	}
	if (!handle) {
		*err = why;
		return -1;
	}
	list_add(rights->pins, rights->pin_count, handle);
	if (journal_entry(&rights->journal, ace->path, ace->sid, err) < 0)
		return -1;
	if (acl_change(handle, SE_FILE_OBJECT, ace->sid, change, directory, &why) < 0)
		return error_set(err, why.exit, why.code, "\"%s\": %s", ace->path, why.message);
	return unenforced ? 0 : check_kept(handle, ace, change, err);
}

int rights_begin(struct rights *rights, const struct orders *orders, bool unenforced,
                 struct error *err)
{
	struct error ignored = {0};
	int status = 0;

	*rights = (struct rights){0};
	if (journal_begin(&rights->journal, orders->state, err) < 0)
		return -1;
	/* Denials first: at no time may more be written than the policy says. */
	for (int allow = 0; allow < 2; allow++)
		for (size_t i = 0; status == 0 && i < orders->ace_count; i++)
			if (orders->aces[i].allow == (allow == 1))
				status = add(rights, &orders->aces[i], unenforced, err);
	journal_ready(&rights->journal);
	if (status < 0)
		rights_end(rights, &ignored);
	return status;
}

int rights_end(struct rights *rights, struct error *err)
{
	for (size_t i = 0; i < rights->pin_count; i++)
		CloseHandle(rights->pins[i]);
	free(rights->pins);
	rights->pins = NULL;
	rights->pin_count = 0;
	return journal_end(&rights->journal, err);
}
