#include "config/known_keys.h"

#include "config/settings.h"
#include "policy/words.h"

static const char *const trust_words[] = {"trusted", "untrusted", NULL};
static const char *const hide_words[] = {"secrets", "gitignored", NULL};
static const char *const inherit_words[] = {"all", "core", "none", NULL};
static const char *const sni_words[] = {"check", "off", NULL};
static const char *const windows_words[] = {"elevated", "unelevated", NULL};
static const char *const reviewer_words[] = {"user", "auto_review", "guardian_subagent", NULL};
static const char *const caches_words[] = {"64M", "256M", "1G", "4G", "16G", "64G", NULL};
static const char *const observe_words[] = {"auto", "on", "off", NULL};

const struct key known_keys[] = {
        {"approval_policy", ASKING, approval_names, ANY},
        /* Who is asked is decided by --approver, sessions and sbx.approver. */
        {"approvals_reviewer", WORD, reviewer_words, ANY},
        /* Which profile counts when no option names one. */
        {"profile", NAME, NULL, USER | MANAGED},
        {"sandbox_mode", WORD, config_mode_names, ANY},
        {"default_permissions", TEXT, NULL, ANY},
        {"sandbox_workspace_write.writable_roots", ROOTS, NULL, ANY},
        {"sandbox_workspace_write.network_access", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.exclude_tmpdir_env_var", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.exclude_slash_tmp", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.unix_sockets", PATHS, NULL, ANY},
        {"sandbox_workspace_write.hosts", HOSTS, NULL, ANY},
        {"shell_environment_policy.inherit", WORD, inherit_words, ANY},
        {"shell_environment_policy.ignore_default_excludes", TRUTH, NULL, ANY},
        {"shell_environment_policy.exclude", TEXTS, NULL, ANY},
        {"shell_environment_policy.include_only", TEXTS, NULL, ANY},
        {"shell_environment_policy.set.*", TEXT, NULL, ANY},
        {"shell_environment_policy.filters", FILTERS, NULL, ANY},
        {"shell_environment_policy.experimental_use_profile", TRUTH, NULL, ANY},
        {"windows.sandbox", WORD, windows_words, ANY},
        {"windows.sandbox_private_desktop", TRUTH, NULL, ANY},
        {"features.*", FEATURE, NULL, ANY},
        {"permissions.*.description", TEXT, NULL, ANY},
        {"permissions.*.extends", TEXT, NULL, ANY},
        {"permissions.*.filesystem", TABLE, NULL, ANY},
        {"permissions.*.workspace_roots.*", TRUTH, NULL, ANY},
        {"permissions.*.network", NETWORK, network_names, ANY},
        {"permissions.*.unix_sockets", PATHS, NULL, ANY},
        {"permissions.*.hosts", HOSTS, NULL, ANY},
        {"permissions.*.allow", TEXTS, NULL, ANY},
        {"permissions.*.macos", TABLE, NULL, ANY},
        {"permissions.*.limits.processes", LIMIT, NULL, ANY},
        {"permissions.*.limits.memory", LIMIT, NULL, ANY},
        {"permissions.*.limits.cpu", LIMIT, NULL, ANY},
        {"permissions.*.limits.tmp", LIMIT, NULL, ANY},
        {"permissions.*.limits.files", LIMIT, NULL, ANY},
        {"hosts.*.allow", HOSTS, NULL, USER | MANAGED},
        {"limits.processes", LIMIT, NULL, ANY},
        {"limits.memory", LIMIT, NULL, ANY},
        {"limits.cpu", LIMIT, NULL, ANY},
        {"limits.tmp", LIMIT, NULL, ANY},
        {"limits.files", LIMIT, NULL, ANY},
        {"sbx.observe", WORD, observe_words, ANY},
        /* A disk is the user's. */
        {"sbx.caches.max", WORD, caches_words, USER | MANAGED},
        /* These weaken the sandbox itself, and are no matter of a project. */
        {"sbx.nested", TRUTH, NULL, USER | MANAGED},
        {"sbx.accept_lost", WORDS, accepted_names, USER | MANAGED},
        /* The host's /tmp holds sockets that keys and terminals are reached by. */
        {"sbx.tmp", WORD, tmp_names, USER | MANAGED},
        /* Off, one listed host can stand for all that share its address. */
        {"sbx.network.sni", WORD, sni_words, USER | MANAGED},
        /* These choose, or name, programs that run outside the sandbox. */
        {"sbx.bwrap", WORD, bwrap_names, USER | MANAGED},
        {"sbx.assessor", TABLE, NULL, USER | MANAGED},
        {"sbx.approver", TEXTS, NULL, USER | MANAGED},
        /* A project that could say this would trust itself, or its neighbour. */
        {"projects.*.trust_level", WORD, trust_words, USER | MANAGED},
        {"projects.*.hosts", HOSTS, NULL, USER | MANAGED},
        {"projects.*.sbx_config", TEXT, NULL, USER | MANAGED},
        {"projects.*.sbx_rules", TEXT, NULL, USER | MANAGED},
        {"projects.*.sbx_write", PATHS, NULL, USER | MANAGED},
        {"projects.*.sbx_hide", WORD, hide_words, USER | MANAGED},
        /* What the administrator lets everybody choose from. */
        {"requirements.allowed_sandbox_modes", WORDS, config_mode_names, MANAGED},
        {"requirements.allowed_approval_policies", WORDS, approval_names, MANAGED},
        {"requirements.allowed_permission_profiles.*", TRUTH, NULL, MANAGED},
        {"requirements.default_permissions", TEXT, NULL, MANAGED},
        {"requirements.deny_read", TEXTS, NULL, MANAGED},
        {"requirements.rules", TEXTS, NULL, MANAGED},
        {"requirements.windows.allowed_sandbox_implementations", WORDS, windows_words, MANAGED},
        /* No run has more. */
        {"requirements.limits.processes", LIMIT, NULL, MANAGED},
        {"requirements.limits.memory", LIMIT, NULL, MANAGED},
        {"requirements.limits.cpu", LIMIT, NULL, MANAGED},
        {"requirements.limits.tmp", LIMIT, NULL, MANAGED},
        {"requirements.limits.files", LIMIT, NULL, MANAGED},
        {"requirements.allowed_hosts", HOSTS, NULL, MANAGED},
        {"requirements.denied_hosts", HOSTS, NULL, MANAGED},
};

const size_t known_key_count = sizeof(known_keys) / sizeof(known_keys[0]);
