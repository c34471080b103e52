import { useEffect, useRef, useState } from 'react'
import { failureText } from '../../../lib/report.ts'
import { findCharge } from '../chat/charge.ts'
import type { AnswerFacts } from '../chat/messages.ts'
import { errorText } from '../chat/read-stream.ts'

export type MediaCall<T> = {
  readonly isRunning: boolean
  readonly error: string | undefined
  readonly result: T | undefined
  readonly facts: AnswerFacts | undefined
  readonly start: (model: string) => void
  readonly stop: () => void
}

type Sending<T> = {
  readonly send: (signal: AbortSignal) => Promise<Response>
  readonly read: (response: Response) => Promise<T>
}

/** One call that is not a conversation: what it gave, what it took and what it cost. */
export function useMediaCall<T>({ send, read }: Sending<T>): MediaCall<T> {
  const [state, setState] = useState<Omit<MediaCall<T>, 'start' | 'stop'>>({
    isRunning: false,
    error: undefined,
    result: undefined,
    facts: undefined,
  })
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (model: string, control: AbortController): Promise<void> => {
    const begun = performance.now()
    const response = await send(control.signal)
    const id = response.headers.get('x-oneapi-request-id')
    const facts: AnswerFacts = { model, ...(id === null ? {} : { request_id: id }) }
    const error = response.ok ? undefined : errorText(response.status, await response.text())
    const result = response.ok ? await read(response) : undefined
    const taken: AnswerFacts = { ...facts, total_ms: Math.round(performance.now() - begun) }
    setState({ isRunning: false, error, result, facts: taken })
    const charge = id === null ? undefined : await findCharge(id, control.signal)
    if (charge !== undefined) setState((before) => (before.facts === taken ? { ...before, facts: { ...taken, charge } } : before))
  }
  return {
    ...state,
    start: (model) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      setState({ isRunning: true, error: undefined, result: undefined, facts: undefined })
      run(model, control).catch((error: unknown) => {
        if (running.current !== control) return
        setState({ isRunning: false, error: control.signal.aborted ? undefined : failureText(error), result: undefined, facts: undefined })
      })
    },
    stop: () => running.current?.abort(),
  }
}
