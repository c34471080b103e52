import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { Check, ChevronDown } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { StepState } from '../../lib/first-run.ts'

type StepRowProps = {
  readonly number: number
  readonly title: string
  readonly outcome: ReactNode
  readonly state: StepState
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** One line of the checklist; it folds out to the place where the step is done. */
export function StepRow({ number, title, outcome, state, isOpen, onToggle, children }: StepRowProps): ReactNode {
  const { t } = useTranslation('home')
  const bodyId = useId()
  const isWaiting = state === 'waiting'
  return (
    <Box as="li" _notLast={{ borderBottomWidth: '1px' }} borderColor="border">
      <chakra.button
        type="button"
        aria-expanded={isOpen && !isWaiting}
        aria-controls={bodyId}
        disabled={isWaiting}
        display="flex"
        alignItems="center"
        gap="3"
        w="full"
        px="4"
        minH="12"
        py="2"
        textAlign="start"
        cursor={isWaiting ? 'default' : 'pointer'}
        borderRadius="panel"
        focusVisibleRing="inside"
        onClick={onToggle}
      >
        <Mark number={number} state={state} />
        <Text as="span" flex="1" minW="0" fontWeight="medium" color={isWaiting ? 'text.muted' : 'text.strong'}>
          {title}
        </Text>
        {state === 'done' ? (
          <Text as="span" textStyle="sm" color="text.muted" truncate maxW="45%">
            {outcome}
          </Text>
        ) : null}
        {isWaiting ? (
          <Text as="span" textStyle="xs" color="text.muted">
            {t('after-previous')}
          </Text>
        ) : (
          <Box
            as="span"
            color="text.muted"
            transform={isOpen ? 'rotate(180deg)' : undefined}
            transitionProperty="transform"
            transitionDuration="fast"
          >
            <ChevronDown size={16} aria-hidden />
          </Box>
        )}
      </chakra.button>
      {isOpen && !isWaiting ? (
        <Box id={bodyId} ps={{ base: '4', sm: '13' }} pe="4" pb="5" pt="1">
          {children}
        </Box>
      ) : null}
    </Box>
  )
}

function Mark({ number, state }: { readonly number: number; readonly state: StepState }): ReactNode {
  const { t } = useTranslation('home')
  const isDone = state === 'done'
  return (
    <Flex
      as="span"
      align="center"
      justify="center"
      boxSize="6"
      flexShrink="0"
      borderRadius="full"
      textStyle="xs"
      fontWeight="semibold"
      borderWidth="1px"
      fontVariantNumeric="tabular-nums"
      {...(isDone
        ? { bg: 'success.solid', color: 'success.contrast', borderColor: 'success.solid' }
        : { color: 'text.muted', borderColor: 'border.strong' })}
    >
      {isDone ? <Check size={14} aria-label={t('done')} /> : number}
    </Flex>
  )
}
