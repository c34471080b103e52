import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findProgram } from './find-program.ts'

let dir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tollgate-programs-'))
  await writeFile(join(dir, 'broken'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await writeFile(join(dir, 'sound'), '#!/bin/sh\ntest "$1" = -v\n', { mode: 0o755 })
})
afterAll(() => rm(dir, { recursive: true }))

it('passes over a program that is missing or does not run', async () => {
  const names = ['missing', 'broken', 'sound'].map((name) => join(dir, name))

  expect(await findProgram(names, '-v')).toBe(join(dir, 'sound'))
  expect(await findProgram(names)).toBeUndefined()
})

it('tells the absolute path of a program on the PATH', async () => {
  const path = (await findProgram(['node'])) ?? ''

  expect(isAbsolute(path)).toBe(true)
})
