import { Box } from '@chakra-ui/react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSiteStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'

const Widget = lazy(async () => ({ default: (await import('../../ui/form/human-check.tsx')).HumanCheck }))

export type HumanCheck = {
  /** The widget, while the check is on. */
  readonly widget: ReactNode
  /** The token for one call, empty while the check is off; undefined while there is none, and then the page has said so. */
  readonly take: () => string | undefined
  /** A call uses its token up, also when it is refused. */
  readonly renew: () => void
}

export function useHumanCheck(): HumanCheck {
  const { t, i18n } = useTranslation('registration')
  const status = useSiteStatus()
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const isOn = status?.turnstile_check === true
  return {
    widget: isOn ? (
      <Suspense fallback={<Box minH="16" />}>
        <Widget key={round} siteKey={status.turnstile_site_key} language={i18n.language} onToken={setToken} />
      </Suspense>
    ) : null,
    take: () => {
      if (isOn && token === '') {
        toast.info(t('human-check'))
        return undefined
      }
      return token
    },
    renew: () => {
      if (!isOn) return
      setToken('')
      setRound((before) => before + 1)
    },
  }
}
