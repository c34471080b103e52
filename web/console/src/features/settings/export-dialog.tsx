import { RadioGroup, Stack, Text } from '@chakra-ui/react'
import { options } from '@tollgate/contracts/resources/options'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asksForProof } from '../../lib/api-error.ts'
import { call } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { saveFile } from '../../ui/list/csv.ts'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { Known } from './settings.ts'

const SHORTEST = 12

/** Saves all options as a file: without secrets, or with them sealed under a passphrase, for which the owner is asked for a proof. */
export function ExportDialog({ known, onClose }: { readonly known: Known; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('settings')
  const [isSealed, setSealed] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [proof, setProof] = useState('')
  const [needsProof, setNeedsProof] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const save = (file: object): void => {
    const day = new Date().toISOString().slice(0, 10)
    saveFile(`settings-${day}.json`, new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
    onClose()
  }
  const submit = async (): Promise<void> => {
    if (!isSealed) return save(plainFile(known))
    if ([...passphrase].length < SHORTEST) return setProblem(t('export.passphrase-short', { least: SHORTEST }))
    setBusy(true)
    setProblem(undefined)
    try {
      if (proof !== '') await call(sessions.prove, { body: /^\d{6}$/.test(proof) ? { code: proof } : { password: proof } })
      save(await call(options.exportFile, { body: { passphrase } }))
    } catch (error) {
      setNeedsProof(needsProof || asksForProof(error))
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog title={t('export.title')} submit={t('export.run')} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      <RadioGroup.Root value={isSealed ? 'sealed' : 'plain'} onValueChange={({ value }) => setSealed(value === 'sealed')}>
        <Stack gap="2">
          {(['plain', 'sealed'] as const).map((value) => (
            <RadioGroup.Item key={value} value={value}>
              <RadioGroup.ItemHiddenInput />
              <RadioGroup.ItemIndicator />
              <RadioGroup.ItemText>{t(`export.${value}`)}</RadioGroup.ItemText>
            </RadioGroup.Item>
          ))}
        </Stack>
      </RadioGroup.Root>
      {isSealed ? (
        <>
          <TextField
            label={t('export.passphrase')}
            help={t('export.passphrase-help')}
            type="password"
            autoComplete="new-password"
            value={passphrase}
            onValue={setPassphrase}
            error={needsProof ? undefined : problem}
          />
          {needsProof ? (
            <TextField
              label={t('export.proof')}
              type="password"
              autoComplete="current-password"
              autoFocus
              value={proof}
              onValue={setProof}
              error={problem}
            />
          ) : null}
        </>
      ) : (
        <Text textStyle="sm" color="text.muted">
          {t('export.plain-help')}
        </Text>
      )}
    </FormDialog>
  )
}

/** The rows that the page shows have no secrets. */
const plainFile = ({ rows }: Known): object => ({
  format: 'tollgate-options',
  version: 1,
  exported_at: Math.floor(Date.now() / 1000),
  options: Object.fromEntries(rows.map(({ key, value }) => [key, value])),
})
