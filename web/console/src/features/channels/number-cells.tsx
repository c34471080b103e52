import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { NumberCell } from '../../ui/list/number-cell.tsx'
import { parsePriority, parseTagPriority, parseTagWeight, parseWeight } from './numbers.ts'
import type { ChannelRowActions } from './row-actions.tsx'
import { nameOfRow, shared, type ChannelRow } from './view.ts'

type CellProps = { readonly row: ChannelRow; readonly actions: ChannelRowActions }

/** Priority, edited in the row; on the head of a tag it is every channel's. */
export function PriorityCell({ row, actions }: CellProps): ReactNode {
  const { t } = useTranslation('channels')
  const label = `${t('column.priority')} ${nameOfRow(row)}`
  if (row.kind === 'tag') {
    return (
      <NumberCell
        label={label}
        value={shared(row.channels, 'priority')}
        placeholder="…"
        parse={(text) => told(parseTagPriority(text), t('tag-drawer.priority-error'))}
        onSave={(priority) => actions.onTagNumber(row.tag, { priority })}
        onProblem={toast.error}
      />
    )
  }
  return (
    <NumberCell
      label={label}
      value={row.channel.priority}
      parse={(text) => told(parsePriority(text), t('priority-error'))}
      onSave={(priority) => actions.onNumber(row.channel, { priority })}
      onProblem={toast.error}
    />
  )
}

/** Weight, edited in the row; on the head of a tag it is every channel's. */
export function WeightCell({ row, actions }: CellProps): ReactNode {
  const { t } = useTranslation('channels')
  const label = `${t('column.weight')} ${nameOfRow(row)}`
  if (row.kind === 'tag') {
    return (
      <NumberCell
        label={label}
        value={shared(row.channels, 'weight')}
        placeholder="…"
        parse={(text) => told(parseTagWeight(text), t('tag-drawer.weight-error'))}
        onSave={(weight) => actions.onTagNumber(row.tag, { weight })}
        onProblem={toast.error}
      />
    )
  }
  return (
    <NumberCell
      label={label}
      value={row.channel.weight}
      parse={(text) => told(parseWeight(text), t('weight-error'))}
      onSave={(weight) => actions.onNumber(row.channel, { weight })}
      onProblem={toast.error}
    />
  )
}

function told(parsed: ReturnType<typeof parseWeight>, message: string) {
  return parsed.kind === 'value' ? parsed : { kind: 'problem' as const, message }
}
