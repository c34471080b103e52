import { chakra, Dialog, Flex, Portal, Text } from '@chakra-ui/react'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaletteGroup, PaletteItem } from './items.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

/** Ctrl or ⌘ K: go to a page, run a command, or find a token, channel, user or request, without the mouse. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('palette')
  const [query, setQuery] = useState('')
  const { groups, isSearching } = usePaletteGroups(query)
  const choose = (item: PaletteItem): void => {
    if ('typed' in item) {
      setQuery(item.typed)
      return
    }
    onClose()
    item.run()
  }
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="xl" overflow="hidden" aria-label={t('title')} css={LOOK}>
            <Command shouldFilter={false} loop label={t('title')}>
              <Flex align="center" gap="2.5" px="4" borderBottomWidth="1px" borderColor="border" color="text.muted">
                <Search size={16} aria-hidden />
                <Command.Input
                  autoFocus
                  value={query}
                  onValueChange={setQuery}
                  placeholder={t('placeholder')}
                  aria-label={t('placeholder')}
                />
              </Flex>
              <Command.List label={t('title')} aria-busy={isSearching}>
                {groups.map((group) => (
                  <Group key={group.label} group={group} onChoose={choose} />
                ))}
                <Command.Empty>{isSearching ? t('searching') : t('empty', { query })}</Command.Empty>
              </Command.List>
            </Command>
            <Text px="4" py="2" textStyle="xs" color="text.muted" borderTopWidth="1px" borderColor="border" hideBelow="sm">
              {t('hint')}
            </Text>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function Group({ group, onChoose }: { readonly group: PaletteGroup; readonly onChoose: (item: PaletteItem) => void }): ReactNode {
  return (
    <Command.Group heading={group.label}>
      {group.items.map((item) => (
        <Command.Item key={item.id} value={item.id} onSelect={() => onChoose(item)}>
          <item.icon size={16} aria-hidden />
          <Text as="span" flex="1" truncate>
            {item.label}
          </Text>
          {item.detail === undefined ? null : (
            <chakra.span textStyle="xs" color="text.muted">
              {item.detail}
            </chakra.span>
          )}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

/** cmdk marks its parts with attributes. */
const LOOK = {
  '& [cmdk-input]': { flex: '1', height: '12', bg: 'transparent', outline: '0', color: 'text.strong', textStyle: 'md' },
  '& [cmdk-list]': { maxHeight: 'min(24rem, 60vh)', overflowY: 'auto', p: '1.5' },
  '& [cmdk-group-heading]': { px: '2.5', py: '1', textStyle: 'xs', color: 'text.muted' },
  '& [cmdk-group]:not([hidden]) + [cmdk-group]': { mt: '1.5' },
  '& [cmdk-item]': {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    minHeight: '9',
    px: '2.5',
    borderRadius: 'control',
    cursor: 'pointer',
    textStyle: 'sm',
    color: 'text',
    "&[data-selected='true']": { bg: 'accent.subtle', color: 'accent.fg' },
  },
  '& [cmdk-empty]': { px: '3', py: '6', textAlign: 'center', textStyle: 'sm', color: 'text.muted' },
} as const
