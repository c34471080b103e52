import { join } from 'node:path'

/** Modules resolved from this file are the relay's copies. */
export const fromRelay = join(import.meta.dirname, '../../libs/outbound/src/outbound.ts')
