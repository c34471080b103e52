import { Button, Grid, Stack, Text } from '@chakra-ui/react'
import type { CheckedBudget, CheckedLimit, LimitCheck } from '@tollgate/contracts/resources/limits'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { FactTable, type FactColumn } from '../../ui/display/fact-table.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { CountText } from '../../ui/display/number-text.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { checkLimits } from './api.ts'

const FIELDS = ['user', 'token', 'model', 'group', 'prompt_tokens', 'max_tokens'] as const
type Field = (typeof FIELDS)[number]
const EMPTY: Readonly<Record<Field, string>> = { user: '', token: '', model: '', group: '', prompt_tokens: '', max_tokens: '' }
const NUMBERS: ReadonlySet<Field> = new Set(['prompt_tokens', 'max_tokens'])

/** Asks whether a request would pass its limits now; nothing is sent and nothing is taken. */
export function LimitCheckPanel(): ReactNode {
  const { t } = useTranslation('settings')
  const [values, setValues] = useState(EMPTY)
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<LimitCheck | undefined>(undefined)
  const isBad = (field: Field): boolean => NUMBERS.has(field) && !/^\d{0,9}$/.test(values[field].trim())
  const isReady = values.user.trim() !== '' && values.model.trim() !== '' && !FIELDS.some(isBad)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      setResult(await checkLimits(values))
    } catch (error) {
      setResult(undefined)
      report(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel title={t('check.title')} help={t('check.help')}>
      <Stack gap="4">
        <form aria-label={t('check.title')} onSubmit={(event) => void submit(event)}>
          <Stack gap="4">
            <Grid gap="4" templateColumns={{ base: '1fr', md: 'repeat(3, minmax(0, 1fr))' }}>
              {FIELDS.map((field) => (
                <TextField
                  key={field}
                  label={t(`check.${field}`)}
                  help={t(`check.${field}-help`)}
                  required={field === 'user' || field === 'model'}
                  value={values[field]}
                  error={isBad(field) ? t('check.whole') : undefined}
                  {...(NUMBERS.has(field) ? { inputMode: 'numeric' as const } : {})}
                  onValue={(value) => setValues({ ...values, [field]: value })}
                />
              ))}
            </Grid>
            <Button type="submit" variant="outline" alignSelf="flex-start" disabled={!isReady} loading={isBusy}>
              {t('check.run')}
            </Button>
          </Stack>
        </form>
        <div role="status">{result === undefined ? null : <Outcome result={result} />}</div>
      </Stack>
    </Panel>
  )
}

function Outcome({ result }: { readonly result: LimitCheck }): ReactNode {
  const { t } = useTranslation('settings')
  const { passes, obstacle, group, tokens, limits, budgets } = result
  const reason = obstacle === null ? '' : ` · ${t(`check.obstacle.${obstacle}`)}`
  return (
    <Stack gap="3">
      <div>
        <ToneTag tone={passes ? 'green' : 'red'}>{`${t(passes ? 'check.passes' : 'check.refused')}${reason}`}</ToneTag>
      </div>
      <Text color="text.muted">{t('check.counted', { group, tokens })}</Text>
      {limits.length === 0 ? <Text>{t('check.none')}</Text> : <LimitTable limits={limits} />}
      {budgets.length === 0 ? null : <BudgetTable budgets={budgets} />}
    </Stack>
  )
}

function LimitTable({ limits }: { readonly limits: readonly CheckedLimit[] }): ReactNode {
  const { t } = useTranslation('settings')
  const number = (id: 'limit' | 'used' | 'left'): FactColumn<CheckedLimit> => ({
    id,
    header: t(`check.column.${id}`),
    cell: (row) => <CountText count={row[id]} />,
    align: 'end',
  })
  const columns: readonly FactColumn<CheckedLimit>[] = [
    { id: 'of', header: t('check.column.of'), cell: ({ of, name }) => `${t(`check.of.${of}`)} ${name}` },
    { id: 'by', header: t('check.column.by'), cell: ({ by }) => t(`check.by.${by}`) },
    {
      id: 'window',
      header: t('check.column.window'),
      cell: ({ window_ms }) => (window_ms === 0 ? t('check.now') : durationText(window_ms)),
    },
    number('limit'),
    number('used'),
    number('left'),
    { id: 'free', header: t('check.column.free'), cell: (row) => <Free row={row} /> },
  ]
  return <FactTable label={t('check.limits')} rows={limits} columns={columns} idOf={({ of, name, by }) => `${of} ${name} ${by}`} />
}

/** The price decides if the rest is enough; it is not asked for here. */
function BudgetTable({ budgets }: { readonly budgets: readonly CheckedBudget[] }): ReactNode {
  const { t } = useTranslation(['settings', 'budgets'])
  const amount = (id: 'amount' | 'spent' | 'held', header: string): FactColumn<CheckedBudget> => ({
    id,
    header,
    cell: (row) => <QuotaText quota={row[id]} />,
    align: 'end',
  })
  const columns: readonly FactColumn<CheckedBudget>[] = [
    {
      id: 'budget',
      header: t('budgets:column.budget'),
      cell: ({ window, scope }) => `${t(`budgets:window.${window}`)} · ${t(`budgets:scope.${scope}`)}`,
    },
    amount('amount', t('budgets:field.amount')),
    amount('spent', t('budgets:spent')),
    amount('held', t('budgets:held')),
    {
      id: 'free',
      header: t('check.column.free'),
      cell: ({ passes, end }) =>
        passes ? (
          <ToneTag tone="green">{t('check.free')}</ToneTag>
        ) : (
          <ToneTag tone="red">{end === 0 ? t('budgets:used-up') : t('budgets:resets', { time: timeText(end) })}</ToneTag>
        ),
    },
  ]
  return <FactTable label={t('budgets:title')} rows={budgets} columns={columns} idOf={({ id }) => String(id)} />
}

function Free({ row: { passes, wait_ms } }: { readonly row: CheckedLimit }): ReactNode {
  const { t } = useTranslation('settings')
  if (passes) return <ToneTag tone="green">{t('check.free')}</ToneTag>
  return <ToneTag tone="red">{wait_ms === 0 ? t('check.when-one-ends') : t('check.in', { time: durationText(wait_ms) })}</ToneTag>
}
