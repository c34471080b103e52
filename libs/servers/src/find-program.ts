import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Absolute path of the first of these programs that is on the PATH and runs with the flag. */
export async function findProgram(names: readonly string[], flag = '--version'): Promise<string | undefined> {
  for (const name of names) {
    const path = await runningPath(name, flag)
    if (path !== undefined) return path
  }
  return undefined
}

async function runningPath(name: string, flag: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('sh', ['-c', 'command -v "$1"', 'sh', name])
    const path = stdout.trim()
    await run(path, [flag])
    return path
  } catch {
    // Not there, or it fails: the next one is tried.
    return undefined
  }
}
