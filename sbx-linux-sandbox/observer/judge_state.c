#include "observer/judge_state.h"

void judge_begin(struct judge *judge, const struct view *view, struct denials *denials)
{
	*judge = (struct judge){.permissions = view->permissions, .view = view, .denials = denials};
	plain_begin(&judge->plain, view);
	targets_begin(&judge->targets);
}

const char *judge_program(struct judge *judge, pid_t pid, char path[PATH_MAX])
{
	return target_link(&judge->targets, pid, "exe", path) ? path : NULL;
}
