import type { Operation } from './operation.ts'
import { drawAddress, untilAnswered, type Reply } from './session.ts'

export const INVITE_QUOTA = { invitee: 1000, inviter: 2_000_000 } as const

/** A new user registers with the invite code of another. */
export const invite: Operation = {
  weight: 0.15,
  run: async ({ url, operators, random, serial }) => {
    const { session, inviteCode } = random.pick(operators)
    const username = `invited${serial()}`
    const body = JSON.stringify({ username, password: 'a-long-password', aff_code: inviteCode })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': drawAddress(random) }
    const { reply, wasRepeated } = await untilAnswered(() => post(`${url}/api/user/register`, { headers, body }))
    const entries = [
      { kind: 'invitee', key: `user ${username}`, amount: INVITE_QUOTA.invitee, usernames: [username] },
      { kind: 'reward', key: `user ${username}`, amount: INVITE_QUOTA.inviter, usernames: [session.username] },
    ] as const
    if (reply?.success === true) return { outcome: 'booked', entries }
    // The name is taken if an unanswered attempt has registered it.
    return { outcome: reply === undefined || wasRepeated ? 'unanswered' : 'refused', entries }
  },
}

async function post(url: string, init: { headers: Record<string, string>; body: string }): Promise<Reply> {
  try {
    const answer = await fetch(url, { method: 'POST', ...init, signal: AbortSignal.timeout(10_000) })
    if (answer.status >= 500) return undefined
    return { ...((await answer.json()) as NonNullable<Reply>), status: answer.status } // the envelope of every console call
  } catch {
    // The connection was refused or reset, or the body was cut.
    return undefined
  }
}

/** The least that may be moved, by `QuotaPerUnit`. */
const LEAST = 500_000

/** A user moves invite earnings to the balance. Every transfer has its own amount, because the answer does not contain the reference of its entry. */
export const transfer: Operation = {
  weight: 0.6,
  run: async ({ operators, random, serial }) => {
    const { session } = random.pick(operators)
    const amount = LEAST + serial()
    // Sent once: a repeated transfer is another transfer.
    const reply = await session.call('post', '/api/user/aff_transfer', { quota: amount })
    const entries = [{ kind: 'transfer', key: String(amount), amount, usernames: [session.username] }] as const
    if (reply === undefined) return { outcome: 'unanswered', entries }
    return { outcome: reply.success ? 'booked' : 'refused', entries }
  },
}
