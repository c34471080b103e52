import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'

const CHANNELS_MAX = 5000
const text = (max: number) => z.string().max(max).default('')
const rank = z.int().min(-1_000_000_000).max(1_000_000_000).default(0)

/** A channel of a file, without its keys. */
const FileChannel = z.object({
  name: text(200),
  type: z.int(),
  /** 1: enabled; every other value: disabled. */
  status: z.int().default(1),
  base_url: text(2000),
  models: text(200_000),
  group: text(8000),
  priority: rank,
  weight: rank,
  tag: text(200),
  auto_ban: z.int().default(1),
  test_model: text(255),
  openai_organization: text(200),
  other: text(16_000),
  model_mapping: text(200_000),
  status_code_mapping: text(16_000),
  param_override: text(64_000),
  /** Secrets are masks. */
  setting: text(64_000),
  max_input_tokens: z.int().default(0),
})
export type FileChannel = z.infer<typeof FileChannel>

/** The file of an export. */
export const ChannelFile = z.object({
  format: z.literal('tollgate-channels'),
  version: z.literal(1),
  exported_at: UnixSeconds,
  /** Further fields of newer versions are ignored. `key`: entered by hand, in a file that was not exported. */
  channels: z.array(FileChannel.extend({ key: z.string().max(2_000_000).optional() })).max(CHANNELS_MAX),
  /** The keys and complete settings in the order of `channels`, sealed with a passphrase. */
  secrets: z.string().max(3_000_000).optional(),
})
export type ChannelFile = z.infer<typeof ChannelFile>

/** `known`: a channel of the same name, type and address exists and stays as it is. */
export const ImportedChannel = z.object({ name: z.string(), result: z.enum(['new', 'known', 'refused']), message: z.string() })
export type ImportedChannel = z.infer<typeof ImportedChannel>

const ids = z.array(z.int()).max(10_000).nullish()

/** Channels as a file. */
export const channelFiles = {
  plain: endpoint({
    method: 'POST',
    path: '/api/channel/export',
    access: 'admin',
    summary: 'These channels or all as a file without keys (ours)',
    body: z.object({ ids }),
    data: ChannelFile,
  }),
  sealed: endpoint({
    method: 'POST',
    path: '/api/channel/export/sealed',
    access: 'root',
    summary: 'The same with keys, sealed with a passphrase (ours)',
    needsProof: true,
    body: z.object({ ids, passphrase: z.string().min(12).max(200) }),
    data: ChannelFile,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/channel/import',
    access: 'admin',
    summary: 'Creates the channels of a file; with is_preview, says what would be created (ours)',
    body: z.object({
      file: z.string().max(3_900_000),
      passphrase: z.string().max(200).default(''),
      is_preview: z.boolean().default(false),
    }),
    data: z.array(ImportedChannel),
  }),
}
