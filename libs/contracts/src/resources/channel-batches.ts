import { z } from 'zod'
import { textOrNull } from '../common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { ChannelStatus } from '../enums.ts'
import { AuditChange } from './audit.ts'

const MAX_RANK = 1_000_000_000
const Rank = z.int().min(-MAX_RANK).max(MAX_RANK).nullish()
export const LIST_ACTIONS = ['add', 'remove', 'replace'] as const
const ListChange = z.object({ action: z.enum(LIST_ACTIONS), names: z.array(z.string().max(255)).max(2000) }).nullish()

/** What a batch edit sets; absent fields stay as they are. */
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

/** A channel that a batch edit changes, with the values before and after. */
export const BatchEdited = z.object({ id: z.int(), name: z.string(), changes: z.array(AuditChange) })
export type BatchEdited = z.infer<typeof BatchEdited>

const body = z.object({ ids: z.array(z.int()).max(10_000).default([]), change: BatchChange })

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
  edit: endpoint({
    method: 'POST',
    path: '/api/channel/batch/edit',
    access: 'admin',
    summary: 'Changes models, groups, priority, weight, tag, proxy or status of these channels; returns how many changed (ours)',
    body,
    data: z.int(),
  }),
}
