import { Menu, Portal } from '@chakra-ui/react'
import { Ellipsis } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'

export type MenuAction = {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly isDangerous?: boolean
  readonly run: () => void
}

/** The further actions of a row. The menu is made when it is first opened: a long table has one per row. */
export function RowMenu({ actions, label, trigger }: { actions: readonly MenuAction[]; label?: string; trigger?: ReactNode }): ReactNode {
  const { t } = useTranslation('display')
  const [isMade, setMade] = useState(false)
  const button = trigger ?? (
    <IconButton size="sm" label={label ?? t('action.more')} {...(isMade ? {} : { 'aria-haspopup': 'menu', onClick: () => setMade(true) })}>
      <Ellipsis />
    </IconButton>
  )
  if (!isMade && trigger === undefined) return button
  return (
    <Menu.Root defaultOpen={isMade} lazyMount positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>{button}</Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {actions.map((action) => (
              // The menu's own `onSelect` misses a click that follows its opening at once.
              <Menu.Item
                key={action.id}
                value={action.id}
                onClick={action.run}
                {...(action.isDangerous === true ? { 'data-danger': '' } : {})}
              >
                {action.icon}
                <Menu.ItemText>{action.label}</Menu.ItemText>
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
