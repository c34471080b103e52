import { Box, chakra, Dialog, Flex, Portal, Text } from '@chakra-ui/react'
import { Search } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { moved, type PaletteGroup, type PaletteItem } from './palette-items.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

/** Ctrl or ⌘ K: go to a page, run an action, or find a token or channel, without the mouse. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const groups = usePaletteGroups(query)
  const items = groups.flatMap((group) => group.items)
  const chosen = items[Math.min(active, items.length - 1)]

  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return
    onClose()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
      return
    }
    const next = moved(event.key, Math.min(active, items.length - 1), items.length)
    if (next === undefined) return
    event.preventDefault()
    setActive(next)
    const id = items[next]?.id
    if (id !== undefined) document.querySelector(`#${optionId(id)}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="xl" overflow="hidden" aria-label={t('palette-title')}>
            <Flex align="center" gap="2.5" px="4" borderBottomWidth="1px" borderColor="border" color="text.muted">
              <Search size={16} aria-hidden />
              <chakra.input
                role="combobox"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-label={t('palette-placeholder')}
                aria-activedescendant={chosen === undefined ? '' : optionId(chosen.id)}
                autoFocus
                flex="1"
                h="12"
                bg="transparent"
                outline="0"
                color="text.strong"
                textStyle="md"
                placeholder={t('palette-placeholder')}
                value={query}
                onKeyDown={onKeyDown}
                onChange={(event) => {
                  setQuery(event.currentTarget.value)
                  setActive(0)
                }}
              />
            </Flex>
            <Box id="palette-list" role="listbox" aria-label={t('palette-title')} maxH="min(24rem, 60vh)" overflowY="auto" p="1.5">
              {groups.map((group) => (
                <Group key={group.label} group={group} chosen={chosen} onRun={run} />
              ))}
              {items.length === 0 ? (
                <Text px="3" py="6" textAlign="center" textStyle="sm" color="text.muted">
                  {t('palette-empty', { query })}
                </Text>
              ) : null}
            </Box>
            <Text px="4" py="2" textStyle="xs" color="text.muted" borderTopWidth="1px" borderColor="border" hideBelow="sm">
              {t('palette-hint')}
            </Text>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

type GroupProps = { readonly group: PaletteGroup; readonly chosen: PaletteItem | undefined; readonly onRun: (item: PaletteItem) => void }

function Group({ group, chosen, onRun }: GroupProps): ReactNode {
  return (
    <Box role="group" aria-label={group.label} _notFirst={{ mt: '1.5' }}>
      <Text px="2.5" py="1" textStyle="xs" color="text.muted">
        {group.label}
      </Text>
      {group.items.map((item) => (
        <Option key={item.id} item={item} isChosen={item.id === chosen?.id} onRun={onRun} />
      ))}
    </Box>
  )
}

function Option({
  item,
  isChosen,
  onRun,
}: {
  readonly item: PaletteItem
  readonly isChosen: boolean
  readonly onRun: (item: PaletteItem) => void
}): ReactNode {
  const Icon = item.icon
  return (
    <Flex
      id={optionId(item.id)}
      role="option"
      aria-selected={isChosen}
      align="center"
      gap="2.5"
      h="9"
      px="2.5"
      borderRadius="control"
      cursor="pointer"
      textStyle="sm"
      color="text"
      _hover={{ bg: 'subtle' }}
      _selected={{ bg: 'accent.subtle', color: 'accent.fg' }}
      onClick={() => onRun(item)}
    >
      <Icon size={16} aria-hidden />
      <Text flex="1" truncate>
        {item.label}
      </Text>
      {item.detail === undefined ? null : (
        <Text textStyle="xs" color="text.muted">
          {item.detail}
        </Text>
      )}
    </Flex>
  )
}

/** Ids of pages hold slashes; an element's id here must be usable in a selector. */
function optionId(id: string): string {
  return `palette-${id.replaceAll(/[^\w-]/g, '_')}`
}
