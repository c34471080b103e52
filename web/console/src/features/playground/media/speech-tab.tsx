import { Button, chakra, Flex, Stack, Textarea } from '@chakra-ui/react'
import { playground } from '@tollgate/contracts/resources/playground'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { open } from '../../../lib/api.ts'
import { ChoiceField, LabelledField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { MediaFrame } from './media-frame.tsx'
import { useMediaTarget } from './media-target.tsx'
import { useMediaCall } from './use-media-call.ts'

const VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'] as const
const FORMATS = ['mp3', 'wav', 'opus', 'aac', 'flac'] as const
const RATES = ['0.75', '1', '1.25', '1.5', '2'] as const

/** A text to speech. */
export function SpeechTab(): ReactNode {
  const { t } = useTranslation('playground')
  const { fields, model, group, channel } = useMediaTarget('speech')
  const [input, setInput] = useState('')
  const [voice, setVoice] = useState<string>('alloy')
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('mp3')
  const [rate, setRate] = useState('1')
  const call = useMediaCall({
    send: (signal) =>
      open(playground.speech, {
        body: {
          model,
          group,
          input: input.trim(),
          voice: voice.trim(),
          response_format: format,
          speed: Number(rate),
          ...(channel === 0 ? {} : { channel }),
        },
        signal,
      }),
    read: (response) => response.blob(),
  })
  return (
    <MediaFrame
      call={call}
      submit={t('make-speech')}
      canSubmit={input.trim() !== '' && voice.trim() !== '' && model !== ''}
      onSubmit={() => call.start(model)}
      fields={
        <>
          <LabelledField label={t('speech-text')}>
            <Textarea
              rows={5}
              placeholder={t('speech-placeholder')}
              value={input}
              onChange={(event) => setInput(event.currentTarget.value)}
            />
          </LabelledField>
          {fields}
          <TextField label={t('voice')} value={voice} onValue={setVoice} presets={VOICES.map((name) => ({ label: name, value: name }))} />
          <Flex gap="4">
            <ChoiceField
              label={t('format')}
              value={format}
              onValue={(value) => setFormat(FORMATS.find((one) => one === value) ?? 'mp3')}
              choices={FORMATS.map((one) => ({ value: one, label: one }))}
            />
            <ChoiceField
              label={t('rate')}
              value={rate}
              onValue={setRate}
              choices={RATES.map((one) => ({ value: one, label: `${one}×` }))}
            />
          </Flex>
        </>
      }
    >
      {(sound) => <Sound sound={sound} name={`speech.${format}`} />}
    </MediaFrame>
  )
}

function Sound({ sound, name }: { readonly sound: Blob; readonly name: string }): ReactNode {
  const { t } = useTranslation('playground')
  const player = useRef<HTMLAudioElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const address = URL.createObjectURL(sound)
    if (player.current !== null) player.current.src = address
    if (link.current !== null) link.current.href = address
    return () => URL.revokeObjectURL(address)
  }, [sound])
  return (
    <Stack gap="3" align="flex-start">
      <chakra.audio ref={player} controls aria-label={t('speech-result')} w="full" maxW="md" />
      <Button asChild size="xs" variant="outline">
        <a ref={link} href="#" download={name}>
          <Download aria-hidden />
          {t('download')}
        </a>
      </Button>
    </Stack>
  )
}
