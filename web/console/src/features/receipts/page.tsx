import { chakra, Stack, Text, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Receipt } from '@tollgate/contracts/resources/receipts'
import { useEffect, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { FileButton } from '../../ui/form/file-button.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { receiptKeys } from './api.ts'
import { BodiesPanel } from './bodies-panel.tsx'
import { verifyReceipt, verifyReceipts, type Checked, type CheckedFile } from './verify.ts'

/** `/receipt`: checks receipts of this site, for everyone. What is checked stays in the browser. */
export function ReceiptPage(): ReactNode {
  const { t } = useTranslation('receipts')
  const [text, setText] = useState('')
  const { data, error } = useQuery(receiptKeys)
  const checked = useChecked(text, data?.keys)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file !== undefined) void file.text().then(setText)
  }
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Stack gap="4" maxW="4xl">
        <Panel
          title={t('input')}
          help={t('input-help')}
          action={<FileButton label={t('file')} text={t('choose')} accept=".jws,.txt" onFile={(file) => void file.text().then(setText)} />}
        >
          <Textarea
            aria-label={t('input')}
            rows={6}
            fontFamily="mono"
            textStyle="xs"
            spellCheck={false}
            placeholder={text.length > MAX_SHOWN ? t('long') : 'eyJ…'}
            value={text.length > MAX_SHOWN ? '' : text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onDrop={drop}
          />
        </Panel>
        <div role="status">
          {error === null ? null : <Text color="danger.fg">{failureText(error)}</Text>}
          {text.trim() === '' || data === undefined ? null : isSecure() ? (
            <Outcome checked={checked} />
          ) : (
            <Text color="warning.fg">{t('insecure')}</Text>
          )}
        </div>
      </Stack>
    </Page>
  )
}

/** Browsers have signatures on https pages, and on this machine's own, only. */
const isSecure = (): boolean => globalThis.crypto?.subtle !== undefined

/** A longer text would slow the input down. */
const MAX_SHOWN = 200_000

/** The outcome for a text, of one receipt or of a file of them; undefined while it is being checked. */
function useChecked(text: string, keys: Parameters<typeof verifyReceipt>[1] | undefined): Checked | CheckedFile | undefined {
  const [result, setResult] = useState<{ readonly of: string; readonly checked: Checked | CheckedFile } | undefined>(undefined)
  useEffect(() => {
    if (keys === undefined || text.trim() === '' || !isSecure()) return
    let isLate = false
    const lines = text.split('\n')
    const isFile = lines.filter((line) => line.trim() !== '').length > 1
    const work = isFile ? verifyReceipts(lines, keys) : verifyReceipt(text, keys)
    void work.then((checked) => (isLate ? undefined : setResult({ of: text, checked })))
    return () => {
      isLate = true
    }
  }, [text, keys])
  return result?.of === text ? result.checked : undefined
}

/** How many of a file are valid, what they sum up to, and the first that is not. */
function FileOutcome({ checked: { receipts, valid, quota, wrong } }: { readonly checked: CheckedFile }): ReactNode {
  const { t } = useTranslation('receipts')
  return (
    <Panel
      title={t('file-content', { count: receipts })}
      action={<StatusTag tone={wrong === undefined ? 'green' : 'red'}>{t(wrong === undefined ? 'valid' : 'invalid')}</StatusTag>}
    >
      <FactsList>
        <Fact name={t('file-valid')}>{`${valid} / ${receipts}`}</Fact>
        <Fact name={t('file-sum')}>{String(quota)}</Fact>
        {wrong === undefined ? null : <Fact name={t('file-wrong', { line: wrong.line })}>{t(`fault.${wrong.kind}`)}</Fact>}
      </FactsList>
    </Panel>
  )
}

function Outcome({ checked }: { readonly checked: Checked | CheckedFile | undefined }): ReactNode {
  const { t } = useTranslation('receipts')
  if (checked === undefined) return null
  if ('receipts' in checked) return <FileOutcome checked={checked} />
  if (checked.kind !== 'valid')
    return (
      <Stack gap="2">
        <div>
          <StatusTag tone="red">{t('invalid')}</StatusTag>
        </div>
        <Text>{t(`fault.${checked.kind}`)}</Text>
      </Stack>
    )
  const { receipt, kid } = checked
  return (
    <Stack gap="4">
      <Panel title={t('content')} action={<StatusTag tone="green">{t('valid')}</StatusTag>}>
        <Stack gap="4">
          <Facts receipt={receipt} kid={kid} />
          <chakra.details>
            <chakra.summary cursor="pointer" color="text.muted">
              {t('all')}
            </chakra.summary>
            <CodeBlock code={JSON.stringify(receipt, undefined, 2)} label={t('all')} />
          </chakra.details>
        </Stack>
      </Panel>
      {receipt.bodies === undefined ? null : <BodiesPanel key={receipt.id} bodies={receipt.bodies} />}
    </Stack>
  )
}

function Facts({ receipt, kid }: { readonly receipt: Receipt; readonly kid: string }): ReactNode {
  const { t } = useTranslation('receipts')
  const { kind, charge, model, group, user, token, booked_at, request_id, corrects, iss } = receipt
  return (
    <FactsList>
      <Fact name={t('fact.kind')}>{t(`kind.${kind}`)}</Fact>
      <Fact name={t('fact.charge')}>{`$${charge.usd} (${charge.quota})`}</Fact>
      <Fact name={t('fact.model')}>{model}</Fact>
      <Fact name={t('fact.user')}>{`${user.name} (${user.id})`}</Fact>
      <Fact name={t('fact.token')}>{`${token.name} (${token.id})`}</Fact>
      <Fact name={t('fact.group')}>{group}</Fact>
      <Fact name={t('fact.time')}>{booked_at}</Fact>
      <Fact name={t('fact.request')}>
        <chakra.span fontFamily="mono" overflowWrap="anywhere">
          {request_id}
        </chakra.span>
      </Fact>
      {corrects === null ? null : <Fact name={t('fact.corrects')}>{corrects}</Fact>}
      <Fact name={t('fact.issuer')}>{iss}</Fact>
      <Fact name={t('fact.key')}>
        <chakra.span fontFamily="mono" overflowWrap="anywhere">
          {kid}
        </chakra.span>
      </Fact>
    </FactsList>
  )
}
