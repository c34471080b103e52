import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNames } from '../../lib/group-names.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { usePagedList } from '../../ui/list/use-list.ts'
import { userPage } from './api.ts'
import { userColumns } from './columns.tsx'
import { useRowActions } from './row-actions.tsx'
import type { UserSearch } from './search.ts'

const UserDetails = lazy(async () => ({ default: (await import('./details.tsx')).UserDetails }))
const QuotaDrawer = lazy(async () => ({ default: (await import('./quota-drawer.tsx')).QuotaDrawer }))

type UsersPageProps = {
  readonly search: UserSearch
  readonly onSearch: (search: UserSearch) => void
  readonly onAdd: () => void
  readonly onEdit: (id: number) => void
  readonly guarded: Guarded
  /** The drawer of the address. */
  readonly children?: ReactNode
}

/** `/user`: everyone with an account, deleted ones included. */
export function UsersPage({ search, onSearch, onAdd, onEdit, guarded, children }: UsersPageProps): ReactNode {
  const { t } = useTranslation(['users', 'display'])
  const { keyword = '', group = '' } = search
  const list = usePagedList(search.page ?? 1, (p, page_size) => userPage({ p, page_size, keyword, group }))
  const names = useQuery(groupNames).data ?? []
  const { open: _open, adjust: _adjust, ...listed } = search
  const onAdjust = (adjust: number): void => onSearch({ ...listed, adjust })
  const close = (): void => onSearch(listed)
  const { actions, dialog } = useRowActions({ onEdit, onAdjust, guarded })
  return (
    <ResourceList
      name="user"
      title={t('title')}
      list={list}
      columns={userColumns(t, actions)}
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), placeholder: t('search-placeholder'), isMain: true, width: '20rem' },
        {
          kind: 'choice',
          name: 'group',
          label: t('column.group'),
          choices: [{ value: '', label: t('filter.all-groups') }, ...names.map((name) => ({ value: name, label: name }))],
        },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ username }) => username}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <Users /> }}
      create={{ label: t('add'), run: onAdd }}
      onOpen={({ id, DeletedAt }) => (DeletedAt === null ? onSearch({ ...listed, open: id }) : undefined)}
      openId={search.open}
    >
      <Suspense fallback={null}>
        {search.open === undefined ? null : (
          <UserDetails key={search.open} id={search.open} guarded={guarded} onClose={close} onEdit={onEdit} onAdjust={onAdjust} />
        )}
        {search.adjust === undefined ? null : <QuotaDrawer key={search.adjust} id={search.adjust} onClose={close} />}
      </Suspense>
      {children}
      {dialog}
    </ResourceList>
  )
}
