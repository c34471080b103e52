import { Button, chakra, Flex, Grid, Input } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Square, X } from 'lucide-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin, useUser } from '../../../lib/session.ts'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { Select } from '../../../ui/form/select-field.tsx'
import { secondsOf, speedOf } from '../chat/answer-facts.ts'
import { WhyLink } from '../chat/answer-links.tsx'
import { ownModels } from '../../../lib/own-account.ts'
import type { ChatSession } from '../chat/chat-session.ts'
import { nameOf, type CompareColumn } from './compare-columns.ts'
import { bestOf, FIGURES, type Figure } from './compare-figures.ts'
import { Conversation } from '../chat/conversation.tsx'
import type { AnswerFacts } from '../chat/messages.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'

type CompareColumnProps = {
  readonly column: CompareColumn
  readonly session: ChatSession
  readonly settings: PlaygroundSettings
  /** Facts of the last answer of every column. */
  readonly facts: readonly AnswerFacts[]
  readonly at: number
  readonly onColumn: (column: CompareColumn) => void
  readonly onRemove: (() => void) | undefined
}

/** One compared model: which, what it says, and what that took. */
export function CompareColumnView({ column, session, settings, facts, at, onColumn, onRemove }: CompareColumnProps): ReactNode {
  return (
    <Flex as="section" aria-label={nameOf(column)} direction="column" flex="1" minW="0" minH="0">
      <ColumnHead column={column} onColumn={onColumn} onRemove={onRemove} />
      <Conversation session={session} settings={settings} opening={[]} label={nameOf(column)} isBare />
      <Figures facts={facts} at={at} session={session} name={nameOf(column)} />
    </Flex>
  )
}

function ColumnHead({ column, onColumn, onRemove }: Pick<CompareColumnProps, 'column' | 'onColumn' | 'onRemove'>): ReactNode {
  const { t } = useTranslation('playground')
  const user = useUser()
  const models = useQuery(ownModels).data ?? []
  const choices = models.includes(column.model) ? models : [column.model, ...models]
  return (
    <Flex gap="2" p="2" borderBottomWidth="1px" borderColor="border" align="center">
      <Select
        isWide
        label={t('model')}
        value={column.model}
        choices={choices.map((model) => ({ value: model, label: model }))}
        onChange={(model) => onColumn({ ...column, model })}
      />
      {isAdmin(user) ? (
        <Input
          w="16"
          flexShrink="0"
          px="2"
          inputMode="numeric"
          aria-label={t('channel')}
          data-hint={t('channel-help')}
          placeholder={t('channel-short')}
          value={column.channel}
          onChange={(event) => onColumn({ ...column, channel: event.currentTarget.value })}
        />
      ) : null}
      {onRemove === undefined ? null : (
        <IconButton size="sm" label={t('remove-column')} onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </Flex>
  )
}

function Figures({
  facts,
  at,
  session,
  name,
}: Pick<CompareColumnProps, 'facts' | 'at' | 'session'> & { readonly name: string }): ReactNode {
  const { t } = useTranslation('playground')
  const own = facts[at]
  const isRunning = useSyncExternalStore(session.subscribe, () => session.state().isRunning)
  return (
    <Flex borderTopWidth="1px" borderColor="border" px="3" py="2" gap="2" align="center" wrap="wrap">
      <Grid as="dl" flex="1" minW="52" templateColumns="repeat(4, auto)" justifyContent="space-between" columnGap="2" textStyle="xs">
        {FIGURES.map((figure) => {
          const isBest = bestOf(facts, figure) === at
          return (
            <chakra.div key={figure}>
              <chakra.dt color="text.muted">{t(`figure.${figure}`)}</chakra.dt>
              <chakra.dd
                fontVariantNumeric="tabular-nums"
                color={isBest ? 'success.fg' : 'text.strong'}
                fontWeight={isBest ? 'semibold' : 'normal'}
                {...(isBest ? { 'data-hint': t('best') } : {})}
              >
                {own === undefined ? '–' : <FigureText facts={own} figure={figure} />}
              </chakra.dd>
            </chakra.div>
          )
        })}
      </Grid>
      {isRunning ? (
        <Button size="xs" variant="outline" aria-label={t('stop-column', { model: name })} onClick={() => session.stop()}>
          <Square aria-hidden />
          {t('stop')}
        </Button>
      ) : own?.request_id === undefined ? null : (
        <WhyLink facts={own} />
      )}
    </Flex>
  )
}

function FigureText({ facts, figure }: { readonly facts: AnswerFacts; readonly figure: Figure }): ReactNode {
  const { t } = useTranslation('playground')
  const { first_ms, prompt_tokens, completion_tokens, charge } = facts
  const speed = speedOf(facts)
  if (figure === 'first') return first_ms === undefined ? '–' : t('seconds', { seconds: secondsOf(first_ms) })
  if (figure === 'speed') return speed === undefined ? '–' : t('speed', { speed })
  if (figure === 'tokens') return prompt_tokens === undefined ? '–' : `${prompt_tokens} / ${completion_tokens ?? 0}`
  return charge === undefined ? '–' : <QuotaText quota={charge.quota} kind="charge" />
}
