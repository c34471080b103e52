import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { tableOf, type ColumnTypes } from './columns.ts'

type Row = { id: number; text: string; is_on: boolean; json: unknown }
const TYPES: ColumnTypes<Row> = { id: 'bigint', text: 'text', is_on: 'boolean', json: 'jsonb' }

describe('rows as arrays', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  it.each<[string, string]>([
    ['nothing', ''],
    ['the word for null', 'NULL'],
    ['quotes', `it’s "quoted" by 'two'`],
    ['backslashes', String.raw`C:\new\"x"\\`],
    ['what arrays are made of', '{a,b},{,} '],
    ['line ends and tabs', 'one\ntwo\r\n\tthree\b\f\u0001\u001f'],
    ['line ends beside quotes and backslashes', '"\\\n\\"'],
    ['other scripts', '模型倍率 😀 \u2028\u2029\u007f'],
    ['what looks like an escape', String.raw`\n \u0041 \\u0041`],
  ])('keeps text unchanged: %s', async (_what, text) => {
    const rows: Row[] = [
      { id: 1, text, is_on: true, json: { [text]: [text, null, 1.5] } },
      { id: Number.MAX_SAFE_INTEGER, text: 'other', is_on: false, json: null },
    ]

    const { rows: read } = await sql<Row>`select * from ${tableOf(rows, TYPES)} order by id`.execute(test.db)

    expect(read).toEqual(rows)
  })
})
