#include "session/find_session.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "fs/path.h"
#include "session/client.h"
#include "session/listening_place.h"

#include <dirent.h>
#include <string.h>

/* It answers, and its questions are asked nowhere else. */
static bool is_uppermost(const char *path)
{
	cleanup_json json_t *message = xjson(json_pack("{s:s}", "op", "overview"));
	cleanup_json json_t *answer = NULL;
	struct error none = {0};
	cleanup_close int fd = client_connect(path, &none);

	answer = fd < 0 ? NULL : client_call(fd, message, &none);
	return answer && json_is_false(json_object_get(answer, "nested"));
}

static void look_in(const char *place, struct strings *found)
{
	DIR *dir = path_is_normal(place) ? opendir(place) : NULL;
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		cleanup_free char *path = xasprintf("%s/%s/s", place, entry->d_name);

		if (strncmp(entry->d_name, SESSION_DIRECTORY, strlen(SESSION_DIRECTORY)) == 0 &&
		    !strings_have(found, path) && is_uppermost(path))
			strings_add(found, keep_ptr(path));
	}
	if (dir)
		closedir(dir);
}

/* Each on its own, to be copied. */
static char *listed(const struct strings *found)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < found->count; i++) {
		cleanup_free char *before = all;

		all = xasprintf("%s%s%s", before, i ? ", " : "", found->items[i]);
	}
	return all;
}

char *session_find(struct error *err)
{
	struct strings places = {0}, found = {0};
	cleanup_free char *all = NULL;
	char *only = NULL;

	listening_places(&places);
	for (size_t i = 0; i < places.count; i++)
		look_in(places.items[i], &found);
	all = listed(&found);
	if (found.count == 1)
		only = xstrdup(all);
	else if (found.count == 0)
		error_set(err, EXIT_USAGE, "no-session",
		          "no session of this user is running; sbx-approve --serve starts one");
	else
		error_set(err, EXIT_USAGE, "many-sessions",
		          "%zu sessions are running; set SBX_SESSION to one of them: %s",
		          found.count, all);
	strings_free(&places);
	strings_free(&found);
	return only;
}
