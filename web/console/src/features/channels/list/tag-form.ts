import type { Channel, TagChange } from '@tollgate/contracts/resources/channels'
import { isJsonObjectOrEmpty } from '../../../ui/form/json-text.ts'
import { fromCommaList } from '../../../ui/form/pick-list.ts'
import { parseTagPriority, parseTagWeight } from './numbers.ts'

/** The tag drawer's fields. Empty texts and lists leave the channels as they are, except the tag's name. */
export type TagForm = {
  readonly new_tag: string
  readonly model_mapping: string
  readonly groups: readonly string[]
  readonly models: readonly string[]
  readonly priority: string
  readonly weight: string
}

/** Values that all channels of the tag share; null where they differ. */
export function commonOf(channels: readonly Channel[]) {
  const common = <Value>(read: (channel: Channel) => Value): Value | null => {
    const [first, ...others] = channels.map(read)
    return first !== undefined && others.every((value) => value === first) ? first : null
  }
  return {
    model_mapping: common((channel) => channel.model_mapping),
    groups: common((channel) => channel.group),
    models: common((channel) => channel.models),
    priority: common((channel) => channel.priority),
    weight: common((channel) => channel.weight),
  }
}

/** Fields in which the channels differ start empty. */
export function toTagForm(tag: string, { model_mapping, groups, models, priority, weight }: ReturnType<typeof commonOf>): TagForm {
  return {
    new_tag: tag,
    model_mapping: model_mapping ?? '',
    groups: fromCommaList(groups ?? ''),
    models: fromCommaList(models ?? ''),
    priority: String(priority ?? ''),
    weight: String(weight ?? ''),
  }
}

export type TagProblem = 'mapping' | 'priority' | 'weight'

export function tagProblemsOf(form: TagForm): readonly TagProblem[] {
  const problems: TagProblem[] = []
  if (!isJsonObjectOrEmpty(form.model_mapping)) problems.push('mapping')
  if (form.priority.trim() !== '' && parseTagPriority(form.priority).kind === 'problem') problems.push('priority')
  if (form.weight.trim() !== '' && parseTagWeight(form.weight).kind === 'problem') problems.push('weight')
  return problems
}

/** The change to send; undefined when nothing was changed. */
export function toTagChange(tag: string, before: TagForm, after: TagForm): TagChange | undefined {
  const change: TagChange = { tag }
  if (after.new_tag.trim() !== tag) change.new_tag = after.new_tag.trim()
  if (after.model_mapping.trim() !== before.model_mapping.trim()) change.model_mapping = after.model_mapping.trim()
  if (after.models.join(',') !== before.models.join(',')) change.models = after.models.join(',')
  if (after.groups.join(',') !== before.groups.join(',')) change.groups = after.groups.join(',')
  const priority = parseTagPriority(after.priority)
  if (after.priority.trim() !== before.priority && priority.kind === 'value') change.priority = priority.value
  const weight = parseTagWeight(after.weight)
  if (after.weight.trim() !== before.weight && weight.kind === 'value') change.weight = weight.value
  return Object.keys(change).length === 1 ? undefined : change
}
