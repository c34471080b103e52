import { createHash } from 'node:crypto'
import { findScimToken, noteScimTokenUse } from '@tollgate/db/queries/users/scim'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { addressBlock } from '@tollgate/http/client-ip'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import type { By } from '../../audit.ts'
import { readClient } from '../../client.ts'
import { nowSeconds, type Deps } from '../../deps.ts'

/** The identity provider of an organisation, by its token. */
export type Provisioner = By & {
  readonly organisation_id: number
  /** The member who made the token. */
  readonly made_by: number
  /** Aborts when the call's client leaves. */
  readonly signal: AbortSignal
}

export const hashScimToken = (token: string): string => createHash('sha256').update(`scim|${token}`).digest('hex')

const MINUTE_MS = 60_000
/** Per address. Tokens have 256 random bits: the limit is for the load. */
const MAX_REFUSED = 60
/** Per token: the first synchronisation of an organisation makes some thousand calls. */
const MAX_CALLS = 3000
/** How often the last use is written. */
const NOTED_AFTER_S = 60

/** The provisioner of a call; throws 401. */
export async function authenticateScim(deps: Deps, c: Context): Promise<Provisioner> {
  const { ip } = readClient(deps, c)
  const [, token] = /^Bearer ([\w-]{20,200})$/i.exec((c.req.header('authorization') ?? '').trim()) ?? []
  const found = token === undefined ? undefined : await findScimToken(deps.db, hashScimToken(token), nowSeconds(deps))
  if (found === undefined) {
    await limit(deps, c, { key: keys.consoleWindow('scim-refused', addressBlock(ip)), max: MAX_REFUSED })
    c.header('WWW-Authenticate', 'Bearer')
    throw new ScimError(401, 'The token is missing, unknown or expired')
  }
  await limit(deps, c, { key: keys.consoleWindow('scim', String(found.id)), max: MAX_CALLS })
  const now = nowSeconds(deps)
  if (now - found.used_at >= NOTED_AFTER_S) await noteScimTokenUse(deps.db, found.id, now)
  const member = { id: 0, username: `SCIM: ${found.name}`, account_role: 0, role: 'admin' } as const
  const actor = { id: found.organisation_id, username: '', role: 1, member }
  return { actor, ip, organisation_id: found.organisation_id, made_by: found.created_by, signal: c.req.raw.signal }
}

async function limit({ redis }: Deps, c: Context, { key, max }: { readonly key: string; readonly max: number }): Promise<void> {
  const taken = await takeFromWindow(redis, key, max, MINUTE_MS)
  if (taken.isTaken) return
  c.header('Retry-After', String(Math.max(1, Math.ceil(taken.retry_after_ms / 1000))))
  throw new ScimError(429, 'Too many calls')
}
