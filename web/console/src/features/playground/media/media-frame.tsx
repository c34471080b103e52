import { Box, Button, chakra, Flex, Grid, Spinner, Text } from '@chakra-ui/react'
import { Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { secondsOf } from '../chat/answer-facts.ts'
import { WhyLink } from '../chat/answer-links.tsx'
import { Failure } from '../chat/message-text.tsx'
import type { AnswerFacts } from '../chat/messages.ts'
import type { MediaCall } from './use-media-call.ts'

type MediaFrameProps<T> = {
  readonly call: MediaCall<T>
  readonly submit: string
  readonly canSubmit: boolean
  readonly onSubmit: () => void
  readonly fields: ReactNode
  readonly children: (result: T) => ReactNode
}

/** The request at the left; the result and its cost at the right. */
export function MediaFrame<T>({ call, submit, canSubmit, onSubmit, fields, children }: MediaFrameProps<T>): ReactNode {
  const { t } = useTranslation('playground')
  const box = { bg: 'panel', borderWidth: '1px', borderColor: 'border', borderRadius: 'panel', p: '4' } as const
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '22rem minmax(0, 1fr)' }} gap="4" alignItems="start">
      <chakra.form
        {...box}
        display="flex"
        flexDirection="column"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit && !call.isRunning) onSubmit()
        }}
      >
        {fields}
        {call.isRunning ? (
          <Button type="button" variant="outline" onClick={call.stop}>
            <Square aria-hidden />
            {t('stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={!canSubmit}>
            {submit}
          </Button>
        )}
      </chakra.form>
      <Box {...box} minH="60" aria-live="polite">
        {call.isRunning ? <Spinner size="sm" aria-label={t('waiting')} /> : null}
        {call.error === undefined ? null : <Failure text={call.error === '' ? t('not-finished') : call.error} />}
        {call.result === undefined ? null : children(call.result)}
        {call.facts === undefined ? null : <Facts facts={call.facts} />}
        {!call.isRunning && call.error === undefined && call.result === undefined ? (
          <Text color="text.muted">{t('result-empty')}</Text>
        ) : null}
      </Box>
    </Grid>
  )
}

function Facts({ facts }: { readonly facts: AnswerFacts }): ReactNode {
  const { t } = useTranslation('playground')
  const { model, total_ms, charge } = facts
  return (
    <Flex align="center" gap="1" wrap="wrap" color="text.muted" mt="3">
      <Text as="span" textStyle="xs" fontVariantNumeric="tabular-nums">
        {[model, ...(total_ms === undefined ? [] : [t('took', { seconds: secondsOf(total_ms) })])].join(' · ')}
        {charge === undefined ? null : (
          <>
            {' · '}
            <QuotaText quota={charge.quota} kind="charge" />
          </>
        )}
      </Text>
      <WhyLink facts={facts} />
    </Flex>
  )
}
