import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { NumberCell } from '../../../ui/list/number-cell.tsx'
import { parsePriority, parseTagPriority, parseTagWeight, parseWeight } from './numbers.ts'
import { nameOfRow, shared, type ChannelRow } from '../channel-display.ts'

export type NumberChange = { readonly priority: number } | { readonly weight: number }

type CellProps = {
  readonly name: 'priority' | 'weight'
  readonly row: ChannelRow
  readonly onNumber: (row: ChannelRow, change: NumberChange) => void
}

const PARSERS = {
  channel: { priority: parsePriority, weight: parseWeight },
  tag: { priority: parseTagPriority, weight: parseTagWeight },
} as const

/** Priority or weight, edited in the row; on the head of a tag it is every channel's. */
export function ChannelNumber({ name, row, onNumber }: CellProps): ReactNode {
  const { t } = useTranslation('channels')
  const message = t(row.kind === 'tag' ? `tag-drawer.${name}-error` : `${name}-error`)
  return (
    <NumberCell
      label={`${t(`column.${name}`)} ${nameOfRow(row)}`}
      value={row.kind === 'tag' ? shared(row.channels, name) : row.channel[name]}
      placeholder="…"
      parse={(text) => {
        const parsed = PARSERS[row.kind][name](text)
        return parsed.kind === 'value' ? parsed : { kind: 'problem', message }
      }}
      onSave={(value) => onNumber(row, name === 'priority' ? { priority: value } : { weight: value })}
      onProblem={toast.error}
    />
  )
}
