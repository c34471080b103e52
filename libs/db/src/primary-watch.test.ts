import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import postgres from 'postgres'
import { startPostgresPair, type PostgresPair } from '@tollgate/testing/postgres-pair'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { connectDb, type Db } from './connect.ts'

let pair: PostgresPair
let address: TcpProxy
let db: Db
beforeAll(async () => {
  pair = await startPostgresPair(async (url) => {
    const admin = postgres(url, { max: 1 })
    await admin`create table notes (text text)`
    await admin.end()
  })
})
afterAll(() => pair.stop())
beforeEach(async () => {
  address = await startTcpProxy(pair.primary)
})
afterEach(async () => {
  await db.destroy()
  await address.close()
})

const connectThrough = (query = ''): Db =>
  connectDb({
    url: `postgres://tollgate@127.0.0.1:${address.port}/postgres${query}`,
    max: 2,
    limits: { answerWithinMs: 1000, idleInTransactionMs: 5000 },
    followsPrimary: true,
  })
const note = (text: string) => sql`insert into notes values (${text})`.execute(db)
const listNotes = async (port: number): Promise<string[]> => {
  const reader = postgres(`postgres://tollgate@127.0.0.1:${port}/postgres`, { max: 1 })
  const rows = await reader<{ text: string }[]>`select text from notes order by text`
  await reader.end()
  return rows.map(({ text }) => text)
}

describe('a standby behind the address of the primary', () => {
  it.each(['', '?target_session_attrs=read-write'])('counts as unavailable%s', async (query) => {
    address.pointTo(pair.standby)
    db = connectThrough(query)

    await expect(note('to the standby')).rejects.toMatchObject({ code: 'store.unavailable' })

    address.pointTo(pair.primary)
    await vi.waitFor(() => note('to the primary'))
  })

  it('is used where the address says so', async () => {
    address.pointTo(pair.standby)
    db = connectThrough('?target_session_attrs=standby')

    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    // A session that is refused is not lent again.
    await expect(note('to the standby')).rejects.toMatchObject({ code: 'store.unavailable' })
  })

  it('is found by the open connections to the old primary when it was promoted, and gets the next rows', async () => {
    db = connectThrough()
    await note('before')
    address.pointTo(pair.standby)
    await pair.promote()
    // The old primary lives on, and so do the connections to it.
    await note('to the old one')

    await vi.waitFor(
      async () => {
        await note('after').catch(() => undefined)
        expect(await listNotes(pair.standby)).toContain('after')
      },
      { timeout: 12_000, interval: 200 },
    )

    const lost = await listNotes(pair.primary)
    await note('later')
    expect(await listNotes(pair.primary)).toEqual(lost)
    expect(await listNotes(pair.standby)).toContain('later')
  })
})
