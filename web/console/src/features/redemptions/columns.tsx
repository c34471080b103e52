import { Link } from '@tanstack/react-router'
import { RedemptionStatus } from '@tollgate/contracts/enums'
import type { Redemption } from '@tollgate/contracts/resources/redemptions'
import { timeText } from '@tollgate/domain/display/time-text'
import type { Tone } from '@tollgate/domain/display/tone'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { nowInSeconds } from '../../lib/expiry.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import type { Column } from '../../ui/list/table-columns.ts'

type Look = { readonly tone: Tone; readonly text: 'unused' | 'ended' | 'disabled' | 'used' | 'unknown' }

export function lookOf({ status, expired_time }: Pick<Redemption, 'status' | 'expired_time'>): Look {
  if (status === RedemptionStatus.unused && expired_time > 0 && expired_time <= nowInSeconds()) return { tone: 'grey', text: 'ended' }
  if (status === RedemptionStatus.unused) return { tone: 'green', text: 'unused' }
  if (status === RedemptionStatus.disabled) return { tone: 'red', text: 'disabled' }
  return status === RedemptionStatus.used ? { tone: 'grey', text: 'used' } : { tone: 'grey', text: 'unknown' }
}

/** Enough of a code to recognise it. */
const shortKey = (key: string): string => `${key.slice(0, 6)}…${key.slice(-4)}`

export function codeColumns(
  t: TFunction<['redemptions', 'display']>,
  actions: (code: Redemption) => ReactNode,
): readonly Column<Redemption>[] {
  return [
    { id: 'id', header: t('column.id'), cell: ({ id }) => <CopyId text={String(id)} />, text: ({ id }) => id, width: '3.5rem' },
    {
      id: 'name',
      header: t('column.name'),
      cell: ({ name }) => <CutText text={name} />,
      text: ({ name }) => name,
      isFixed: true,
      card: 'title',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (code) => <StatusTag tone={lookOf(code).tone}>{t(`status.${lookOf(code).text}`)}</StatusTag>,
      text: (code) => t(`status.${lookOf(code).text}`),
      card: 'status',
    },
    { id: 'key', header: t('column.key'), cell: ({ key }) => <CopyId text={key} shown={shortKey(key)} />, card: 'line' },
    {
      id: 'quota',
      header: t('column.quota'),
      cell: ({ quota }) => <QuotaText quota={quota} />,
      text: ({ quota }) => quota,
      align: 'end',
      card: 'line',
    },
    {
      id: 'created',
      header: t('column.created'),
      cell: ({ created_time }) => <TimeText time={created_time} absent="–" />,
      text: ({ created_time }) => timeText(created_time),
      sort: ({ created_time }) => created_time,
    },
    {
      id: 'expires',
      header: t('column.expires'),
      cell: ({ expired_time }) => <TimeText time={expired_time} absent={t('expiry.never')} />,
      text: ({ expired_time }) => (expired_time > 0 ? timeText(expired_time) : t('expiry.never')),
      sort: ({ expired_time }) => expired_time,
    },
    {
      id: 'redeemed',
      header: t('column.redeemed'),
      cell: ({ redeemed_time }) => <TimeText time={redeemed_time} absent="–" />,
      text: ({ redeemed_time }) => (redeemed_time > 0 ? timeText(redeemed_time) : ''),
      sort: ({ redeemed_time }) => redeemed_time,
    },
    {
      id: 'used-by',
      header: t('column.used-by'),
      cell: ({ used_user_id }) => <UsedBy id={used_user_id} none={t('none')} />,
      text: ({ used_user_id }) => (used_user_id === 0 ? t('none') : used_user_id),
      card: 'line',
    },
    { id: 'actions', header: t('display:table.actions'), cell: actions, isFixed: true, align: 'end', isSticky: 'end', card: 'actions' },
  ]
}

function UsedBy({ id, none }: { readonly id: number; readonly none: string }): ReactNode {
  return id === 0 ? (
    none
  ) : (
    <Link to="/user" search={{ open: id }}>
      {id}
    </Link>
  )
}
