import { ChannelStatus } from '@tollgate/contracts/enums'
import type { BatchChange } from '@tollgate/contracts/resources/channel-batches'

export const LIST_CHOICES = ['keep', 'add', 'remove', 'replace'] as const
export type ListChoice = (typeof LIST_CHOICES)[number]
export const SIMPLE_FIELDS = ['priority', 'weight', 'tag', 'proxy'] as const
export type SimpleField = (typeof SIMPLE_FIELDS)[number]

export const STATUS_CHOICES = ['keep', 'enable', 'disable'] as const
export type StatusChoice = (typeof STATUS_CHOICES)[number]

type ListDraft = { readonly choice: ListChoice; readonly text: string }
/** A field that is absent stays as it is. */
export type BatchForm = { readonly models: ListDraft; readonly groups: ListDraft; readonly status: StatusChoice } & Readonly<
  Partial<Record<SimpleField, string>>
>

export const EMPTY_BATCH: BatchForm = { models: { choice: 'keep', text: '' }, groups: { choice: 'keep', text: '' }, status: 'keep' }

export type BatchProblem = { readonly field: keyof BatchForm; readonly text: 'rank-error' | 'names-error' }
export type BatchReading =
  | { readonly kind: 'change'; readonly change: BatchChange }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly problem: BatchProblem }

const WHOLE = /^-?\d{1,9}$/

/** Reads the change that the form requests. */
export function readBatch(form: BatchForm): BatchReading {
  const problem = problemOf(form)
  if (problem !== undefined) return { kind: 'problem', problem }
  const change: BatchChange = {
    ...listChange('models', form.models),
    ...listChange('groups', form.groups),
    ...(form.status === 'keep' ? {} : { status: form.status === 'enable' ? ChannelStatus.enabled : ChannelStatus.disabled }),
    ...(form.priority === undefined ? {} : { priority: Number(form.priority) }),
    ...(form.weight === undefined ? {} : { weight: Number(form.weight) }),
    ...(form.tag === undefined ? {} : { tag: form.tag.trim() }),
    ...(form.proxy === undefined ? {} : { proxy: form.proxy.trim() }),
  }
  return Object.keys(change).length === 0 ? { kind: 'nothing' } : { kind: 'change', change }
}

function problemOf(form: BatchForm): BatchProblem | undefined {
  for (const field of ['models', 'groups'] as const) {
    const { choice, text } = form[field]
    if (choice !== 'keep' && namesIn(text).length === 0) return { field, text: 'names-error' }
  }
  const rank = (['priority', 'weight'] as const).find((field) => form[field] !== undefined && !WHOLE.test(form[field].trim()))
  return rank === undefined ? undefined : { field: rank, text: 'rank-error' }
}

function listChange(field: 'models' | 'groups', { choice, text }: ListDraft): BatchChange {
  return choice === 'keep' ? {} : { [field]: { action: choice, names: [...namesIn(text)] } }
}

function namesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[,\n，]/).map((name) => name.trim()))].filter((name) => name !== '')
}
