import { chakra } from '@chakra-ui/react'
import type { Quota } from '@tollgate/contracts/units'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { exactQuotaText, quotaText, type QuotaKind, type QuotaStyle } from '@tollgate/domain/display/quota-text'
import type { ReactNode } from 'react'
import { useStored } from '../../lib/storage.ts'

/** How this site shows quota, from the stored site status. */
export function useQuotaStyle(): QuotaStyle {
  const quotaPerUnit = useStored('quota_per_unit')
  const isCurrency = useStored('display_in_currency')
  return { display_in_currency: isCurrency ?? true, quota_per_unit: quotaPerUnit ?? DEFAULT_QUOTA_PER_UNIT }
}

/** A quota as the site shows it, with the exact amount on hover. */
export function QuotaText({ quota, kind = 'total' }: { quota: Quota; kind?: QuotaKind }): ReactNode {
  const style = useQuotaStyle()
  return (
    <chakra.span data-hint={exactQuotaText(quota, style)} fontVariantNumeric="tabular-nums">
      {quotaText(quota, kind, style)}
    </chakra.span>
  )
}
