import { useQuery } from '@tanstack/react-query'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import { groups } from '@tollgate/contracts/resources/groups'
import { users, type User } from '@tollgate/contracts/resources/users'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { TFunction } from 'i18next'
import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CutText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { usePagedList } from '../../ui/list/use-list.ts'
import type { UserSearch } from './search.ts'

/** `/user`: everyone with an account, deleted ones included. */
export function UsersPage({ search, onSearch }: { search: UserSearch; onSearch: (search: UserSearch) => void }): ReactNode {
  const { t } = useTranslation('users')
  const { keyword = '', group = '' } = search
  const list = usePagedList(search.page ?? 1, (p, page_size) => userPage({ p, page_size, keyword, group }))
  const names = useQuery(groupNames).data ?? []
  return (
    <ResourceList
      name="user"
      title={t('title')}
      list={list}
      columns={userColumns(t)}
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
    />
  )
}

const userPage = (query: { p: number; page_size: number; keyword: string; group: string }) => ({
  queryKey: keyOf(users.search, query),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(users.search, { query, signal }),
})

const groupNames = { queryKey: keyOf(groups.list), queryFn: () => call(groups.list, {}), staleTime: 60_000 }

function userColumns(t: TFunction<'users'>): readonly Column<User>[] {
  const quota = (id: 'quota' | 'used_quota'): Column<User> => ({
    id,
    header: t(`column.${id}`),
    cell: (user) => <QuotaText quota={user[id]} />,
    text: (user) => user[id],
    align: 'end',
    card: 'line',
  })
  return [
    { id: 'id', header: t('column.id'), cell: ({ id }) => <CopyId text={String(id)} />, text: ({ id }) => id, width: '3.5rem' },
    {
      id: 'name',
      header: t('column.name'),
      cell: (user) => <Name user={user} />,
      text: ({ username }) => username,
      isFixed: true,
      card: 'title',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (user) => <StatusTag {...statusOf(user)}>{t(`status.${statusOf(user).text}`)}</StatusTag>,
      text: (user) => t(`status.${statusOf(user).text}`),
      card: 'status',
    },
    {
      id: 'role',
      header: t('column.role'),
      cell: (user) => t(`role.${roleOf(user)}`),
      text: (user) => t(`role.${roleOf(user)}`),
      card: 'line',
    },
    { id: 'group', header: t('column.group'), cell: ({ group }) => <ToneTag tone="grey">{group}</ToneTag>, text: ({ group }) => group },
    quota('quota'),
    quota('used_quota'),
    {
      id: 'requests',
      header: t('column.requests'),
      cell: ({ request_count }) => groupDigits(request_count),
      text: ({ request_count }) => request_count,
      align: 'end',
    },
    { id: 'email', header: t('column.email'), cell: ({ email }) => <CutText text={email} />, text: ({ email }) => email, isOptional: true },
  ]
}

function Name({ user: { username, display_name } }: { user: User }): ReactNode {
  return <CutText text={display_name === '' || display_name === username ? username : `${username} · ${display_name}`} />
}

function statusOf({ status, DeletedAt }: User) {
  if (DeletedAt !== null) return { tone: 'red', text: 'deleted' } as const
  return status === UserStatus.enabled ? ({ tone: 'green', text: 'enabled' } as const) : ({ tone: 'grey', text: 'disabled' } as const)
}

const roleOf = ({ role }: User) => (role >= Role.root ? 'root' : role >= Role.admin ? 'admin' : 'user')
