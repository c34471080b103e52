import { Button, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Actions on the selected rows, in place of the pager: the rows stay where they are. */
export function SelectionBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="2"
      flexWrap="wrap"
      // A phone has no room for it in one line: there it follows the pager.
      position={{ base: 'sticky', sm: 'absolute' }}
      bottom="0"
      insetX="0"
      zIndex="sticky"
      minH="11"
      px="3"
      py="1.5"
      bg="accent.subtle"
      borderTopWidth="1px"
      borderColor="accent.border"
      role="toolbar"
    >
      <chakra.span textStyle="sm" fontWeight="medium" color="accent.fg" me="1" aria-live="polite">
        {t('table.selected', { count })}
      </chakra.span>
      {children}
      <Button size="sm" variant="ghost" ms="auto" onClick={onClear}>
        {t('table.deselect-all')}
      </Button>
    </chakra.div>
  )
}
