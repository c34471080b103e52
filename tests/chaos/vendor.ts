import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const VendorCall = z.object({
  id: z.string(),
  /** Which try of this request. */
  nth: z.int(),
  at: z.int(),
  is_stream: z.boolean(),
  model: z.string(),
  words: z.int(),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).optional(),
  /** The last byte was handed to the socket and the socket was still there. */
  isWhole: z.boolean(),
  isRefused: z.boolean(),
})
/** One call as the vendor saw it: the truth. */
export type VendorCall = z.infer<typeof VendorCall>

export type Vendor = {
  readonly url: string
  /** Ends the vendor and reads its journal: by the client's request id, in the order of the tries. */
  end(): Promise<ReadonlyMap<string, readonly VendorCall[]>>
  stop(): void
}

/** The vendor in a process of its own, so that its work is not the load's. */
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
      return await readJournal(file)
    },
  }
}

async function readJournal(file: string): Promise<Map<string, VendorCall[]>> {
  const journal = new Map<string, VendorCall[]>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const call = VendorCall.parse(JSON.parse(line))
    const calls = journal.get(call.id)
    if (calls === undefined) journal.set(call.id, [call])
    else calls.push(call)
  }
  for (const calls of journal.values()) calls.sort((one, other) => one.nth - other.nth)
  return journal
}
