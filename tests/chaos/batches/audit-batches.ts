import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '@tollgate/db/connect'
import type { Seeded } from '../../support/seed.ts'

/** One line of a batch as its client read it. */
export type Line = { readonly prompt: string; readonly isAnswered: boolean }

type Run = {
  readonly owner: Seeded
  readonly lines: readonly Line[]
  /** How often each prompt reached the vendor. */
  readonly sent: ReadonlyMap<string, number>
  /** Lines of each API. */
  readonly each: number
  readonly apis: readonly string[]
}

export type Found = { readonly counts: Readonly<Record<string, number>>; readonly violations: readonly string[] }

const POSTING_MS = 60_000

/**
 * Compares what clients read, what the vendor got and what was charged. A line whose relay or worker died has no answer and is not sent
 * again; it may have been charged once, because the vendor may have answered it.
 */
export async function auditBatches({ db }: { readonly db: Db }, { owner, lines, sent, each, apis }: Run): Promise<Found> {
  const wanted = apis.flatMap((api) => Array.from({ length: each }, (_, at) => `${api} ${at}.`))
  const results = Map.groupBy(lines, ({ prompt }) => prompt)
  const answered = lines.filter(({ isAnswered }) => isAnswered).length
  const lost = wanted.filter((prompt) => !results.has(prompt))
  const doubled = wanted.filter((prompt) => (results.get(prompt)?.length ?? 0) > 1)
  const sentTwice = wanted.filter((prompt) => (sent.get(prompt) ?? 0) > 1)
  const unsent = lines.filter(({ prompt, isAnswered }) => isAnswered && !sent.has(prompt)).map(({ prompt }) => prompt)
  const calls = wanted.reduce((sum, prompt) => sum + (sent.get(prompt) ?? 0), 0)
  const charged = await untilPosted(db, owner, answered)
  const { spent, sum, prices } = charged
  return {
    counts: { answered, interrupted: lines.length - answered, 'vendor calls': calls, charged: charged.count },
    violations: [
      ...lost.map((prompt) => `${prompt} has no result`),
      ...doubled.map((prompt) => `${prompt} has several results`),
      ...sentTwice.map((prompt) => `${prompt} was sent ${sent.get(prompt)} times`),
      ...unsent.map((prompt) => `${prompt} has an answer that the vendor did not give`),
      ...(charged.count < answered ? [`${answered} answers, but ${charged.count} charges`] : []),
      ...(charged.count > calls ? [`${charged.count} charges, but ${calls} calls of the vendor`] : []),
      ...(prices > 1 ? [`${prices} different charges for like answers`] : []),
      ...(spent === sum ? [] : [`the wallet has spent ${spent}, its log rows ${sum}`]),
    ],
  }
}

/** The charges of the batches, once there are as many as answers and no more come. One request before them found the price. */
async function untilPosted(db: Db, { userId }: Seeded, answered: number) {
  const deadline = Date.now() + POSTING_MS
  let last = -1
  for (;;) {
    const rows = await db.selectFrom('logs').select('quota').where('user_id', '=', userId).where('quota', '>', 0).execute()
    const { spent } = await db.selectFrom('users').select('spent').where('id', '=', userId).executeTakeFirstOrThrow()
    const sum = rows.reduce((total, { quota }) => total + quota, 0)
    const isSettled = rows.length === last && rows.length > answered && spent === sum
    if (isSettled || Date.now() > deadline)
      return { count: rows.length - 1, spent, sum, prices: new Set(rows.map(({ quota }) => quota)).size }
    last = rows.length
    // Longer than the reaper waits for requests of a killed relay.
    await wait(12_000)
  }
}
