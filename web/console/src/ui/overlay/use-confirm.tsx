import { useState, type ReactNode } from 'react'
import { ConfirmDialog, type Confirmation } from './confirm-dialog.tsx'

/** Asks before something that cannot be taken back; the dialog stands wherever the page puts it. */
export function useConfirm(): { readonly ask: (question: Confirmation) => void; readonly dialog: ReactNode } {
  const [question, setQuestion] = useState<Confirmation | undefined>(undefined)
  return { ask: setQuestion, dialog: <ConfirmDialog ask={question} onClose={() => setQuestion(undefined)} /> }
}
