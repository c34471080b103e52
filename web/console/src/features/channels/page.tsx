import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Network, Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { useStored } from '../../lib/storage.ts'
import { toast } from '../../lib/toast.ts'
import { TableSettings } from '../../ui/list/column-dialog.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { removeChannel } from './api.ts'
import { channelColumns } from './columns.tsx'
import type { ChannelSearch } from './search.ts'
import { BatchActions, ChannelFilters, Maintenance } from './toolbar.tsx'
import { useChannelList, useChannelOrder } from './use-channel-list.ts'
import { useRowActions } from './use-row-actions.ts'
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

/** One of these stands over the list at a time. */
type Open = { readonly kind: 'test' | 'remove'; readonly channel: Channel } | undefined

/** `/channel`. */
export function ChannelsPage({ search, onSearch, onAdd, onEdit, children }: ChannelsPageProps): ReactNode {
  const { t, i18n } = useTranslation(['channels', 'display'])
  const list = useChannelList(search)
  const { tag_mode } = useChannelOrder()
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [open, setOpen] = useState<Open>(undefined)
  const close = (): void => setOpen(undefined)
  const actions = useRowActions(
    {
      onEdit: ({ id }) => onEdit(id),
      onPickTest: (channel) => setOpen({ kind: 'test', channel }),
      onRemove: (channel) => setOpen({ kind: 'remove', channel }),
      onEditTag: (tag) => onSearch({ ...search, tag }),
      onExpandTag: (tag) => setOpenTags(new Set(openTags.symmetricDifference(new Set([tag])))),
    },
    ({ id }) => list.channels?.some((channel) => channel.id === id) === true,
  )
  const columns = channelColumns({ t, language: i18n.language === 'en' ? 'en' : 'zh', actions })
  const rows = list.channels === undefined ? undefined : tag_mode ? tagRows(list.channels, openTags) : plainRows(list.channels)
  const names = (list.channels ?? []).filter(({ id }) => selected.has(id)).map(({ name }) => name)
  const batch = { ids: selected, names, onDone: () => setSelected(new Set()) }
  const addButton = (
    <Button onClick={onAdd}>
      <Plus />
      {t('create')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      action={
        <>
          <Maintenance batch={batch} />
          {addButton}
        </>
      }
    >
      <ChannelFilters search={search} onSearch={onSearch} settings={<TableSettings columns={columns} storageKey="channel-columns" />} />
      <DataTable
        label={t('title')}
        columns={columns}
        choice={useStored('channel-columns')}
        rows={rows}
        idOf={idOfRow}
        nameOf={nameOfRow}
        error={list.error}
        onRetry={list.retry}
        isRefetching={list.isRefetching}
        selection={{
          ids: selected,
          onChange: setSelected,
          actions: <BatchActions {...batch} />,
        }}
        empty={
          list.isFiltered || tag_mode ? (
            <EmptyState title={t('display:table.empty')} help={t('display:table.empty-help')} />
          ) : (
            <EmptyState title={t('empty-title')} help={t('empty-help')} icon={<Network />}>
              {addButton}
            </EmptyState>
          )
        }
        footer={<Pager page={search.page ?? 1} rows={list.count} total={list.total} onPage={(page) => onSearch({ ...search, page })} />}
      />
      {open?.kind === 'remove' ? <RemoveChannel channel={open.channel} onClose={close} /> : null}
      <Suspense fallback={null}>
        {open?.kind === 'test' ? <TestDialog channel={open.channel} onClose={close} /> : null}
        {search.tag === undefined ? null : <TagDrawer key={search.tag} tag={search.tag} onClose={() => onSearch(withoutTag(search))} />}
      </Suspense>
      {children}
    </Page>
  )
}

function RemoveChannel({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const run = async (): Promise<void> => {
    try {
      await removeChannel(client, channel)
      toast.success(t('done'))
    } catch (error) {
      report(error)
    }
  }
  return (
    <ConfirmDialog
      ask={{ title: t('delete-title', { name: channel.name }), help: t('delete-help'), confirm: t('display:action.delete'), run }}
      onClose={onClose}
    />
  )
}

const withoutTag = ({ tag: _tag, ...rest }: ChannelSearch): ChannelSearch => rest
