import type { BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import type { Budget, NewBudget } from '@tollgate/contracts/resources/budgets'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBudgetChanges } from '../../lib/budgets.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { ManagedRecordNote } from '../display/managed-note.tsx'
import { ChoiceField } from '../form/labelled-field.tsx'
import { PickField } from '../form/pick-field.tsx'
import { QuotaField } from '../form/quota-field.tsx'
import { TextField } from '../form/text-field.tsx'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { emptyBudget, needsTimeZone, problemOf, toBudgetChange, toBudgetForm, toNewBudget, type BudgetForm } from './budget-form.ts'

export type BudgetsOwner = Pick<NewBudget, 'token_id' | 'user_id' | 'project_id' | 'member_id' | 'group'>

type DialogProps = {
  readonly owner: BudgetsOwner
  /** Absent: a new one. */
  readonly budget?: Budget | undefined
  /** Windows that a new one may have. */
  readonly windows: readonly BudgetWindow[]
  readonly onClose: () => void
}

/** Asks for a budget. The calendar of one that exists stays. */
export function BudgetDialog({ owner, budget, windows, onClose }: DialogProps): ReactNode {
  const { t } = useTranslation(['budgets', 'display'])
  const { create, update } = useBudgetChanges()
  const [form, setForm] = useState<BudgetForm>(() =>
    budget === undefined
      ? { ...emptyBudget(ownZone()), window: windows.includes('month') ? 'month' : (windows[0] ?? 'month') }
      : toBudgetForm(budget),
  )
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const problem = problemOf(form)
  const set = (change: Partial<BudgetForm>): void => {
    setForm({ ...form, ...change })
    setFailure(undefined)
  }
  const submit = (): void => {
    setTried(true)
    if (problem !== undefined) return
    const answers = {
      onError: (error: unknown) => setFailure(failureText(error)),
      onSuccess: () => {
        toast.success(t('saved'))
        onClose()
      },
    }
    if (budget === undefined) create.mutate(toNewBudget(form, owner), answers)
    else update.mutate({ id: budget.id, body: toBudgetChange(form, budget.updated_at) }, answers)
  }
  const errorOf = (name: typeof problem): string | undefined =>
    isTried && problem === name && name !== undefined ? t(`problem.${name}`) : undefined
  return (
    <FormDialog
      title={t(budget === undefined ? 'new-title' : 'edit-title')}
      submit={t('save')}
      isBusy={create.isPending || update.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {budget === undefined ? (
        <CalendarFields {...{ form, set, windows, owner, errorOf }} />
      ) : (
        <ManagedRecordNote record={budget} help={t('display:managed.help')} />
      )}
      <QuotaField
        label={t('field.amount')}
        help={t('field.amount-help')}
        value={form.amount}
        onValue={(amount) => set({ amount })}
        error={failure ?? errorOf('amount')}
        field="amount"
      />
      <ChoiceField
        label={t('field.action')}
        choices={(['refuse', 'warn'] as const).map((value) => ({ value, label: t(`field.action-${value}`) }))}
        value={form.action}
        onValue={(action) => set({ action: action === 'warn' ? 'warn' : 'refuse' })}
      />
      <TextField
        label={t('field.alerts')}
        help={t('field.alerts-help')}
        unit="%"
        value={form.alerts}
        onValue={(alerts) => set({ alerts })}
        error={errorOf('alerts')}
      />
    </FormDialog>
  )
}

type CalendarProps = {
  readonly form: BudgetForm
  readonly set: (change: Partial<BudgetForm>) => void
  readonly windows: readonly BudgetWindow[]
  readonly owner: BudgetsOwner
  readonly errorOf: (name: 'time-zone' | 'start-month') => string | undefined
}

function CalendarFields({ form, set, windows, owner, errorOf }: CalendarProps): ReactNode {
  const { t } = useTranslation('budgets')
  return (
    <>
      <ChoiceField
        label={t('field.window')}
        help={t(owner.group === '' ? 'counts-from' : 'counts-from-group')}
        choices={windows.map((value) => ({ value, label: t(`choice.${value}`) }))}
        value={form.window}
        onValue={(value) => set({ window: windows.find((one) => one === value) ?? form.window })}
      />
      {form.window === 'week' ? (
        <ChoiceField
          label={t('field.start-week')}
          choices={WEEK_DAYS.map((value) => ({ value, label: t(`day.${value}`) }))}
          value={form.weekDay}
          onValue={(weekDay) => set({ weekDay })}
        />
      ) : null}
      {form.window === 'month' ? (
        <TextField
          label={t('field.start-month')}
          help={t('field.start-month-help')}
          inputMode="numeric"
          value={form.monthDay}
          onValue={(monthDay) => set({ monthDay })}
          error={errorOf('start-month')}
        />
      ) : null}
      {needsTimeZone(form.window) ? (
        <PickField
          label={t('field.time-zone')}
          help={t('field.time-zone-help')}
          options={ZONES}
          value={form.timeZone}
          onValue={(timeZone) => set({ timeZone })}
          error={errorOf('time-zone')}
        />
      ) : null}
    </>
  )
}

const WEEK_DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
