import { Button, chakra, Dialog, Input, Portal, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { TEST_CAPABILITIES, type TestCapability } from '@tollgate/contracts/channels/channel-capabilities'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { RESPONSE_TIME_MS, toneOf } from '@tollgate/domain/display/thresholds'
import { durationText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { matching } from '../../../ui/form/pick-list.ts'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { channelHealth, useTestChannel } from '../api.ts'
import { LastTests } from './last-tests.tsx'
import { modelsOf } from '../channel-display.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

type Result =
  | { readonly kind: 'running' }
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string }

const SECOND = 1_000

/** Tests a channel model by model; each result stays beside its model. */
export function TestDialog({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const { t } = useTranslation(['channels', 'channel-runs', 'display'])
  const [capability, setCapability] = useState<TestCapability>('auto')
  const tests = useQuery(channelHealth([channel.id])).data?.get(channel.id)?.tests ?? []
  const [search, setSearch] = useState('')
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  const test = useTestChannel()
  const vendor = useVendorMessage()
  const note = (model: string, result: Result): void => setResults((known) => new Map(known).set(model, result))
  const run = async (model: string): Promise<void> => {
    note(model, { kind: 'running' })
    try {
      note(model, { kind: 'passed', ms: (await test.mutateAsync({ id: channel.id, model, capability })) * SECOND })
    } catch (error) {
      note(model, { kind: 'failed', message: vendor.ofTest(failureText(error) ?? '') })
    }
  }
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="xl">
            <Dialog.Header>
              <Dialog.Title>{t('test.title', { name: channel.name })}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body display="flex" flexDirection="column" gap="3">
              <chakra.p color="text.muted">{t('test.help')}</chakra.p>
              <LastTests tests={tests} />
              <ChoiceField
                label={t('channel-runs:capability')}
                help={capability === 'image' ? t('channel-runs:help-image') : undefined}
                value={capability}
                onValue={(value) => {
                  setCapability(TEST_CAPABILITIES.find((known) => known === value) ?? 'auto')
                  setResults(new Map())
                }}
                choices={TEST_CAPABILITIES.map((value) => ({ value, label: t(`channel-runs:capabilities.${value}`) }))}
              />
              <Input
                autoFocus
                placeholder={t('test.search-placeholder')}
                aria-label={t('test.search-placeholder')}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              <chakra.ul listStyleType="none" maxH="50vh" overflowY="auto" borderWidth="1px" borderColor="border" borderRadius="control">
                {matching(modelsOf(channel), search).map((model) => (
                  <ModelLine
                    key={model}
                    model={model}
                    isDefault={model === channel.test_model}
                    result={results.get(model)}
                    onRun={() => void run(model)}
                  />
                ))}
              </chakra.ul>
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="outline" onClick={onClose}>
                {t('display:action.close')}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function ModelLine({
  model,
  isDefault,
  result,
  onRun,
}: {
  model: string
  isDefault: boolean
  result: Result | undefined
  onRun: () => void
}): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="2"
      px="3"
      py="1"
      minH="9"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: '0' }}
    >
      <chakra.span fontFamily="mono" textStyle="xs" color="text.strong" overflowWrap="anywhere">
        {model}
      </chakra.span>
      {isDefault ? <ToneTag tone="blue">{t('test.default')}</ToneTag> : null}
      <chakra.span ms="auto" display="inline-flex" alignItems="center" gap="2" aria-live="polite">
        {result?.kind === 'running' ? (
          <>
            <Spinner size="xs" />
            <chakra.span color="text.muted" textStyle="xs">
              {t('test.running')}
            </chakra.span>
          </>
        ) : null}
        {result?.kind === 'passed' ? (
          <ToneTag tone={toneOf(RESPONSE_TIME_MS, result.ms)}>{t('test.passed', { time: durationText(result.ms) })}</ToneTag>
        ) : null}
        <Button size="xs" variant="outline" disabled={result?.kind === 'running'} aria-label={`${t('test.run')} ${model}`} onClick={onRun}>
          {t('test.run')}
        </Button>
      </chakra.span>
      {result?.kind === 'failed' ? (
        <chakra.span flexBasis="100%" color="danger.fg" textStyle="xs" pb="1" overflowWrap="anywhere">
          {t('test.failed', { message: result.message })}
        </chakra.span>
      ) : null}
    </chakra.li>
  )
}
