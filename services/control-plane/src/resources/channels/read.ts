import { AppError } from '@tollgate/contracts/app-error'
import type { Channel } from '@tollgate/contracts/resources/channels'
import {
  findChannel,
  listChannels,
  listChannelsByTag,
  listTags,
  searchChannels,
  searchTags,
  type ChannelOrder,
  type ChannelSearch,
} from '@tollgate/db/queries/channels/channels'
import type { Language } from '@tollgate/http/language'
import type { StateFilter } from '@tollgate/db/queries/channels/channel-states'
import type { Deps } from '../../deps.ts'
import { priceCheck } from '../pricing/service.ts'
import { readStateFacts } from './health.ts'
import { toChannel } from './present.ts'

const PAGE_DEFAULT = 10
const PAGE_MAX = 1000
const FOUND_MAX = 1000

type Order = { readonly id_sort: boolean; readonly tag_mode: boolean }
type Reader = Order & { readonly language: Language }

/** One page of channels; in tag mode a page of tags with all their channels. */
export async function listAllChannels(deps: Deps, query: Reader & { p: number; page_size: number; untagged: boolean }): Promise<Channel[]> {
  const limit = query.page_size <= 0 ? PAGE_DEFAULT : Math.min(query.page_size, PAGE_MAX)
  const offset = Math.min(Math.max(query.p, 0) * limit, Number.MAX_SAFE_INTEGER)
  const order = orderOf(query)
  const rows =
    query.tag_mode && !query.untagged
      ? await listChannelsByTag(deps.db, { tags: await listTags(deps.db, { limit, offset }), order })
      : await listChannels(deps.db, { order, limit, offset, isUntagged: query.untagged })
  return rows.map((row) => toChannel(row, query.language))
}

type Wanted = {
  readonly keyword: string
  readonly group: string
  readonly model: string
  readonly state: StateFilter['state'] | undefined
}

/** Search results; in tag mode all channels of every matching tag. */
export async function searchAllChannels(deps: Deps, query: Reader & Wanted): Promise<Channel[]> {
  const keyword = query.keyword.trim()
  const search: ChannelSearch = {
    keyword,
    key_hash: deps.sealers.channels.fingerprint(keyword),
    // The console sends the text null for "all groups".
    group: query.group === 'null' ? '' : query.group,
    model: query.model.trim(),
    state: query.state === undefined ? undefined : { state: query.state, ...(await readStateFacts(deps)) },
    order: orderOf(query),
    limit: FOUND_MAX,
  }
  const rows = query.tag_mode
    ? await listChannelsByTag(deps.db, { tags: await searchTags(deps.db, search), order: search.order })
    : await searchChannels(deps.db, search)
  return rows.map((row) => toChannel(row, query.language))
}

export async function getChannel(deps: Deps, id: number, language: Language): Promise<Channel> {
  const row = await findChannel(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  return toChannel(row, language)
}

function orderOf({ id_sort }: Order): ChannelOrder {
  return id_sort ? 'id' : 'priority'
}

/** The models without a price or ratio; none in self-use mode, which needs no prices. */
export async function listUnpriced(deps: Deps, models: readonly string[]): Promise<string[]> {
  const options = await deps.options.all()
  if (options.SelfUseModeEnabled) return []
  const hasPrice = priceCheck(options)
  return [...new Set(models)].filter((model) => !hasPrice(model))
}
