import { Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { BUDGET_DAYS, type Budget } from '@tollgate/contracts/resources/budgets'
import { exactQuotaText, quotaText } from '@tollgate/domain/display/quota-text'
import { dayAt } from '@tollgate/domain/vendor-invoices/days'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { budgetDaysOf } from '../../lib/budgets.ts'
import { failureText } from '../../lib/report.ts'
import { useQuotaStyle } from '../display/quota-text.tsx'
import { lastDays } from './last-days.ts'

/** Spending of the last days, a box each: the darker, the more. Asked for when it is opened. */
export function BudgetDays({ budget }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  const [isOpen, setOpen] = useState(false)
  return (
    <Flex direction="column" gap="1" align="flex-start">
      <Button size="xs" variant="ghost" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('days')}
      </Button>
      {isOpen ? <Boxes budget={budget} /> : null}
    </Flex>
  )
}

function Boxes({ budget: { id, time_zone } }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  const style = useQuotaStyle()
  const { data, error } = useQuery(budgetDaysOf(id))
  const [opened] = useState(() => Math.floor(Date.now() / 1000))
  if (data === undefined)
    return error === null ? <Skeleton height="8" width="60" /> : <Text color="danger.fg">{failureText(error) ?? ''}</Text>
  const spent = new Map(data.map((one) => [dayAt(one.day, time_zone), one.spent]))
  const days = lastDays(time_zone, opened, BUDGET_DAYS).map((day) => ({ day, amount: spent.get(day) ?? 0 }))
  const used = days.filter(({ amount }) => amount > 0)
  const [first] = used
  if (first === undefined) return <Text color="text.muted">{t('days-none', { days: BUDGET_DAYS })}</Text>
  const most = used.reduce((best, one) => (one.amount > best.amount ? one : best), first)
  const total = used.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <Flex direction="column" gap="1" textStyle="xs" color="text.muted">
      <Flex as="ul" listStyleType="none" gap="0.5" wrap="wrap" aria-label={t('days')}>
        {days.map(({ day, amount }) => (
          <DayBox key={day} day={day} amount={amount} largest={most.amount} />
        ))}
      </Flex>
      <span>
        {t('days-range', { first: days[0]?.day ?? '', last: days.at(-1)?.day ?? '' })}
        {' · '}
        {t('days-total', { count: used.length, amount: quotaText(total, 'total', style) })}
        {' · '}
        {t('days-most', { day: most.day, amount: quotaText(most.amount, 'total', style) })}
      </span>
    </Flex>
  )
}

type DayBoxProps = { readonly day: string; readonly amount: number; readonly largest: number }

function DayBox({ day, amount, largest }: DayBoxProps): ReactNode {
  const { t } = useTranslation('budgets')
  const words = t('days-one', { day, amount: exactQuotaText(amount, useQuotaStyle()) })
  return (
    <chakra.li
      aria-label={words}
      data-hint={words}
      boxSize="3.5"
      borderRadius="sm"
      borderWidth="1px"
      borderColor="border"
      bg={amount > 0 ? 'accent.solid' : 'bg.muted'}
      opacity={amount > 0 ? Math.max(0.2, amount / largest) : 1}
    />
  )
}
