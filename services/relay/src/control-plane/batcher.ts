export type Batcher<I, O> = {
  /** One answer per input; simultaneous requests for the same input share one. */
  request(input: I): Promise<O>
}

export class BatchesFull extends Error {
  override readonly name = 'BatchesFull'
}

type BatcherOptions<I, O> = {
  readonly keyOf: (input: I) => string
  /** Answers in the order of the inputs. */
  readonly send: (inputs: readonly I[]) => Promise<readonly O[]>
  readonly maxSize: number
  readonly delayMs: number
  readonly maxInFlight: number
  /** Inputs beyond this number are refused with BatchesFull. */
  readonly maxWaiting: number
}

type Ticket<I, O> = { readonly input: I; readonly key: string; resolve(answer: O): void; reject(error: unknown): void }

/** Collects single inputs into few calls, with a bounded queue. */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const waiting: Ticket<I, O>[] = []
  const pending = new Map<string, Promise<O>>()
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    while (waiting.length > 0 && inFlight < options.maxInFlight) {
      const batch = waiting.splice(0, options.maxSize)
      inFlight += 1
      void sendBatch(options, batch).finally(() => {
        inFlight -= 1
        if (waiting.length > 0 && timer === undefined) flush()
      })
    }
  }

  return {
    request: (input) => {
      const key = options.keyOf(input)
      const running = pending.get(key)
      if (running !== undefined) return running
      if (waiting.length >= options.maxWaiting) return Promise.reject(new BatchesFull('too many inputs are queued'))
      const { promise, resolve, reject } = Promise.withResolvers<O>()
      pending.set(key, promise)
      const forget = () => void pending.delete(key)
      promise.then(forget, forget)
      waiting.push({ input, key, resolve, reject })
      if (waiting.length >= options.maxSize) flush()
      else timer ??= setTimeout(flush, options.delayMs)
      return promise
    },
  }
}

async function sendBatch<I, O>({ send }: BatcherOptions<I, O>, batch: readonly Ticket<I, O>[]): Promise<void> {
  try {
    const answers = await send(batch.map(({ input }) => input))
    if (answers.length !== batch.length) throw new Error('the number of answers differs from the number of inputs')
    for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
  } catch (error) {
    for (const ticket of batch) ticket.reject(error)
  }
}
