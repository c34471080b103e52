import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Network } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage, useStored } from '../../lib/storage.ts'
import type { Filter } from '../../ui/list/filters.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { useSearchableList } from '../../ui/list/use-list.ts'
import { channelPage, channelSearch, groupNames } from './api.ts'
import { BatchActions, Maintenance } from './batch.tsx'
import { channelColumns } from './columns.tsx'
import { useRowActions } from './row-actions.tsx'
import type { ChannelSearch } from './search.ts'
import { idOfRow, nameOfRow, plainRows, tagRows } from './view.ts'

type ChannelsPageProps = {
  readonly search: ChannelSearch
  readonly onSearch: (search: ChannelSearch) => void
  readonly onAdd: () => void
  readonly onEdit: (id: number) => void
  /** The drawer of `/channel/add` and `/channel/edit/{id}`. */
  readonly children?: ReactNode
}

/** What stands over the list is fetched when it is opened: the list itself comes sooner. */
const TagDrawer = lazy(async () => ({ default: (await import('./tag-drawer.tsx')).TagDrawer }))
const TestDialog = lazy(async () => ({ default: (await import('./test-dialog.tsx')).TestDialog }))

const tagCount = (channels: readonly Channel[]): number => new Set(channels.map(({ tag }) => tag)).size

/** `/channel`. */
export function ChannelsPage({ search, onSearch, onAdd, onEdit, children }: ChannelsPageProps): ReactNode {
  const { t, i18n } = useTranslation(['channels', 'display'])
  const { order, filters } = useFilters(() => onSearch({ ...search, page: 1 }))
  const { keyword = '', group = '', model = '' } = search
  const list = useSearchableList<Channel>({
    page: search.page ?? 1,
    isFiltered: keyword !== '' || group !== '' || model !== '',
    paged: (page, size) => channelPage(page, size, order),
    matches: channelSearch({ keyword, group, model }, order),
    ...(order.tag_mode ? { countOf: tagCount } : {}),
  })
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const [tested, setTested] = useState<Channel | undefined>(undefined)
  const actions = useRowActions({
    onEdit,
    onPickTest: setTested,
    onEditTag: (tag) => onSearch({ ...search, tag }),
    isListed: (id) => list.rows?.some((channel) => channel.id === id) === true,
  })
  const onExpandTag = (tag: string): void => setOpenTags(new Set(openTags.symmetricDifference(new Set([tag]))))
  const rows = list.rows === undefined ? undefined : order.tag_mode ? tagRows(list.rows, openTags) : plainRows(list.rows)
  return (
    <ResourceList
      name="channel"
      title={t('title')}
      list={{ ...list, rows }}
      pageCount={order.tag_mode && list.rows !== undefined ? tagCount(list.rows) : undefined}
      isSortable={!order.tag_mode}
      columns={channelColumns({ t, language: i18n.language === 'en' ? 'en' : 'zh', actions, onExpandTag })}
      filters={filters}
      search={search}
      onSearch={onSearch}
      idOf={idOfRow}
      nameOf={nameOfRow}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <Network /> }}
      create={{ label: t('create'), run: onAdd }}
      actions={(selected) => <Maintenance {...selected} />}
      batch={(selected) => <BatchActions {...selected} />}
      onOpen={(row) => (row.kind === 'channel' ? onEdit(row.channel.id) : onExpandTag(row.tag))}
    >
      <Suspense fallback={null}>
        {tested === undefined ? null : <TestDialog channel={tested} onClose={() => setTested(undefined)} />}
        {search.tag === undefined ? null : <TagDrawer key={search.tag} tag={search.tag} onClose={() => onSearch(withoutTag(search))} />}
      </Suspense>
      {actions.dialog}
      {children}
    </ResourceList>
  )
}

/** Search, group and model, and the reader's order, which is remembered. */
function useFilters(onOrder: () => void) {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNames)
  const id_sort = useStored('channel-id-sort') ?? false
  const tag_mode = useStored('channel-tag-mode') ?? false
  const remember = (key: 'channel-id-sort' | 'channel-tag-mode') => (isOn: boolean) => {
    storage.set(key, isOn)
    onOrder()
  }
  const choices = [{ value: '', label: t('all-groups') }, ...(groups.data ?? []).map((name) => ({ value: name, label: name }))]
  const filters: readonly Filter[] = [
    { kind: 'text', name: 'keyword', label: t('filter.keyword'), placeholder: t('search-placeholder'), isMain: true, width: '18rem' },
    { kind: 'choice', name: 'group', label: t('filter.group'), choices },
    { kind: 'text', name: 'model', label: t('filter.model'), placeholder: t('model-placeholder'), isMono: true, width: '11rem' },
    { kind: 'toggle', name: 'id-sort', label: t('id-sort'), isOn: id_sort, onChange: remember('channel-id-sort') },
    { kind: 'toggle', name: 'tag-mode', label: t('tag-mode'), isOn: tag_mode, onChange: remember('channel-tag-mode') },
  ]
  return { order: { id_sort, tag_mode }, filters }
}

const withoutTag = ({ tag: _tag, ...rest }: ChannelSearch): ChannelSearch => rest
