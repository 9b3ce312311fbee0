#include "observer/observer_state.h"

#include "base/complain.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

_Noreturn void observer_end_all(void)
{
	complain("the observer lost the command: %s", strerror(errno));
	_exit(125);
}

static void answer(int listener, struct seccomp_notif_resp response)
{
	while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0) {
		/* Whoever asked may have been killed meanwhile. */
		if (errno == ENOENT)
			break;
		if (errno != EINTR)
			observer_end_all();
	}
}

void observer_answer(int listener, uint64_t id, int error, bool go_on)
{
	answer(listener, (struct seccomp_notif_resp){
	                         .id = id,
	                         .error = -error,
	                         .flags = go_on ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0,
	                 });
}

void observer_return(int listener, uint64_t id, int64_t value)
{
	answer(listener, (struct seccomp_notif_resp){.id = id, .val = value});
}
