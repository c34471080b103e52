import type { System } from '@tollgate/domain/clients/client'

/** The system that this browser runs on. */
export const ownSystem = (): System => (navigator.userAgent.includes('Windows') ? 'windows' : 'unix')
