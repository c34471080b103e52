import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchSources } from './watch-sources.ts'

let root = ''
let stop: () => Promise<void>
const reports: (readonly string[])[] = []
let wake = (): void => undefined

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-sources-'))
  await mkdir(join(root, 'deep/folder'), { recursive: true })
  await writeFile(join(root, 'deep/folder/a.ts'), '1')
  stop = await watchSources([root], (files) => {
    reports.push(files.map((file) => file.slice(root.length + 1)))
    wake()
  })
})
afterEach(async () => {
  await stop()
  await rm(root, { recursive: true })
  reports.length = 0
})

/** The files of the next report. */
async function next(): Promise<readonly string[]> {
  while (reports.length === 0) await new Promise<void>((resolve) => (wake = resolve))
  return reports.shift() ?? []
}
/** Waits for a report of this file; a slow machine may report the one before twice. */
async function reported(file: string): Promise<void> {
  while (!(await next()).includes(file));
}

const write = (file: string): Promise<void> => writeFile(join(root, file), String(Math.random()))
/** As editors save and git checks out: the file is another one afterwards. */
async function replace(file: string): Promise<void> {
  await write(`${file}.new`)
  await rename(join(root, `${file}.new`), join(root, file))
}

it('reports a file each time that it is written or replaced', async () => {
  for (const change of [replace, replace, write, replace, write]) {
    await change('deep/folder/a.ts')
    expect(await next()).toEqual(['deep/folder/a.ts'])
  }
})

it('reports files of new folders, also of one that was there before', async () => {
  await mkdir(join(root, 'new'))
  await write('new/b.ts')
  await reported('new/b.ts')
  await rm(join(root, 'new'), { recursive: true })
  await reported('new/b.ts')

  await mkdir(join(root, 'new'))
  await write('new/c.lua')
  await reported('new/c.lua')
  await replace('new/d.json')
  await reported('new/d.json')
})

it('reports neither tests nor notes', async () => {
  await write('deep/folder/a.test.ts')
  await write('README.md')
  await write('deep/folder/a.ts')

  expect(await next()).toEqual(['deep/folder/a.ts'])
})
