import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A smaller file is read in a few milliseconds. */
export const MIN_THREAD_BYTES = 64 * 1024

/** Memory for a file of the largest size that `fetchFile` fetches. */
const LIMITS = { maxOldGenerationSizeMb: 768 }

type Reading = {
  readonly name: string
  /** The `workerData` of the thread. */
  readonly task: unknown
  /** Bytes of the task that the thread keeps for itself; they share their memory with nothing else. */
  readonly moved?: Uint8Array | undefined
  readonly signal?: AbortSignal
}

/**
 * The one message of a thread that reads a fetched file, 'too-large' if that takes too much memory. Megabytes of JSON would occupy the event
 * loop for seconds. `Message` is what the script posts.
 */
export async function readInThread<Message>(script: URL, { name, task, moved, signal }: Reading): Promise<Message | 'too-large'> {
  const thread = new Worker(script, {
    name,
    env: {},
    execArgv: [],
    workerData: task,
    transferList: moved === undefined ? [] : [moved.buffer as ArrayBuffer], // no bytes here are shared between threads
    resourceLimits: LIMITS,
  })
  try {
    const [message] = await once(thread, 'message', signal === undefined ? {} : { signal })
    return message as Message
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'too-large'
    throw error
  } finally {
    await thread.terminate()
  }
}
