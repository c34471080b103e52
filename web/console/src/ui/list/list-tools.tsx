import { Button, chakra } from '@chakra-ui/react'
import { Columns3, Download, Pause, Play, RefreshCw, Rows3, Rows4 } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage, useStored } from '../../lib/storage.ts'
import { CheckBox } from '../form/check-box.tsx'
import { IconButton } from '../display/icon-button.tsx'
import { csvOf, saveCsv } from './csv.ts'
import { resetLayout, type ListTable } from './list-table.ts'
import type { Column } from './table-columns.ts'
import type { ListResult } from './use-list.ts'
import { InfoDialog } from '../overlay/info-dialog.tsx'

type ToolsProps<Row> = {
  readonly name: string
  readonly list: ListResult<Row>
  readonly table: ListTable<Row>
  readonly columns: readonly Column<Row>[]
  readonly canFollow: boolean
}

/** Reading again, following, saving as a file, and how the list looks: its row height and its columns. The look is remembered. */
export function ListTools<Row>({ name, list, table, columns, canFollow }: ToolsProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  const [isOpen, setOpen] = useState(false)
  const isCompact = useStored('table-density') === 'compact'
  const densityLabel = `${t('table.density')}: ${t(isCompact ? 'table.compact' : 'table.comfortable')}`
  const { rows } = list
  const save = (): void => {
    // All pages of a list that is here as a whole, in the order that is shown.
    const { rows: sorted } = list.isWhole === true ? table.getSortedRowModel() : table.getRowModel()
    saveCsv(
      name,
      csvOf(
        columns,
        sorted.map(({ original }) => original),
      ),
    )
  }
  return (
    <chakra.div display="flex" gap="2" ms="auto" gridColumnStart="2">
      {canFollow ? <Follow onTick={list.refresh} /> : null}
      <IconButton
        variant="outline"
        label={t('table.refresh')}
        loading={list.isFetching && rows !== undefined}
        onClick={list.refreshAll ?? list.refresh}
      >
        <RefreshCw />
      </IconButton>
      <chakra.div display="contents" hideBelow="sm">
        <IconButton
          variant="outline"
          label={t(list.isWhole === true ? 'table.export-all' : 'table.export')}
          disabled={rows === undefined || rows.length === 0}
          onClick={save}
        >
          <Download />
        </IconButton>
        <IconButton
          variant="outline"
          label={densityLabel}
          aria-pressed={isCompact}
          onClick={() => storage.set('table-density', isCompact ? 'normal' : 'compact')}
        >
          {isCompact ? <Rows4 /> : <Rows3 />}
        </IconButton>
        <IconButton variant="outline" label={t('table.columns')} onClick={() => setOpen(true)}>
          <Columns3 />
        </IconButton>
      </chakra.div>
      {isOpen ? <ColumnDialog name={name} columns={columns} table={table} onClose={() => setOpen(false)} /> : null}
    </chakra.div>
  )
}

const FOLLOW_EVERY_MS = 3_000

/** New rows arrive by themselves while this is on; not while the pointer rests on a row, so that it stays where it is. */
function Follow({ onTick }: { readonly onTick: () => void }): ReactNode {
  const { t } = useTranslation('display')
  const [isOn, setOn] = useState(false)
  const tick = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && document.querySelector('tbody tr:hover') === null) onTick()
  })
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => tick(), FOLLOW_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOn])
  return (
    <IconButton variant={isOn ? 'subtle' : 'outline'} label={t('table.follow')} aria-pressed={isOn} onClick={() => setOn(!isOn)}>
      {isOn ? <Pause /> : <Play />}
    </IconButton>
  )
}

type DialogProps<Row> = Pick<ToolsProps<Row>, 'name' | 'columns' | 'table'> & { readonly onClose: () => void }

function ColumnDialog<Row>({ name, columns, table, onClose }: DialogProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  return (
    <InfoDialog
      title={t('table.columns')}
      buttons={
        <>
          <Button variant="ghost" me="auto" onClick={() => resetLayout(name)}>
            {t('table.columns-reset')}
          </Button>
          <Button onClick={onClose}>{t('action.close')}</Button>
        </>
      }
      onClose={onClose}
    >
      <chakra.p color="text.muted" mb="3">
        {t('table.columns-help')}
      </chakra.p>
      <chakra.div display="grid" gridTemplateColumns={{ base: '1fr 1fr', sm: '1fr 1fr 1fr' }} gap="1">
        {columns
          .filter((column) => column.isFixed !== true)
          .map((column) => (
            <chakra.label
              key={column.id}
              display="flex"
              alignItems="center"
              gap="2"
              px="2"
              minH="8"
              borderRadius="sm"
              cursor="pointer"
              _hover={{ bg: 'subtle' }}
            >
              <CheckBox
                label={column.header}
                isChecked={table.getColumn(column.id)?.getIsVisible() === true}
                onChange={() => table.getColumn(column.id)?.toggleVisibility()}
              />
              {column.header}
            </chakra.label>
          ))}
      </chakra.div>
    </InfoDialog>
  )
}
