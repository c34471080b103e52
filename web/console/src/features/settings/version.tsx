import { Button, Link } from '@chakra-ui/react'
import type { Release } from '@tollgate/contracts/resources/status'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { newestRelease } from './api.ts'

/** The running version, its start, and a newer one if there is one. */
export function Version(): ReactNode {
  const { t } = useTranslation('settings')
  const site = useSiteStatus()
  const [isBusy, setBusy] = useState(false)
  const [release, setRelease] = useState<Release | undefined>(undefined)
  const check = async (): Promise<void> => {
    setBusy(true)
    try {
      const found = await newestRelease()
      if (!found.is_newer) toast.success(t('version.current'))
      setRelease(found.is_newer ? found : undefined)
    } catch (error) {
      // Without a release feed the server says so; nothing failed then.
      toast.error(failureText(error) ?? t('version.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel
      title={t('version.title')}
      action={
        <Button variant="outline" loading={isBusy} onClick={() => void check()}>
          {t('version.check')}
        </Button>
      }
    >
      <FactsList>
        <Fact name={t('version.running')}>{site?.version ?? ''}</Fact>
        <Fact name={t('version.since')}>{site === undefined ? '' : timeText(site.start_time)}</Fact>
        {release === undefined ? null : (
          <Fact name={t('version.newest')}>
            <Link href={release.url} target="_blank" rel="noopener noreferrer">
              {release.version}
            </Link>
          </Fact>
        )}
      </FactsList>
    </Panel>
  )
}
