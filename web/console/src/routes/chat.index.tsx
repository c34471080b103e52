import { createFileRoute } from '@tanstack/react-router'
import { ChatPage } from '../features/chat/page.tsx'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/chat/')({ loader: () => loadTexts('chat'), component: ChatRoute })

function ChatRoute() {
  return <ChatPage id={undefined} />
}
