import { Button, chakra, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { User, UserUsage } from '@tollgate/contracts/resources/users'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { History, Pencil, ScrollText, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { failureText } from '../../lib/report.ts'
import { useUser } from '../../lib/session.ts'
import { Budgets } from '../../ui/budgets/lazy-budgets.tsx'
import { SparkLine } from '../../ui/chart/spark-line.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText, useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { DetailDrawer, LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { exactQuotaText } from '@tollgate/domain/display/quota-text'
import { userById, userUsage } from './api.ts'
import { LIMIT_FIELDS } from '../../ui/form/limits.ts'
import { NewToken } from './new-token.tsx'
import { ResetTwoFactor } from './reset-two-factor.tsx'
import { ViewAs } from './view-as.tsx'
import { UserTokens } from './user-tokens.tsx'
import { BINDINGS, mayManage, roleOf, statusOf } from './user-display.ts'
import { WalletEntries } from './wallet.tsx'

type Opens = {
  readonly guarded: Guarded
  readonly onClose: () => void
  readonly onEdit: (id: number) => void
  readonly onAdjust: (id: number) => void
}

/** One user at a glance: money, the last thirty days, who invited whom, what is bound, and where to look further. */
export function UserDetails({ id, ...opens }: Opens & { readonly id: number }): ReactNode {
  const { t } = useTranslation('users')
  return (
    <LoadingDrawer title={t('details.title')} query={useQuery(userById(id))} onClose={opens.onClose}>
      {(user) => <Details user={user} {...opens} />}
    </LoadingDrawer>
  )
}

function Details({ user, guarded, onClose, onEdit, onAdjust }: Opens & { readonly user: User }): ReactNode {
  const { t } = useTranslation(['users', 'display'])
  const viewer = useUser()
  return (
    <DetailDrawer
      title={user.username}
      onClose={onClose}
      footer={
        mayManage(viewer, user) ? (
          <>
            <Button variant="outline" onClick={() => onAdjust(user.id)}>
              <Wallet />
              {t('action.adjust')}
            </Button>
            <Button onClick={() => onEdit(user.id)}>
              <Pencil />
              {t('display:action.edit')}
            </Button>
          </>
        ) : undefined
      }
    >
      <Stack gap="5">
        <StatRow>
          <StatCard label={t('column.quota')}>
            <QuotaText quota={user.quota} />
          </StatCard>
          <StatCard label={t('column.used_quota')}>
            <QuotaText quota={user.used_quota} />
          </StatCard>
          <StatCard label={t('column.requests')}>{groupDigits(user.request_count)}</StatCard>
        </StatRow>
        {/* Above what is still loading, so that it does not move under the pointer. */}
        <Stack direction="row" gap="2" wrap="wrap">
          <Button asChild size="sm" variant="outline">
            <Link to="/audit" search={{ resource: 'user', resource_id: String(user.id) }}>
              <History />
              {t('details.audit')}
            </Link>
          </Button>
          {mayManage(viewer, user) ? <NewToken user={user} guarded={guarded} /> : null}
          {mayManage(viewer, user) && user.id !== viewer?.id ? <ViewAs user={user} guarded={guarded} /> : null}
          {mayManage(viewer, user) ? <ResetTwoFactor user={user} guarded={guarded} /> : null}
        </Stack>
        <Usage user={user} />
        <chakra.section aria-label={t('details.budgets')}>
          <Text textStyle="section" color="text.strong" mb="2">
            {t('details.budgets')}
          </Text>
          <Budgets owner={{ user_id: user.id }} canAdd={mayManage(viewer, user)} />
        </chakra.section>
        <UserTokens user={user} />
        <WalletEntries id={user.id} username={user.username} />
        <Facts user={user} />
      </Stack>
    </DetailDrawer>
  )
}

function Usage({ user }: { readonly user: User }): ReactNode {
  const { t } = useTranslation('users')
  const usage = useQuery({ ...userUsage(user.id), meta: { quiet: true } })
  return (
    <chakra.section>
      <Text textStyle="section" color="text.strong" mb="2">
        {t('details.usage')}
      </Text>
      {usage.error === null ? null : <Text color="danger.fg">{failureText(usage.error)}</Text>}
      {usage.isPending ? <Skeleton height="10" /> : null}
      {usage.data === undefined ? null : <UsageFacts usage={usage.data} />}
      <Stack direction="row" gap="2" mt="3" wrap="wrap">
        <Button asChild size="sm" variant="outline">
          <Link to="/log" search={{ username: user.username, preset: 'thirty-days' }}>
            <ScrollText />
            {t('details.logs')}
          </Link>
        </Button>
      </Stack>
    </chakra.section>
  )
}

const DAYS = 30
const DAY_SECONDS = 86_400

function UsageFacts({ usage: { days, last_request_at } }: { readonly usage: UserUsage }): ReactNode {
  const { t } = useTranslation('users')
  const style = useQuotaStyle()
  const sum = days.reduce((total, { quota }) => total + quota, 0)
  const requests = days.reduce((total, one) => total + one.requests, 0)
  return (
    <FactsList>
      <Fact name={t('details.spent')}>
        <chakra.span display="inline-flex" gap="3" alignItems="center">
          <QuotaText quota={sum} />
          {days.length === 0 ? null : (
            <SparkLine values={toSeries(days)} label={t('details.spark', { quota: exactQuotaText(sum, style) })} />
          )}
        </chakra.span>
      </Fact>
      <Fact name={t('details.requests')}>{groupDigits(requests)}</Fact>
      <Fact name={t('details.last-request')}>
        <TimeText time={last_request_at} absent={t('details.never')} />
      </Fact>
    </FactsList>
  )
}

/** One value per day, days without requests included. */
function toSeries(days: UserUsage['days']): readonly number[] {
  const last = Math.floor(new Date().getTime() / 1_000 / DAY_SECONDS)
  const byDay = new Map(days.map(({ day, quota }) => [day / DAY_SECONDS, quota]))
  return Array.from({ length: DAYS }, (_, at) => byDay.get(last - DAYS + 1 + at) ?? 0)
}

function Facts({ user }: { readonly user: User }): ReactNode {
  const { t } = useTranslation('users')
  const bound = BINDINGS.filter((name) => user[name] !== '')
  const limits = LIMIT_FIELDS.filter((name) => user.limits?.[name] !== undefined)
  return (
    <chakra.section>
      <Text textStyle="section" color="text.strong" mb="2">
        {t('details.account')}
      </Text>
      <FactsList>
        <Fact name={t('column.status')}>
          <StatusTag tone={statusOf(user).tone}>{t(`status.${statusOf(user).text}`)}</StatusTag>
        </Fact>
        <Fact name={t('column.role')}>{t(`role.${roleOf(user)}`)}</Fact>
        <Fact name={t('column.group')}>{user.group}</Fact>
        <Fact name={t('invites.title')}>
          {t('invites.count', { count: user.aff_count })} · <QuotaText quota={user.aff_history_quota} />
        </Fact>
        <Fact name={t('invites.inviter')}>{user.inviter_id === 0 ? t('invites.none') : user.inviter_id}</Fact>
        <Fact name={t('drawer.limits')}>
          {limits.length === 0
            ? t('no-limit')
            : limits.map((name) => `${t(`field.${name}`)} ${groupDigits(user.limits?.[name] ?? 0)}`).join(' · ')}
        </Fact>
        <Fact name={t('drawer.bindings')}>
          {bound.length === 0 ? t('binding.none') : bound.map((name) => `${t(`binding.${name}`)} ${user[name]}`).join(' · ')}
        </Fact>
      </FactsList>
    </chakra.section>
  )
}
