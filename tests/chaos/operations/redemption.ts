import { REFUSED, type Operation } from './operation.ts'
import { untilAnswered } from './session.ts'

/** A user redeems a code; sometimes two users try the same code at the same time. */
export const redemption: Operation = {
  weight: 4,
  run: async ({ codes, operators, random }) => {
    const code = await codes.take()
    if (code === undefined) return REFUSED
    const users = random.chance(0.25) ? [random.pick(operators), random.pick(operators)] : [random.pick(operators)]
    const answers = await Promise.all(
      users.map(({ session }) => untilAnswered(() => session.call('post', '/api/user/topup', { key: code.key }))),
    )
    const usernames = users.map(({ session }) => session.username)
    const entries = [{ kind: 'redemption', key: `redemption:${code.id}:${code.quota}`, amount: code.quota, usernames }] as const
    if (answers.some(({ reply }) => reply?.success === true)) return { outcome: 'booked', entries }
    const isUncertain = answers.some(({ reply, wasRepeated }) => reply === undefined || wasRepeated)
    return { outcome: isUncertain ? 'unanswered' : 'refused', entries }
  },
}
