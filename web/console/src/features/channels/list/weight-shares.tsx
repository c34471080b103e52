import { Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { WeightShares } from '@tollgate/contracts/resources/channels'
import { useDeferredValue, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { percentText } from '../../../lib/percent-text.ts'
import { weightShares } from '../api.ts'
import type { ChannelForm } from '../form/form.ts'
import { parsePriority, parseWeight } from './numbers.ts'

type Values = Pick<ChannelForm, 'groups' | 'models' | 'priority' | 'weight'>

/** Says which part of the requests the typed weight gives the channel, and which the others have. */
export function WeightSharesNote({ id, values }: { readonly id: number; readonly values: Values }): ReactNode {
  const { t } = useTranslation('channels')
  const { groups, models, ...numbers } = useDeferredValue(values)
  const priority = parsePriority(numbers.priority)
  const weight = parseWeight(numbers.weight)
  const isReadable = priority.kind === 'value' && weight.kind === 'value'
  const question = {
    id,
    groups: [...groups],
    models: [...models],
    priority: isReadable ? priority.value : 0,
    weight: isReadable ? weight.value : 0,
  }
  const { data } = useQuery({ ...weightShares(question), enabled: isReadable && groups.length > 0 && models.length > 0 })
  if (data === undefined || !isReadable) return null
  return (
    <Text textStyle="sm" color="text.muted" role="status">
      {noteOf(data)}
    </Text>
  )

  function noteOf({ group, model, is_exact, rows: [own, ...others], left_out }: WeightShares): string {
    if (model === '') return t('weight-shares.alone')
    const listed = others.map(({ name, share }) => t('weight-shares.one', { name, share: percentText(share) }))
    const rest = left_out === 0 ? [] : [t('weight-shares.more', { number: left_out })]
    const isReserve = is_exact && own?.share === 0
    const head = isReserve
      ? t('weight-shares.reserve', { group, model })
      : t('weight-shares.own', { group, model, share: percentText(own?.share ?? 0) })
    return `${head}${[...listed, ...rest].join(t('weight-shares.separator'))}${t(is_exact ? 'weight-shares.exact' : 'weight-shares.floor')}`
  }
}
