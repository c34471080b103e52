import { Alert, Button, Flex, Stack, Table, Tabs, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { PriceReplay, PriceTexts, ReplayLine, ReplayResult } from '@tollgate/contracts/resources/prices'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { percentDone, ProgressLine } from '../../ui/display/progress-line.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { latestReplay, useCancelReplay, useStartReplay } from './price-tools-api.ts'

type ReplayProps = { readonly prices: PriceTexts; readonly isDraft: boolean; readonly onClose: () => void }

const DAYS = [1, 7, 30] as const

/** Cost of the last days with the prices of the editor. */
export function ReplayDrawer({ prices, isDraft, onClose }: ReplayProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const [days, setDays] = useState(7)
  const { data: replay } = useQuery(latestReplay)
  const start = useStartReplay()
  const isOpen = replay?.state === 'waiting' || replay?.state === 'running'
  return (
    <DetailDrawer title={t('replay.title')} size="lg" onClose={onClose}>
      <Stack gap="4">
        <Text textStyle="sm" color="text.muted">
          {t('replay.help', { days })} {t(isDraft ? 'replay.draft' : 'replay.stored')}
        </Text>
        <Flex gap="2" wrap="wrap">
          <Select
            label={t('replay.days')}
            value={String(days)}
            choices={DAYS.map((count) => ({ value: String(count), label: t('replay.days-choice', { count }) }))}
            onChange={(value) => setDays(Number(value))}
          />
          <Button type="button" loading={start.isPending} disabled={isOpen} onClick={() => start.mutate({ prices, days })}>
            {t(replay === null || replay === undefined ? 'replay.start' : 'replay.again')}
          </Button>
        </Flex>
        {replay === null || replay === undefined ? null : (
          <>
            {replay.id === start.data?.id ? null : (
              <Text textStyle="sm" color="warning.fg">
                {t('replay.earlier', { user: replay.requested_by, time: timeText(replay.created_at) })}
              </Text>
            )}
            <Outcome replay={replay} />
          </>
        )}
      </Stack>
    </DetailDrawer>
  )
}

function Outcome({ replay }: { readonly replay: PriceReplay }): ReactNode {
  const { t } = useTranslation('price-tools')
  const cancel = useCancelReplay()
  const { id, state, done, total, result } = replay
  if (state === 'failed' || state === 'cancelled')
    return (
      <Alert.Root status={state === 'failed' ? 'error' : 'info'}>
        <Alert.Indicator />
        <Alert.Content>
          <Alert.Description>{t(`replay.${state}`)}</Alert.Description>
        </Alert.Content>
      </Alert.Root>
    )
  if (state !== 'done')
    return (
      <Stack gap="2" role="status">
        <ProgressLine value={percentDone(done, total)} label={t('replay.title')} />
        <Flex justify="space-between" align="center">
          <Text textStyle="sm" color="text.muted" fontVariantNumeric="tabular-nums">
            {state === 'waiting'
              ? t('replay.waiting')
              : t('replay.running', { done: groupDigits(done), total: groupDigits(Math.max(done, total)) })}
          </Text>
          <Button type="button" size="xs" variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
            {t('replay.cancel')}
          </Button>
        </Flex>
      </Stack>
    )
  return result === null ? null : <Result replay={replay} result={result} />
}

function Result({ replay: { since, until }, result }: { readonly replay: PriceReplay; readonly result: ReplayResult }): ReactNode {
  const { t } = useTranslation('price-tools')
  const { before, after, requests, unpriced, charges = requests } = result
  return (
    <Stack gap="4">
      <Text textStyle="xs" color="text.muted">
        {t('replay.range', { since: timeText(since), until: timeText(until), requests: groupDigits(requests) })}
      </Text>
      <StatRow>
        <StatCard label={t('replay.before')}>
          <QuotaText quota={before} kind="charge" />
        </StatCard>
        <StatCard label={t('replay.after')}>
          <QuotaText quota={after} kind="charge" />
        </StatCard>
        <StatCard label={t('replay.change')}>
          <Change before={before} after={after} />
        </StatCard>
      </StatRow>
      {charges <= requests ? null : (
        <Text textStyle="sm" color="warning.fg">
          {t('replay.coverage', { counted: groupDigits(requests), charges: groupDigits(charges) })}
        </Text>
      )}
      {unpriced.requests === 0 ? null : (
        <Alert.Root status="warning">
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Description>{t('replay.unpriced', { count: unpriced.requests })}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
      )}
      <Tabs.Root defaultValue="models" lazyMount unmountOnExit>
        <Tabs.List>
          <Tabs.Trigger value="models">{t('replay.models')}</Tabs.Trigger>
          {result.groups === undefined ? null : <Tabs.Trigger value="groups">{t('replay.groups')}</Tabs.Trigger>}
          <Tabs.Trigger value="users">{t('replay.users')}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models">
          <Lines lines={result.models} more={result.more_models} />
        </Tabs.Content>
        {result.groups === undefined ? null : (
          <Tabs.Content value="groups">
            <Lines lines={result.groups} more={result.more_groups ?? 0} />
          </Tabs.Content>
        )}
        <Tabs.Content value="users">
          <Lines lines={result.users} more={result.more_users} />
        </Tabs.Content>
      </Tabs.Root>
    </Stack>
  )
}

function Change({ before, after }: { readonly before: number; readonly after: number }): ReactNode {
  const share = before === 0 ? '' : ` (${after >= before ? '+' : ''}${(((after - before) / before) * 100).toFixed(1)}%)`
  return (
    <>
      <QuotaText quota={after - before} kind="charge" />
      {share}
    </>
  )
}

function Lines({ lines, more }: { readonly lines: readonly ReplayLine[]; readonly more: number }): ReactNode {
  const { t } = useTranslation('price-tools')
  return (
    <>
      <Table.ScrollArea borderWidth="1px" borderColor="border" borderRadius="control">
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('replay.name')}</Table.ColumnHeader>
              {(['requests', 'before', 'after', 'change'] as const).map((column) => (
                <Table.ColumnHeader key={column} textAlign="end">
                  {t(`replay.${column}`)}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {lines.map(({ name, requests, before, after }) => (
              <Table.Row key={name}>
                <Table.Cell overflowWrap="anywhere">{name}</Table.Cell>
                <Table.Cell textAlign="end">{groupDigits(requests)}</Table.Cell>
                <Table.Cell textAlign="end">
                  <QuotaText quota={before} kind="charge" />
                </Table.Cell>
                <Table.Cell textAlign="end">
                  <QuotaText quota={after} kind="charge" />
                </Table.Cell>
                <Table.Cell textAlign="end" whiteSpace="nowrap">
                  <Change before={before} after={after} />
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {more === 0 ? null : (
        <Text textStyle="xs" color="text.muted" mt="2">
          {t('replay.more', { count: more })}
        </Text>
      )}
    </>
  )
}
