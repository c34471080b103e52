import { z } from 'zod'

/** Why a channel, or one of its keys, was disabled automatically. */
export const DisableReason = z.object({
  status_reason: z.string(),
  /** Unix seconds. */
  status_time: z.number(),
  /** HTTP status of the upstream's answer; 0: no answer. */
  status: z.number().optional(),
  code: z.string().optional(),
  /** The upstream's error text, at most 300 characters. */
  text: z.string().optional(),
})
export type DisableReason = z.infer<typeof DisableReason>

/** A channel that no call can test returns on probation: real requests say whether it works. */
const Probation = z.object({
  /** How often in a row it was enabled and disabled again. */
  tries: z.int().nonnegative(),
  /** When it was enabled last, in unix seconds. */
  since: z.number(),
})

/** A channel's `other_info`: why it was disabled, and by key id why keys were. Other entries are kept. */
const ChannelInfo = z.looseObject({
  ...DisableReason.partial().shape,
  keys: z.record(z.string(), DisableReason).optional(),
  probation: Probation.optional(),
})
export type ChannelInfo = z.infer<typeof ChannelInfo>

/** Reads `other_info`; unreadable text gives an empty object. */
export function parseChannelInfo(text: string): ChannelInfo {
  if (text.trim() === '') return {}
  try {
    return ChannelInfo.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    // Imported data that is not JSON; the next disable reason replaces it.
    return {}
  }
}

/** Removes the disable reason of the channel (no `key_id`) or of one key. */
export function withoutDisableReason(info: ChannelInfo, key_id?: string): ChannelInfo {
  if (key_id !== undefined) {
    const keys = Object.fromEntries(Object.entries(info.keys ?? {}).filter(([known]) => known !== key_id))
    return { ...info, keys: Object.keys(keys).length === 0 ? undefined : keys }
  }
  const { status_reason: _reason, status_time: _time, status: _status, code: _code, text: _text, ...rest } = info
  return rest
}

export function encodeChannelInfo(info: ChannelInfo): string {
  const text = JSON.stringify(info)
  return text === '{}' ? '' : text
}
