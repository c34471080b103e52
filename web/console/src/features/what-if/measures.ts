import type { WhatIfSums } from '@tollgate/contracts/resources/what-if'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'

export const MEASURES = ['cost', 'revenue', 'margin', 'failures', 'attempts', 'latency'] as const
export type Measure = (typeof MEASURES)[number]

/** `latency` is the mean of answered requests, in milliseconds. */
export function measureOf(measure: Measure | 'requests', { cost, revenue, ms, requests, failures, attempts }: WhatIfSums): number {
  switch (measure) {
    case 'margin':
      return revenue - cost
    case 'latency':
      return requests - failures > 0 ? Math.round(ms / (requests - failures)) : 0
    case 'cost':
      return cost
    case 'revenue':
      return revenue
    case 'failures':
      return failures
    case 'attempts':
      return attempts
    case 'requests':
      return requests
  }
}

export function useMeasureText(measure: Measure | 'requests'): (value: number) => string {
  const style = useQuotaStyle()
  if (measure === 'latency') return (value) => `${(value / 1000).toFixed(2)} s`
  if (measure === 'cost' || measure === 'revenue' || measure === 'margin')
    return (value) => quotaText(value, value !== 0 && Math.abs(value) < style.quota_per_unit ? 'charge' : 'total', style)
  return (value) => groupDigits(value)
}
