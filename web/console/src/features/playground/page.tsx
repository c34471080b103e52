import { Box, Button, Flex } from '@chakra-ui/react'
import { Code, Download, Eraser, MessageSquarePlus, SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { Page } from '../../ui/page/page.tsx'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { saveAsFile } from './export.ts'
import { openingOf } from './messages.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { defaultSettings, readSettings, type PlaygroundSettings } from './settings.ts'
import { useChat } from './use-chat.ts'

const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }))

/** `/playground`: talk to a model with one's own balance. */
export function PlaygroundPage(): ReactNode {
  const { t } = useTranslation('playground')
  const isNarrow = useNarrow()
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [hasCode, setCode] = useState(false)
  const [settings, setSettings] = useSettings(t('system-default'))
  const chat = useChat(settings, openingOf(t('opening-question'), t('opening-answer')))
  const { ask, dialog } = useConfirm()
  const panel = <SettingsPanel settings={settings} onSettings={setSettings} />
  return (
    <Page
      title={t('title')}
      action={
        <>
          {isNarrow ? (
            <Button variant="outline" aria-expanded={isPanelOpen} onClick={() => setPanelOpen(!isPanelOpen)}>
              <SlidersHorizontal aria-hidden />
              {t('settings')}
            </Button>
          ) : null}
          <IconButton variant="outline" size="md" label={t('view-code')} onClick={() => setCode(true)}>
            <Code />
          </IconButton>
          <IconButton variant="outline" size="md" label={t('export')} onClick={() => saveAsFile(chat.messages)}>
            <Download />
          </IconButton>
          <IconButton variant="outline" size="md" label={t('clear-context')} disabled={chat.isRunning} onClick={chat.toggleBreak}>
            <Eraser />
          </IconButton>
          <IconButton
            variant="outline"
            size="md"
            label={t('new-chat')}
            onClick={() => ask({ title: t('new-chat-title'), help: t('new-chat-help'), confirm: t('new-chat'), run: chat.reset })}
          >
            <MessageSquarePlus />
          </IconButton>
        </>
      }
    >
      <Flex
        gap="4"
        align="stretch"
        direction={{ base: 'column', sm: 'row' }}
        h={{ sm: 'calc(100dvh - 11.5rem)' }}
        minH={{ base: '70dvh', sm: '24rem' }}
      >
        {isNarrow && !isPanelOpen ? null : (
          <Box
            as="section"
            aria-label={t('settings')}
            w={{ base: 'full', sm: '72' }}
            flexShrink="0"
            overflowY="auto"
            bg="panel"
            borderWidth="1px"
            borderColor="border"
            borderRadius="panel"
            p="4"
          >
            {panel}
          </Box>
        )}
        <Flex direction="column" flex="1" minW="0" minH="0" bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
          <Conversation messages={chat.messages} isRunning={chat.isRunning} onAgain={chat.askAgain} />
          <Composer isRunning={chat.isRunning} onSend={chat.send} onStop={chat.stop} />
        </Flex>
      </Flex>
      {dialog}
      <Suspense fallback={null}>{hasCode ? <CodeDialog model={settings.model} onClose={() => setCode(false)} /> : null}</Suspense>
    </Page>
  )
}

/** Kept in this browser. */
function useSettings(system: string): readonly [PlaygroundSettings, (settings: PlaygroundSettings) => void] {
  const [settings, setSettings] = useState(() => readSettings(storage.get('playground-settings'), defaultSettings(system)))
  const change = (next: PlaygroundSettings): void => {
    setSettings(next)
    storage.set('playground-settings', next)
  }
  return [settings, change]
}
