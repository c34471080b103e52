import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    consoleDir: string
  }
}

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

/** Builds the console once per test run, for all browser tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  const vite = join(ROOT, 'node_modules/.bin/vite')
  await run(process.execPath, [vite, 'build', '--outDir', dir, '--emptyOutDir'], {
    cwd: join(ROOT, 'web/console'),
    env: { ...process.env, NODE_ENV: 'production' },
  })
  project.provide('consoleDir', dir)
  return () => rm(dir, { recursive: true, force: true })
}
