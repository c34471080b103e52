import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { GROUPS } from './script.ts'

const VendorCall = z.object({
  id: z.string(),
  /** Number of the attempt, from 1. */
  nth: z.int(),
  at: z.int(),
  is_stream: z.boolean(),
  model: z.string(),
  /** The group of the channel, from its address. */
  group: z.enum(GROUPS),
  words: z.int(),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).optional(),
  /** The last byte was written to an open socket. */
  isWhole: z.boolean(),
  isRefused: z.boolean(),
})
/** One call as the vendor saw it. */
export type VendorCall = z.infer<typeof VendorCall>

export type Vendor = {
  readonly url: string
  /** Stops the vendor and reads its calls: by the client's request id, in the order of the attempts. */
  end(): Promise<ReadonlyMap<string, readonly VendorCall[]>>
  stop(): void
}

/** Starts the vendor as a separate process, so that it does not delay the load generator. */
export async function startVendor(dir: string): Promise<Vendor> {
  const file = join(dir, 'vendor.jsonl')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'vendor-main.ts'), file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const stop = (): void => void child.kill('SIGKILL')
  process.on('exit', stop)
  const [line]: unknown[] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${Number(String(line))}`,
    stop,
    end: async () => {
      child.kill('SIGTERM')
      await ended
      return await readCalls(file)
    },
  }
}

async function readCalls(file: string): Promise<Map<string, VendorCall[]>> {
  const callsById = new Map<string, VendorCall[]>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const call = VendorCall.parse(JSON.parse(line))
    const calls = callsById.get(call.id)
    if (calls === undefined) callsById.set(call.id, [call])
    else calls.push(call)
  }
  for (const calls of callsById.values()) calls.sort((one, other) => one.nth - other.nth)
  return callsById
}
