#include "windows/child.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "windows/environment_block.h"

#include <stdlib.h>

/* How long the system may take to end a killed tree. */
#define END_MS 10000

struct handles {
	HANDLE list[3];
};

static void cleanup_handles_(struct handles *handles)
{
	for (size_t i = 0; i < 3; i++)
		cleanup_handle_(&handles->list[i]);
}

/*
 * Copies, so that ours need not be inheritable, and so that the three differ
 * even when two of them are one: the list of handles takes none twice.
 */
static int copy_standard(struct handles *handles, struct error *err)
{
	static const DWORD names[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
	SECURITY_ATTRIBUTES inherit = {.nLength = sizeof(inherit), .bInheritHandle = TRUE};

	for (size_t i = 0; i < 3; i++) {
		HANDLE own = GetStdHandle(names[i]);

		if (own && own != INVALID_HANDLE_VALUE &&
		    DuplicateHandle(GetCurrentProcess(), own, GetCurrentProcess(),
		                    &handles->list[i], 0, TRUE, DUPLICATE_SAME_ACCESS))
			continue;
		handles->list[i] = CreateFileW(L"NUL", i ? GENERIC_WRITE : GENERIC_READ,
		                               FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
		                               OPEN_EXISTING, 0, NULL);
		if (handles->list[i] == INVALID_HANDLE_VALUE)
			return system_failed(err, "CreateFileW", "NUL");
	}
	return 0;
}

static HANDLE make_job(struct error *err)
{
	cleanup_handle HANDLE job = CreateJobObjectW(NULL, NULL);
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
	JOBOBJECT_BASIC_UI_RESTRICTIONS ui = {0};
	HANDLE out;

	/* The names of these are in names.h; a plan says all of them. */
	limits.BasicLimitInformation.LimitFlags =
	        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
	ui.UIRestrictionsClass =
	        JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
	        JOB_OBJECT_UILIMIT_WRITECLIPBOARD | JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS |
	        JOB_OBJECT_UILIMIT_DISPLAYSETTINGS | JOB_OBJECT_UILIMIT_GLOBALATOMS |
	        JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_EXITWINDOWS;
	if (!job) {
		system_failed(err, "CreateJobObjectW", NULL);
		return NULL;
	}
	if (!SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
	                             sizeof(limits)) ||
	    !SetInformationJobObject(job, JobObjectBasicUIRestrictions, &ui, sizeof(ui))) {
		system_failed(err, "SetInformationJobObject", NULL);
		return NULL;
	}
	out = job;
	job = NULL;
	return out;
}

/* Only these handles, and in the job from the first instruction on. */
static LPPROC_THREAD_ATTRIBUTE_LIST attributes(struct handles *handles, HANDLE *job,
                                               struct error *err)
{
	LPPROC_THREAD_ATTRIBUTE_LIST list;
	SIZE_T size = 0;

	InitializeProcThreadAttributeList(NULL, 2, 0, &size);
	list = xmalloc(size);
	if (!InitializeProcThreadAttributeList(list, 2, 0, &size)) {
		system_failed(err, "InitializeProcThreadAttributeList", NULL);
		free(list);
		return NULL;
	}
	if (UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles->list,
	                              sizeof(handles->list), NULL, NULL) &&
	    UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_JOB_LIST, job, sizeof(*job),
	                              NULL, NULL))
		return list;
	system_failed(err, "UpdateProcThreadAttribute", NULL);
	DeleteProcThreadAttributeList(list);
	free(list);
	return NULL;
}

static int start(HANDLE token, HANDLE job, const struct orders *orders,
                 const struct executable *executable, char **env, PROCESS_INFORMATION *process,
                 struct error *err)
{
	__attribute__((cleanup(cleanup_handles_))) struct handles handles = {0};
	cleanup_free WCHAR *path = system_wide(executable->path, err);
	cleanup_free WCHAR *line = path ? system_wide(executable->line, err) : NULL;
	cleanup_free WCHAR *cwd = line ? system_wide(orders->cwd, err) : NULL;
	cleanup_free WCHAR *block = cwd ? block_make(env, err) : NULL;
	STARTUPINFOEXW startup = {.StartupInfo = {.cb = sizeof(startup)}};
	BOOL started;

	if (!block || copy_standard(&handles, err) < 0)
		return -1;
	startup.lpAttributeList = attributes(&handles, &job, err);
	if (!startup.lpAttributeList)
		return -1;
	startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
	startup.StartupInfo.hStdInput = handles.list[0];
	startup.StartupInfo.hStdOutput = handles.list[1];
	startup.StartupInfo.hStdError = handles.list[2];
	started = CreateProcessAsUserW(token, path, line, NULL, NULL, TRUE,
	                               CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT |
	                                       EXTENDED_STARTUPINFO_PRESENT,
	                               block, cwd, &startup.StartupInfo, process);
	if (!started) {
		system_failed(err, "CreateProcessAsUserW", executable->path);
		err->exit = 126;
	}
	DeleteProcThreadAttributeList(startup.lpAttributeList);
	free(startup.lpAttributeList);
	return started ? 0 : -1;
}

/* Suspended until it is known to be in the job. */
static int release(const PROCESS_INFORMATION *process, HANDLE job, struct error *err)
{
	BOOL inside = FALSE;

	if (!IsProcessInJob(process->hProcess, job, &inside))
		return system_failed(err, "IsProcessInJob", NULL);
	if (!inside && !AssignProcessToJobObject(job, process->hProcess))
		return system_failed(err, "AssignProcessToJobObject", NULL);
	if (ResumeThread(process->hThread) == (DWORD)-1)
		return system_failed(err, "ResumeThread", NULL);
	return 0;
}

static int wait_for(HANDLE process, json_int_t timeout_ms, struct ended *ended, struct error *err)
{
	ULONGLONG begin = GetTickCount64();

	for (;;) {
		ULONGLONG spent = GetTickCount64() - begin;
		DWORD wait = INFINITE, got;

		if (timeout_ms > 0 && spent >= (ULONGLONG)timeout_ms) {
			ended->timed_out = true;
			return 0;
		}
		/* One wait takes a number of 32 bits, a plan may have more. */
		if (timeout_ms > 0)
			wait = (ULONGLONG)timeout_ms - spent > 0x7fffffff
			               ? 0x7fffffff
			               : (DWORD)((ULONGLONG)timeout_ms - spent);
		got = WaitForSingleObject(process, wait);
		if (got == WAIT_FAILED)
			return system_failed(err, "WaitForSingleObject", NULL);
		if (got != WAIT_OBJECT_0)
			continue;
		if (!GetExitCodeProcess(process, &ended->code))
			return system_failed(err, "GetExitCodeProcess", NULL);
		return 0;
	}
}

/* Rights are taken back after this: nobody may be left who could use them. */
static int end_all(HANDLE job, struct error *err)
{
	JOBOBJECT_BASIC_ACCOUNTING_INFORMATION count;

	if (!TerminateJobObject(job, 1))
		return system_failed(err, "TerminateJobObject", NULL);
	for (int left = END_MS / 5; left > 0; left--) {
		if (!QueryInformationJobObject(job, JobObjectBasicAccountingInformation, &count,
		                               sizeof(count), NULL))
			return system_failed(err, "QueryInformationJobObject", NULL);
		if (count.ActiveProcesses == 0)
			return 0;
		Sleep(5);
	}
	return error_set(err, EXIT_SYSTEM, "still-running",
	                 "%lu processes of the command do not end",
	                 (unsigned long)count.ActiveProcesses);
}

int child_run(HANDLE token, const struct orders *orders, const struct executable *executable,
              char **env, struct ended *ended, struct error *err)
{
	cleanup_handle HANDLE job = make_job(err);
	PROCESS_INFORMATION process = {0};
	struct error later = {0};
	int status;

	*ended = (struct ended){0};
	if (!job || start(token, job, orders, executable, env, &process, err) < 0)
		return -1;
	status = release(&process, job, err);
	if (status == 0)
		status = wait_for(process.hProcess, orders->timeout_ms, ended, err);
	else
		TerminateProcess(process.hProcess, 1);
	if (end_all(job, &later) < 0 && status == 0) {
		*err = later;
		status = -1;
	}
	CloseHandle(process.hThread);
	CloseHandle(process.hProcess);
	return status;
}
