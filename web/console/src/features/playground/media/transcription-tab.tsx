import { Button, chakra, Flex, Text } from '@chakra-ui/react'
import { playground } from '@tollgate/contracts/resources/playground'
import { FileAudio } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { open } from '../../../lib/api.ts'
import { CopyButton } from '../../../ui/display/copy-button.tsx'
import { LabelledField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { MediaFrame } from './media-frame.tsx'
import { transcriptOf } from './media-results.ts'
import { useMediaTarget } from './media-target.tsx'
import { useMediaCall } from './use-media-call.ts'

/** Limit of the control plane, and of vendors. */
const MAX_BYTES = 25 * 1024 * 1024

/** A recording to text. */
export function TranscriptionTab(): ReactNode {
  const { t } = useTranslation('playground')
  const { fields, model, group, channel } = useMediaTarget('transcription')
  const [file, setFile] = useState<File>()
  const [language, setLanguage] = useState('')
  const call = useMediaCall({
    send: (signal) =>
      open(playground.transcription, {
        query: { model, group, channel, file_name: file?.name ?? '', language: language.trim() },
        file: file ?? new Blob(),
        signal,
      }),
    read: async (response) => transcriptOf(await response.text()),
  })
  const isTooLarge = (file?.size ?? 0) > MAX_BYTES
  return (
    <MediaFrame
      call={call}
      submit={t('make-text')}
      canSubmit={file !== undefined && !isTooLarge && model !== ''}
      onSubmit={() => call.start(model)}
      fields={
        <>
          <FileField file={file} onFile={setFile} error={isTooLarge ? t('recording-too-large') : undefined} />
          {fields}
          <TextField label={t('language')} help={t('language-help')} value={language} onValue={setLanguage} maxLength={20} />
        </>
      }
    >
      {(text) => (
        <Flex gap="2" align="flex-start">
          <Text flex="1" minW="0" whiteSpace="pre-wrap" overflowWrap="anywhere" aria-label={t('text-result')}>
            {text}
          </Text>
          <CopyButton text={text} />
        </Flex>
      )}
    </MediaFrame>
  )
}

type FileFieldProps = {
  readonly file: File | undefined
  readonly onFile: (file: File | undefined) => void
  readonly error: string | undefined
}

function FileField({ file, onFile, error }: FileFieldProps): ReactNode {
  const { t } = useTranslation('playground')
  const input = useRef<HTMLInputElement>(null)
  return (
    <LabelledField label={t('recording')} help={t('recording-help')} error={error}>
      <Flex
        w="full"
        align="center"
        gap="3"
        p="3"
        borderWidth="1px"
        borderStyle="dashed"
        borderColor="border.control"
        borderRadius="control"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          onFile(event.dataTransfer.files[0])
        }}
      >
        <chakra.input
          ref={input}
          type="file"
          accept="audio/*,video/mp4,video/webm"
          hidden
          aria-label={t('recording')}
          onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
        />
        <FileAudio size={18} aria-hidden />
        <Text flex="1" minW="0" truncate color={file === undefined ? 'text.muted' : 'text.strong'}>
          {file?.name ?? '–'}
        </Text>
        <Button type="button" size="sm" variant="outline" onClick={() => input.current?.click()}>
          {t('choose-file')}
        </Button>
      </Flex>
    </LabelledField>
  )
}
