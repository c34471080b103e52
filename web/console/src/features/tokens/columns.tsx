import { chakra, Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { lastUseOf } from '@tollgate/domain/display/last-use'
import { ratioText, shownTokenGroupRatio } from '@tollgate/domain/display/ratio-text'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownGroups } from '../../lib/own-account.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { ManagedMark } from '../../ui/display/managed-note.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { fullKey, ipLines, limitedModels, shortKey, statusOf } from './token-display.ts'

/** The token list's columns: one per field that helps the reader. */
export function tokenColumns(
  t: TFunction<['tokens', 'display']>,
  actions: (token: Token) => ReactNode,
  ofOrganisation: readonly Column<Token>[],
): readonly Column<Token>[] {
  const status = (token: Token): string => t(`display:token.${statusOf(token).text}`)
  const forever = t('display:time.unlimited')
  return [
    {
      id: 'name',
      header: t('column.name'),
      cell: (token) => <Name token={token} />,
      text: ({ name }) => name,
      isFixed: true,
      card: 'title',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (token) => <StatusTag tone={statusOf(token).tone}>{status(token)}</StatusTag>,
      text: status,
      card: 'status',
    },
    { id: 'key', header: t('column.key'), cell: (token) => <Key token={token} />, card: 'line' },
    {
      id: 'remain',
      header: t('column.remain'),
      cell: (token) => <Remaining token={token} />,
      text: (token) => (token.unlimited_quota ? t('unlimited') : token.remain_quota),
      align: 'end',
      card: 'line',
    },
    {
      id: 'used',
      header: t('column.used'),
      cell: ({ used_quota }) => <QuotaText quota={used_quota} />,
      text: ({ used_quota }) => used_quota,
      align: 'end',
      card: 'line',
    },
    ...ofOrganisation,
    { id: 'group', header: t('column.group'), cell: ({ group }) => <Group group={group} />, text: ({ group }) => group },
    {
      id: 'models',
      header: t('column.models'),
      cell: (token) => <Several names={limitedModels(token)} none={t('all-models')} textOf={(count) => t('model-count', { count })} />,
      text: (token) => limitedModels(token)?.join(' ') ?? '',
    },
    {
      id: 'ips',
      header: t('column.ips'),
      cell: (token) => <Several names={ipLines(token)} none={t('no-ip-limit')} textOf={(count) => t('ip-count', { count })} />,
      text: (token) => ipLines(token).join(' '),
      isOptional: true,
    },
    {
      id: 'created',
      header: t('column.created'),
      cell: ({ created_time }) => <TimeText time={created_time} absent="–" />,
      isOptional: true,
    },
    {
      id: 'accessed',
      header: t('column.accessed'),
      cell: (token) => <TimeText time={lastUseOf(token)} absent={t('never-used')} />,
      isOptional: true,
    },
    {
      id: 'expires',
      header: t('column.expires'),
      cell: ({ expired_time }) => <TimeText time={expired_time} absent={forever} />,
      text: ({ expired_time }) => (expired_time > 0 ? timeText(expired_time) : forever),
      card: 'line',
    },
    { id: 'actions', header: t('display:table.actions'), cell: actions, isFixed: true, align: 'end', isSticky: 'end', card: 'actions' },
  ]
}

function Key({ token }: { token: Token }): ReactNode {
  if (token.is_own === false) return <chakra.code color="text.muted">{fullKey(token)}</chakra.code>
  return <CopyId text={fullKey(token)} shown={shortKey(token)} />
}

function Name({ token }: { token: Token }): ReactNode {
  return (
    <Flex as="span" display="inline-flex" columnGap="2" rowGap="0.5" align="center" wrap="wrap" maxW="full">
      <chakra.span color="text.strong" fontWeight="medium" minW="0" maxW="full">
        <CutText text={token.name} width="14rem" />
      </chakra.span>
      <ManagedMark record={token} />
    </Flex>
  )
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

function Group({ group }: { group: string }): ReactNode {
  const { t } = useTranslation('tokens')
  const ratio = useQuery(ownGroups).data?.[group]?.ratio
  if (group === '') return <chakra.span color="text.muted">{t('group-default')}</chakra.span>
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5">
      {group}
      {ratio === undefined ? null : (
        <>
          <ToneTag tone={toneOf(RATIO, ratio)} hint={t('group-charged', { ratio: ratioText(ratio) })}>
            {ratioText(shownTokenGroupRatio(ratio))}
          </ToneTag>
          <chakra.span textStyle="xs" color="text.muted" whiteSpace="nowrap">
            {t('group-charged-at', { ratio: ratioText(ratio) })}
          </chakra.span>
        </>
      )}
    </chakra.span>
  )
}

type SeveralProps = { readonly names: readonly string[] | undefined; readonly none: string; readonly textOf: (count: number) => string }

function Several({ names = [], none, textOf }: SeveralProps): ReactNode {
  if (names.length === 0) return <chakra.span color="text.muted">{none}</chakra.span>
  return <chakra.span data-hint={names.slice(0, 30).join('\n')}>{textOf(names.length)}</chakra.span>
}
