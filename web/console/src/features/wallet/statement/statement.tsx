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
          <SaveButton name={`receipts-${month}.jws`} read={() => receiptsOf(month)} icon={<ReceiptText aria-hidden />} text="receipts" />
          <SaveButton name={`focus-${month}.csv`} read={() => focusOf(month, 'own')} icon={<ChartColumn aria-hidden />} text="focus" />
          {isRoot(user) ? (
            <SaveButton
              name={`focus-all-${month}.csv`}
              read={() => focusOf(month, 'all')}
              icon={<ChartColumn aria-hidden />}
              text="focus-all"
            />
          ) : null}
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

type SaveProps = {
  readonly name: string
  readonly read: () => Promise<Blob>
  readonly icon: ReactNode
  readonly text: 'receipts' | 'focus' | 'focus-all'
}

/** Saves a file that the server makes. */
function SaveButton({ name, read, icon, text }: SaveProps): ReactNode {
  const { t } = useTranslation('statement')
  const saving = useMutation({ mutationFn: async () => saveFile(name, await read()) })
  return (
    <Button size="sm" variant="outline" data-hint={t(`${text}-hint`)} loading={saving.isPending} onClick={() => saving.mutate()}>
      {icon}
      {t(text)}
    </Button>
  )
}
