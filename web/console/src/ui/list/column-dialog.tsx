import { Button, chakra, Dialog, Portal } from '@chakra-ui/react'
import { Columns3, Rows3, Rows4 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage, useStored } from '../../lib/storage.ts'
import { CheckBox } from '../form/check-box.tsx'
import { IconButton } from '../display/icon-button.tsx'
import { isShown, type Column, type ColumnChoice } from './table-columns.ts'

type Key = 'channel-columns' | 'log-columns' | 'token-columns'

/** The buttons that change how a list looks: its columns, in a dialog, and its row height. Both are remembered. */
export function TableSettings<Row>({ columns, storageKey }: { columns: readonly Column<Row>[]; storageKey: Key }): ReactNode {
  const { t } = useTranslation('display')
  const [isOpen, setOpen] = useState(false)
  const density = useStored('table-density')
  const isCompact = density === 'compact'
  const densityLabel = `${t('table.density')}: ${t(isCompact ? 'table.compact' : 'table.comfortable')}`
  return (
    <chakra.div display="flex" gap="2" ms="auto" hideBelow="sm">
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
      {isOpen ? <ColumnDialog columns={columns} storageKey={storageKey} onClose={() => setOpen(false)} /> : null}
    </chakra.div>
  )
}

function ColumnDialog<Row>({
  columns,
  storageKey,
  onClose,
}: {
  columns: readonly Column<Row>[]
  storageKey: Key
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('display')
  const choice = useStored(storageKey)
  const change = (id: string, isOn: boolean): void => {
    const next: ColumnChoice = { ...choice, [id]: isOn }
    storage.set(storageKey, next)
  }
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{t('table.columns')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
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
                        isChecked={isShown(column, choice)}
                        onChange={() => change(column.id, !isShown(column, choice))}
                      />
                      {column.header}
                    </chakra.label>
                  ))}
              </chakra.div>
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="ghost" me="auto" onClick={() => storage.remove(storageKey)}>
                {t('table.columns-reset')}
              </Button>
              <Button onClick={onClose}>{t('action.close')}</Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
