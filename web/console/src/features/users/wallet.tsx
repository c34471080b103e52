import { Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { statements } from '@tollgate/contracts/resources/statements'
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { saveCsv } from '../../ui/list/csv.ts'
import { Turner } from '../../ui/page/turner.tsx'
import { lastMonths, statementCsv } from '../../ui/payment/statement-csv.ts'

const PAGE = 5

const entriesOf = (id: number, page: number) =>
  queryOptions({
    queryKey: keyOf(statements.entriesOf, id, page),
    queryFn: ({ signal }) => call(statements.entriesOf, { params: { id }, query: { p: page, page_size: PAGE }, signal }),
  })

type Account = { readonly id: number; readonly username: string }

/** Entries of a user's wallet, newest first. */
export function WalletEntries({ id, username }: Account): ReactNode {
  const { t } = useTranslation(['users', 'statement'])
  const [page, setPage] = useState(1)
  const { data, error, isPending } = useQuery({ ...entriesOf(id, page), placeholderData: keepPreviousData, meta: { quiet: true } })
  return (
    <chakra.section>
      <Text textStyle="section" color="text.strong" mb="2">
        {t('details.wallet')}
      </Text>
      {error === null ? null : <Text color="danger.fg">{failureText(error)}</Text>}
      {isPending ? <Skeleton height="10" /> : null}
      {data?.total === 0 ? <Text color="text.muted">{t('details.wallet-none')}</Text> : null}
      <chakra.ul listStyleType="none">
        {data?.items.map(({ id: entry, created_at, kind, amount, note }) => (
          <Flex as="li" key={entry} gap="3" py="1.5" borderBottomWidth="1px" borderColor="border" align="baseline">
            <Text textStyle="xs" color="text.muted">
              <TimeText time={created_at} absent="–" />
            </Text>
            <Text flex="1" minW="0" overflowWrap="anywhere">
              {t(`statement:kind.${kind}`)}
              {note === '' ? '' : ` · ${note}`}
            </Text>
            <chakra.span color={amount < 0 ? 'text' : 'success.fg'}>
              {amount > 0 ? '+' : ''}
              <QuotaText quota={amount} />
            </chakra.span>
          </Flex>
        ))}
      </chakra.ul>
      {data === undefined || data.total <= PAGE ? null : <Turner page={page} pages={Math.ceil(data.total / PAGE)} onPage={setPage} />}
      <StatementExport id={id} username={username} />
    </chakra.section>
  )
}

/** Saves a month of the user's statement as the user would. */
function StatementExport({ id, username }: Account): ReactNode {
  const { t } = useTranslation('users')
  const { t: ofStatement } = useTranslation('statement')
  const [months] = useState(() => lastMonths(new Date()))
  const [month, setMonth] = useState(months[0] ?? '')
  const save = useMutation({
    mutationFn: () => call(statements.monthOf, { params: { id }, query: { month } }),
    onSuccess: (statement) => saveCsv(`statement-${username}-${month}`, statementCsv(ofStatement, statement)),
  })
  return (
    <Flex gap="2" mt="3" align="center">
      <Select label={ofStatement('month')} value={month} choices={months.map((value) => ({ value, label: value }))} onChange={setMonth} />
      <Button size="sm" variant="outline" loading={save.isPending} onClick={() => save.mutate()}>
        <Download aria-hidden />
        {t('details.statement')}
      </Button>
    </Flex>
  )
}
