import { Button, chakra, Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { BUDGET_DAYS, type Budget } from '@tollgate/contracts/resources/budgets'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { exactQuotaText } from '@tollgate/domain/display/quota-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { budgetDaysOf } from '../../lib/budgets.ts'
import { failureText } from '../../lib/report.ts'
import { useQuotaStyle } from '../display/quota-text.tsx'

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
  if (data === undefined) return error === null ? null : <Text color="danger.fg">{failureText(error) ?? ''}</Text>
  const dayOf = (at: number): string => new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone: time_zone })
  const spent = new Map(data.map((one) => [dayOf(one.day), one.spent]))
  const most = Math.max(1, ...spent.values())
  const days = Array.from({ length: BUDGET_DAYS }, (_one, back) => dayOf(opened - (BUDGET_DAYS - 1 - back) * DAY_SECONDS))
  return (
    <Flex as="ul" listStyleType="none" gap="0.5" wrap="wrap" aria-label={t('days')}>
      {days.map((day) => {
        const amount = spent.get(day) ?? 0
        const words = t('days-one', { day, amount: exactQuotaText(amount, style) })
        return (
          <chakra.li
            key={day}
            aria-label={words}
            data-hint={words}
            boxSize="3.5"
            borderRadius="sm"
            borderWidth="1px"
            borderColor="border"
            bg={amount > 0 ? 'accent.solid' : 'bg.muted'}
            opacity={amount > 0 ? Math.max(0.2, amount / most) : 1}
          />
        )
      })}
    </Flex>
  )
}
