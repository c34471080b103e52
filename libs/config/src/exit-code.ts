/** Exit code of a service that could not start because a store did not answer: EX_TEMPFAIL of sysexits.h, the same start may succeed later. */
export const STORE_AWAY = 75
