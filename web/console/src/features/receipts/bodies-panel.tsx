import { chakra, Stack, Text } from '@chakra-ui/react'
import type { Receipt } from '@tollgate/contracts/resources/receipts'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { FileRow } from '../../ui/form/file-button.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { compareBody, type ComparedBody } from './verify.ts'

type Bodies = NonNullable<Receipt['bodies']>
const PARTS = ['request', 'answer'] as const

/** The hashes of request and answer, and files to compare with them. */
export function BodiesPanel({ bodies }: { readonly bodies: Bodies }): ReactNode {
  const { t } = useTranslation('receipts')
  return (
    <Panel title={t('bodies.title')} help={t('bodies.help')}>
      <Stack gap="5">
        {PARTS.map((part) => (
          <BodyRow key={part} part={part} stated={bodies[part]} isCut={part === 'answer' && bodies.answer.is_cut} />
        ))}
      </Stack>
    </Panel>
  )
}

type BodyRowProps = { readonly part: (typeof PARTS)[number]; readonly stated: Bodies['request']; readonly isCut: boolean }

function BodyRow({ part, stated, isCut }: BodyRowProps): ReactNode {
  const { t } = useTranslation('receipts')
  const [chosen, setChosen] = useState('')
  const [compared, setCompared] = useState<ComparedBody | 'unreadable' | undefined>(undefined)
  const compare = (file: File): void => {
    setChosen(file.name)
    setCompared(undefined)
    void compareBody(file, stated).then(setCompared, () => setCompared('unreadable'))
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file !== undefined) compare(file)
  }
  return (
    <Stack gap="2" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Text fontWeight="medium">{t(`bodies.${part}`)}</Text>
      <chakra.span fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
        {stated.sha256}
      </chakra.span>
      <Text color="text.muted">{`${t('bodies.size', { bytes: stated.bytes })}${isCut ? ` ${t('bodies.cut')}` : ''}`}</Text>
      <FileRow label={t(`bodies.${part}-file`)} text={t('choose')} accept="*/*" chosen={chosen} onFile={compare} />
      <div role="status">{compared === undefined ? null : <Comparison compared={compared} />}</div>
    </Stack>
  )
}

function Comparison({ compared }: { readonly compared: ComparedBody | 'unreadable' }): ReactNode {
  const { t } = useTranslation('receipts')
  if (compared === 'unreadable') return <Text color="danger.fg">{t('bodies.unreadable')}</Text>
  if (compared.isSame) return <StatusTag tone="green">{t('bodies.same')}</StatusTag>
  return (
    <Stack gap="1">
      <div>
        <StatusTag tone="red">{t('bodies.different')}</StatusTag>
      </div>
      <Text color="text.muted">{t('bodies.size', { bytes: String(compared.bytes) })}</Text>
      <chakra.span fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
        {compared.sha256}
      </chakra.span>
    </Stack>
  )
}
