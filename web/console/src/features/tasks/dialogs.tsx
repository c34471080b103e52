import { Box, chakra, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { isOwnTaskFailure } from '@tollgate/contracts/failures/task-failures'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { useBlockedHost } from '../../lib/image-hosts.ts'
import { ResultImage } from '../../ui/display/result-image.tsx'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { playableMedia } from './api.ts'
import { openable, type Media } from './task-display.ts'
import { useVendorMessage } from '../../ui/display/vendor-message.ts'

/** The whole reason of a failure: 800 × 400. */
export function ReasonDialog({ reason, onClose }: { readonly reason: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('tasks')
  const vendor = useVendorMessage()
  return (
    <InfoDialog title={t('column.reason')} width="800px" height="400px" onClose={onClose}>
      <Box display="flex" alignItems="flex-start" gap="2">
        <chakra.p flex="1" minW="0" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {isOwnTaskFailure(reason) ? reason : vendor.mark(reason)}
        </chakra.p>
        <CopyButton text={reason} />
      </Box>
    </InfoDialog>
  )
}

/** A record as JSON. */
export function RecordDialog({ record, onClose }: { readonly record: object; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('tasks')
  return (
    <InfoDialog title={t('record')} width="800px" onClose={onClose}>
      <CodeBlock label={t('record')} code={JSON.stringify(record, null, 2)} />
    </InfoDialog>
  )
}

/** Results of a task, at addresses that the server signs for this browser. One dialog throughout: a second one would lose the focus. */
export function TaskMediaDialog({ taskId, onClose }: { readonly taskId: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('tasks')
  const { data, error, refetch } = useQuery(playableMedia(taskId))
  const media = data === undefined ? undefined : openable(data)
  return (
    <InfoDialog width="800px" title={t('column.media')} onClose={onClose}>
      {media !== undefined && media.length > 0 ? (
        <MediaList media={media} />
      ) : error !== null || media !== undefined ? (
        <ErrorState message={error === null ? t('media.failed') : error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h="12rem" />
      )}
    </InfoDialog>
  )
}

/** Pictures to look at, music and videos to play. */
export function MediaDialog({ media, onClose }: { readonly media: readonly Media[]; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('tasks')
  const [first] = media
  return (
    <InfoDialog width="800px" title={first === undefined ? '' : t(`media.${first.kind}`)} onClose={onClose}>
      <MediaList media={media} />
    </InfoDialog>
  )
}

function MediaList({ media }: { readonly media: readonly Media[] }): ReactNode {
  return (
    <Stack gap="5">
      {media.map((one) => (
        <Medium key={one.url} medium={one} />
      ))}
    </Stack>
  )
}

function Medium({ medium }: { readonly medium: Media }): ReactNode {
  const { t } = useTranslation('tasks')
  const [hasFailed, setFailed] = useState(false)
  const { kind, url, title } = medium
  const fail = (): void => setFailed(true)
  const label = title === '' ? t(`media.${kind}`) : title
  // Then the picture itself is a link that opens it.
  const isLink = useBlockedHost(url) !== undefined && kind === 'image'
  return (
    <Stack as="figure" gap="2" minW="0">
      {hasFailed ? (
        <chakra.p role="alert" color="text.muted" textStyle="sm">
          {t('media.failed')}
        </chakra.p>
      ) : kind === 'image' ? (
        <ResultImage src={url} alt={label} onError={fail} maxW="full" maxH="70dvh" mx="auto" objectFit="contain" borderRadius="control" />
      ) : kind === 'audio' ? (
        <chakra.audio src={url} controls preload="metadata" aria-label={label} onError={fail} w="full" />
      ) : (
        <chakra.video
          src={url}
          controls
          playsInline
          preload="metadata"
          aria-label={label}
          onError={fail}
          w="full"
          maxH="65dvh"
          bg="black"
        />
      )}
      <Box as="figcaption" display="flex" alignItems="center" gap="2" textStyle="sm">
        <chakra.span flex="1" minW="0" overflowWrap="anywhere" lineClamp={3} color="text.muted">
          {title}
        </chakra.span>
        {isLink ? null : (
          <chakra.a
            href={url}
            target="_blank"
            rel="noreferrer"
            display="inline-flex"
            alignItems="center"
            gap="1"
            color="accent.fg"
            whiteSpace="nowrap"
            borderRadius="xs"
            focusVisibleRing="outside"
          >
            {t('media.open')}
            <ExternalLink size={14} aria-hidden />
          </chakra.a>
        )}
      </Box>
    </Stack>
  )
}
