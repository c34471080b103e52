import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

export type TaskVendor = {
  readonly url: string
  /** How often the vendor took each task, by the id of its script. */
  accepted(): Promise<ReadonlyMap<string, number>>
  stop(): void
}

/** Starts the vendor of tasks as a process of its own; it reports ends to `relays`. `steady`: it answers every question. */
export async function startTaskVendor(relays: readonly string[], mode: 'faulty' | 'steady' = 'faulty'): Promise<TaskVendor> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'task-vendor-main.ts'), mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = (): void => void child.kill('SIGKILL')
  process.on('exit', stop)
  const [line]: unknown[] = await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${Number(String(line))}`
  await fetch(`${url}/chaos/relays`, { method: 'POST', body: JSON.stringify({ relays }) })
  return {
    url,
    stop,
    accepted: async () => {
      const answer: unknown = await (await fetch(`${url}/chaos/accepted`)).json()
      return new Map(Object.entries(z.record(z.string(), z.int()).parse(answer)))
    },
  }
}
