import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { lookOfChannel } from '@tollgate/domain/display/status-tone'
import type { Tone } from '@tollgate/domain/display/tone'
import { catalogue, type CatalogueEntry } from '@tollgate/providers/catalogue'
import { readJson } from '../../ui/form/json-text.ts'
import { fromCommaList } from '../../ui/form/pick-list.ts'

/** A line of the list: a channel, or the head of a tag's channels. */
export type ChannelRow =
  | { readonly kind: 'channel'; readonly channel: Channel; readonly isInTag: boolean }
  | { readonly kind: 'tag'; readonly tag: string; readonly channels: readonly Channel[]; readonly isOpen: boolean }

/** Channels one per row, in the server's order. */
export function plainRows(channels: readonly Channel[]): readonly ChannelRow[] {
  return channels.map((channel) => ({ kind: 'channel', channel, isInTag: false }))
}

/** Channels under the heads of their tags, in the order in which the tags first come; only open tags show theirs. */
export function tagRows(channels: readonly Channel[], open: ReadonlySet<string>): readonly ChannelRow[] {
  return [...Map.groupBy(channels, ({ tag }) => tag)].flatMap(([tag, members]): readonly ChannelRow[] => {
    const isOpen = open.has(tag)
    const head: ChannelRow = { kind: 'tag', tag, channels: members, isOpen }
    return isOpen ? [head, ...members.map((channel): ChannelRow => ({ kind: 'channel', channel, isInTag: true }))] : [head]
  })
}

const numberOfTag = new Map<string, number>()

/** Channels have their id; heads have negative ones, which a tag keeps when the order of the tags changes. */
export function idOfRow(row: ChannelRow): number {
  if (row.kind === 'channel') return row.channel.id
  const number = numberOfTag.get(row.tag) ?? numberOfTag.size + 1
  numberOfTag.set(row.tag, number)
  return -number
}

/** The channels of rows, each once: the head of a tag is all of its channels, folded or not. */
export function channelsOf(rows: readonly ChannelRow[]): readonly Channel[] {
  const all = rows.flatMap((row) => (row.kind === 'channel' ? [row.channel] : row.channels))
  return [...new Map(all.map((channel) => [channel.id, channel])).values()]
}

export function nameOfRow(row: ChannelRow): string {
  return row.kind === 'channel' ? row.channel.name : row.tag
}

/** The value that all channels of a tag share; undefined when they differ. */
export function shared(channels: readonly Channel[], field: 'priority' | 'weight'): number | undefined {
  const [first, ...others] = channels.map((channel) => channel[field])
  return others.every((value) => value === first) ? first : undefined
}

export type StatusText = 'enabled' | 'disabled' | 'auto-disabled' | 'unknown'
const STATUS_TEXTS = ['enabled', 'disabled', 'auto-disabled'] as const

export function statusOf(channel: Channel): { readonly tone: Tone; readonly text: StatusText } {
  const look = lookOfChannel(channel.status)
  return { tone: look.tone, text: STATUS_TEXTS.find((text) => text === look.text) ?? 'unknown' }
}

export const isEnabled = (channel: Channel): boolean => channel.status === ChannelStatus.enabled

/** `status`: of the vendor's answer; 0: there was none. `time` in Unix seconds. */
export type Evidence = { readonly reason: string; readonly status: number; readonly time: number }

/** Why and when a channel was disabled automatically; undefined for every other status. */
export function evidenceOf(channel: Channel): Evidence | undefined {
  return channel.status === ChannelStatus.autoDisabled ? reasonOf(infoOf(channel)) : undefined
}

/** The keys that evidence took out of a channel that has several, by their ids. */
export function keysOutOf(channel: Channel): readonly (Evidence & { readonly key_id: string })[] {
  return Object.entries(recordOf(infoOf(channel)['keys'])).map(([key_id, info]) => ({ key_id, ...reasonOf(recordOf(info)) }))
}

/** Read without the contract's schema, which would bring zod into the list. */
function infoOf(channel: Channel): Readonly<Record<string, unknown>> {
  const reading = readJson(channel.other_info)
  return reading.kind === 'value' ? recordOf(reading.value) : {}
}

function reasonOf(info: Readonly<Record<string, unknown>>): Evidence {
  const numberOf = (name: string): number => {
    const number = Number(info[name] ?? 0)
    return Number.isFinite(number) ? number : 0
  }
  const reason = typeof info['status_reason'] === 'string' ? info['status_reason'] : ''
  return { reason, status: numberOf('status'), time: numberOf('status_time') }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

const byType: ReadonlyMap<number, CatalogueEntry> = new Map(catalogue.map((entry) => [entry.type, entry]))

export function findType(type: number): CatalogueEntry | undefined {
  return byType.get(type)
}

/** The types offered for a channel: the selectable ones, and the one it has. */
export function offeredTypes(current: number): readonly CatalogueEntry[] {
  return catalogue.filter(({ type, isSelectable }) => isSelectable || type === current)
}

export const modelsOf = (channel: Channel): readonly string[] => fromCommaList(channel.models)
export const groupsOf = (channel: Channel): readonly string[] => fromCommaList(channel.group)

/** Dollars as vendors state them, two decimals. */
export const balanceText = (balance: number): string => `$${balance.toFixed(2)}`
