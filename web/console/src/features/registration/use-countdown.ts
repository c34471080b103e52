import { useEffect, useState } from 'react'

export type Countdown = { readonly seconds: number; readonly start: () => void }

/** Counts whole seconds down to 0. It measures the time, because browsers slow the timers of hidden tabs down. */
export function useCountdown(length: number): Countdown {
  const [endsAt, setEndsAt] = useState(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (endsAt === 0) return undefined
    const timer = setInterval(() => setSeconds(Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [endsAt])
  const start = (): void => {
    setEndsAt(performance.now() + length * 1000)
    setSeconds(length)
  }
  return { seconds, start }
}
