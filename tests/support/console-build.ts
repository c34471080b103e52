import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildConsole } from '../../deploy/standalone/src/processes/console-build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    consoleDir: string
  }
}

const paths = { root: join(import.meta.dirname, '../..'), stateDir: join(tmpdir(), 'tollgate-console-build') }

/** Builds the console for all tests of a run, before the first, unless it is built. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('consoleDir', await buildConsole(paths, new AbortController().signal))
}
