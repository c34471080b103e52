import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { IconButton } from '../display/icon-button.tsx'
import { RowMenu, type MenuAction } from './row-menu.tsx'

type InlineAction = { readonly label: string; readonly icon: ReactNode; readonly run: () => void; readonly isBusy?: boolean }

/** Actions of a row: at most two as icons, the rest in a menu. */
export function RowActions({
  inline,
  menu,
}: {
  readonly inline: readonly InlineAction[]
  readonly menu: readonly MenuAction[]
}): ReactNode {
  return (
    <chakra.div display="inline-flex" gap="0.5" justifyContent="flex-end">
      {inline.map(({ label, icon, run, isBusy }) => (
        <IconButton key={label} size="sm" label={label} loading={isBusy === true} onClick={run}>
          {icon}
        </IconButton>
      ))}
      {menu.length === 0 ? null : <RowMenu actions={menu} />}
    </chakra.div>
  )
}
