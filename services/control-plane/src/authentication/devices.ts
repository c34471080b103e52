import { createHash, randomBytes } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { noteDevice, setDeviceNotified } from '@tollgate/db/queries/users/known-devices'
import { notifyUser } from '@tollgate/db/queries/deliveries/notifications'
import { addressBlock } from '@tollgate/http/client-ip'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { deviceNameOf } from './device-name.ts'
import { cookieAttributes } from './cookie-sessions.ts'

const COOKIE = 'device'
/** As long as browsers keep a cookie. */
const LIFETIME_S = 400 * 24 * 3600
const VERSION = /[\d._]+/g

/**
 * Recognises this browser by a secret that it keeps across sign-ins, and notifies the owner of the account of a sign-in from one that is
 * new to it, once a day for each address and kind of client. Returns the step that sets the secret.
 */
export async function recogniseDevice(deps: Deps, c: Context, user_id: number): Promise<() => Promise<void>> {
  const known = getCookie(c, COOKIE)
  const secret = known === undefined || known === '' ? randomBytes(32).toString('base64url') : known
  const device_hash = hashOf(user_id, secret)
  const isNoticeEnabled = await deps.options.get('NewDeviceNoticeEnabled')
  const now = nowSeconds(deps)
  const { ip } = readClient(deps, c)
  const agent = c.req.header('user-agent') ?? ''
  const origin_hash = hashOf(user_id, `${addressBlock(ip)}|${agent.replaceAll(VERSION, '')}`)
  await deps.db.transaction().execute(async (tx) => {
    if ((await noteDevice(tx, { user_id, device_hash, origin_hash, now })) !== 'new' || !isNoticeEnabled) return
    await setDeviceNotified(tx, { user_id, device_hash, now })
    await notifyUser(tx, { user_id, notice: 'new-device', values: { ip, device: deviceNameOf(agent) }, now })
  })
  return async () => setCookie(c, COOKIE, secret, { ...(await cookieAttributes(deps)), maxAge: LIFETIME_S })
}

const hashOf = (user_id: number, text: string): string => createHash('sha256').update(`${user_id}|${text}`).digest('hex')
