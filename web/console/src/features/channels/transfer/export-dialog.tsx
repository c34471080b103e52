import { chakra } from '@chakra-ui/react'
import { channelFiles, type ChannelFile } from '@tollgate/contracts/resources/channel-files'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asksForProof } from '../../../lib/api-error.ts'
import { call } from '../../../lib/api.ts'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { saveCsv, saveFile } from '../../../ui/list/csv.ts'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { toCsv } from './channel-csv.ts'

const CONTENTS = ['plain', 'csv', 'sealed'] as const
type Content = (typeof CONTENTS)[number]
const SHORTEST = 12

type ExportDialogProps = {
  /** The selected channels; empty: none are. */
  readonly ids: readonly number[]
  /** Only root may export keys. */
  readonly mayExportKeys: boolean
  readonly onClose: () => void
}

/** Saves channels as a file: a table, or JSON without keys or with keys sealed under a passphrase. */
export function ExportDialog({ ids, mayExportKeys, onClose }: ExportDialogProps): ReactNode {
  const { t } = useTranslation('channel-files')
  const [scope, setScope] = useState(ids.length === 0 ? 'all' : 'selected')
  const [content, setContent] = useState<Content>('plain')
  const [passphrase, setPassphrase] = useState('')
  const [proof, setProof] = useState('')
  const [needsProof, setNeedsProof] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const wanted = scope === 'selected' ? { ids: [...ids] } : {}
  const read = async (): Promise<ChannelFile> => {
    if (content !== 'sealed') return call(channelFiles.plain, { body: wanted })
    if (proof !== '') await call(sessions.prove, { body: /^\d{6}$/.test(proof) ? { code: proof } : { password: proof } })
    return call(channelFiles.sealed, { body: { ...wanted, passphrase } })
  }
  const submit = async (): Promise<void> => {
    if (content === 'sealed' && [...passphrase].length < SHORTEST) return setProblem(t('passphrase-short'))
    setBusy(true)
    setProblem(undefined)
    try {
      const file = await read()
      save(file, content)
      toast.success(t('exported', { count: file.channels.length }))
      onClose()
    } catch (error) {
      setNeedsProof(needsProof || asksForProof(error))
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog title={t('export-title')} submit={t('export')} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      {ids.length === 0 ? null : (
        <ChoiceField
          label={t('scope')}
          value={scope}
          onValue={setScope}
          choices={[
            { value: 'selected', label: t('scopes.selected', { count: ids.length }) },
            { value: 'all', label: t('scopes.all') },
          ]}
        />
      )}
      <ChoiceField
        label={t('content')}
        value={content}
        onValue={(value) => setContent(CONTENTS.find((known) => known === value) ?? 'plain')}
        choices={CONTENTS.filter((value) => value !== 'sealed' || mayExportKeys).map((value) => ({ value, label: t(`contents.${value}`) }))}
      />
      {content === 'sealed' ? (
        <TextField
          label={t('passphrase')}
          help={t('passphrase-help')}
          type="password"
          autoComplete="new-password"
          value={passphrase}
          error={needsProof ? undefined : problem}
          onValue={setPassphrase}
        />
      ) : (
        <chakra.p color="text.muted" textStyle="sm">
          {problem ?? t('plain-help')}
        </chakra.p>
      )}
      {needsProof ? (
        <TextField
          label={t('proof')}
          type="password"
          autoComplete="current-password"
          autoFocus
          value={proof}
          error={problem}
          onValue={setProof}
        />
      ) : null}
    </FormDialog>
  )
}

function save(file: ChannelFile, content: Content): void {
  const name = `channels-${new Date().toISOString().slice(0, 10)}`
  if (content === 'csv') saveCsv(name, toCsv(file))
  else saveFile(`${name}.json`, new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
}
