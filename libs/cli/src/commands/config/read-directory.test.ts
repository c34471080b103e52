import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDirectory } from './read-directory.ts'

let folder: string
let config: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'))
  config = join(folder, 'config')
  mkdirSync(config)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)
const contents = (): Record<string, unknown> =>
  Object.fromEntries(readDirectory(config).files.map(({ path, content }) => [path, JSON.parse(content)]))

describe('a directory of configuration', () => {
  it('is read through links to files, as Kubernetes mounts a ConfigMap', () => {
    mkdirSync(join(config, '..2026_11_30'))
    write('config/..2026_11_30/groups.yaml', 'groups: { a: {} }')
    symlinkSync('..2026_11_30', join(config, '..data'))
    symlinkSync('..data/groups.yaml', join(config, 'groups.yaml'))
    write('config/prices.yaml', 'prices: {}')

    expect(contents()).toEqual({ 'groups.yaml': { groups: { a: {} } }, 'prices.yaml': { prices: {} } })
  })

  it.each([
    ['to a file that is gone', 'missing.yaml', 'groups.yaml'],
    ['to a directory', 'shared', 'shared'],
  ])('with a link %s is refused, so that nothing counts as removed', (_, target, name) => {
    mkdirSync(join(folder, 'shared'))
    write('shared/groups.yaml', 'groups: { a: {} }')
    write('config/prices.yaml', 'prices: {}')
    symlinkSync(join('..', target), join(config, name))

    expect(() => readDirectory(config)).toThrow(`${join(config, name)} is a link`)
  })

  it('gives the secret of a channel that is named by an alias', () => {
    write('house.key', 'sk-house\n')
    write('config/channels.yaml', 'channels:\n  - { name: a, key: &house { file: ../house.key } }\n  - { name: b, key: *house }\n')
    write('config/more.yaml', 'options: { SMTPToken: { file: ../smtp.key } }')
    write('smtp.key', 'hush')

    expect(readDirectory(config).secrets).toEqual({ 'file:../house.key': 'sk-house', 'file:../smtp.key': 'hush' })

    write('config/channels.yaml', 'shared: &all [{ name: a, key: { file: ../house.key } }]\nchannels: *all')
    expect(readDirectory(config).secrets).toHaveProperty('file:../house.key')
  })

  it('of a hundred thousand prices is read in seconds, and one that is there twice is refused', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `  model-${at}: { ModelRatio: 1 }`)
    write('config/prices.yaml', `prices:\n${lines.join('\n')}\n`)
    expect(Object.keys(Object(contents()['prices.yaml']).prices)).toHaveLength(100_000)

    write('config/prices.yaml', `prices:\n${[...lines.slice(0, 1000), lines[7]].join('\n')}\n`)
    expect(() => readDirectory(config)).toThrow(/prices\.yaml:1002: Map keys must be unique/)
  }, 20_000)
})
