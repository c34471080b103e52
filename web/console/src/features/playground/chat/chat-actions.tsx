import { Code, Download, Eraser, MessageSquarePlus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import type { ChatSession } from './chat-session.ts'
import { saveAsFile } from './export.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'
import { useRunning } from './use-chat.ts'

const CodeDialog = lazy(async () => ({ default: (await import('../request/code-dialog.tsx')).CodeDialog }))

type ChatActionsProps = { readonly session: ChatSession; readonly settings: PlaygroundSettings }

/** Actions for the whole conversation. */
export function ChatActions({ session, settings }: ChatActionsProps): ReactNode {
  const { t } = useTranslation('playground')
  const [hasCode, setCode] = useState(false)
  const isRunning = useRunning(session)
  const { ask, dialog } = useConfirm()
  return (
    <>
      <IconButton variant="outline" size="md" label={t('view-code')} onClick={() => setCode(true)}>
        <Code />
      </IconButton>
      <IconButton variant="outline" size="md" label={t('export')} onClick={() => saveAsFile(session.state().messages)}>
        <Download />
      </IconButton>
      <IconButton variant="outline" size="md" label={t('clear-context')} disabled={isRunning} onClick={() => session.toggleBreak()}>
        <Eraser />
      </IconButton>
      <IconButton
        variant="outline"
        size="md"
        label={t('new-chat')}
        onClick={() => ask({ title: t('new-chat-title'), help: t('new-chat-help'), confirm: t('new-chat'), run: () => session.reset() })}
      >
        <MessageSquarePlus />
      </IconButton>
      {dialog}
      <Suspense fallback={null}>
        {hasCode ? <CodeDialog messages={session.state().messages} settings={settings} onClose={() => setCode(false)} /> : null}
      </Suspense>
    </>
  )
}
