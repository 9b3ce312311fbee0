/* The part of the process table that is used. */
#include <sys/types.h>

struct kinfo_proc {
	struct {
		pid_t p_pid;
	} kp_proc;
	struct {
		pid_t e_ppid;
	} kp_eproc;
};

#define CTL_KERN      1
#define KERN_PROC     14
#define KERN_PROC_ALL 0

int sysctl(int *, unsigned, void *, size_t *, void *, size_t);
