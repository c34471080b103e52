import { Alert, Button } from '@chakra-ui/react'
import { useQuery, useQueryClient, usePrefetchQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { TokenStatus } from '@tollgate/contracts/enums'
import { Copy, KeyRound, Plus, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText, report } from '../../lib/report.ts'
import { useStored } from '../../lib/storage.ts'
import { toast } from '../../lib/toast.ts'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { TableSettings } from '../../ui/list/column-dialog.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import { FilterBar, SearchField } from '../../ui/list/filter-bar.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Pager, usePageSize } from '../../ui/list/pager.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { ownGroups, removeToken, tokenPage, tokenSearch, useTokenStatus } from './api.ts'
import { tokenColumns } from './columns.tsx'
import type { TokenSearch } from './search.ts'
import { isEnabled, keysText } from './view.ts'

const CreateTokenDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).CreateTokenDrawer }))
const EditTokenDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).EditTokenDrawer }))

type TokensPageProps = { readonly search: TokenSearch; readonly onSearch: (search: TokenSearch) => void }

/** `/token`: the caller's own tokens. */
export function TokensPage({ search, onSearch }: TokensPageProps): ReactNode {
  const { t } = useTranslation(['tokens', 'display'])
  const list = useTokenList(search)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [leaving, setLeaving] = useState<Token | undefined>(undefined)
  const columns = useTokenColumns({ onEdit: ({ id }) => onSearch({ ...search, edit: id }), onRemove: setLeaving })
  const copySelected = (): void => {
    const chosen = (list.rows ?? []).filter(({ id }) => selected.has(id))
    if (chosen.length === 0) toast.error(t('select-first'))
    else void copyText(keysText(chosen))
  }
  const copyButton = (
    <Button variant="outline" onClick={copySelected}>
      <Copy />
      {t('action.copy-selected')}
    </Button>
  )
  const createButton = (
    <Button onClick={() => onSearch({ ...search, edit: 'new' })}>
      <Plus />
      {t('create')}
    </Button>
  )
  const close = (): void => onSearch(withoutEdit(search))
  return (
    <Page
      title={t('title')}
      action={
        <>
          {copyButton}
          {createButton}
        </>
      }
    >
      <Alert.Root status="warning" flexShrink="0">
        <Alert.Indicator>
          <TriangleAlert />
        </Alert.Indicator>
        <Alert.Content>{t('warning')}</Alert.Content>
      </Alert.Root>
      <Filters search={search} onSearch={onSearch} settings={<TableSettings columns={columns} storageKey="token-columns" />} />
      <DataTable
        label={t('title')}
        columns={columns}
        choice={useStored('token-columns')}
        rows={list.rows}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        error={list.error}
        onRetry={list.retry}
        isRefetching={list.isRefetching}
        selection={{ ids: selected, onChange: setSelected, actions: copyButton }}
        empty={
          list.isFiltered ? (
            <EmptyState title={t('display:table.empty')} help={t('display:table.empty-help')} />
          ) : (
            <EmptyState title={t('empty-title')} help={t('empty-help')} icon={<KeyRound />}>
              {createButton}
            </EmptyState>
          )
        }
        footer={
          <Pager
            page={search.page ?? 1}
            rows={list.rows?.length ?? 0}
            total={list.total}
            onPage={(page) => onSearch({ ...search, page })}
          />
        }
      />
      <Suspense fallback={null}>
        {search.edit === 'new' ? <CreateTokenDrawer onClose={close} /> : null}
        {typeof search.edit === 'number' ? <EditTokenDrawer key={search.edit} id={search.edit} onClose={close} /> : null}
      </Suspense>
      <RemoveToken token={leaving} onClose={() => setLeaving(undefined)} />
    </Page>
  )
}

function Filters({ search, onSearch, settings }: TokensPageProps & { settings: ReactNode }): ReactNode {
  const { t } = useTranslation('tokens')
  const set = useCallback((change: TokenSearch) => onSearch({ ...withoutPage(search), ...change }), [search, onSearch])
  const onKeyword = useCallback((keyword: string) => set({ keyword }), [set])
  const onToken = useCallback((token: string) => set({ token }), [set])
  const chips = (['keyword', 'token'] as const).flatMap((name) => {
    const value = search[name] ?? ''
    return value === '' ? [] : [{ id: name, label: t(`filter.${name}`), value, onClear: () => set({ [name]: '' }) }]
  })
  return (
    <FilterBar chips={chips} onClear={() => onSearch({})}>
      <SearchField isMain value={search.keyword ?? ''} onChange={onKeyword} placeholder={t('search-placeholder')} />
      <SearchField isMono isWide value={search.token ?? ''} onChange={onToken} placeholder={t('search-key-placeholder')} width="19rem" />
      {settings}
    </FilterBar>
  )
}

function RemoveToken({ token, onClose }: { token: Token | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation(['tokens', 'display'])
  const client = useQueryClient()
  if (token === undefined) return null
  const run = async (): Promise<void> => {
    try {
      await removeToken(client, token)
      toast.success(t('done'))
    } catch (error) {
      report(error)
    }
  }
  return (
    <ConfirmDialog
      ask={{ title: t('delete-title', { name: token.name }), help: t('delete-help'), confirm: t('display:action.delete'), run }}
      onClose={onClose}
    />
  )
}

function useTokenColumns({ onEdit, onRemove }: { onEdit: (token: Token) => void; onRemove: (token: Token) => void }) {
  const { t } = useTranslation(['tokens', 'display'])
  const groups = useQuery(ownGroups)
  const status = useTokenStatus()
  const onToggle = (token: Token): void =>
    status.mutate(
      { id: token.id, status: isEnabled(token) ? TokenStatus.disabled : TokenStatus.enabled },
      { onSuccess: () => toast.success(t('done')) },
    )
  return tokenColumns({ t, groups: groups.data, actions: { onEdit, onRemove, onToggle } })
}

/** The rows to show: the server's page, or a page cut from all matches of a search. */
function useTokenList(search: TokenSearch) {
  const size = usePageSize()
  const page = search.page ?? 1
  const filter = { keyword: search.keyword ?? '', token: search.token ?? '' }
  const isFiltered = filter.keyword !== '' || filter.token !== ''
  const all = useQuery({ ...tokenSearch(filter), enabled: isFiltered })
  const paged = useQuery({ ...tokenPage(page, size), enabled: !isFiltered })
  const isFull = !isFiltered && paged.data?.length === size && !paged.isPlaceholderData
  usePrefetchQuery(isFull ? tokenPage(page + 1, size) : tokenPage(page, size))
  const query = isFiltered ? all : paged
  return {
    rows: isFiltered ? all.data?.slice((page - 1) * size, page * size) : paged.data,
    total: isFiltered ? all.data?.length : undefined,
    isFiltered,
    error: query.error === null ? undefined : (failureText(query.error) ?? ''),
    retry: () => void query.refetch(),
    isRefetching: query.isPlaceholderData,
  }
}

const withoutEdit = ({ edit: _edit, ...rest }: TokenSearch): TokenSearch => rest
const withoutPage = ({ page: _page, ...rest }: TokenSearch): TokenSearch => rest
