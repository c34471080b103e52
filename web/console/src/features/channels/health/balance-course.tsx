import { useQuery } from '@tanstack/react-query'
import { channels } from '@tollgate/contracts/resources/channels'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../../lib/api.ts'
import { SparkLine } from '../../../ui/chart/spark-line.tsx'
import { balanceText } from '../channel-display.ts'

const NAMED = 5

/** The course of a channel's balance as the vendor reported it; nothing until there are two reads. */
export function BalanceCourse({ channel_id }: { readonly channel_id: number }): ReactNode {
  const { t } = useTranslation('channels')
  const { data = [] } = useQuery({
    queryKey: keyOf(channels.balances, channel_id),
    queryFn: ({ signal }) => call(channels.balances, { params: { id: channel_id }, signal }),
    meta: { quiet: true },
  })
  if (data.length < 2) return null
  const latest = data.slice(0, NAMED).map(({ at, balance }) => `${timeText(at)} ${balanceText(balance)}`)
  return <SparkLine values={data.map(({ balance }) => balance).toReversed()} label={`${t('balance-course')}\n${latest.join('\n')}`} />
}
