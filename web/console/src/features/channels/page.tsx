import { useQuery } from '@tanstack/react-query'
import { CHANNEL_STATES } from '@tollgate/contracts/channels/channel-states'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Network } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNames } from '../../lib/group-names.ts'
import { storage, useStored } from '../../lib/storage.ts'
import type { Filter } from '../../ui/list/filters.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { usePageSize } from '../../ui/list/page-size.ts'
import { useSearchableList } from '../../ui/list/use-list.ts'
import {
  channelAttention,
  channelHealth,
  channelPage,
  channelSearch,
  untaggedChannels,
  type ChannelFilter,
  type ChannelOrder,
} from './api.ts'
import { AttentionStrip } from './list/attention-strip.tsx'
import { BatchActions, Maintenance } from './list/batch.tsx'
import { channelColumns } from './list/columns.tsx'
import { useRowActions } from './list/row-actions.tsx'
import type { WantedRun } from './runs/run-drawer.tsx'
import type { ChannelSearch } from './search.ts'
import type { Transfer } from './transfer/transfer-dialog.tsx'
import { channelsOf, idOfRow, nameOfRow, plainRows, tagRows, type ChannelRow } from './channel-display.ts'

type ChannelsPageProps = {
  readonly search: ChannelSearch
  readonly onSearch: (search: ChannelSearch) => void
  readonly onAdd: () => void
  readonly onEdit: (id: number) => void
  readonly onErrors: (channel: Channel) => void
  /** The drawer of `/channel/add` and `/channel/edit/{id}`. */
  readonly children?: ReactNode
}

/** Dialogs over the list are fetched when they are opened: the list itself comes sooner. */
const TagDrawer = lazy(async () => ({ default: (await import('./list/tag-drawer.tsx')).TagDrawer }))
const RunDrawer = lazy(async () => ({ default: (await import('./runs/run-drawer.tsx')).RunDrawer }))
const ForecastDrawer = lazy(async () => ({ default: (await import('./models/forecast-drawer.tsx')).ForecastDrawer }))
const EffectiveCostDrawer = lazy(async () => ({
  default: (await import('./models/effective-cost-drawer.tsx')).EffectiveCostDrawer,
}))
const BatchEditDrawer = lazy(async () => ({ default: (await import('./list/batch-edit-drawer.tsx')).BatchEditDrawer }))
const TransferDialog = lazy(async () => ({ default: (await import('./transfer/transfer-dialog.tsx')).TransferDialog }))
const ModelsDrawer = lazy(async () => ({ default: (await import('./models/models-drawer.tsx')).ModelsDrawer }))
const TestDialog = lazy(async () => ({ default: (await import('./runs/test-dialog.tsx')).TestDialog }))

const canSelect = (): boolean => true
const countOf = (rows: readonly ChannelRow[]): number => channelsOf(rows).length
const tagCount = (channels: readonly Channel[]): number => new Set(channels.map(({ tag }) => tag)).size

/** `/channel`. */
export function ChannelsPage({ search, onSearch, onAdd, onEdit, onErrors, children }: ChannelsPageProps): ReactNode {
  const { t, i18n } = useTranslation(['channels', 'display'])
  const { order, filters } = useFilters(() => onSearch({ ...search, page: 1 }))
  const { keyword = '', group = '', model = '', state = '' } = search
  const filter = { keyword, group, model, state }
  const isFiltered = Object.values(filter).some((text) => text !== '')
  const counts = useQuery(channelAttention).data
  const list = useSearchableList<Channel>({
    page: search.page ?? 1,
    isFiltered,
    paged: (page, size) => channelPage(page, size, order),
    matches: channelSearch(filter, order),
    total: order.tag_mode ? counts?.tags : counts?.channels,
    ...(order.tag_mode ? { countOf: tagCount } : {}),
  })
  const size = usePageSize()
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const overlays = useOverlays()
  const onExpandTag = (tag: string): void => setOpenTags(new Set(openTags.symmetricDifference(new Set([tag]))))
  const untagged = useUntagged({ order, filter, isFiltered, isLastPage: list.rows !== undefined && tagCount(list.rows) < size })
  const rows =
    list.rows === undefined
      ? undefined
      : order.tag_mode
        ? tagRows([...list.rows.filter(({ tag }) => tag !== ''), ...untagged], openTags)
        : plainRows(list.rows)
  const ids = (rows ?? []).flatMap((row) => (row.kind === 'channel' ? [row.channel.id] : []))
  const health = useQuery(channelHealth(ids))
  const actions = useRowActions({
    onEdit,
    onPickTest: overlays.onTest,
    onErrors,
    onEditTag: (tag) => onSearch({ ...search, tag }),
    isListed: (id) => ids.includes(id),
    isFailing: (id) => health.data?.get(id)?.is_failing === true,
  })
  return (
    <ResourceList
      name="channel"
      title={t('title')}
      list={{ ...list, rows }}
      pageCount={order.tag_mode && list.rows !== undefined ? tagCount(list.rows) : undefined}
      isSortable={!order.tag_mode}
      columns={channelColumns({
        t,
        language: i18n.language === 'en' ? 'en' : 'zh',
        actions,
        onExpandTag,
        onModels: overlays.onModels,
        health: health.data,
      })}
      lead={
        <AttentionStrip
          state={search.state}
          onState={(to) => onSearch({ ...withoutState(search), ...(to === undefined ? {} : { state: to }), page: 1 })}
        />
      }
      filters={filters}
      search={search}
      onSearch={onSearch}
      idOf={idOfRow}
      nameOf={nameOfRow}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <Network /> }}
      create={{ label: t('create'), run: onAdd }}
      actions={(selected) => <Maintenance {...selected} {...overlays.maintenance} />}
      canSelect={canSelect}
      countOf={countOf}
      batch={(selected) => <BatchActions {...selected} onRun={overlays.onRun} onEdit={overlays.onEdit} />}
      onOpen={(row) => (row.kind === 'channel' ? onEdit(row.channel.id) : onExpandTag(row.tag))}
    >
      <Suspense fallback={null}>
        {overlays.shown}
        {search.tag === undefined ? null : <TagDrawer key={search.tag} tag={search.tag} onClose={() => onSearch(withoutTag(search))} />}
      </Suspense>
      {actions.dialog}
      {children}
    </ResourceList>
  )
}

/** Dialogs and drawers over the list. */
function useOverlays() {
  const [tested, setTested] = useState<Channel | undefined>(undefined)
  const [wantedRun, setWantedRun] = useState<WantedRun | undefined>(undefined)
  const [isForecasting, setForecasting] = useState(false)
  const [isCosting, setCosting] = useState(false)
  const [transfer, setTransfer] = useState<Transfer | undefined>(undefined)
  const [compared, setCompared] = useState<Channel | undefined>(undefined)
  const [edited, setEdited] = useState<readonly Channel[]>([])
  const shown = (
    <>
      {tested === undefined ? null : <TestDialog channel={tested} onClose={() => setTested(undefined)} />}
      {wantedRun === undefined ? null : <RunDrawer wanted={wantedRun} onClose={() => setWantedRun(undefined)} />}
      {compared === undefined ? null : <ModelsDrawer channel={compared} onClose={() => setCompared(undefined)} />}
      {isForecasting ? <ForecastDrawer onClose={() => setForecasting(false)} /> : null}
      {isCosting ? <EffectiveCostDrawer onClose={() => setCosting(false)} /> : null}
      {transfer === undefined ? null : <TransferDialog wanted={transfer} onClose={() => setTransfer(undefined)} />}
      {edited.length === 0 ? null : <BatchEditDrawer channels={edited} onClose={() => setEdited([])} />}
    </>
  )
  return {
    shown,
    onTest: setTested,
    onModels: setCompared,
    onRun: setWantedRun,
    maintenance: {
      onRun: setWantedRun,
      onForecast: () => setForecasting(true),
      onCosts: () => setCosting(true),
      onExport: (ids: readonly number[]) => setTransfer({ kind: 'export', ids }),
      onImport: () => setTransfer({ kind: 'import' }),
    },
    onEdit: setEdited,
  }
}

type Untagged = { readonly order: ChannelOrder; readonly filter: ChannelFilter; readonly isFiltered: boolean; readonly isLastPage: boolean }

/** The channels without a tag, after the last tag: the server pages by tags, which they have none of. */
function useUntagged({ order, filter, isFiltered, isLastPage }: Untagged): readonly Channel[] {
  const found = useQuery({ ...channelSearch(filter, { ...order, tag_mode: false }), enabled: order.tag_mode && isFiltered })
  const first = useQuery({ ...untaggedChannels(order), enabled: order.tag_mode && !isFiltered && isLastPage })
  if (!order.tag_mode) return []
  const channels = isFiltered ? found.data : isLastPage ? first.data : undefined
  return (channels ?? []).filter(({ tag }) => tag === '')
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
  const states = [{ value: '', label: t('all-states') }, ...CHANNEL_STATES.map((value) => ({ value, label: t(`state.${value}`) }))]
  const filters: readonly Filter[] = [
    { kind: 'text', name: 'keyword', label: t('filter.keyword'), placeholder: t('search-placeholder'), isMain: true, width: '18rem' },
    { kind: 'choice', name: 'group', label: t('filter.group'), choices },
    { kind: 'choice', name: 'state', label: t('filter.state'), choices: states },
    { kind: 'text', name: 'model', label: t('filter.model'), placeholder: t('model-placeholder'), isMono: true, width: '11rem' },
    { kind: 'toggle', name: 'id-sort', label: t('id-sort'), isOn: id_sort, onChange: remember('channel-id-sort') },
    { kind: 'toggle', name: 'tag-mode', label: t('tag-mode'), isOn: tag_mode, onChange: remember('channel-tag-mode') },
  ]
  return { order: { id_sort, tag_mode }, filters }
}

const withoutState = ({ state: _state, ...rest }: ChannelSearch): ChannelSearch => rest
const withoutTag = ({ tag: _tag, ...rest }: ChannelSearch): ChannelSearch => rest
