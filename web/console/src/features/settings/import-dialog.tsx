import { chakra, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { options, type ImportResult, type ImportRow } from '@tollgate/contracts/resources/options'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { FileRow } from '../../ui/form/file-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Lines } from '../../ui/settings/changes-list.tsx'

type Preview = { readonly rows: readonly ImportRow[]; readonly has_secrets: boolean }

/** Reads a file of settings, shows every difference, and stores the chosen ones. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('settings')
  const work = useImport(onClose)
  const { preview, chosen, results } = work
  const changed = preview?.rows.filter(({ result }) => result === 'changed') ?? []
  const submit = preview === undefined ? t('import.look') : t('import.run', { count: chosen.size })
  return (
    <FormDialog
      title={t('import.title')}
      submit={submit}
      isBusy={work.isBusy}
      isDisabled={work.file === '' || (preview !== undefined && chosen.size === 0)}
      onSubmit={() => void (preview === undefined ? work.look() : work.apply())}
      onClose={onClose}
    >
      <FileRow
        label={t('import.file')}
        text={t('import.choose')}
        accept="application/json,.json"
        chosen={work.name === '' ? t('import.no-file') : work.name}
        onFile={work.setFile}
      />
      <TextField
        label={t('import.passphrase')}
        help={t('import.passphrase-help')}
        type="password"
        autoComplete="off"
        value={work.passphrase}
        onValue={work.setPassphrase}
        error={work.problem}
      />
      {preview === undefined ? null : (
        <>
          <Text textStyle="sm" color="text.muted">
            {t('import.found', {
              changed: changed.length,
              same: preview.rows.filter(({ result }) => result === 'same').length,
              unknown: preview.rows.filter(({ result }) => result === 'unknown').length,
            })}
            {preview.has_secrets && work.passphrase === '' ? ` ${t('import.has-secrets')}` : ''}
          </Text>
          <Stack as="ul" listStyleType="none" gap="3" maxH="45vh" overflowY="auto" tabIndex={0} aria-label={t('import.list')}>
            {preview.rows
              .filter(({ result }) => result === 'changed' || result === 'refused')
              .map((row) => (
                <Row key={row.key} row={row} result={results.get(row.key)} isChosen={chosen.has(row.key)} onChosen={work.choose} />
              ))}
          </Stack>
        </>
      )}
    </FormDialog>
  )
}

type RowProps = {
  readonly row: ImportRow
  readonly result: ImportResult | undefined
  readonly isChosen: boolean
  readonly onChosen: (key: string, isChosen: boolean) => void
}

function Row({ row: { key, is_secret, result: found, before, after, message }, result, isChosen, onChosen }: RowProps): ReactNode {
  const { t } = useTranslation('settings')
  const problem = found === 'refused' ? message : (result?.message ?? '')
  return (
    <li>
      {found === 'refused' ? (
        <Text fontWeight="medium">{key}</Text>
      ) : (
        <chakra.label
          display="flex"
          gap="2"
          alignItems="center"
          cursor="pointer"
          fontWeight="medium"
          color="text.strong"
          overflowWrap="anywhere"
        >
          <CheckBox label={key} isChecked={isChosen} onChange={() => onChosen(key, !isChosen)} />
          {key}
        </chakra.label>
      )}
      {is_secret ? <ToneTag tone="grey">{t('import.secret')}</ToneTag> : <Lines before={before} after={after} />}
      {problem === '' ? null : (
        <Text textStyle="sm" color="danger.fg">
          {problem}
        </Text>
      )}
    </li>
  )
}

function useImport(onDone: () => void) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [file, setText] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [preview, setPreview] = useState<Preview | undefined>(undefined)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [results, setResults] = useState<ReadonlyMap<string, ImportResult>>(new Map())
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const source = { file, ...(passphrase === '' ? {} : { passphrase }) }
  const busy = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return {
    name,
    file,
    passphrase,
    preview,
    chosen,
    results,
    problem,
    isBusy,
    setFile: (given: File) =>
      void busy(async () => {
        setText(await given.text())
        setName(given.name)
        setPreview(undefined)
      }),
    setPassphrase: (text: string) => {
      setPassphrase(text)
      setPreview(undefined)
    },
    choose: (key: string, isChosen: boolean) => setChosen(new Set(isChosen ? [...chosen, key] : [...chosen].filter((one) => one !== key))),
    look: () =>
      busy(async () => {
        const found = await call(options.previewImport, { body: source })
        setPreview(found)
        setResults(new Map())
        setChosen(new Set(found.rows.filter(({ result }) => result === 'changed').map(({ key }) => key)))
      }),
    apply: () =>
      busy(async () => {
        const rows = preview?.rows.filter(({ key }) => chosen.has(key)) ?? []
        const changes = rows.map(({ key, is_secret, before }) => ({ key, ...(is_secret ? {} : { was: before }) }))
        const done = await call(options.importFile, { body: { ...source, changes } })
        await refresh(client, options.list)
        void client.invalidateQueries({ queryKey: ['status'] })
        const refused = done.filter(({ is_stored }) => !is_stored)
        if (refused.length === 0) {
          toast.success(t('import.done', { count: done.length }))
          return onDone()
        }
        setResults(new Map(refused.map((result) => [result.key, result])))
        setChosen(new Set(refused.map(({ key }) => key)))
        setProblem(t('import.partly', { count: refused.length }))
      }),
  }
}
