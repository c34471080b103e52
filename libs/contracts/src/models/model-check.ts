import { z } from 'zod'
import { optionalFault } from '../failures/fault.ts'
import { UnixSeconds } from '../units.ts'

/** How a channel's models differ from those that its vendor listed last. */
export const ModelCheck = z.object({
  /** The last time the vendor was asked. */
  at: UnixSeconds,
  /** Listed by the vendor, and not a model of the channel. */
  fresh: z.array(z.string()),
  /** Models of the channel that the vendor does not list. */
  gone: z.array(z.string()),
  /** Why the vendor's list could not be read; the names are of an earlier check then. Empty: it was read. */
  error: z.string(),
  fault: optionalFault,
})
export type ModelCheck = z.infer<typeof ModelCheck>

/** Reads a channel's `model_check`; undefined if there was none or the text is unreadable. */
export function parseModelCheck(text: string): ModelCheck | undefined {
  if (text === '') return undefined
  try {
    return ModelCheck.safeParse(JSON.parse(text)).data
  } catch {
    // Not JSON: written by another version.
    return undefined
  }
}
