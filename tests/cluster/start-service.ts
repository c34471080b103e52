import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasEnded, spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { isReady } from '../support/is-ready.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 60_000
/** A relay finishes its streams first. */
const STOP_WITHIN_MS = 75_000
const SHOWN_LINES = 5

export type Started = { readonly name: string; readonly url: string; readonly pid: number; stop(): Promise<void> }

type Order = { readonly name: string; readonly port: number; readonly env: Readonly<Record<string, string>>; readonly logDir: string }

/** Starts one service, `relay-2` from services/relay, and waits until it is ready. Its output goes to a file of its name. */
export async function startService({ name, port, env, logDir }: Order): Promise<Started> {
  const logFile = join(logDir, `${name}.log`)
  const main = join(ROOT, 'services', name.replace(/-\d+$/, ''), 'src/main.ts')
  const child = spawnDetached({ command: process.execPath, args: [main], env, cwd: ROOT, logFile })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await isReady(url))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stopProcess(child, 'SIGKILL')
      throw new Error(`${name} did not become ready; its log ends with:\n${await lastLinesOf(logFile)}`)
    }
    await wait(100)
  }
  return { name, url, pid: child.pid ?? 0, stop: () => stopProcess(child, 'SIGTERM', STOP_WITHIN_MS) }
}

/** The folder of the log is removed when the start has failed. */
const lastLinesOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
