import { Alert, Button, chakra, Field, Flex, Stack, Switch, Table, Text, Textarea } from '@chakra-ui/react'
import type { Tone } from '@tollgate/domain/display/tone'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { FileButton } from '../../ui/form/file-button.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import type { SettingValues } from '../../ui/settings/setting.ts'
import { DollarChange } from './dollar-change.tsx'
import { importChanges, importedValues, type ImportChange, type ImportMaps } from './price-import-changes.ts'
import { IMPORT_COLUMNS, readPriceList, type ImportProblem } from './price-import.ts'

type ImportProps = {
  readonly maps: ImportMaps
  /** Models with other prices for long prompts, which a list does not state. */
  readonly banded: ReadonlySet<string>
  readonly onApply: (values: SettingValues) => void
  readonly onClose: () => void
}

const SHOWN = 200
const PROBLEMS_SHOWN = 10

/** A price list by paste or file; its changes are shown before they are filled into the form. */
export function ImportDrawer({ maps, banded, onApply, onClose }: ImportProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const { rows, problems } = useMemo(() => readPriceList(text), [text])
  const changes = useMemo(() => importChanges(maps, rows, isWhole), [maps, rows, isWhole])
  const stale = changes.filter(({ name, kind, before, after }) => kind === 'changed' && before.input !== after.input && banded.has(name))
  const count = changes.filter(({ kind }) => kind !== 'same' && kind !== 'refused').length
  const apply = (): void => {
    onApply(importedValues(maps, rows, changes))
    toast.success(t('import.applied', { count }))
    onClose()
  }
  return (
    <DetailDrawer
      title={t('import.title')}
      size="lg"
      onClose={onClose}
      footer={
        <Button type="button" disabled={count === 0 || problems.length > 0} onClick={apply}>
          {t('import.apply', { count })}
        </Button>
      }
    >
      <Stack gap="4">
        <Text textStyle="sm" color="text.muted">
          {t('import.help')}
        </Text>
        <Field.Root>
          <Field.Label>{t('import.text')}</Field.Label>
          <Textarea
            rows={8}
            fontFamily="mono"
            textStyle="xs"
            spellCheck={false}
            placeholder={t('import.placeholder')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field.Root>
        <Flex gap="4" wrap="wrap" align="center">
          <FileButton
            label={t('import.file')}
            text={t('import.file')}
            accept=".csv,.tsv,.txt,.json"
            onFile={(file) => void file.text().then(setText)}
          />
          <Switch.Root checked={isWhole} onCheckedChange={({ checked }) => setWhole(checked)}>
            <Switch.HiddenInput />
            <Switch.Control>
              <Switch.Thumb />
            </Switch.Control>
            <Switch.Label>{t('import.is-whole')}</Switch.Label>
          </Switch.Root>
        </Flex>
        {text === '' ? null : <Problems problems={problems} />}
        {stale.length === 0 ? null : (
          <Alert.Root status="warning">
            <Alert.Indicator />
            <Alert.Content>
              <Alert.Description overflowWrap="anywhere">
                {t('import.bands', { count: stale.length, names: stale.map(({ name }) => name).join(t('catalogue.and')) })}
              </Alert.Description>
            </Alert.Content>
          </Alert.Root>
        )}
        {text === '' || rows.length === 0 ? null : <Preview changes={changes} />}
      </Stack>
    </DetailDrawer>
  )
}

function Problems({ problems }: { readonly problems: readonly ImportProblem[] }): ReactNode {
  const { t } = useTranslation('price-tools')
  if (problems.length === 0) return null
  // Each text takes what its kind has; the others ignore it.
  const textOf = (problem: ImportProblem): string =>
    t(`import.problem.${problem.kind}`, { name: '', value: '', column: '', ...problem, line: problem.line })
  return (
    <Alert.Root status="error" role="alert">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Description>
          {problems.slice(0, PROBLEMS_SHOWN).map((problem, index) => (
            <Text key={index}>{t('import.line', { line: problem.line, problem: textOf(problem) })}</Text>
          ))}
          {problems.length > PROBLEMS_SHOWN ? <Text>{t('import.more', { count: problems.length - PROBLEMS_SHOWN })}</Text> : null}
        </Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}

const KINDS = { added: 'green', changed: 'blue', removed: 'red', refused: 'orange', same: 'grey' } as const satisfies Record<
  ImportChange['kind'],
  Tone
>
// Its keys are the kinds.
const ORDER = Object.keys(KINDS) as ImportChange['kind'][]

function Preview({ changes }: { readonly changes: readonly ImportChange[] }): ReactNode {
  const { t } = useTranslation('price-tools')
  const columns = IMPORT_COLUMNS.filter((column) =>
    changes.some(({ before, after }) => before[column] !== undefined || after[column] !== undefined),
  )
  const sorted = changes.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  return (
    <chakra.section aria-label={t('import.preview')}>
      <Flex gap="2" mb="2" wrap="wrap">
        {ORDER.map((kind) => (
          <ToneTag key={kind} tone={KINDS[kind]}>
            {t(`import.${kind}`)} {changes.filter((change) => change.kind === kind).length}
          </ToneTag>
        ))}
      </Flex>
      <Table.ScrollArea borderWidth="1px" borderColor="border" borderRadius="control" maxH="24rem">
        <Table.Root size="sm" stickyHeader>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('column.model')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('column.kind')}</Table.ColumnHeader>
              {columns.map((column) => (
                <Table.ColumnHeader key={column} textAlign="end">
                  {t(`column.${column}`)}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {sorted.slice(0, SHOWN).map((change) => (
              <Table.Row key={change.name}>
                <Table.Cell fontFamily="mono" textStyle="xs">
                  {change.name}
                </Table.Cell>
                <Table.Cell>
                  <ToneTag tone={KINDS[change.kind]} hint={change.kind === 'refused' ? t('import.refused-help') : undefined}>
                    {t(`import.${change.kind}`)}
                  </ToneTag>
                </Table.Cell>
                {columns.map((column) => (
                  <Table.Cell key={column} textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
                    <DollarChange before={change.before[column]} after={change.after[column]} />
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {sorted.length > SHOWN ? <Text textStyle="xs">{t('import.more-rows', { count: sorted.length - SHOWN })}</Text> : null}
    </chakra.section>
  )
}
