import { Flex, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchAway, type Away } from '../lib/away.ts'
import { noteAway, openWaits } from '../lib/waits.ts'

/** Says what the calls of the page wait for; nothing while they are answered. */
export function WaitingBanner(): ReactNode {
  const text = useWaitingText()
  if (text === undefined) return null
  return (
    <Flex
      role="status"
      position="fixed"
      top="14"
      insetInline="3"
      mx="auto"
      maxW="xl"
      zIndex="toast"
      align="center"
      gap="2.5"
      px="3"
      py="2"
      bg="warning.subtle"
      color="warning.fg"
      borderWidth="1px"
      borderColor="warning.border"
      borderRadius="panel"
      boxShadow="raised"
      textStyle="sm"
    >
      <Hourglass size={16} aria-hidden />
      <Text fontVariantNumeric="tabular-nums">{text}</Text>
    </Flex>
  )
}

const TEXTS = { postgres: 'wait-postgres', redis: 'wait-redis', server: 'wait-server' } as const

function useWaitingText(): string | undefined {
  const { t } = useTranslation('errors')
  const { limitedUntil, isSlow, hasFailed } = useSyncExternalStore(openWaits.subscribe, openWaits.current)
  const now = useNow(limitedUntil !== undefined)
  const away = useAway(isSlow || hasFailed)
  if (away !== undefined && away.length > 0) return t(away.length > 1 ? 'wait-both' : TEXTS[away[0] ?? 'server'])
  if (limitedUntil !== undefined) return t('wait-limit', { count: Math.max(1, Math.ceil((limitedUntil - now) / 1000)) })
  return undefined
}

const SECOND_MS = 1000

function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isNeeded) return undefined
    const tick = (): void => setNow(Date.now())
    tick()
    const timer = setInterval(tick, SECOND_MS)
    return () => clearInterval(timer)
  }, [isNeeded])
  return now
}

/**
 * The part that does not answer, as long as a call waits or has failed; when it answers again, failed queries are read again. Calls that fail
 * while everything answers have another reason, which their page shows.
 */
function useAway(isNeeded: boolean): Away | undefined {
  const client = useQueryClient()
  const [away, setAway] = useState<Away | undefined>(undefined)
  useEffect(() => {
    if (!isNeeded) return undefined
    const stopped = new AbortController()
    const probe = async (): Promise<void> => {
      let wasAway = false
      while (!stopped.signal.aborted) {
        const found = await fetchAway(stopped.signal)
        if (stopped.signal.aborted) return
        setAway(found)
        if (found.length === 0 && openWaits.current().hasFailed) {
          noteAway(false)
          if (wasAway) void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
        }
        wasAway = found.length > 0
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS))
      }
    }
    void probe()
    return () => {
      stopped.abort()
      setAway(undefined)
    }
  }, [isNeeded, client])
  return away
}
