import { Heading, Stack } from '@chakra-ui/react'
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLeaveGuard } from '../../ui/form/leave-guard.tsx'
import { ManagedNote } from '../../ui/display/managed-note.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { matching } from '../../ui/form/pick-list.ts'
import type { SettingValues } from '../../ui/settings/setting.ts'
import { SettingsSection } from '../../ui/settings/settings-section.tsx'
import { GroupBudgets } from './group-budgets.tsx'
import { LimitCheckPanel } from './limit-check.tsx'
import { SECTIONS, type PlacedSection } from './layout.ts'
import { TABS, type Tab } from './tabs.ts'
import { useSectionParts } from './section-parts.tsx'
import { groupNames, inSavingOrder, settingsOf, unplacedKeys, type Known, type Reader } from './settings.ts'
import { useSaveOptions } from './api.ts'
import { Version } from './version.tsx'

type SectionsProps = Known & { readonly tab: Tab; readonly search: string }

/** The sections of a tab, or those of every tab that have something of what is searched. */
export function Sections({ tab, search, ...known }: SectionsProps): ReactNode {
  const { t, i18n } = useTranslation(['settings', 'options'])
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const reader = useMemo(() => ({ t, language }) as const, [t, language])
  const { drafts, leaving, onDrafts } = useDrafts()
  const all = unplacedKeys.length === 0 ? SECTIONS : [...SECTIONS, { tab: 'operation', name: 'compatibility', keys: unplacedKeys } as const]
  const shownTabs = search === '' ? [tab] : TABS
  const hasFound = search === '' || all.some((section) => isFound(section, search, known, reader))
  return (
    <Stack gap="4">
      {hasFound ? null : <EmptyState title={t('nothing-found')} help={t('nothing-found-help')} />}
      {shownTabs.map((one) => (
        <TabSections key={one} tab={one} isNamed={search !== ''} {...{ all, search, known, reader, drafts, onDrafts }} />
      ))}
      {search === '' && tab === 'other' ? <Version /> : null}
      {search === '' && tab === 'ratelimit' ? <GroupBudgets groups={groupNames(known)} /> : null}
      {search === '' && tab === 'ratelimit' ? <LimitCheckPanel /> : null}
      {leaving}
    </Stack>
  )
}

type Drafts = Map<string, SettingValues>

/** Unsaved values of sections, kept while the reader looks at another tab; leaving the page asks first. */
function useDrafts() {
  const [drafts] = useState<Drafts>(() => new Map())
  const isOver = useRef(false)
  const { leaving } = useLeaveGuard({
    isGuarded: () => drafts.size > 0 && !isOver.current,
    release: () => {
      isOver.current = true
    },
    isSamePage: (from, to) => from === to,
  })
  const onDrafts = useCallback(
    (id: string, values: SettingValues | undefined) => {
      if (values === undefined) drafts.delete(id)
      else drafts.set(id, values)
    },
    [drafts],
  )
  return { drafts, leaving, onDrafts }
}

type TabProps = {
  readonly tab: Tab
  readonly isNamed: boolean
  readonly all: readonly PlacedSection[]
  readonly search: string
  readonly known: Known
  readonly reader: Reader
  readonly drafts: Drafts
  readonly onDrafts: (id: string, values: SettingValues | undefined) => void
}

function TabSections({ tab, isNamed, all, search, known, reader, drafts, onDrafts }: TabProps): ReactNode {
  const { t } = reader
  const sections = all.filter((section) => section.tab === tab)
  const found = isNamed ? sections.filter((section) => isFound(section, search, known, reader)) : sections
  if (found.length === 0) return null
  return (
    <>
      {isNamed ? (
        <Heading as="h2" textStyle="section" color="text.muted" mt="2">
          {t(`tab.${tab}`)}
        </Heading>
      ) : null}
      {found.map((section) => (
        <PlacedSettings
          key={section.name}
          {...{ section, search, known, reader }}
          drafts={drafts.get(idOf(section))}
          others={() => draftsBeside(drafts, section)}
          onDrafts={onDrafts}
        />
      ))}
    </>
  )
}

const draftsBeside = (drafts: Drafts, section: PlacedSection): SettingValues =>
  Object.assign({}, ...[...drafts].filter(([id]) => id !== idOf(section)).map(([, values]) => values)) as SettingValues // maps of values by option

const idOf = ({ tab, name }: PlacedSection): string => `${tab}.${name}`

/** Searches the title of a section, and the name, key and description of a setting. */
function isFound({ name, keys }: PlacedSection, search: string, known: Known, reader: Reader): boolean {
  const texts = settingsOf(keys, known, reader).map(({ key, label, help }) => `${label} ${key} ${help}`)
  return matching([reader.t(`section.${name}`), ...texts], search).length > 0
}

/** Groups and prices are records of their own in the files; other settings are options. */
function ManagedSettings({ section: { name, keys } }: { readonly section: PlacedSection }): ReactNode {
  return (
    <>
      {name === 'groups' ? <ManagedNote kind="group" /> : null}
      {name === 'prices' ? <ManagedNote kind="price" /> : null}
      <ManagedNote kind="option" names={keys} />
    </>
  )
}

type PlacedProps = Pick<TabProps, 'search' | 'known' | 'reader' | 'onDrafts'> & {
  readonly section: PlacedSection
  readonly drafts: SettingValues | undefined
  /** Unsaved values of other sections. */
  readonly others: () => SettingValues
}

function PlacedSettings({ section, search, known, reader, drafts, others, onDrafts }: PlacedProps): ReactNode {
  const { t } = reader
  const store = useSaveOptions()
  const id = idOf(section)
  // A reset is stored without the form: the section is opened again with what is stored now.
  const [opened, setOpened] = useState<Known | undefined>(undefined)
  const [openings, setOpenings] = useState(0)
  const parts = useSectionParts(section, known, others, (fresh) => {
    onDrafts(id, undefined)
    setOpened(fresh)
    setOpenings(openings + 1)
  })
  const keep = useCallback((values: SettingValues | undefined) => onDrafts(id, values), [id, onDrafts])
  return (
    <SettingsSection
      key={openings}
      title={t(`section.${section.name}`)}
      note={<ManagedSettings section={section} />}
      settings={settingsOf(section.keys, opened ?? known, reader)}
      search={search}
      drafts={drafts}
      onDrafts={keep}
      {...parts}
      onSave={async (changes, opened) => {
        const sent = inSavingOrder(changes, opened).map((change) => {
          const setting = opened.find(({ key }) => key === change.key)
          return { ...change, was: setting?.isSecret === true ? undefined : setting?.value }
        })
        const { refusals, stale, ...fresh } = await store(sent, known)
        const now = settingsOf(section.keys, fresh, reader)
        return {
          settings: now,
          stale,
          refused: refusals.filter(({ isConflict }) => !isConflict),
          conflicts: refusals
            .filter(({ isConflict }) => isConflict)
            .map(({ key }) => ({ key, changed: now.find((setting) => setting.key === key)?.changed ?? '' })),
        }
      }}
    />
  )
}
