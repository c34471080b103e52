import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { failureText } from '../../lib/report.ts'
import { useStored } from '../../lib/storage.ts'
import { usePageSize } from '../../ui/list/pager.tsx'
import { channelPage, channelSearch, type ChannelOrder } from './api.ts'
import type { ChannelSearch } from './search.ts'

/** The reader's order, remembered. */
export function useChannelOrder(): ChannelOrder {
  const idSort = useStored('channel-id-sort')
  const tagMode = useStored('channel-tag-mode')
  return { id_sort: idSort ?? false, tag_mode: tagMode ?? false }
}

/** The channels to show: the server's page, or a page cut from all matches of a search. */
export function useChannelList(search: ChannelSearch) {
  const order = useChannelOrder()
  const size = usePageSize()
  const page = search.page ?? 1
  const filter = { keyword: search.keyword ?? '', group: search.group ?? '', model: search.model ?? '' }
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const all = useQuery({ ...channelSearch(filter, order), enabled: isFiltered })
  const paged = useQuery({ ...channelPage(page, size, order), enabled: !isFiltered })
  const count = order.tag_mode ? new Set(paged.data?.map(({ tag }) => tag)).size : (paged.data?.length ?? 0)
  const isFull = !isFiltered && count === size && !paged.isPlaceholderData
  usePrefetchQuery(isFull ? channelPage(page + 1, size, order) : channelPage(page, size, order))
  const query = isFiltered ? all : paged
  const channels = isFiltered && !order.tag_mode ? all.data?.slice((page - 1) * size, page * size) : query.data
  return {
    channels,
    /** What the server counts by: channels, or tags in tag mode. */
    count: isFiltered ? (channels?.length ?? 0) : count,
    total: isFiltered ? (order.tag_mode ? (channels?.length ?? 0) : all.data?.length) : undefined,
    isFiltered,
    error: query.error === null ? undefined : (failureText(query.error) ?? ''),
    retry: () => void query.refetch(),
    isRefetching: query.isPlaceholderData,
  }
}
