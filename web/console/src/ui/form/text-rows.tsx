import { Button, chakra, Input } from '@chakra-ui/react'
import { Plus, X } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'

export type TextRow = readonly string[]
export type TextColumn = { readonly name: string; readonly placeholder?: string; readonly isNumber?: boolean }

type TextRowsProps = {
  /** The first column names the row; rows without a name live here only. */
  readonly columns: readonly TextColumn[]
  /** The edited text, and its rows. */
  readonly value: string
  readonly rows: readonly TextRow[]
  /** Takes the rows and gives what is edited then. */
  readonly onRows: (rows: readonly TextRow[]) => string
  readonly separator?: string
  readonly add?: string
  /** Shows the names of the columns above the rows. */
  readonly hasHeader?: boolean
}

/** Rows of texts, one of them per entry of a map. */
export function TextRows(props: TextRowsProps): ReactNode {
  const { columns, add, hasHeader = false, separator } = props
  const { t } = useTranslation('display')
  const { rows, change, append } = useRows(props)
  const isWide = hasHeader && columns.length > 3
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      {hasHeader && rows.length > 0 ? <Header columns={columns} isWide={isWide} /> : null}
      {rows.map((row, index) => (
        <chakra.div
          key={index}
          role="group"
          aria-label={row[0]}
          display="flex"
          gap="1.5"
          alignItems={isWide ? { base: 'flex-start', sm: 'center' } : 'center'}
        >
          <chakra.div flex="1" minW="0" gap="1.5" alignItems="center" {...(isWide ? STACKED : { display: 'flex' })}>
            {columns.map((column, at) => (
              <Fragment key={column.name}>
                {at > 0 && separator !== undefined ? (
                  <chakra.span color="text.muted" aria-hidden>
                    {separator}
                  </chakra.span>
                ) : null}
                <Cell
                  column={column}
                  value={row[at] ?? ''}
                  isInvalid={at === 0 && isTwice(rows, index)}
                  isLabelled={isWide && at > 0}
                  onValue={(value) => change(rows.with(index, row.with(at, value)))}
                />
              </Fragment>
            ))}
          </chakra.div>
          <IconButton
            type="button"
            size="sm"
            label={t('json.remove-pair', { key: row[0] ?? '' })}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            <X />
          </IconButton>
        </chakra.div>
      ))}
      <Button type="button" size="sm" variant="outline" alignSelf="flex-start" onClick={append}>
        <Plus />
        {add ?? t('json.add-pair')}
      </Button>
    </chakra.div>
  )
}

/** On a phone the name is above the other boxes of its row. */
const STACKED = {
  display: { base: 'grid', sm: 'flex' },
  gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
  css: { '& > :first-child': { gridColumn: '1 / -1' } },
} as const

const isTwice = (rows: readonly TextRow[], index: number): boolean =>
  rows.some(([name], other) => other !== index && name !== '' && name === rows[index]?.[0])

type CellProps = {
  readonly column: TextColumn
  readonly value: string
  readonly isInvalid: boolean
  /** Says its name above itself on a phone, where the row of names is not shown. */
  readonly isLabelled: boolean
  readonly onValue: (value: string) => void
}

function Cell({ column, value, isInvalid, isLabelled, onValue }: CellProps): ReactNode {
  const { name, placeholder = name, isNumber = false } = column
  return (
    <chakra.div flex="1" minW="0">
      {isLabelled ? (
        <chakra.span hideFrom="sm" display="block" textStyle="xs" color="text.muted" truncate aria-hidden>
          {name}
        </chakra.span>
      ) : null}
      <Input
        fontFamily="mono"
        minW="0"
        spellCheck={false}
        aria-label={name}
        placeholder={placeholder}
        value={value}
        aria-invalid={isInvalid}
        {...(isNumber ? { inputMode: 'decimal' as const } : {})}
        onChange={(event) => onValue(event.target.value)}
      />
    </chakra.div>
  )
}

/** The rows as they are typed; they are read again when the value changed in another way, as by a reset. */
function useRows({ columns, value, rows, onRows }: TextRowsProps) {
  const [typed, setTyped] = useState({ rows, value })
  const shown = typed.value === value ? typed.rows : rows
  const change = (next: readonly TextRow[]): void => setTyped({ rows: next, value: onRows(next) })
  const append = (): void => setTyped({ rows: [...shown, columns.map(() => '')], value })
  return { rows: shown, change, append }
}

function Header({ columns, isWide }: { readonly columns: readonly TextColumn[]; readonly isWide: boolean }): ReactNode {
  return (
    <chakra.div display={isWide ? { base: 'none', sm: 'flex' } : 'flex'} gap="1.5" pe="10" alignItems="flex-end" aria-hidden>
      {columns.map(({ name }) => (
        <chakra.span key={name} flex="1" minW="0" textStyle="label" color="text.muted" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ))}
    </chakra.div>
  )
}
