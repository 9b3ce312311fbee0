/*
 * What are the fixed parts of a profile?
 *
 * The text of share/sbpl/, compiled in: nothing that is read again at run time
 * could be changed in between.
 */
#ifndef SBX_SEATBELT_SECTIONS_H
#define SBX_SEATBELT_SECTIONS_H

/* One per file, by its name with "_" for "-"; made by the Makefile. */
extern const char sbpl_accessibility[];
extern const char sbpl_automation[];
extern const char sbpl_automation_all[];
extern const char sbpl_base[];
extern const char sbpl_calendar[];
extern const char sbpl_contacts_read[];
extern const char sbpl_contacts_write[];
extern const char sbpl_launch_services[];
extern const char sbpl_network_loopback[];
extern const char sbpl_network_off[];
extern const char sbpl_network_on[];
extern const char sbpl_platform_defaults[];
extern const char sbpl_preferences_default[];
extern const char sbpl_preferences_read[];
extern const char sbpl_preferences_write[];
extern const char sbpl_read_full[];
extern const char sbpl_read_restricted[];
extern const char sbpl_unix_sockets[];
extern const char sbpl_write_full[];
extern const char sbpl_write_none[];
extern const char sbpl_write_roots[];

#endif
