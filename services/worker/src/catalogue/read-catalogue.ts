import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { pricesOfDay, type CatalogueTask, type PricesOfDay } from './prices-of-day.ts'

/** A smaller file is read in a few milliseconds. */
const MIN_THREAD_BYTES = 64 * 1024

/** Memory for a file of the largest size that is fetched. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 768 }

/**
 * Reads the prices of a day of some models from a catalogue, 'format' if it is none, and 'too-large' if it takes too much memory. A thread
 * reads a large one, because megabytes of JSON would occupy the event loop for seconds.
 */
export async function readCatalogue(task: CatalogueTask, signal: AbortSignal): Promise<PricesOfDay | 'format' | 'too-large'> {
  if (task.file !== undefined && task.file.length < MIN_THREAD_BYTES) return pricesOfDay(task)
  const thread = new Worker(new URL('catalogue-thread.ts', import.meta.url), {
    name: 'price catalogue',
    env: {},
    execArgv: [],
    workerData: task,
    transferList: task.file === undefined ? [] : [task.file.buffer as ArrayBuffer], // fetchFileBytes made it
    resourceLimits: THREAD_LIMITS,
  })
  try {
    const [message] = await once(thread, 'message', { signal })
    return message as PricesOfDay | 'format' // catalogue-thread.ts wrote it
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'too-large'
    throw error
  } finally {
    await thread.terminate()
  }
}
