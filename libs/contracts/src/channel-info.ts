import { z } from 'zod'

/** Why a channel, or one of its keys, was taken out of service. */
export const DisableReason = z.object({
  status_reason: z.string(),
  /** Unix seconds. */
  status_time: z.number(),
  /** What upstream answered; 0: it never did. */
  status: z.number().optional(),
  code: z.string().optional(),
  /** Its own text, at most 300 characters. */
  text: z.string().optional(),
})
export type DisableReason = z.infer<typeof DisableReason>

/** A channel's `other_info`: evidence against the whole of it, and against single keys by their ids. Other entries are kept. */
const ChannelInfo = z.looseObject({ ...DisableReason.partial().shape, keys: z.record(z.string(), DisableReason).optional() })
export type ChannelInfo = z.infer<typeof ChannelInfo>

/** Reads `other_info`; what cannot be read says nothing. */
export function parseChannelInfo(text: string): ChannelInfo {
  if (text.trim() === '') return {}
  try {
    return ChannelInfo.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    // Imported rubbish; the next evidence replaces it.
    return {}
  }
}

/** Without the evidence against the channel (no key id), or against one key. */
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
