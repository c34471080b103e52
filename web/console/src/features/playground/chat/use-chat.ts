import { useEffect, useState, useSyncExternalStore } from 'react'
import { useUser } from '../../../lib/session.ts'
import { storage, type StoredUser } from '../../../lib/storage.ts'
import { ChatSession } from './chat-session.ts'
import { fitting, readStored, type ChatMessage } from './messages.ts'

/** Limit in local storage, which holds about five million characters for everything. */
const MAX_STORED = 1_000_000

/** The reader's conversation, which is kept in this browser. */
export function useStoredSession(): ChatSession {
  const user = useUser()
  const [session] = useState(() => new ChatSession(stored(user) ?? [], (messages) => store(user, messages)))
  useEffect(() => () => session.close(), [session])
  return session
}

export const useMessages = (session: ChatSession): readonly ChatMessage[] =>
  useSyncExternalStore(session.subscribe, () => session.state().messages)

/** True if an answer is arriving; a page that reads only this is not drawn again with every piece. */
export const useRunning = (session: ChatSession): boolean => useSyncExternalStore(session.subscribe, () => session.state().isRunning)

function stored(user: StoredUser | undefined): readonly ChatMessage[] | undefined {
  const kept = storage.get('playground-chat')
  return kept === undefined || kept['user_id'] !== user?.id ? undefined : readStored(kept['messages'])
}

function store(user: StoredUser | undefined, messages: readonly ChatMessage[]): void {
  if (user !== undefined) storage.set('playground-chat', { user_id: user.id, messages: fitting(messages, MAX_STORED) })
}
