import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { exactQuotaText, quotaText } from '@tollgate/domain/display/quota-text'
import { TriangleAlert, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAccount } from '../../lib/own-account.ts'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'

const ownData = {
  ...ownAccount,
  staleTime: 30_000,
  refetchInterval: 60_000,
  meta: { quiet: true },
}

/** The balance on every page of the console; a low one stands out before requests are refused. */
export function Balance(): ReactNode {
  const { t } = useTranslation('shell')
  const style = useQuotaStyle()
  const { data } = useQuery(ownData)
  if (data === undefined) return null
  const isLow = data.quota < thresholdOf(data.setting)
  const exact = exactQuotaText(data.quota, style)
  return (
    <Button
      asChild
      variant={isLow ? 'subtle' : 'ghost'}
      {...(isLow ? { colorPalette: 'warning' } : { color: 'text' })}
      px={{ base: '1.5', sm: '2.5' }}
      fontVariantNumeric="tabular-nums"
      data-hint={isLow ? `${t('balance-low')}\n${exact}` : `${t('balance')}\n${exact}`}
    >
      <Link to="/personal" aria-label={`${t(isLow ? 'balance-low' : 'balance')}: ${quotaText(data.quota, 'total', style)}`}>
        {isLow ? <TriangleAlert aria-hidden /> : <Wallet aria-hidden />}
        {quotaText(data.quota, 'total', style)}
      </Link>
    </Button>
  )
}

/** The balance below which the user has chosen to be warned; else one dollar. */
function thresholdOf(setting: string): number {
  try {
    const parsed: unknown = JSON.parse(setting)
    const own: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'quota_warning_threshold') : undefined
    return typeof own === 'number' ? own : DEFAULT_QUOTA_PER_UNIT
  } catch {
    // Empty, or written by an older console.
    return DEFAULT_QUOTA_PER_UNIT
  }
}
