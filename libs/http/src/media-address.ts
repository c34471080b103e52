import { createHmac, timingSafeEqual } from 'node:crypto'

/** How long an address can be opened. A player that asks for later parts after that is opened again. */
const LIFETIME_S = 3_600

type Medium = { readonly task_id: string; /** Its place among the results, from 0. */ readonly index: number }

/** The relay's path of what a task made, readable without a key for an hour. `secrets`: the first one signs. */
export function signMediaPath({ task_id, index }: Medium, now: number, secrets: readonly string[]): string {
  const [secret] = secrets
  if (secret === undefined) throw new Error('addresses of media need a secret')
  const expires = String(Math.floor(now / 1000) + LIFETIME_S)
  const sig = macOf({ task_id, index, expires }, secret)
  return `/v1/tasks/${encodeURIComponent(task_id)}/media/${index}?${new URLSearchParams({ expires, sig })}`
}

type Signed = Medium & { readonly expires: string; readonly sig: string }

/** True if one of the secrets signed this address, and its hour is not over. `now`: milliseconds. */
export function isMediaSignature({ sig, ...signed }: Signed, now: number, secrets: readonly string[]): boolean {
  if (!/^\d{1,12}$/.test(signed.expires) || !/^[0-9a-f]{64}$/.test(sig) || Number(signed.expires) * 1000 < now) return false
  const given = Buffer.from(sig, 'hex')
  return secrets.some((secret) => timingSafeEqual(given, Buffer.from(macOf(signed, secret), 'hex')))
}

const macOf = ({ task_id, index, expires }: Omit<Signed, 'sig'>, secret: string): string =>
  createHmac('sha256', secret).update(`task-media:${expires}:${index}:${task_id}`).digest('hex')
