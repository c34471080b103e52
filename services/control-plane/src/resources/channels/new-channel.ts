import { AppError } from '@tollgate/contracts/app-error'
import type { NewChannel, NewChannelFields } from '@tollgate/contracts/resources/channels'
import type { ChannelFields } from '@tollgate/db/queries/channels/channels'
import { MULTI_KEY_MODES, splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import { isVertex, parseObject, toKeys } from './fields.ts'

/** How newer consoles create channels: with one key, one channel per key, or one channel with several keys. */
const MODES = ['single', 'batch', 'multi_to_single'] as const

/** The channel's fields; newer consoles send them in `channel`, beside the mode. */
export function fieldsOfNew(body: NewChannel): NewChannelFields {
  const form = body.channel ?? body
  if (body.mode !== 'multi_to_single') return form
  const setting = parseObject(form.setting ?? '') ?? {}
  const mode = MULTI_KEY_MODES.find((known) => known === body.multi_key_mode) ?? setting['multi_key_mode'] ?? MULTI_KEY_MODES[0]
  return { ...form, setting: JSON.stringify({ ...setting, multi_key_mode: mode }) }
}

/** The key of each channel to create. Without a mode there is one channel per line. */
export function keysOfNew(body: NewChannel, fields: Pick<ChannelFields, 'type' | 'setting'>): string[] {
  const text = (body.channel ?? body).key ?? ''
  const { mode } = body
  if (mode === undefined || mode === null || mode === '') return toKeys(fields, text)
  if (!MODES.some((known) => known === mode)) throw new AppError('channels.mode', { mode })
  // A file of Vertex credentials is a JSON array.
  const keys = mode === 'batch' && isVertex(fields) ? splitKeys(text) : toKeys(fields, text)
  if (keys.length === 0) throw new AppError('channels.key-blank')
  if (mode === 'single' && keys.length > 1) throw new AppError('channels.one-key')
  return keys
}
