import { Box, Button, Flex, Heading, Link as ChakraLink, Progress, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FirstRun } from '@tollgate/contracts/resources/setup'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { doneCount, firstRun, nextStep, STEPS, stepStates, type Step } from '../../lib/first-run.ts'
import { failureText } from '../../lib/report.ts'
import { useBrand } from '../../lib/status.ts'
import { storage } from '../../lib/storage.ts'
import { ErrorState } from '../../ui/page/states.tsx'
import { NextSteps } from './next-steps.tsx'
import { ChannelStep } from './channel-step.tsx'
import { PriceStep } from './price-step.tsx'
import { RequestStep } from './request-step.tsx'
import { StepRow } from './step-row.tsx'
import { TestStep } from './test-step.tsx'
import { TokenStep } from './token-step.tsx'

const LIVE_MS = 2_000

/** From an empty gateway to the first answered request, each step done in place. */
export function Checklist(): ReactNode {
  const { t } = useTranslation('home')
  const { name } = useBrand()
  const { data, error, refetch } = useQuery({
    ...firstRun,
    // While it waits for the first request, which arrives from outside.
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.token !== null && state.data.request === null ? LIVE_MS : false,
  })
  return (
    <Flex
      as="main"
      id="content"
      direction="column"
      flex="1"
      w="full"
      maxW="3xl"
      mx="auto"
      px={{ base: '3', sm: '6' }}
      py={{ base: '6', sm: '10' }}
      gap="5"
    >
      <Flex align="flex-start" justify="space-between" gap="4">
        <Box>
          <Heading as="h1" textStyle="2xl" fontWeight="semibold" color="text.strong">
            {t('checklist-title', { name })}
          </Heading>
          <Text mt="1" color="text.muted">
            {t('checklist-lead')}
          </Text>
        </Box>
        <Button variant="plain" color="text.muted" textStyle="sm" mt="2" onClick={() => storage.set('checklist-hidden', true)}>
          {t('checklist-hide')}
        </Button>
      </Flex>
      {data === undefined && error !== null ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data?.channel === null ? (
        <Text textStyle="sm" color="text.muted">
          {t('moving-in')}{' '}
          <ChakraLink asChild>
            <Link to="/setting/import">{t('moving-in-link')}</Link>
          </ChakraLink>
        </Text>
      ) : null}
      {data === undefined ? null : <Steps run={data} />}
    </Flex>
  )
}

function Steps({ run }: { readonly run: FirstRun }): ReactNode {
  const { t } = useTranslation(['home', 'shell'])
  const states = stepStates(run)
  const [chosen, setChosen] = useState<Step | 'none' | undefined>(undefined)
  // The last step stays open after it is done: its green line is what was waited for.
  const open = chosen ?? nextStep(states) ?? 'request'
  const done = doneCount(states)
  return (
    <>
      <Box>
        <Progress.Root
          value={done}
          max={STEPS.length}
          colorPalette={done === STEPS.length ? 'success' : 'accent'}
          aria-label={t('progress', { done, total: STEPS.length })}
        >
          <Progress.Track>
            <Progress.Range />
          </Progress.Track>
        </Progress.Root>
        <Text mt="2" textStyle="xs" color="text.muted" fontVariantNumeric="tabular-nums">
          {t('progress', { done, total: STEPS.length })}
        </Text>
      </Box>
      <Box as="ol" listStyleType="none" bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
        {STEPS.map((step, index) => (
          <StepRow
            key={step}
            number={index + 1}
            title={t(`shell:step-${step}`)}
            outcome={<Outcome step={step} run={run} />}
            state={states[step]}
            isOpen={open === step}
            onToggle={() => setChosen(open === step ? 'none' : step)}
          >
            <StepBody step={step} run={run} onDone={() => setChosen(undefined)} />
          </StepRow>
        ))}
      </Box>
      {done === STEPS.length ? <NextSteps /> : null}
    </>
  )
}

/** The result of a finished step, on its line. */
function Outcome({ step, run }: { readonly step: Step; readonly run: FirstRun }): ReactNode {
  const { t } = useTranslation('home')
  if (step === 'channel') return run.channel?.name
  if (step === 'test')
    return run.tested_channel === null ? null : t('test-time', { seconds: (run.tested_channel.time_ms / 1000).toFixed(2) })
  if (step === 'price') return run.priced_model
  return step === 'token' ? run.token?.name : run.request?.model_name
}

function StepBody({ step, run, onDone }: { readonly step: Step; readonly run: FirstRun; readonly onDone: () => void }): ReactNode {
  switch (step) {
    case 'channel':
      return <ChannelStep onDone={onDone} />
    case 'test':
      return <TestStep channel={run.channel} onDone={onDone} />
    case 'price':
      return <PriceStep run={run} onDone={onDone} />
    case 'token':
      return <TokenStep onDone={onDone} />
    case 'request':
      return <RequestStep run={run} />
    default:
      return step satisfies never
  }
}
