import { Button, chakra, Textarea } from '@chakra-ui/react'
import { Send, Square } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type ComposerProps = { readonly isRunning: boolean; readonly onSend: (text: string) => void; readonly onStop: () => void }

/** Where questions are typed: Enter sends, Shift and Enter begins a line. */
export function Composer({ isRunning, onSend, onStop }: ComposerProps): ReactNode {
  const { t } = useTranslation('playground')
  const [draft, setDraft] = useState('')
  const send = (): void => {
    if (isRunning || draft.trim() === '') return
    onSend(draft.trim())
    setDraft('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <chakra.form
      display="flex"
      alignItems="flex-end"
      gap="2"
      p="3"
      borderTopWidth="1px"
      borderColor="border"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        aria-label={t('message')}
        placeholder={t('placeholder')}
        rows={2}
        maxH="40"
        autoresize
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button type="button" variant="outline" onClick={onStop}>
          <Square aria-hidden />
          {t('stop')}
        </Button>
      ) : (
        <Button type="submit" disabled={draft.trim() === ''}>
          <Send aria-hidden />
          {t('send')}
        </Button>
      )}
    </chakra.form>
  )
}
