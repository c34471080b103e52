import { setTimeout as wait } from 'node:timers/promises'
import type { components } from '@tollgate/admin-client/schema.gen'
import { readSite, type Session } from '../../session/session.ts'
import type { Effect } from './render-plan.ts'

export const REPLAY_DAYS = 7
const ASK_EVERY_MS = 500

type Prices = components['schemas']['PriceTexts']

/** The result of a price replay with these prices, in the worker; undefined with a line on standard error when there is none in time. */
export async function replayPrices(session: Session, prices: Prices, seconds: number): Promise<Effect | undefined> {
  const { client } = session
  const { id } = await session.data(client.POST('/api/option/price_replay', { body: { prices, days: REPLAY_DAYS } }))
  const deadline = Date.now() + seconds * 1000
  note(`Pricing the requests of the last ${REPLAY_DAYS} days again; --no-replay skips this.`)
  while (Date.now() < deadline) {
    const replay = await session.data(client.GET('/api/option/price_replay'))
    if (replay === null || replay.id !== id) return without('another replay was started')
    if (replay.state === 'done' && replay.result !== null) return replay.result
    if (replay.state === 'failed' || replay.state === 'cancelled') return without(`the replay was ${replay.state}`)
    progress(replay.done, replay.total)
    await wait(ASK_EVERY_MS)
  }
  return without(`the replay has not ended after ${seconds} s; its result will be in the console`)
}

export const perUnitOf = async (session: Session): Promise<number> => (await readSite(session)).quota_per_unit

const note = (text: string): void => void process.stderr.write(`${text}\n`)

function without(reason: string): undefined {
  note(`The effect in money is not known: ${reason}.`)
}

/** On a terminal only, where the line is written over. */
function progress(done: number, total: number): void {
  if (process.stderr.isTTY && total > 0) process.stderr.write(`\r${Math.min(100, Math.floor((done / total) * 100))}% `)
}
