import { Box, Button, Flex, Skeleton, Text } from '@chakra-ui/react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { AuditChanges } from '../../ui/display/audit-changes.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { useAuditTexts } from '../../ui/display/use-audit-texts.ts'
import { saveFile } from '../../ui/list/csv.ts'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { Turner } from '../../ui/page/turner.tsx'
import { auditFile, OWN_AUDIT_PAGE, ownAudit } from './api.ts'

type OwnActionsProps = {
  /** Texts for the audit log of an organisation, whose entries name their members. */
  readonly shared?: { readonly title: string; readonly help: string }
}

/** The audit entries of the own actions, or of those for the chosen organisation, read when they are opened. */
export function OwnActions({ shared }: OwnActionsProps): ReactNode {
  const { t } = useTranslation('personal')
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      isFlush
      title={shared?.title ?? t('audit.title')}
      help={shared?.help ?? t('audit.help')}
      action={
        <>
          {shared === undefined ? null : <Files />}
          <Button size="sm" variant="outline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'audit.hide' : 'audit.show')}
          </Button>
        </>
      }
    >
      {isOpen ? <Entries isShared={shared !== undefined} /> : null}
    </Panel>
  )
}

const FORMATS = ['csv', 'jsonl'] as const

/** The whole log as a file. */
function Files(): ReactNode {
  const { t } = useTranslation('personal')
  const saving = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) => saveFile(`audit.${format}`, await auditFile(format)),
  })
  return (
    <>
      {FORMATS.map((format) => (
        <Button
          key={format}
          size="sm"
          variant="outline"
          loading={saving.isPending && saving.variables === format}
          onClick={() => saving.mutate(format)}
        >
          <Download aria-hidden />
          {t(`audit.${format}`)}
        </Button>
      ))}
    </>
  )
}

function Entries({ isShared }: { readonly isShared: boolean }): ReactNode {
  const { t } = useTranslation('personal')
  const [page, setPage] = useState(1)
  const entries = useQuery({ ...ownAudit(page), placeholderData: keepPreviousData, meta: { quiet: true } })
  const { data } = entries
  const texts = useAuditTexts()
  return (
    <>
      {entries.error === null ? null : <ErrorState message={failureText(entries.error) ?? ''} onRetry={() => void entries.refetch()} />}
      {entries.isPending ? <Skeleton height="16" m="4" /> : null}
      {data?.total === 0 ? (
        <Text px="4" py="4" color="text.muted">
          {t('audit.none')}
        </Text>
      ) : null}
      {data?.items.map((entry) => (
        <PanelRow
          key={entry.id}
          title={
            <Flex gap="2" wrap="wrap" align="baseline">
              <Text as="span">
                {isShared ? `${entry.actor_name} · ` : ''}
                {texts.action(entry)} · {texts.resource(entry)}
              </Text>
              <Text as="span" textStyle="xs" color="text.muted" fontWeight="normal">
                <TimeText time={entry.created_at} absent="–" /> {entry.ip === '' ? '' : t('audit.ip', { ip: entry.ip })}
              </Text>
            </Flex>
          }
        >
          <AuditChanges changes={entry.changes} />
        </PanelRow>
      ))}
      {data === undefined || data.total <= OWN_AUDIT_PAGE ? null : (
        <Box px="4" py="2" borderTopWidth="1px" borderColor="border">
          <Turner page={page} pages={Math.ceil(data.total / OWN_AUDIT_PAGE)} onPage={setPage} />
        </Box>
      )}
    </>
  )
}
