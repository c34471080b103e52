import { Box, Button, Flex, Grid, Tabs, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { MessageSquarePlus, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import { ownModels } from '../../../lib/own-account.ts'
import { CompareColumnView } from './compare-column.tsx'
import { MAX_COLUMNS, nameOf, settingsOf, withColumn, type CompareColumn } from './compare-columns.ts'
import { Composer } from '../chat/composer.tsx'
import type { Question } from '../chat/messages.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'
import { useAnyRunning, useComparison, useLastFacts, type Comparison } from './use-comparison.ts'
import { useImages } from '../media/use-images.ts'

/** One prompt to up to four models or channels at once. */
export function CompareTab({ settings }: { readonly settings: PlaygroundSettings }): ReactNode {
  const { t } = useTranslation('playground')
  const models = useQuery(ownModels).data ?? []
  const comparison = useComparison(settings.model, models)
  const { columns, sessionOf } = comparison
  const images = useImages()
  const isRunning = useAnyRunning(columns.map(sessionOf))
  const send = (question: Question): void => {
    for (const column of columns) sessionOf(column).send(question, settingsOf(settings, column))
  }
  return (
    <Flex
      direction="column"
      flex="1"
      minW="0"
      minH={{ base: '60dvh', sm: '0' }}
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      {...images.area}
    >
      <Columns comparison={comparison} models={models} settings={settings} isRunning={isRunning} />
      <Text px="5" pb="2" textStyle="xs" color="text.muted">
        {t('compare-not-kept')}
      </Text>
      <Composer
        isRunning={isRunning}
        images={images}
        extra={
          <IconButton
            type="button"
            size="md"
            label={t('start-over')}
            disabled={isRunning}
            onClick={() => columns.forEach((column) => sessionOf(column).reset())}
          >
            <MessageSquarePlus />
          </IconButton>
        }
        onSend={send}
        onStop={() => columns.forEach((column) => sessionOf(column).stop())}
      />
    </Flex>
  )
}

type ColumnsProps = {
  readonly comparison: Comparison
  readonly models: readonly string[]
  readonly settings: PlaygroundSettings
  readonly isRunning: boolean
}

function Columns({ comparison: { columns, change, sessionOf }, models, settings, isRunning }: ColumnsProps): ReactNode {
  const isNarrow = useNarrow()
  const facts = useLastFacts(columns.map(sessionOf))
  const [shown, setShown] = useState('')
  const current = columns.find(({ id }) => String(id) === shown) ?? columns[0]
  const onAdd = columns.length < MAX_COLUMNS && !isRunning ? () => change(withColumn(columns, models)) : undefined
  const views = columns.map((column, at) => (
    <CompareColumnView
      key={column.id}
      column={column}
      session={sessionOf(column)}
      settings={settingsOf(settings, column)}
      facts={facts}
      at={at}
      onColumn={(next) => change(columns.map((one) => (one.id === next.id ? next : one)))}
      onRemove={columns.length > 1 && !isRunning ? () => change(columns.filter(({ id }) => id !== column.id)) : undefined}
    />
  ))
  if (isNarrow)
    return (
      <ColumnTabs columns={columns} current={current} onCurrent={setShown} onAdd={onAdd}>
        {views[current === undefined ? 0 : columns.indexOf(current)]}
      </ColumnTabs>
    )
  return (
    <Flex flex="1" minH="0" minW="0">
      <Grid flex="1" minW="0" minH="0" templateColumns={`repeat(${columns.length}, minmax(0, 1fr))`} templateRows="minmax(0, 1fr)">
        {views.map((view, at) => (
          <Box
            key={columns[at]?.id}
            display="flex"
            minW="0"
            minH="0"
            {...(at === 0 ? {} : { borderInlineStartWidth: '1px', borderColor: 'border' })}
          >
            {view}
          </Box>
        ))}
      </Grid>
      {onAdd === undefined ? null : <AddButton onAdd={onAdd} isTall />}
    </Flex>
  )
}

type ColumnTabsProps = {
  readonly columns: readonly CompareColumn[]
  readonly current: CompareColumn | undefined
  readonly onCurrent: (id: string) => void
  readonly onAdd: (() => void) | undefined
  readonly children: ReactNode
}

/** On a phone one column at a time. */
function ColumnTabs({ columns, current, onCurrent, onAdd, children }: ColumnTabsProps): ReactNode {
  const { t } = useTranslation('playground')
  const value = String(current?.id ?? '')
  return (
    <Tabs.Root
      display="flex"
      flexDirection="column"
      flex="1"
      minW="0"
      minH="0"
      value={value}
      onValueChange={(details) => onCurrent(details.value)}
    >
      <Flex align="center" px="2">
        <Tabs.List flex="1" minW="0" aria-label={t('compared')}>
          {columns.map((column) => (
            <Tabs.Trigger key={column.id} value={String(column.id)} flexShrink="0" maxW="36">
              <Text truncate>{nameOf(column)}</Text>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {onAdd === undefined ? null : <AddButton onAdd={onAdd} />}
      </Flex>
      <Tabs.Content value={value} display="flex" flexDirection="column" flex="1" minW="0" minH="0" p="0">
        {children}
      </Tabs.Content>
    </Tabs.Root>
  )
}

function AddButton({ onAdd, isTall = false }: { readonly onAdd: () => void; readonly isTall?: boolean }): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <Button
      variant="ghost"
      flexShrink="0"
      px="0"
      w="10"
      h={isTall ? 'full' : '10'}
      borderRadius="0"
      {...(isTall ? { borderInlineStartWidth: '1px', borderColor: 'border' } : {})}
      aria-label={t('add-column')}
      data-hint={t('add-column')}
      onClick={onAdd}
    >
      <Plus />
    </Button>
  )
}
