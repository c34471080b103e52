import { chakra } from '@chakra-ui/react'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { UsableGroups } from '@tollgate/contracts/resources/self'
import { ratioText, shownTokenGroupRatio } from '@tollgate/domain/display/ratio-text'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { type TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { TokenActions, type TokenRowActions } from './row-actions.tsx'
import { fullKey, ipLines, limitedModels, shortKey, statusOf } from './view.ts'

type Context = {
  readonly t: TFunction<['tokens', 'display']>
  readonly groups: UsableGroups | undefined
  readonly actions: TokenRowActions
}

/** The token list's columns: one per field that helps the reader. */
export function tokenColumns({ t, groups, actions }: Context): readonly Column<Token>[] {
  return [
    { id: 'name', header: t('column.name'), cell: (token) => <Name token={token} />, isFixed: true, card: 'title' },
    { id: 'status', header: t('column.status'), cell: (token) => <Status token={token} />, card: 'status' },
    { id: 'key', header: t('column.key'), cell: (token) => <CopyId text={fullKey(token)} shown={shortKey(token)} />, card: 'line' },
    { id: 'remain', header: t('column.remain'), cell: (token) => <Remaining token={token} />, align: 'end', card: 'line' },
    { id: 'used', header: t('column.used'), cell: (token) => <QuotaText quota={token.used_quota} />, align: 'end', card: 'line' },
    { id: 'group', header: t('column.group'), cell: (token) => <Group token={token} groups={groups} /> },
    { id: 'models', header: t('column.models'), cell: (token) => <Models token={token} /> },
    { id: 'ips', header: t('column.ips'), cell: (token) => <Ips token={token} />, isOptional: true },
    { id: 'created', header: t('column.created'), cell: (token) => <TimeText time={token.created_time} absent="–" />, isOptional: true },
    {
      id: 'accessed',
      header: t('column.accessed'),
      cell: (token) => <TimeText time={token.accessed_time} absent={t('never-used')} />,
      isOptional: true,
    },
    {
      id: 'expires',
      header: t('column.expires'),
      cell: (token) => <TimeText time={token.expired_time} absent={t('display:time.unlimited')} />,
      card: 'line',
    },
    {
      id: 'actions',
      header: t('display:table.actions'),
      cell: (token) => <TokenActions token={token} actions={actions} />,
      isFixed: true,
      align: 'end',
      isSticky: 'end',
      card: 'actions',
    },
  ]
}

function Name({ token }: { token: Token }): ReactNode {
  return (
    <chakra.span color="text.strong" fontWeight="medium">
      <CutText text={token.name} width="14rem" />
    </chakra.span>
  )
}

function Status({ token }: { token: Token }): ReactNode {
  const { t } = useTranslation('display')
  const { tone, text } = statusOf(token)
  return <StatusTag tone={tone}>{t(`token.${text}`)}</StatusTag>
}

function Remaining({ token }: { token: Token }): ReactNode {
  const { t } = useTranslation('tokens')
  if (token.unlimited_quota) return <chakra.span color="text.muted">{t('unlimited')}</chakra.span>
  return (
    <chakra.span {...(token.remain_quota <= 0 ? { color: 'danger.fg', fontWeight: 'medium' } : {})}>
      <QuotaText quota={token.remain_quota} />
    </chakra.span>
  )
}

function Group({ token, groups }: { token: Token; groups: UsableGroups | undefined }): ReactNode {
  const { t } = useTranslation('tokens')
  if (token.group === '') return <chakra.span color="text.muted">{t('group-default')}</chakra.span>
  const ratio = groups?.[token.group]?.ratio
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5">
      {token.group}
      {ratio === undefined ? null : (
        <ToneTag tone={toneOf(RATIO, ratio)} hint={t('group-charged', { ratio: ratioText(ratio) })}>
          {ratioText(shownTokenGroupRatio(ratio))}
        </ToneTag>
      )}
    </chakra.span>
  )
}

function Models({ token }: { token: Token }): ReactNode {
  const { t } = useTranslation('tokens')
  const models = limitedModels(token)
  if (models === undefined) return <chakra.span color="text.muted">{t('all-models')}</chakra.span>
  return <chakra.span data-hint={models.slice(0, 30).join('\n')}>{t('model-count', { count: models.length })}</chakra.span>
}

function Ips({ token }: { token: Token }): ReactNode {
  const { t } = useTranslation('tokens')
  const lines = ipLines(token)
  if (lines.length === 0) return <chakra.span color="text.muted">{t('no-ip-limit')}</chakra.span>
  return <chakra.span data-hint={lines.join('\n')}>{t('ip-count', { count: lines.length })}</chakra.span>
}
