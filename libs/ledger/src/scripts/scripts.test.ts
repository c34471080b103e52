import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readScript } from './scripts.ts'

const FOLDERS = [new URL('./', import.meta.url), new URL('../../../redis/src/scripts/', import.meta.url)]
const scripts = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.lua'))
    .map((file) => ({ name: file, text: readFileSync(new URL(file, folder), 'utf8').replaceAll(/--.*$/gm, '') })),
)
const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

describe('every script', () => {
  it.each(scripts)('makes nothing from random numbers, of which each server process has the same sequence: $name', ({ text }) => {
    expect(text).not.toContain('math.random')
  })

  it.each(scripts)('reads the clock once, because it goes on during a script before Redis 7.2: $name', ({ name, text }) => {
    const read = countOf(text, name === 'common.lua' ? /'TIME'/g : /'TIME'|now_ms\(\)/g)

    expect(read).toBeLessThanOrEqual(1)
  })

  it.each(scripts)('leaves the text of numbers to `int`, because tostring rounds them: $name', ({ text }) => {
    expect(text).not.toMatch(/tostring\(|string\.format\('%(?!\.0f|d|s)/)
  })
})

it('reads the clock in no part that a script calls beside its own reading', () => {
  for (const part of ['request-window', 'request-wait', 'limit-window', 'limit-correct', 'ending'])
    expect(readScript(part)).not.toMatch(/now_ms\(\)|'TIME'/)
})
