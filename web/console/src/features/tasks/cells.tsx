import { chakra, Progress, ProgressCircle } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { TASK_SECONDS, toneOf } from '@tollgate/domain/display/thresholds'
import { secondsText } from '@tollgate/domain/display/time-text'
import { Image, Play, Receipt } from 'lucide-react'
import type { ReactNode } from 'react'
import { isOwnTaskFailure } from '@tollgate/contracts/failures/task-failures'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { CutText } from '../../ui/display/number-text.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { percentOf, type Media } from './task-display.ts'
import { useVendorMessage } from '../../ui/display/vendor-message.ts'

/** Up to a minute green, above red; nothing while it runs. */
export function TimeTaken({ seconds }: { readonly seconds: number | undefined }): ReactNode {
  return seconds === undefined ? <None /> : <ToneTag tone={toneOf(TASK_SECONDS, seconds)}>{secondsText(seconds)}</ToneTag>
}

type ProgressProps = { readonly progress: string; readonly hasFailed: boolean }

/** A bar with its percentage; in the warning colour after a failure. */
export function ProgressBar({ progress, hasFailed }: ProgressProps): ReactNode {
  const { t } = useTranslation('tasks')
  const percent = percentOf(progress)
  if (percent === undefined) return progress === '' ? <None /> : progress
  return (
    <Progress.Root
      value={percent}
      colorPalette={hasFailed ? 'warning' : percent === 100 ? 'success' : 'accent'}
      display="flex"
      alignItems="center"
      gap="2"
      minW="6.5rem"
    >
      <Progress.Track flex="1" aria-label={t('column.progress')}>
        <Progress.Range />
      </Progress.Track>
      <Progress.ValueText fontVariantNumeric="tabular-nums" minW="2.25rem" textAlign="end">
        {percent}%
      </Progress.ValueText>
    </Progress.Root>
  )
}

/** A circle with its percentage; any other text as it is. */
export function ProgressRing({ progress, hasFailed }: ProgressProps): ReactNode {
  const { t } = useTranslation('tasks')
  const percent = percentOf(progress)
  if (percent === undefined) return progress === '' ? <None /> : progress
  return (
    <ProgressCircle.Root value={percent} colorPalette={hasFailed ? 'warning' : percent === 100 ? 'success' : 'accent'}>
      <ProgressCircle.Circle aria-label={t('column.progress')}>
        <ProgressCircle.Track />
        <ProgressCircle.Range />
      </ProgressCircle.Circle>
      <chakra.span fontVariantNumeric="tabular-nums">{percent}%</chakra.span>
    </ProgressCircle.Root>
  )
}

/** Opens what the task made. */
export function MediaButton({ kind, onOpen }: { readonly kind: Media['kind'] | undefined; readonly onOpen: () => void }): ReactNode {
  const { t } = useTranslation('tasks')
  if (kind === undefined) return <None />
  return (
    <CellButton onClick={onOpen}>
      {kind === 'image' ? <Image size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      {t(`media.${kind}`)}
    </CellButton>
  )
}

/** The start of a failure reason, marked where it is a vendor's; a click shows all of it. */
export function ReasonCell({ reason, onOpen }: { readonly reason: string; readonly onOpen: () => void }): ReactNode {
  const vendor = useVendorMessage()
  if (reason === '') return <None />
  return (
    <CellButton onClick={onOpen}>
      <CutText text={isOwnTaskFailure(reason) ? reason : vendor.mark(reason)} width="11rem" />
    </CellButton>
  )
}

/** A long text on one line. */
export function TextCell({ text }: { readonly text: string }): ReactNode {
  return text === '' ? <None /> : <CutText text={text} width="10rem" />
}

/** Leads to the log entry of the submission, which explains the charge. */
export function RequestLink({ requestId }: { readonly requestId: string }): ReactNode {
  const { t } = useTranslation('tasks')
  if (requestId === '') return <None />
  return (
    <IconButton size="xs" label={t('explain')} asChild>
      <Link to="/log" search={{ request_id: requestId }}>
        <Receipt />
      </Link>
    </IconButton>
  )
}

export function CellButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.button
      type="button"
      display="inline-flex"
      alignItems="center"
      verticalAlign="middle"
      gap="1"
      color="accent.fg"
      cursor="pointer"
      borderRadius="xs"
      focusVisibleRing="outside"
      _hover={{ textDecoration: 'underline' }}
      onClick={onClick}
    >
      {children}
    </chakra.button>
  )
}

function None(): ReactNode {
  return <chakra.span color="text.muted">–</chakra.span>
}
