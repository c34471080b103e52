import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** The version of this release: `version` in the package.json of the repository, which is the only place that states it. */
export const VERSION = z.object({ version: z.string() }).parse(manifest).version

/** Sent to vendors. */
export const USER_AGENT = `Tollgate/${VERSION}`
