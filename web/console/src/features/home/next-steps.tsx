import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { options, type OptionNote, type OptionRow } from '@tollgate/contracts/resources/options'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { storage, useStored } from '../../lib/storage.ts'
import { toast } from '../../lib/toast.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { optionNotes, optionRows, ownTwoFactor } from './api.ts'

const NEXT_STEPS = ['address', 'registration', 'payment', 'backup', 'second-factor', 'retries'] as const
type NextStep = (typeof NEXT_STEPS)[number]

const BACKUP_COMMAND = 'npm run backup'
const RETRIES = '2'

/** Remaining steps from a gateway that answers to one that others use. */
export function NextSteps(): ReactNode {
  const { t } = useTranslation('home')
  const rows = useQuery(optionRows).data
  const notes = useQuery(optionNotes).data
  const factor = useQuery(ownTwoFactor).data
  const ticked = useStored('next-steps-done') ?? []
  if (rows === undefined || notes === undefined || factor === undefined) return null
  const seen = doneIn(rows, notes, factor.is_on || factor.passkeys.length > 0)
  const isDone = (step: NextStep): boolean => seen.has(step) || ticked.includes(step)
  return (
    <Box as="section" aria-label={t('next-title')}>
      <Heading as="h2" textStyle="section" color="text.strong">
        {t('next-title')}
      </Heading>
      <Text mt="1" mb="3" textStyle="sm" color="text.muted">
        {t('next-lead')}
      </Text>
      <Box as="ul" listStyleType="none" bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
        {NEXT_STEPS.map((step) => (
          <Row key={step} step={step} isDone={isDone(step)}>
            <Way step={step} />
            {seen.has(step) ? null : (
              <Button
                size="xs"
                variant="ghost"
                aria-label={t('next-tick-label', { step: t(`next.${step}`) })}
                onClick={() => storage.set('next-steps-done', [...ticked, step])}
              >
                {t('next-tick')}
              </Button>
            )}
          </Row>
        ))}
      </Box>
    </Box>
  )
}

function Row({ step, isDone, children }: { readonly step: NextStep; readonly isDone: boolean; readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation('home')
  return (
    <Flex
      as="li"
      _notLast={{ borderBottomWidth: '1px' }}
      borderColor="border"
      px="4"
      py="3"
      gap="3"
      align={{ base: 'flex-start', sm: 'center' }}
      wrap={{ base: 'wrap', sm: 'nowrap' }}
    >
      <Flex
        align="center"
        justify="center"
        boxSize="6"
        flexShrink="0"
        borderRadius="full"
        borderWidth="1px"
        {...(isDone ? { bg: 'success.solid', color: 'success.contrast', borderColor: 'success.solid' } : { borderColor: 'border.strong' })}
      >
        {isDone ? <Check size={14} aria-label={t('done')} /> : null}
      </Flex>
      <Box flex="1" minW={{ base: '12rem', sm: '0' }}>
        <Text fontWeight="medium" color="text.strong">
          {t(`next.${step}`)}
        </Text>
        {isDone ? null : (
          <Text textStyle="sm" color="text.muted">
            {t(`next-help.${step}`)}
          </Text>
        )}
      </Box>
      {isDone ? null : (
        <Flex gap="1" align="center" flexShrink="0" wrap="wrap" ps={{ base: '9', sm: '0' }}>
          {children}
        </Flex>
      )}
    </Flex>
  )
}

/** Where a step is done: in place, or the settings that belong to it. */
function Way({ step }: { readonly step: NextStep }): ReactNode {
  const { t } = useTranslation('home')
  if (step === 'retries') return <RetryButton />
  if (step === 'backup')
    return (
      <>
        <chakra.code fontFamily="mono" textStyle="xs">
          {BACKUP_COMMAND}
        </chakra.code>
        <CopyButton text={BACKUP_COMMAND} label={t('next-copy-backup')} />
      </>
    )
  return (
    <Button asChild size="sm" variant="outline">
      {step === 'second-factor' ? (
        <Link to="/personal">{t('next-open.second-factor')}</Link>
      ) : (
        <Link to="/setting" search={SEARCHES[step]}>
          {t(`next-open.${step}`)}
        </Link>
      )}
    </Button>
  )
}

/** Without retries the first failure of a vendor is the client's. */
function RetryButton(): ReactNode {
  const { t } = useTranslation('home')
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => call(options.update, { body: { key: 'RetryTimes', value: RETRIES, was: '0' } }),
    onSuccess: async () => {
      await refresh(client, options.update)
      toast.success(t('next-retries-set', { times: RETRIES }))
    },
  })
  return (
    <Button size="sm" loading={save.isPending} onClick={() => save.mutate()}>
      {t('next-open.retries', { times: RETRIES })}
    </Button>
  )
}

const SEARCHES = {
  address: { keyword: 'ServerAddress' },
  registration: { keyword: 'Register' },
  payment: { keyword: 'Epay' },
} as const

const REGISTRATION = ['RegisterEnabled', 'PasswordRegisterEnabled', 'EmailVerificationEnabled', 'EmailDomainRestrictionEnabled'] as const

/** The steps that the stored settings show to be done. */
function doneIn(rows: readonly OptionRow[], notes: readonly OptionNote[], hasFactor: boolean): ReadonlySet<NextStep> {
  const valueOf = (key: string): string => rows.find((row) => row.key === key)?.value ?? ''
  const isSet = (key: string): boolean => notes.find((note) => note.key === key)?.is_set === true
  const isChanged = (key: string): boolean => notes.find((note) => note.key === key)?.is_changed === true
  const found: Readonly<Record<NextStep, boolean>> = {
    address: valueOf('ServerAddress') !== '',
    registration: REGISTRATION.some(isChanged),
    payment: (valueOf('EpayId') !== '' && isSet('EpayKey')) || isSet('StripeApiSecret'),
    backup: false,
    'second-factor': hasFactor,
    retries: Number(valueOf('RetryTimes')) > 0,
  }
  return new Set(NEXT_STEPS.filter((step) => found[step]))
}
