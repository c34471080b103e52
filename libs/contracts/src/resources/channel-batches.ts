import { z } from 'zod'
import { textOrNull } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { ChannelStatus } from '../enums.ts'
import { AuditChange } from './audit.ts'

const MAX_RANK = 1_000_000_000
const Rank = z.int().min(-MAX_RANK).max(MAX_RANK).nullish()
export const LIST_ACTIONS = ['add', 'remove', 'replace'] as const
const ListChange = z.object({ action: z.enum(LIST_ACTIONS), names: z.array(z.string().max(255)).max(2000) }).nullish()

/** Changes of a batch edit; absent fields stay as they are. */
export const BatchChange = z.object({
  models: ListChange,
  groups: ListChange,
  priority: Rank,
  weight: Rank,
  /** Empty: no tag. */
  tag: textOrNull(200),
  /** Address of the proxy; empty: none. */
  proxy: textOrNull(2000),
  /** Enabled (1), which removes the evidence of an automatic disable, or disabled by hand (2). */
  status: z.union([z.literal(ChannelStatus.enabled), z.literal(ChannelStatus.disabled)]).nullish(),
})
export type BatchChange = z.infer<typeof BatchChange>

/** A channel that a batch edit changes, with the values before and after. `version` is another one when these are others. */
export const BatchEdited = z.object({ id: z.int(), name: z.string(), changes: z.array(AuditChange), version: z.string() })
export type BatchEdited = z.infer<typeof BatchEdited>

const MAX_CHANNELS = 10_000
const body = z.object({ ids: z.array(z.int()).max(MAX_CHANNELS).default([]), change: BatchChange })
/** The versions of a preview by channel id. With it the edit is refused (409) when it would change something else by now. */
const Seen = z
  .record(z.string().max(16), z.string().max(64))
  .refine((versions) => Object.keys(versions).length <= MAX_CHANNELS)
  .meta({ maxProperties: MAX_CHANNELS })
  .optional()

/** Edits of many channels at once. */
export const channelBatches = {
  preview: endpoint({
    method: 'POST',
    path: '/api/channel/batch/preview',
    access: 'admin',
    summary: 'What a batch edit would change in these channels (ours)',
    body,
    data: z.array(BatchEdited),
  }),
  mapModel: endpoint({
    method: 'POST',
    path: '/api/channel/batch/map',
    access: 'admin',
    summary:
      'Sends requests for a model as requests for another, in every channel that has the model and does not map it; returns how many changed (ours)',
    body: z.object({ from: z.string().min(1).max(255), to: z.string().min(1).max(255) }),
    data: z.int(),
  }),
  edit: endpoint({
    method: 'POST',
    path: '/api/channel/batch/edit',
    access: 'admin',
    summary: 'Changes models, groups, priority, weight, tag, proxy or status of these channels; returns how many changed (ours)',
    body: body.extend({ seen: Seen }),
    data: z.int(),
  }),
}
