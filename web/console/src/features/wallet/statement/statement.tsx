import { Button, chakra, Flex, Skeleton } from '@chakra-ui/react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { timeText } from '@tollgate/domain/display/time-text'
import { ChartColumn, Download, Printer, ReceiptText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { isRoot, useUser } from '../../../lib/session.ts'
import { Select } from '../../../ui/form/select-field.tsx'
import { saveCsv, saveFile } from '../../../ui/list/csv.ts'
import { lastMonths, statementCsv } from '../../../ui/payment/statement-csv.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { focusOf, ownStatement, receiptsOf } from './api.ts'
import { StatementLines } from './statement-lines.tsx'

/** Every change of the balance in a month, with its cause; to save and to print. */
export function Statement(): ReactNode {
  const { t } = useTranslation('statement')
  const user = useUser()
  const [months] = useState(() => lastMonths(new Date()))
  const [month, setMonth] = useState(months[0] ?? '')
  const query = useQuery({ ...ownStatement(month), placeholderData: keepPreviousData, meta: { quiet: true } })
  const { data } = query
  const receipts = useMutation({
    mutationFn: async (chosen: string) => saveFile(`receipts-${chosen}.jws`, await receiptsOf(chosen)),
  })
  return (
    <Panel
      isFlush
      title={t('title', { month })}
      help={t('help')}
      action={
        <Flex gap="2" align="center" wrap="wrap" data-no-print="">
          <Select label={t('month')} value={month} choices={months.map((value) => ({ value, label: value }))} onChange={setMonth} />
          <Button
            size="sm"
            variant="outline"
            disabled={data === undefined}
            onClick={() => data && saveCsv(`statement-${data.month}`, statementCsv(t, data))}
          >
            <Download aria-hidden />
            CSV
          </Button>
          <Button
            size="sm"
            variant="outline"
            data-hint={t('receipts-hint')}
            loading={receipts.isPending}
            onClick={() => receipts.mutate(month)}
          >
            <ReceiptText aria-hidden />
            {t('receipts')}
          </Button>
          <FocusButton month={month} whose="own" />
          {isRoot(user) ? <FocusButton month={month} whose="all" /> : null}
          <Button size="sm" variant="outline" disabled={data === undefined} onClick={() => window.print()}>
            <Printer aria-hidden />
            {t('print')}
          </Button>
        </Flex>
      }
    >
      <chakra.p display="none" px="4" py="2" _print={{ display: 'block' }}>
        {t('account', { name: user?.username ?? '', time: timeText(query.dataUpdatedAt / 1000) })}
      </chakra.p>
      {query.error === null ? null : <ErrorState message={failureText(query.error) ?? ''} onRetry={() => void query.refetch()} />}
      {query.isPending ? <Skeleton height="24" m="4" /> : null}
      {data === undefined ? null : <StatementLines statement={data} />}
    </Panel>
  )
}

function FocusButton({ month, whose }: { readonly month: string; readonly whose: 'own' | 'all' }): ReactNode {
  const { t } = useTranslation('statement')
  const name = whose === 'own' ? `focus-${month}.csv` : `focus-all-${month}.csv`
  const saving = useMutation({ mutationFn: async () => saveFile(name, await focusOf(month, whose)) })
  return (
    <Button size="sm" variant="outline" data-hint={t(`focus.${whose}-hint`)} loading={saving.isPending} onClick={() => saving.mutate()}>
      <ChartColumn aria-hidden />
      {t(`focus.${whose}`)}
    </Button>
  )
}
