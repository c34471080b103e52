import { chakra } from '@chakra-ui/react'
import type { User } from '@tollgate/contracts/resources/users'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CutText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { roleOf, statusOf } from './user-display.ts'

/** The list's columns. What a user has, spent and asked stand in columns of their own, so that they can be compared. */
export function userColumns(t: TFunction<['users', 'display']>, actions: (user: User) => ReactNode): readonly Column<User>[] {
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
    {
      id: 'invites',
      header: t('column.invites'),
      cell: (user) => <Invites user={user} />,
      text: ({ aff_count, aff_history_quota, inviter_id }) => `${aff_count} / ${aff_history_quota} / ${inviter_id}`,
      sort: ({ aff_count }) => aff_count,
    },
    {
      id: 'role',
      header: t('column.role'),
      cell: (user) => t(`role.${roleOf(user)}`),
      text: (user) => t(`role.${roleOf(user)}`),
      card: 'line',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (user) => <StatusTag tone={statusOf(user).tone}>{t(`status.${statusOf(user).text}`)}</StatusTag>,
      text: (user) => t(`status.${statusOf(user).text}`),
      card: 'status',
    },
    { id: 'email', header: t('column.email'), cell: ({ email }) => <CutText text={email} />, text: ({ email }) => email, isOptional: true },
    { id: 'actions', header: t('display:table.actions'), cell: actions, isFixed: true, align: 'end', isSticky: 'end', card: 'actions' },
  ]
}

function Name({ user: { username, display_name } }: { user: User }): ReactNode {
  return <CutText text={display_name === '' || display_name === username ? username : `${username} · ${display_name}`} />
}

/** How many were invited, what that earned, and by whom the user was invited. */
function Invites({ user: { aff_count, aff_history_quota, inviter_id } }: { user: User }): ReactNode {
  const { t } = useTranslation('users')
  return (
    <chakra.span whiteSpace="nowrap" color={aff_count === 0 && inviter_id === 0 ? 'text.muted' : 'text'}>
      {t('invites.count', { count: aff_count })} · <QuotaText quota={aff_history_quota} /> ·{' '}
      {inviter_id === 0 ? t('invites.none') : t('invites.by', { id: inviter_id })}
    </chakra.span>
  )
}
