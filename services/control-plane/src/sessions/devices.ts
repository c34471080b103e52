import { createHash, randomBytes } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { noteDevice } from '@tollgate/db/queries/known-devices'
import { notifyUser } from '@tollgate/db/queries/notifications'
import { visible } from '@tollgate/telemetry/visible'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { cookieAttributes } from './sessions.ts'

const COOKIE = 'device'
/** As long as browsers keep a cookie. */
const LIFETIME_S = 400 * 24 * 3600
const MAX_DEVICE = 200

/**
 * Recognises this browser by a secret that it keeps across sign-ins, and notifies the owner of the account of a sign-in from one that is
 * new to it. Returns the step that sets the secret.
 */
export async function recogniseDevice(deps: Deps, c: Context, user_id: number): Promise<() => Promise<void>> {
  const known = getCookie(c, COOKIE)
  const secret = known === undefined || known === '' ? randomBytes(32).toString('base64url') : known
  const device_hash = createHash('sha256').update(`${user_id}|${secret}`).digest('hex')
  const isTold = await deps.options.get('NewDeviceNoticeEnabled')
  const now = nowSeconds(deps)
  await deps.db.transaction().execute(async (tx) => {
    if ((await noteDevice(tx, { user_id, device_hash, now })) !== 'new' || !isTold) return
    const values = { ip: readClient(deps, c).ip, device: visible(c.req.header('user-agent') ?? '', MAX_DEVICE) }
    await notifyUser(tx, { user_id, notice: 'new-device', values, now })
  })
  return async () => setCookie(c, COOKIE, secret, { ...(await cookieAttributes(deps)), maxAge: LIFETIME_S })
}
