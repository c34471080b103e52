import { randomUUID } from 'node:crypto'
import type { Operation } from './operation.ts'
import { untilAnswered } from './session.ts'

/** Root adds to or takes from a balance; sometimes the form is sent twice at the same time. */
export const adjustment: Operation = {
  weight: 3,
  run: async ({ root, operators, random }) => {
    const { session } = random.pick(operators)
    const form_id = randomUUID()
    const amount = random.chance(0.3) ? -random.between(1, 50_000) : random.between(1, 200_000)
    const body = { id: session.userId, amount, reason: 'operation', form_id }
    const send = () => untilAnswered(() => root.call('post', '/api/user/quota', body))
    const answers = await Promise.all(random.chance(0.2) ? [send(), send()] : [send()])
    const entries = [{ kind: 'admin', key: `user:${session.userId}:${form_id}`, amount, usernames: [session.username] }] as const
    if (answers.some(({ reply }) => reply?.success === true)) return { outcome: 'booked', entries }
    // A debit that was booked by an unanswered attempt is refused the second time if the balance no longer allows it.
    const isUncertain = answers.some(({ reply, wasRepeated }) => reply === undefined || wasRepeated)
    return { outcome: isUncertain ? 'unanswered' : 'refused', entries }
  },
}
