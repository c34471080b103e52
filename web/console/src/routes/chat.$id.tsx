import { createFileRoute } from '@tanstack/react-router'
import { ChatPage } from '../features/chat/page.tsx'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/chat/$id')({ loader: () => loadTexts('chat'), component: ChatRoute })

function ChatRoute() {
  const { id } = Route.useParams()
  return <ChatPage key={id} id={id} />
}
