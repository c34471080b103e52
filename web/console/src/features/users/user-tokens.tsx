import { chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { User, UserToken } from '@tollgate/contracts/resources/users'
import { lastUseOf } from '@tollgate/domain/display/last-use'
import { lookOfToken } from '@tollgate/domain/display/status-tone'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { ManagedMark } from '../../ui/display/managed-note.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { Turner } from '../../ui/page/turner.tsx'
import { userTokens } from './api.ts'

const PAGE = 5

/** The tokens of a user without their keys, each with the way to its requests. */
export function UserTokens({ user }: { readonly user: User }): ReactNode {
  const { t } = useTranslation('users')
  const [page, setPage] = useState(1)
  const { data, error, isPending } = useQuery({
    ...userTokens(user.id, { p: page, page_size: PAGE }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
  return (
    <chakra.section aria-label={t('details.tokens')}>
      <Text textStyle="section" color="text.strong" mb="2">
        {t('details.tokens')}
      </Text>
      {error === null ? null : <Text color="danger.fg">{failureText(error)}</Text>}
      {isPending ? <Skeleton height="10" /> : null}
      {data?.total === 0 ? <Text color="text.muted">{t('details.tokens-none')}</Text> : null}
      <chakra.ul listStyleType="none">
        {data?.items.map((token) => (
          <TokenLine key={token.id} token={token} username={user.username} />
        ))}
      </chakra.ul>
      {data === undefined || data.total <= PAGE ? null : <Turner page={page} pages={Math.ceil(data.total / PAGE)} onPage={setPage} />}
    </chakra.section>
  )
}

const STATUS_TEXTS = ['enabled', 'disabled', 'expired', 'exhausted'] as const

function TokenLine({ token, username }: { readonly token: UserToken; readonly username: string }): ReactNode {
  const { t } = useTranslation(['users', 'display'])
  const look = lookOfToken(token.status)
  const status = STATUS_TEXTS.find((text) => text === look.text) ?? 'unknown'
  return (
    <chakra.li py="1.5" borderBottomWidth="1px" borderColor="border">
      <Flex gap="3" align="baseline" justify="space-between">
        <chakra.span minW="0" overflowWrap="anywhere" color="text.strong">
          {token.name}
        </chakra.span>
        <Flex gap="1.5" flexShrink="0">
          <ManagedMark record={token} />
          <StatusTag tone={look.tone}>{t(`display:token.${status}`)}</StatusTag>
        </Flex>
      </Flex>
      <Flex gap="3" align="baseline" justify="space-between" wrap="wrap" textStyle="xs" color="text.muted">
        <chakra.span fontFamily="mono">{token.masked_key}</chakra.span>
        <chakra.span>
          {t('column.used_quota')} <QuotaText quota={token.used_quota} /> · {t('column.quota')}{' '}
          {token.unlimited_quota ? t('no-limit') : <QuotaText quota={token.remain_quota} />}
        </chakra.span>
      </Flex>
      <Flex gap="3" align="baseline" justify="space-between" wrap="wrap" textStyle="xs" color="text.muted">
        <span>
          {t('details.last-request')} <TimeText time={lastUseOf(token)} absent={t('details.never')} />
        </span>
        <chakra.span color="accent.fg" textDecoration="underline" asChild>
          <Link to="/log" search={{ username, token_name: token.name, preset: 'thirty-days' }}>
            {t('details.token-logs')}
          </Link>
        </chakra.span>
      </Flex>
    </chakra.li>
  )
}
