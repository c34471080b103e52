import { setTimeout as wait } from 'node:timers/promises'
import { signIn, type Answer, type Api } from '../../support/api.ts'
import type { Random } from '../random.ts'

/** `undefined`: no response, or one that says that a store or the server failed. The call may have taken effect. */
export type Reply = Answer<unknown> | undefined

/** A user of the console who signs in again when the session was lost. */
export type Session = {
  readonly username: string
  readonly userId: number
  call(method: 'get' | 'post', path: string, body?: object): Promise<Reply>
}

type Credentials = { readonly username: string; readonly password: string }

/** Sign-in is limited per address, so each attempt comes from another one. */
export async function openSession(url: string, { username, password }: Credentials, random: Random): Promise<Session> {
  const enter = (): Promise<Api> => signIn(url, username, password, { 'x-forwarded-for': drawAddress(random) })
  let api = await enter()
  const callOnce = (method: 'get' | 'post', path: string, body?: object): Promise<Reply> =>
    withDeadline(method === 'get' ? api.get(path) : api.post(path, body))
  return {
    username,
    userId: api.userId,
    call: async (method, path, body) => {
      const reply = await callOnce(method, path, body)
      if (reply?.status !== 401) return reply
      try {
        api = await enter()
      } catch {
        // The control plane is down or starting; the caller tries again.
        return undefined
      }
      return await callOnce(method, path, body)
    },
  }
}

export function drawAddress(random: Random): string {
  return `10.${random.int(256)}.${random.int(256)}.${random.between(1, 254)}`
}

const CALL_TIMEOUT_MS = 10_000

async function withDeadline(call: Promise<Answer<unknown>>): Promise<Reply> {
  const stopping = new AbortController()
  const late = wait(CALL_TIMEOUT_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  try {
    const reply = await Promise.race([call, late])
    return reply === undefined || reply.status >= 500 ? undefined : reply
  } catch {
    // The connection was refused or reset, or the body was cut.
    return undefined
  } finally {
    stopping.abort()
    call.catch(() => undefined)
  }
}

const RETRY_MS = 400
const ANSWERED_WITHIN_MS = 60_000

/** Repeats a call until it is answered; `wasRepeated` says that an earlier attempt may have taken effect. */
export async function untilAnswered<T>(
  call: () => Promise<T | undefined>,
): Promise<{ readonly reply: T | undefined; readonly wasRepeated: boolean }> {
  const deadline = Date.now() + ANSWERED_WITHIN_MS
  for (let attempts = 1; ; attempts += 1) {
    const reply = await call()
    if (reply !== undefined || Date.now() > deadline) return { reply, wasRepeated: attempts > 1 }
    await wait(RETRY_MS)
  }
}
