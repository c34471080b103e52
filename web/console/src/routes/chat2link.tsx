import { createFileRoute } from '@tanstack/react-router'
import { requireUser } from '../app/guards.ts'
import { ChatRedirectPage } from '../features/chat/redirect-page.tsx'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/chat2link')({
  beforeLoad: requireUser,
  loader: () => loadTexts('chat'),
  component: ChatRedirectPage,
})
