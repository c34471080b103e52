import { Badge, Button, chakra, Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListChecks, X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { doneCount, firstRun, nextStep, STEPS, stepStates, type Step } from '../../lib/first-run.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { storage, useStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'

const REREAD_MS = 10_000

type Progress = { readonly done: number; readonly total: number; readonly next: Step | undefined }

/**
 * How far root's checklist is; undefined for others, and once it is done or put away. The last answer stands until the next arrives, so
 * that the page under the banner does not jump.
 */
function useProgress(): Progress | undefined {
  const user = useUser()
  const isHidden = useStored('checklist-hidden') ?? false
  const isWanted = isRoot(user) && !isHidden
  const { data } = useQuery({
    ...firstRun,
    enabled: isWanted,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.request === null ? REREAD_MS : false),
  })
  const kept = useStored('checklist')
  const states = data === undefined ? kept : stepStates(data)
  useEffect(() => {
    if (data !== undefined) storage.set('checklist', stepStates(data))
  }, [data])
  if (!isWanted || states === undefined) return undefined
  const done = doneCount(states)
  return done === STEPS.length ? undefined : { done, total: STEPS.length, next: nextStep(states) }
}

/** The way back to the checklist, above every console page. */
export function GetStartedBanner(): ReactNode {
  const { t } = useTranslation('shell')
  const progress = useProgress()
  if (progress === undefined) return null
  const { done, total, next } = progress
  return (
    <Flex
      as="section"
      data-no-print=""
      aria-label={t('get-started')}
      align="center"
      gap="3"
      px={{ base: '3', sm: '6' }}
      py="1.5"
      bg="accent.subtle"
      borderBottomWidth="1px"
      borderColor="accent.border"
      textStyle="sm"
      color="accent.fg"
    >
      <chakra.span flexShrink="0" hideBelow="sm">
        <ListChecks size={16} aria-hidden />
      </chakra.span>
      <Text flex="1" minW="0">
        {next === undefined ? t('get-started-progress', { done, total }) : t('get-started-next', { done, total, step: t(`step-${next}`) })}
      </Text>
      <Button asChild size="xs" flexShrink="0">
        <Link to="/">{t('get-started-continue')}</Link>
      </Button>
      <IconButton size="xs" label={t('get-started-hide')} flexShrink="0" onClick={() => storage.set('checklist-hidden', true)}>
        <X aria-hidden />
      </IconButton>
    </Flex>
  )
}

/** "Get started 2/5" at the top of the menu. */
export function GetStartedLink({ isFolded, onChosen }: { readonly isFolded: boolean; readonly onChosen?: () => void }): ReactNode {
  const { t } = useTranslation('shell')
  const progress = useProgress()
  if (progress === undefined) return null
  const count = `${progress.done}/${progress.total}`
  const name = `${t('get-started')} ${count}`
  return (
    <chakra.span
      asChild
      display="flex"
      alignItems="center"
      gap="2.5"
      h={{ base: '10', sm: '8' }}
      mb="4"
      px={isFolded ? '0' : '2.5'}
      justifyContent={isFolded ? 'center' : 'flex-start'}
      borderRadius="control"
      textStyle="sm"
      fontWeight="medium"
      color="accent.fg"
      bg="accent.subtle"
      whiteSpace="nowrap"
      focusVisibleRing="inside"
      _icon={{ flexShrink: '0' }}
    >
      <Link to="/" onClick={() => onChosen?.()} {...(isFolded ? { 'aria-label': name, 'data-hint': name } : {})}>
        <ListChecks size={16} aria-hidden />
        {isFolded ? null : (
          <>
            <chakra.span flex="1">{t('get-started')}</chakra.span>{' '}
            <Badge colorPalette="accent" variant="outline" fontVariantNumeric="tabular-nums">
              {count}
            </Badge>
          </>
        )}
      </Link>
    </chakra.span>
  )
}
