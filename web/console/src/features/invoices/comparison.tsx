import { Alert, Button, chakra, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InvoiceResult, VendorInvoice } from '@tollgate/contracts/resources/vendor-invoices'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { ArrowLeft, CircleCheck, Download, RotateCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { percentDone, ProgressLine } from '../../ui/display/progress-line.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { saveFile } from '../../ui/list/csv.ts'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { usePagedList } from '../../ui/list/use-list.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { exportOf, invoice, invoiceLines, useCompare, useRemove } from './api.ts'
import { useLineColumns } from './line-columns.tsx'
import { amountText, differenceText } from './money.ts'
import type { InvoiceSearch } from './search.ts'
import { STATE_TONES } from './state-tones.ts'

type ComparisonProps = { readonly id: number; readonly search: InvoiceSearch; readonly onSearch: (search: InvoiceSearch) => void }

/** One invoice beside the log: totals, causes, and the lines. */
export function Comparison({ id, search, onSearch }: ComparisonProps): ReactNode {
  const { t } = useTranslation('invoices')
  const found = useQuery(invoice(id))
  if (found.data !== undefined && found.data.result !== null && found.data.state === 'done')
    return <Lines one={found.data} result={found.data.result} search={search} onSearch={onSearch} />
  return (
    <Page
      title={found.data?.name ?? t('title')}
      action={found.data === undefined ? <Back onSearch={onSearch} /> : <Actions one={found.data} onSearch={onSearch} />}
    >
      {found.data !== undefined ? (
        <State one={found.data} />
      ) : found.error === null ? (
        <Skeleton h="60" aria-busy />
      ) : (
        <ErrorState message={failureText(found.error) ?? ''} onRetry={() => void found.refetch()} />
      )}
    </Page>
  )
}

function State({ one: { state, done, total } }: { readonly one: VendorInvoice }): ReactNode {
  const { t } = useTranslation('invoices')
  if (state === 'failed' || state === 'cancelled')
    return (
      <Alert.Root status="error">
        <Alert.Indicator />
        <Alert.Content>
          <Alert.Description>{t('failed')}</Alert.Description>
        </Alert.Content>
      </Alert.Root>
    )
  return (
    <Stack gap="2" role="status" maxW="xl">
      <StatusTag tone={STATE_TONES[state]}>{t(`state.${state}`)}</StatusTag>
      <ProgressLine value={state === 'waiting' ? null : percentDone(done, total)} label={t('progress')} />
      <Text textStyle="sm" color="text.muted" fontVariantNumeric="tabular-nums">
        {state === 'waiting' ? t('queued') : t('running', { done: groupDigits(done), total: groupDigits(Math.max(done, total)) })}
      </Text>
    </Stack>
  )
}

type LinesProps = Omit<ComparisonProps, 'id'> & { readonly one: VendorInvoice; readonly result: InvoiceResult }

function Lines({ one, result, search, onSearch }: LinesProps): ReactNode {
  const { t } = useTranslation('invoices')
  const differing = search.which !== 'all'
  const list = usePagedList(search.page ?? 1, (p, page_size) => invoiceLines(one.id, one.finished_at, { p, page_size, differing }))
  return (
    <ResourceList
      name="invoice-lines"
      title={one.name}
      list={list}
      columns={useLineColumns(one.channel_ids)}
      filters={[
        {
          kind: 'choice',
          name: 'which',
          label: t('filter.which'),
          choices: [
            { value: '', label: t('filter.differing') },
            { value: 'all', label: t('filter.all') },
          ],
        },
      ]}
      search={search}
      onSearch={(next) => onSearch({ ...next, id: one.id })}
      idOf={({ n }) => n}
      nameOf={({ model, day }) => `${model} ${day}`}
      isSortable={false}
      actions={() => <Actions one={one} onSearch={onSearch} />}
      lead={<Totals one={one} result={result} />}
      empty={{ title: t('none-title'), help: t('none-help'), icon: <CircleCheck /> }}
    />
  )
}

function Totals({ one, result }: { readonly one: VendorInvoice; readonly result: InvoiceResult }): ReactNode {
  const { t } = useTranslation('invoices')
  const { vendor, own, margin, differing, lines, causes, logs_from } = result
  return (
    <>
      <Text textStyle="sm" color="text.muted">
        {t(`vendor.${one.vendor}`)} · {t('range', { first: one.first_day, last: one.last_day, zone: one.time_zone })}
      </Text>
      <StatRow>
        <StatCard label={t('column.billed')} {...(vendor.dollars === null ? { help: t('no-amounts') } : {})}>
          {amountText(vendor.dollars)}
        </StatCard>
        <StatCard label={t('column.expected')} help={t('expected-help')}>
          {amountText(own.dollars)}
        </StatCard>
        <StatCard label={t('column.charged')}>{amountText(own.charged)}</StatCard>
        <StatCard label={t('column.margin')} help={t('margin-help')}>
          {amountText(margin)}
        </StatCard>
        <StatCard label={t('column.differing')}>{t('lines-of', { differing, lines })}</StatCard>
      </StatRow>
      {logs_from === 0 ? null : (
        <Alert.Root status="warning">
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Description>{t('logs-deleted', { time: timeText(logs_from) })}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
      )}
      {causes.length === 0 ? (
        <Panel title={t('causes')}>
          <EmptyState title={t('none-title')} help={t('none-help')} icon={<CircleCheck />} />
        </Panel>
      ) : (
        <Panel title={t('causes')} help={t('causes-help')} isFlush>
          {causes.map(({ kind, lines: count, dollars }) => (
            <PanelRow
              key={kind}
              title={t(`cause.${kind}`)}
              action={
                <chakra.div textAlign="end" fontVariantNumeric="tabular-nums">
                  {Number(dollars) === 0 ? null : <Text color="text.strong">{differenceText(Number(dollars))}</Text>}
                  <Text textStyle="xs" color="text.muted">
                    {t('cause-lines', { count })}
                  </Text>
                </chakra.div>
              }
            >
              {t(`why.${kind}`)}
            </PanelRow>
          ))}
        </Panel>
      )}
    </>
  )
}

const Back = ({ onSearch }: Pick<ComparisonProps, 'onSearch'>): ReactNode => {
  const { t } = useTranslation('invoices')
  return (
    <Button variant="outline" onClick={() => onSearch({})}>
      <ArrowLeft />
      {t('back')}
    </Button>
  )
}

type ActionsProps = Pick<ComparisonProps, 'onSearch'> & { readonly one: VendorInvoice }

function Actions({ one: { id, name, state }, onSearch }: ActionsProps): ReactNode {
  const { t } = useTranslation('invoices')
  const { ask, dialog } = useConfirm()
  const compare = useCompare()
  const remove = useRemove()
  const saving = useMutation({ mutationFn: async () => saveFile(`vendor-invoice-${id}.csv`, await exportOf(id)) })
  const removeAndLeave = async (): Promise<void> => {
    await remove.mutateAsync(id)
    onSearch({})
  }
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <Back onSearch={onSearch} />
      {state === 'waiting' || state === 'running' ? null : (
        <Button
          variant="outline"
          loading={compare.isPending}
          onClick={() => void saying(compare.mutateAsync(id), () => t('again-started'))}
        >
          <RotateCw />
          {t('again')}
        </Button>
      )}
      {state === 'done' ? (
        <Button variant="outline" loading={saving.isPending} onClick={() => saving.mutate()}>
          <Download />
          {t('export')}
        </Button>
      ) : null}
      <IconButton
        label={t('delete')}
        onClick={() =>
          ask({
            title: t('delete-title', { name }),
            help: t('delete-help'),
            confirm: t('delete'),
            run: () => saying(removeAndLeave(), () => t('deleted')),
          })
        }
      >
        <Trash2 />
      </IconButton>
      {dialog}
    </Flex>
  )
}
