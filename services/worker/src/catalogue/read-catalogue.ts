import { MIN_THREAD_BYTES, readInThread } from '@tollgate/outbound/read-in-thread'
import { pricesOfDay, type CatalogueTask, type PricesOfDay } from './prices-of-day.ts'

/** Reads the prices of a day of some models from a catalogue, 'format' if it is none, and 'too-large' if it takes too much memory. */
export async function readCatalogue(task: CatalogueTask, signal: AbortSignal): Promise<PricesOfDay | 'format' | 'too-large'> {
  if (task.file !== undefined && task.file.length < MIN_THREAD_BYTES) return pricesOfDay(task)
  const script = new URL('catalogue-thread.ts', import.meta.url)
  return await readInThread<PricesOfDay | 'format'>(script, { name: 'price catalogue', task, moved: task.file, signal })
}
