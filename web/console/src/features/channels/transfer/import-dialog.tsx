import { chakra, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { channelFiles, type ImportedChannel } from '@tollgate/contracts/resources/channel-files'
import type { Tone } from '@tollgate/domain/display/tone'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { FileRow } from '../../../ui/form/file-button.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { CSV_COLUMNS, fromCsv } from './channel-csv.ts'

const TONES = { new: 'green', known: 'grey', refused: 'red' } as const satisfies Record<ImportedChannel['result'], Tone>
const LISTED = 200

/** Reads a file of channels, shows what would come of each, and creates the new ones. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('channel-files')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [file, setFile] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [rows, setRows] = useState<readonly ImportedChannel[] | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const count = countOf(rows ?? [], 'new')
  const choose = async (given: File): Promise<void> => {
    const text = await given.text()
    const read = given.name.toLowerCase().endsWith('.csv') ? fromCsv(text) : text
    setName(given.name)
    setFile(read ?? '')
    setRows(undefined)
    setProblem(read === undefined ? t('csv-header') : undefined)
  }
  const submit = async (): Promise<void> => {
    const isPreview = rows === undefined
    setBusy(true)
    setProblem(undefined)
    try {
      const found = await call(channelFiles.import, { body: { file, passphrase, is_preview: isPreview } })
      if (isPreview) return setRows(found)
      await refresh(client, channelFiles.import)
      toast.success(t('imported', { count: countOf(found, 'new') }))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('import-title')}
      submit={rows === undefined ? t('look') : t('run', { count })}
      isBusy={isBusy}
      isDisabled={file === '' || (rows !== undefined && count === 0)}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <chakra.p color="text.muted" textStyle="sm" overflowWrap="anywhere">
        {t('import-help', { columns: [...CSV_COLUMNS, 'key'].join(', ') })}
      </chakra.p>
      <FileRow
        label={t('file')}
        text={t('file')}
        accept="application/json,.json,text/csv,.csv"
        chosen={name === '' ? t('no-file') : name}
        onFile={(given) => void choose(given)}
      />
      <TextField
        label={t('import-passphrase')}
        help={t('import-passphrase-help')}
        type="password"
        autoComplete="off"
        value={passphrase}
        onValue={(text) => {
          setPassphrase(text)
          setRows(undefined)
        }}
      />
      {problem === undefined ? null : (
        <chakra.p role="alert" color="danger.fg" textStyle="sm" overflowWrap="anywhere">
          {problem}
        </chakra.p>
      )}
      {rows === undefined ? null : <Found rows={rows} />}
    </FormDialog>
  )
}

function Found({ rows }: { readonly rows: readonly ImportedChannel[] }): ReactNode {
  const { t } = useTranslation('channel-files')
  return (
    <>
      <Text textStyle="sm" color="text.strong">
        {t('found', { added: countOf(rows, 'new'), known: countOf(rows, 'known'), refused: countOf(rows, 'refused') })}
      </Text>
      <Stack as="ul" listStyleType="none" gap="1.5" maxH="40vh" overflowY="auto" tabIndex={0} aria-label={t('import-title')}>
        {rows.slice(0, LISTED).map(({ name, result, message }, at) => (
          <chakra.li key={`${at}-${name}`} display="flex" gap="2" flexWrap="wrap" alignItems="center">
            <ToneTag tone={TONES[result]}>{t(`result.${result}`)}</ToneTag>
            <chakra.span overflowWrap="anywhere">{name}</chakra.span>
            {message === '' ? null : (
              <chakra.span color="danger.fg" textStyle="xs">
                {message}
              </chakra.span>
            )}
          </chakra.li>
        ))}
      </Stack>
      {rows.length > LISTED ? <Text color="text.muted">{t('more', { count: rows.length - LISTED })}</Text> : null}
    </>
  )
}

function countOf(rows: readonly ImportedChannel[], wanted: ImportedChannel['result']): number {
  return rows.filter(({ result }) => result === wanted).length
}
