#include "windows/stubs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "access/file.h"
#include "access/folder.h"

#include <string.h>

#define STUB_MAX 4096

int stubs_write(const struct orders *orders, struct error *err)
{
	if (orders->stub_count > 0 && folder_make_private(orders->stub_directory, err) < 0)
		return -1;
	for (size_t i = 0; i < orders->stub_count; i++) {
		const struct order_stub *stub = &orders->stubs[i];
		cleanup_free char *name = xasprintf("%s\\%s", orders->stub_directory, stub->name);
		cleanup_free WCHAR *wide = system_path(name, err);
		cleanup_free char *old = NULL;
		struct error ignored = {0};
		size_t len;

		if (!wide)
			return -1;
		/* The same for every run: written once. */
		old = file_read(wide, STUB_MAX, &len, &ignored);
		if (old && len == strlen(stub->text) && memcmp(old, stub->text, len) == 0)
			continue;
		if (file_replace(wide, stub->text, err) < 0)
			return -1;
	}
	return 0;
}
