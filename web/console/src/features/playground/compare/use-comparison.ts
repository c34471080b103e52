import { useEffect, useState, useSyncExternalStore } from 'react'
import { storage } from '../../../lib/storage.ts'
import { ChatSession } from '../chat/chat-session.ts'
import { firstColumns, readColumns, type CompareColumn } from './compare-columns.ts'
import type { AnswerFacts } from '../chat/messages.ts'

export type Comparison = {
  readonly columns: readonly CompareColumn[]
  readonly change: (columns: readonly CompareColumn[]) => void
  readonly sessionOf: (column: CompareColumn) => ChatSession
}

/** The compared models, kept in this browser, and a conversation with each. */
export function useComparison(model: string, models: readonly string[]): Comparison {
  const [kept, setColumns] = useState(() => readColumns(storage.get('playground-compare')?.['columns']))
  const columns = kept ?? firstColumns(model, models)
  const [sessions] = useState(() => new Map<number, ChatSession>())
  useEffect(() => () => sessions.forEach((session) => session.close()), [sessions])
  return {
    columns,
    change: (next) => {
      for (const { id } of columns) {
        if (next.some((column) => column.id === id)) continue
        sessions.get(id)?.close()
        sessions.delete(id)
      }
      setColumns(next)
      storage.set('playground-compare', { columns: next })
    },
    sessionOf: ({ id }) => {
      const session = sessions.get(id) ?? new ChatSession([], () => undefined)
      sessions.set(id, session)
      return session
    },
  }
}

/** True if any answer is arriving. */
export function useAnyRunning(sessions: readonly ChatSession[]): boolean {
  return useSyncExternalStore(
    (listener) => subscribeAll(sessions, listener),
    () => sessions.some((session) => session.state().isRunning),
  )
}

const NO_FACTS: AnswerFacts = { model: '' }

/** Facts of the last answer of each column. Read as text, so that the reader is drawn again only when a figure changes. */
export function useLastFacts(sessions: readonly ChatSession[]): readonly AnswerFacts[] {
  const text = useSyncExternalStore(
    (listener) => subscribeAll(sessions, listener),
    () => JSON.stringify(sessions.map((session) => session.state().messages.at(-1)?.facts ?? NO_FACTS)),
  )
  return JSON.parse(text) as readonly AnswerFacts[] // written two lines above
}

function subscribeAll(sessions: readonly ChatSession[], listener: () => void): () => void {
  const ends = sessions.map((session) => session.subscribe(listener))
  return () => ends.forEach((end) => end())
}
