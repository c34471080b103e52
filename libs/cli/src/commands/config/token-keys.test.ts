import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeyFiles } from './token-keys.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plan = (...files: readonly string[]) => ({
  changes: files.map((file, at) => ({
    kind: 'token' as const,
    name: `token-${at}`,
    action: 'create' as const,
    fields: [],
    version: '',
    key_file: file,
  })),
})
const at = (name: string): string => join(folder, name)

describe('files for the keys of tokens', () => {
  it('hold one key each, which only their owner can read', () => {
    const files = openKeyFiles(plan('a.key', 'deep/b.key'), folder)

    expect(files.write(['token-0', 'token-1', 'token-2'].map((name) => ({ name, key: `sk-${name}` })))).toEqual([
      { name: 'token-2', key: 'sk-token-2' },
    ])
    expect([readFileSync(at('a.key'), 'utf8'), readFileSync(at('deep/b.key'), 'utf8')]).toEqual(['sk-token-0\n', 'sk-token-1\n'])
    expect(statSync(at('a.key')).mode & 0o777).toBe(0o600)
  })

  it('are left alone where they are of another run: nothing of this one stays', () => {
    symlinkSync('nowhere', at('b.key'))

    expect(() => openKeyFiles(plan('a.key', 'b.key'), folder)).toThrow('cannot write the key of a token')
    expect([existsSync(at('a.key')), lstatSync(at('b.key')).isSymbolicLink()]).toEqual([false, true])
  })

  it('that were replaced meanwhile get no key: it is shown instead, and the other file stays', () => {
    const files = openKeyFiles(plan('a.key'), folder)
    rmSync(at('a.key'))
    writeFileSync(at('a.key'), 'of another run')

    expect(files.write([{ name: 'token-0', key: 'sk-0' }])).toEqual([{ name: 'token-0', key: 'sk-0' }])
    expect(readFileSync(at('a.key'), 'utf8')).toBe('of another run')
  })

  it('are removed when nothing was applied, and only they', () => {
    const files = openKeyFiles(plan('a.key', 'b.key'), folder)
    rmSync(at('b.key'))
    writeFileSync(at('b.key'), 'of another run')

    files.discard()

    expect([existsSync(at('a.key')), readFileSync(at('b.key'), 'utf8')]).toEqual([false, 'of another run'])
  })

  it('whose folder is gone leave their key to be shown', () => {
    const files = openKeyFiles(plan('a.key'), folder)
    rmSync(folder, { recursive: true })

    expect(files.write([{ name: 'token-0', key: 'sk-0' }])).toEqual([{ name: 'token-0', key: 'sk-0' }])
  })
})
