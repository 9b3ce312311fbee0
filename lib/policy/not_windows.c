#include "policy/not_windows.h"

#include "base/memory.h"
#include "policy/words.h"

#include <stdbool.h>

static const struct {
	const char *guarantee;
	bool with_network; /* lost although the policy leaves the network open */
	const char *why, *cure;
} lost[] = {
        {"network", false,
         "advisory only: variables and stub programs stop tools that honour them, not sockets",
         "block the program in Windows Firewall, or run it in a virtual machine"},
        {"world-writable-directories", true,
         "Everyone is a restricting SID: what Everyone may write stays writable",
         "list them with sbx-wintoken.exe --audit and take that right away"},
        {"process-isolation", true, "processes of the same user can be seen, though not written to",
         "run the command as another user, or in a virtual machine"},
};

bool windows_is_on(const json_t *policy)
{
	/* Of the elevated one sbx-wintoken says why it is not carried out. */
	static const char *const switches[] = {"enable_experimental_windows_sandbox",
	                                       "experimental_windows_sandbox",
	                                       "elevated_windows_sandbox", NULL};
	const json_t *features = json_object_get(policy, "features");

	for (const char *const *name = switches; *name; name++)
		if (json_is_true(json_object_get(features, *name)))
			return true;
	return json_is_string(json_object_get(json_object_get(policy, "windows"), "sandbox"));
}

json_t *windows_lost(enum network network)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++)
		if (lost[i].with_network || network != NETWORK_ON)
			json_array_append_new(
			        list,
			        xjson(json_pack("{s:s,s:s,s:s}", "guarantee", lost[i].guarantee,
			                        "why", lost[i].why, "cure", lost[i].cure)));
	return list;
}
