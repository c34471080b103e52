import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { MessagesSquare, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { namedChats } from '../../lib/chat-links.ts'
import { storage, useStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { GetStartedLink } from './get-started.tsx'
import { useMenu, type MenuEntry, type MenuGroup } from './menu.ts'

/** Folds to its icons; the choice is remembered. */
export function Sidebar(): ReactNode {
  const { t } = useTranslation('shell')
  const isFolded = useStored('default_collapse_sidebar') ?? false
  const fold = (): void => {
    storage.set('sidebar-chosen', true)
    storage.set('default_collapse_sidebar', !isFolded)
  }
  const name = isFolded ? t('expand-sidebar') : t('collapse-sidebar')
  return (
    <Flex
      as="nav"
      aria-label={t('side-navigation')}
      hideBelow="sm"
      direction="column"
      flexShrink="0"
      w={isFolded ? '14' : '52'}
      h="calc(100dvh - {spacing.12})"
      position="sticky"
      top="12"
      px="2"
      py="3"
      bg="panel"
      borderInlineEndWidth="1px"
      borderColor="border"
      transitionProperty="width"
      transitionDuration="moderate"
      overflowX="hidden"
      overflowY="auto"
    >
      <Box flex="1">
        <GetStartedLink isFolded={isFolded} />
        <MenuGroups isFolded={isFolded} />
      </Box>
      <IconButton label={name} alignSelf={isFolded ? 'center' : 'flex-start'} color="text.muted" onClick={fold}>
        {isFolded ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      </IconButton>
    </Flex>
  )
}

const CHATS = 'group-chats'

type GroupsProps = { readonly isFolded: boolean; readonly onChosen?: () => void }

/** The groups and their entries, for the sidebar and the mobile drawer; chats of third parties stand below the console's own screens. */
export function MenuGroups(props: GroupsProps): ReactNode {
  const chats = namedChats(useStored('chats'))
  const groups = useMenu()
  return (
    <>
      {groups.map(({ label, entries }, index) => (
        <MenuSection key={label} label={label} isFirst={index === 0} isFolded={props.isFolded}>
          {entries.map((entry) => (
            <SideLink key={entry.to} entry={entry} {...props} />
          ))}
        </MenuSection>
      ))}
      {groups.length === 0 || chats.length === 0 ? null : (
        <MenuSection label={CHATS} isFirst={false} isFolded={props.isFolded}>
          {chats.map((chat) => (
            <ChatLink key={chat.id} chat={chat} {...props} />
          ))}
        </MenuSection>
      )}
    </>
  )
}

type SectionProps = {
  readonly label: MenuGroup['label']
  readonly isFirst: boolean
  readonly isFolded: boolean
  readonly children: ReactNode
}

function MenuSection({ label, isFirst, isFolded, children }: SectionProps): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <Box as="section" aria-label={t(label)} mt={isFirst ? '0' : '4'}>
      {isFolded ? (
        isFirst ? null : (
          <Box h="1px" bg="border" mx="2" mb="4" />
        )
      ) : (
        <Text px="2.5" mb="1" textStyle="xs" fontWeight="medium" color="text.muted">
          {t(label)}
        </Text>
      )}
      <Flex direction="column" gap="0.5">
        {children}
      </Flex>
    </Box>
  )
}

function SideLink({
  entry,
  isFolded,
  onChosen,
}: {
  readonly entry: MenuEntry
  readonly isFolded: boolean
  readonly onChosen?: () => void
}): ReactNode {
  const { t } = useTranslation('shell')
  const Icon = entry.icon
  const label = t(entry.label)
  return (
    <Entry isFolded={isFolded}>
      <Link
        to={entry.to}
        activeOptions={{ includeSearch: false }}
        onClick={() => onChosen?.()}
        {...(isFolded ? { 'aria-label': label, 'data-hint': label } : {})}
      >
        <Icon size={16} aria-hidden />
        {isFolded ? null : label}
      </Link>
    </Entry>
  )
}

type ChatProps = GroupsProps & { readonly chat: ReturnType<typeof namedChats>[number] }

/** One of the site's chats, which the site status brings. */
function ChatLink({ chat: { id, name }, isFolded, onChosen }: ChatProps): ReactNode {
  return (
    <Entry isFolded={isFolded}>
      <Link
        to="/chat/$id"
        params={{ id: String(id) }}
        onClick={() => onChosen?.()}
        {...(isFolded ? { 'aria-label': name, 'data-hint': name } : {})}
      >
        <MessagesSquare size={16} aria-hidden />
        {isFolded ? null : <chakra.span truncate>{name}</chakra.span>}
      </Link>
    </Entry>
  )
}

/** The looks of a line of the menu. */
function Entry({ isFolded, children }: { readonly isFolded: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.span
      asChild
      display="flex"
      alignItems="center"
      gap="2.5"
      h={{ base: '10', sm: '8' }}
      px={isFolded ? '0' : '2.5'}
      justifyContent={isFolded ? 'center' : 'flex-start'}
      borderRadius="control"
      textStyle="sm"
      color="text"
      whiteSpace="nowrap"
      focusVisibleRing="inside"
      _hover={{ bg: 'subtle', color: 'text.strong' }}
      _icon={{ color: 'text.muted', flexShrink: '0' }}
      css={{
        '&[data-status=active]': {
          bg: '{colors.accent.subtle}',
          color: '{colors.accent.fg}',
          fontWeight: '500',
          '& svg': { color: '{colors.accent.fg}' },
        },
      }}
    >
      {children}
    </chakra.span>
  )
}
