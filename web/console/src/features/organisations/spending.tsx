import { Flex, Table, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { percentText } from '../../lib/percent-text.ts'
import { failureText } from '../../lib/report.ts'
import { CountText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { spending, type SpendingQuery } from './api.ts'

const PERIODS = [7, 30, 90, 365] as const

/** Spending of projects or members. */
export function SpendingPanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const [query, setQuery] = useState<SpendingQuery>({ by: 'project', days: 30 })
  const { data, error, refetch } = useQuery(spending(query))
  const sum = (data ?? []).reduce((total, { quota }) => total + quota, 0)
  return (
    <Panel
      title={t('spending.title')}
      help={t('spending.help')}
      action={
        <Flex gap="2" wrap="wrap">
          <Select
            label={t('spending.by')}
            value={query.by}
            choices={(['project', 'member'] as const).map((value) => ({ value, label: t(`spending.by-${value}`) }))}
            onChange={(by) => setQuery({ ...query, by: by === 'member' ? 'member' : 'project' })}
          />
          <Select
            label={t('spending.period')}
            value={String(query.days)}
            choices={PERIODS.map((days) => ({ value: String(days), label: t('spending.days', { days }) }))}
            onChange={(days) => setQuery({ ...query, days: Number(days) })}
          />
        </Flex>
      }
    >
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Text color="text.muted">{t('spending.none')}</Text> : null}
      {data === undefined || data.length === 0 ? null : (
        <TableFrame label={t('spending.title')}>
          <Table.Root size="sm">
            <Table.Header>
              <Table.Row>
                <Table.ColumnHeader>{t('spending.name')}</Table.ColumnHeader>
                <Table.ColumnHeader textAlign="end">{t('spending.amount')}</Table.ColumnHeader>
                <Table.ColumnHeader textAlign="end">{t('spending.share')}</Table.ColumnHeader>
                <Table.ColumnHeader textAlign="end">{t('spending.requests')}</Table.ColumnHeader>
                <Table.ColumnHeader textAlign="end">{t('spending.tokens')}</Table.ColumnHeader>
              </Table.Row>
            </Table.Header>
            <Table.Body>
              {data.map(({ id, name, quota, requests, tokens }) => (
                <Table.Row key={id}>
                  <Table.Cell color={name === '' ? 'text.muted' : 'text.strong'}>
                    {name === '' ? t(`spending.no-${query.by}`) : name}
                  </Table.Cell>
                  <Table.Cell textAlign="end">
                    <QuotaText quota={quota} />
                  </Table.Cell>
                  <Table.Cell textAlign="end" whiteSpace="nowrap">
                    {percentText(sum === 0 ? 0 : quota / sum)}
                  </Table.Cell>
                  <Table.Cell textAlign="end">
                    <CountText count={requests} />
                  </Table.Cell>
                  <Table.Cell textAlign="end">
                    <CountText count={tokens} />
                  </Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table.Root>
        </TableFrame>
      )}
    </Panel>
  )
}
