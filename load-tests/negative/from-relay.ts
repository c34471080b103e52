import { join } from 'node:path'

/** A file beside the relay's: modules that are resolved from here are the relay's own. */
export const fromRelay = join(import.meta.dirname, '../../libs/outbound/src/outbound.ts')
