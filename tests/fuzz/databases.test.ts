import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMPORT_KINDS } from '@tollgate/contracts/moving-in/records'
import { openSource, UnknownSchema } from '@tollgate/moving-in/open-source'
import { DamagedSource } from '@tollgate/moving-in/stores/damaged-source'
import { GENERATIONS, gatewayTables, writeGatewayFile } from '@tollgate/testing/gateway-database'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const RUNS = 150
const PAGE = 4096
/** The tables have a few rows each. */
const LIMIT = 2
const MAX_PAGES = 500

const share = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const byte = fc.integer({ min: 0, max: 255 })

/** Places are shares of the file, or of a page. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('byte'), at: share, value: byte }),
  fc.record({ kind: fc.constant('header'), at: fc.integer({ min: 16, max: 99 }), value: byte }),
  fc.record({ kind: fc.constant('page header'), page: share, at: fc.integer({ min: 0, max: 60 }), value: byte }),
  fc.record({ kind: fc.constant('swap'), page: share, other: share }),
  fc.record({ kind: fc.constant('copy'), page: share, other: share }),
  fc.record({ kind: fc.constant('fill'), page: share, from: share, value: fc.constantFrom(0, 255) }),
  fc.record({ kind: fc.constant('cut'), at: share }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(file: Buffer, changes: readonly Change[]): Buffer {
  let bytes: Buffer = Buffer.from(file)
  for (const one of changes) bytes = applied(bytes, one)
  return bytes
}

function applied(bytes: Buffer, one: Change): Buffer {
  const startOf = (of: number): number => Math.floor((of * bytes.length) / PAGE) * PAGE
  switch (one.kind) {
    case 'byte':
      bytes[Math.floor(one.at * bytes.length)] = one.value
      return bytes
    case 'header':
      if (bytes.length > one.at) bytes[one.at] = one.value
      return bytes
    case 'page header': {
      // The first page begins with the header of the file.
      const at = startOf(one.page) + (startOf(one.page) === 0 ? 100 : 0) + one.at
      if (at < bytes.length) bytes[at] = one.value
      return bytes
    }
    case 'cut':
      return bytes.subarray(0, Math.floor(one.at * bytes.length))
    case 'fill':
      bytes.subarray(startOf(one.page) + Math.floor(one.from * PAGE), startOf(one.page) + PAGE).fill(one.value)
      return bytes
    default: {
      const [page, other] = [startOf(one.page), startOf(one.other)]
      const kept = Buffer.from(bytes.subarray(page, page + PAGE))
      bytes.copy(bytes, page, other, other + PAGE)
      if (one.kind === 'swap') kept.copy(bytes, other)
      return bytes
    }
  }
}

describe.each(GENERATIONS)('a changed database of %s', (generation) => {
  let dir: string
  let file: Buffer
  let path: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tollgate-databases-'))
    path = join(dir, 'source.db')
    writeGatewayFile(path, gatewayTables(generation))
    file = await readFile(path)
  })
  afterAll(() => rm(dir, { recursive: true }))

  it('is read to its end, or refused before its first row', { timeout: 120_000 }, async () => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        await writeFile(path, changed(file, changes))
        outcomes.add(await readWhole(path))
      }),
      { numRuns: RUNS },
    )
    expect(outcomes).toEqual(new Set(['read', 'refused']))
  })
})

async function readWhole(path: string): Promise<'read' | 'refused'> {
  let source
  try {
    source = await openSource(path, { now: 0 })
  } catch (error) {
    const isDeclared = error instanceof DamagedSource || error instanceof UnknownSchema || isOfSqlite(error)
    if (!isDeclared) throw error
    return 'refused'
  }
  try {
    await source.fingerprint()
    await source.statedPrices()
    await source.observedPrices()
    await source.samples(10)
    await source.sums()
    for (const kind of IMPORT_KINDS) {
      const [count, max] = [await source.count(kind), await source.maxId(kind)]
      expect([count, max].every(Number.isSafeInteger)).toBe(true)
      let [read, pages] = [0, 0]
      for (let after: string | undefined; ; pages += 1) {
        expect(pages).toBeLessThan(MAX_PAGES)
        const batch = await source.read(kind, { after, limit: LIMIT })
        read += batch.read
        expect(batch.records.length + batch.refused.length + batch.skipped).toBe(batch.read)
        after = batch.next
        if (after === undefined) break
      }
      expect(read).toBe(count)
    }
    return 'read'
  } finally {
    await source.close()
  }
}

const isOfSqlite = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
