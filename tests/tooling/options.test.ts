import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { optionKeys, optionOf, type OptionKey } from '../../libs/contracts/src/options/registry.ts'
import type { Reader } from '../../libs/contracts/src/options/option.ts'
import { optionTests } from '../../scripts/gen/option-tests.ts'
import { problemOfTest, toEffectRow } from '../../scripts/gen/options.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Packages whose code reads options for a service. */
const SOURCES: Readonly<Record<Reader, readonly string[]>> = {
  relay: ['services/relay/src'],
  'control-plane': ['services/control-plane/src', 'libs/payments/src', 'libs/mail/src', 'libs/domain/src/pricing/price-snapshots.ts'],
  worker: ['services/worker/src', 'libs/payments/src', 'libs/mail/src', 'libs/db/src/queries/ledger/posting.ts'],
}
const READERS: readonly Reader[] = ['relay', 'control-plane', 'worker']

function sourceOf(folders: readonly string[]): string {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return files
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
}

const sources = new Map(READERS.map((reader) => [reader, sourceOf(SOURCES[reader])]))

/** Prices and groups reach relays as their own kinds, public options through the site status. */
function isRead(key: OptionKey, reader: Reader): boolean {
  const { snapshotAs, publicAs } = optionOf(key)
  if (reader !== 'control-plane' && snapshotAs !== undefined) return true
  if (reader === 'control-plane' && publicAs !== undefined) return true
  const name = key.replaceAll('.', '\\.')
  return new RegExp(`['"\`.]${name}\\b|[{,]\\s*${name}\\b`).test(sources.get(reader) ?? '')
}

describe('the table of options', () => {
  it('has no empty cell', () => {
    const empty = optionKeys.filter((key) => toEffectRow(key).some((cell) => cell.trim() === ''))
    expect(empty).toEqual([])
  })

  it('names tests that exist', () => {
    expect(optionKeys.map(problemOfTest).filter((problem) => problem !== undefined)).toEqual([])
  })

  it('names no test for an option that does not exist or does nothing', () => {
    const wrong = [...optionTests.keys()].filter(
      (key) => !optionKeys.some((one) => one === key && optionOf(one).withoutEffect === undefined),
    )
    expect(wrong).toEqual([])
  })

  it('declares as readers the services whose code names the option', () => {
    const effective = optionKeys.filter((key) => optionOf(key).withoutEffect === undefined)
    const idle = effective.flatMap((key) =>
      optionOf(key)
        .readBy.filter((reader) => !isRead(key, reader))
        .map((reader) => `${key}: ${reader} does not read it`),
    )
    const unknown = effective.flatMap((key) =>
      (['relay', 'worker'] as const)
        .filter((reader) => optionOf(key).snapshotAs === undefined && !optionOf(key).readBy.includes(reader) && isRead(key, reader))
        .map((reader) => `${key}: ${reader} reads it undeclared`),
    )
    expect([...idle, ...unknown]).toEqual([])
  })
})
