import { Alert, Button, chakra, SimpleGrid } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import type { CallPreview } from '@tollgate/contracts/channels/call-preview'
import { PREVIEW_FORMATS, type PreviewFormat } from '@tollgate/contracts/channels/preview-formats'
import { channels } from '@tollgate/contracts/resources/channels'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call as send } from '../../../lib/api.ts'
import { failureText } from '../../../lib/report.ts'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import type { ChannelForm } from '../form/form.ts'
import { markChanges, sampleOf, type MarkedLine } from './override-view.ts'

/** The call that the channel would make for a sample request, without and with its overrides. Nothing is sent to the vendor. */
export function OverrideTester({ values }: { readonly values: ChannelForm }): ReactNode {
  const { t } = useTranslation('param-override')
  const [call, setCall] = useState<PreviewFormat>('openai-chat')
  const [model, setModel] = useState(values.models[0] ?? '')
  const [body, setBody] = useState(sampleOf('openai-chat'))
  const [headers, setHeaders] = useState('')
  const [attempt, setAttempt] = useState('1')
  const isAttemptWrong = !/^[1-9]\d?$/.test(attempt.trim())
  const preview = useMutation({
    mutationFn: () => {
      const { type, base_url, other, openai_organization, model_mapping, param_override, setting } = values
      const channel = { type, base_url, other, openai_organization, model_mapping, param_override, setting }
      return send(channels.preview, { body: { ...channel, call, model, body, headers, retry_index: Number(attempt) - 1 } })
    },
    meta: { quiet: true },
  })
  const choose = (value: string): void => {
    const next = PREVIEW_FORMATS.find((known) => known === value) ?? 'openai-chat'
    if (body === sampleOf(call)) setBody(sampleOf(next))
    setCall(next)
  }
  return (
    <chakra.section
      aria-label={t('title')}
      display="flex"
      flexDirection="column"
      gap="4"
      p="3"
      borderWidth="1px"
      borderColor="border"
      borderRadius="control"
    >
      <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4">
        <ChoiceField
          label={t('call')}
          value={call}
          onValue={choose}
          choices={PREVIEW_FORMATS.map((value) => ({ value, label: t(`calls.${value}`) }))}
        />
        <TextField label={t('model')} value={model} onValue={setModel} />
        <TextField
          label={t('attempt')}
          inputMode="numeric"
          value={attempt}
          onValue={setAttempt}
          {...(isAttemptWrong ? { error: t('attempt-wrong') } : {})}
        />
      </SimpleGrid>
      <JsonField label={t('body')} help={t('body-help')} value={body} onValue={setBody} lines={{ min: 4, max: 12 }} />
      <JsonField
        label={t('headers')}
        help={t('headers-help')}
        placeholder={'{\n  "x-app": "ide"\n}'}
        value={headers}
        onValue={setHeaders}
        lines={{ min: 2, max: 6 }}
      />
      <Button
        type="button"
        alignSelf="flex-start"
        loading={preview.isPending}
        disabled={model.trim() === '' || isAttemptWrong}
        onClick={() => preview.mutate()}
      >
        {t('show')}
      </Button>
      <chakra.div aria-live="polite" display="flex" flexDirection="column" gap="3" minW="0">
        {preview.error === null ? null : (
          <Alert.Root status="warning">
            <Alert.Indicator />
            <Alert.Description>{failureText(preview.error)}</Alert.Description>
          </Alert.Root>
        )}
        {preview.data === undefined || preview.isPending ? null : <Outcome preview={preview.data} />}
      </chakra.div>
    </chakra.section>
  )
}

function Outcome({ preview }: { readonly preview: CallPreview }): ReactNode {
  const { t } = useTranslation('param-override')
  const { before, after, error, format, upstream_model, warnings } = preview
  if (error !== undefined || after === undefined) {
    return (
      <Alert.Root status="info">
        <Alert.Indicator />
        <Alert.Description>
          {t('error-returned', { ...error })} {t(error?.skip_retry === false ? 'error-retried' : 'error-last')}
        </Alert.Description>
      </Alert.Root>
    )
  }
  const headers = markChanges(headerText(before), headerText(after))
  const body = markChanges(before.body, after.body)
  const isSame = [headers, body].every(({ lines }) => lines.every(({ change }) => change === undefined))
  return (
    <>
      <chakra.p overflowWrap="anywhere">
        {t('sent', { format, model: upstream_model })} <chakra.code fontFamily="mono">{after.url}</chakra.code>
      </chakra.p>
      {isSame ? <chakra.p color="text.muted">{t('same')}</chakra.p> : null}
      {warnings.length === 0 ? null : <chakra.p color="text.muted">{t('warnings', { list: warnings.join(', ') })}</chakra.p>}
      <Changes label={t('headers-sent')} lines={headers.lines} />
      <Changes label={t('body-sent')} lines={body.lines} />
    </>
  )
}

const headerText = ({ headers }: CallPreview['before']): string => headers.map(({ name, value }) => `${name}: ${value}`).join('\n')

const SIGN = { added: '+', removed: '−' } as const

/** One text with its changes: removed lines are struck, added ones marked; a sign says it without colour. */
function Changes({ label, lines }: { readonly label: string; readonly lines: readonly MarkedLine[] }): ReactNode {
  return (
    <chakra.figure m="0" minW="0">
      <chakra.figcaption textStyle="xs" color="text.muted" mb="1">
        {label}
      </chakra.figcaption>
      <chakra.pre
        tabIndex={0}
        aria-label={label}
        m="0"
        px="3"
        py="2.5"
        overflowX="auto"
        maxH="20rem"
        textStyle="mono"
        bg="subtle"
        borderWidth="1px"
        borderColor="border"
        borderRadius="control"
        focusVisibleRing="inside"
      >
        {lines.map(({ text, change, key }) => (
          <Line key={key} change={change}>{`${change === undefined ? ' ' : SIGN[change]} ${text}\n`}</Line>
        ))}
      </chakra.pre>
    </chakra.figure>
  )
}

function Line({ change, children }: { readonly change: MarkedLine['change']; readonly children: string }): ReactNode {
  if (change === undefined) return children
  if (change === 'removed') return <chakra.del color="danger.fg">{children}</chakra.del>
  return (
    <chakra.ins color="success.fg" textDecoration="none">
      {children}
    </chakra.ins>
  )
}
