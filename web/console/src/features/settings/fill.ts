import { parseNumber, type PriceRow } from './prices.ts'

export const FILL_MODES = ['price', 'ratio', 'completion', 'both'] as const
export type FillMode = (typeof FILL_MODES)[number]
type Problem = 'select' | 'empty' | 'number' | 'both' | 'zero'

type FillInput = { readonly count: number; readonly value: string; readonly second: string }

/** Change of a batch fill in every selected row, or the reason against it. */
export function fillOf(mode: FillMode, { count, value, second }: FillInput): Partial<PriceRow> | Problem {
  if (count === 0) return 'select'
  if (mode === 'both' && (value.trim() === '' || second.trim() === '')) return 'both'
  if (value.trim() === '') return 'empty'
  const first = parseNumber(value, mode === 'price' ? 'price' : 'ratio', undefined)
  const other = parseNumber(second, 'completion', undefined)
  if (typeof first === 'string') return first
  if (mode === 'both') return typeof other === 'string' ? other : { ratio: first.value, completion: other.value }
  return mode === 'price' ? { price: first.value } : { [mode]: first.value }
}
