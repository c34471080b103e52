import { Button, Tabs } from '@chakra-ui/react'
import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage } from '../../lib/storage.ts'
import { Page } from '../../ui/page/page.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { ChatActions } from './chat/chat-actions.tsx'
import { ChatTab } from './chat/chat-tab.tsx'
import { Frame } from './frame.tsx'
import { TABS, type Tab } from './search.ts'
import { SettingsPanel } from './settings/settings-panel.tsx'
import { defaultSettings, ownSettings, readSettings, type PlaygroundSettings } from './settings/settings.ts'
import { useStoredSession } from './chat/use-chat.ts'

const CompareTab = lazy(async () => ({ default: (await import('./compare/compare-tab.tsx')).CompareTab }))
const ImagesTab = lazy(async () => ({ default: (await import('./media/images-tab.tsx')).ImagesTab }))
const SpeechTab = lazy(async () => ({ default: (await import('./media/speech-tab.tsx')).SpeechTab }))
const TranscriptionTab = lazy(async () => ({ default: (await import('./media/transcription-tab.tsx')).TranscriptionTab }))

type PageProps = { readonly tab: Tab; readonly onTab: (tab: Tab) => void }

/** `/playground`: try models with one's own balance. */
export function PlaygroundPage({ tab, onTab }: PageProps): ReactNode {
  const { t } = useTranslation('playground')
  const isNarrow = useNarrow()
  // On a phone, and where several answers need the room, the settings come when they are asked for.
  const [toggled, setToggled] = useState<Partial<Record<Tab, boolean>>>({})
  const isPanelOpen = toggled[tab] ?? (!isNarrow && tab === 'chat')
  const [settings, setSettings] = useSettings(t('system-default'))
  const session = useStoredSession()
  return (
    <Page
      title={t('title')}
      action={
        <>
          {(isNarrow && tab === 'chat') || tab === 'compare' ? (
            <Button variant="outline" aria-expanded={isPanelOpen} onClick={() => setToggled({ ...toggled, [tab]: !isPanelOpen })}>
              <SlidersHorizontal aria-hidden />
              {t('settings')}
            </Button>
          ) : null}
          {tab === 'chat' ? <ChatActions session={session} settings={settings} /> : null}
        </>
      }
    >
      <Tabs.Root value={tab} onValueChange={({ value }) => onTab(TABS.find((one) => one === value) ?? 'chat')} activationMode="manual">
        <Tabs.List aria-label={t('title')}>
          {TABS.map((one) => (
            <Tabs.Trigger key={one} value={one} flexShrink="0">
              {t(`tab.${one}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={tab} pt="4" pb="0">
          {isChat(tab) ? (
            <Frame
              panel={<SettingsPanel settings={settings} onSettings={setSettings} isCompared={tab === 'compare'} />}
              isPanelOpen={isPanelOpen}
            >
              {tab === 'chat' ? <ChatTab session={session} settings={settings} /> : null}
              <Suspense fallback={null}>{tab === 'compare' ? <CompareTab settings={settings} /> : null}</Suspense>
            </Frame>
          ) : (
            <Suspense fallback={null}>
              {tab === 'images' ? <ImagesTab /> : null}
              {tab === 'speech' ? <SpeechTab /> : null}
              {tab === 'transcription' ? <TranscriptionTab /> : null}
            </Suspense>
          )}
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  )
}

const isChat = (tab: Tab): boolean => tab === 'chat' || tab === 'compare'

/** Kept in this browser, except for what is as by default. */
function useSettings(system: string): readonly [PlaygroundSettings, (settings: PlaygroundSettings) => void] {
  const defaults = defaultSettings(system)
  const [own, setOwn] = useState(() => storage.get('playground-settings') ?? {})
  const change = (next: PlaygroundSettings): void => {
    const kept = ownSettings(next, defaults)
    setOwn(kept)
    storage.set('playground-settings', kept)
  }
  return [readSettings(own, defaults), change]
}
