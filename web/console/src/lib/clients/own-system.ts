import type { System } from './client.ts'

/** The system that this browser runs on. */
export const ownSystem = (): System => (navigator.userAgent.includes('Windows') ? 'windows' : 'unix')
