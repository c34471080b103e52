import { AsyncResource } from 'node:async_hooks'
import type { Share } from '@tollgate/shares/budget'

/** After this time without a byte taken, an answer ends. */
export const READER_TIMEOUT_S = 60

/**
 * The answer, which holds its share of a budget until its body is read, or given up. A reader that takes nothing for a while ends it: the
 * time in which the answer has nothing to give does not count.
 */
export function holdWhileRead(response: Response, share: Share): Response {
  if (response.body === null) {
    share.release()
    return response
  }
  const source = response.body.getReader()
  // Reads while the answer is sent belong to this call.
  const readNext = AsyncResource.bind(() => source.read())
  let timer: NodeJS.Timeout | undefined
  let endAnswer: (cause: Error) => void = () => undefined
  const wait = (): void => {
    timer = setTimeout(() => {
      const cause = new Error(`the reader took nothing for ${READER_TIMEOUT_S} s`)
      endAnswer(cause)
      void giveUp(cause)
    }, READER_TIMEOUT_S * 1000)
  }
  const end = (): void => {
    clearTimeout(timer)
    share.release()
  }
  const giveUp = async (cause: unknown): Promise<void> => {
    end()
    await source.cancel(cause)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        endAnswer = (cause) => controller.error(cause)
        wait()
      },
      pull: async (controller) => {
        clearTimeout(timer)
        try {
          const { done, value } = await readNext()
          if (done) {
            end()
            controller.close()
            return
          }
          controller.enqueue(value)
          wait()
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      cancel: giveUp,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}
