import { Button, Flex, Stack, Text, Textarea } from '@chakra-ui/react'
import { playground } from '@tollgate/contracts/resources/playground'
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { open } from '../../../lib/api.ts'
import { ResultImage } from '../../../ui/display/result-image.tsx'
import { ChoiceField, LabelledField } from '../../../ui/form/labelled-field.tsx'
import { MediaFrame } from './media-frame.tsx'
import { picturesOf, type Picture } from './media-results.ts'
import { useMediaTarget } from './media-target.tsx'
import { useMediaCall } from './use-media-call.ts'

const SIZES = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512', '256x256'] as const
const QUALITIES = ['low', 'medium', 'high'] as const

/** A prompt to pictures. */
export function ImagesTab(): ReactNode {
  const { t } = useTranslation('playground')
  const { fields, model, group, channel } = useMediaTarget('images')
  const [prompt, setPrompt] = useState('')
  const [size, setSize] = useState('')
  const [quality, setQuality] = useState('')
  const [count, setCount] = useState('1')
  const call = useMediaCall({
    send: (signal) =>
      open(playground.image, {
        body: { model, group, prompt: prompt.trim(), size, quality, n: Number(count), ...(channel === 0 ? {} : { channel }) },
        signal,
      }),
    read: async (response) => picturesOf(await response.json()),
  })
  return (
    <MediaFrame
      call={call}
      submit={t('make-image')}
      canSubmit={prompt.trim() !== '' && model !== ''}
      onSubmit={() => call.start(model)}
      fields={
        <>
          <LabelledField label={t('prompt')}>
            <Textarea
              rows={4}
              placeholder={t('prompt-placeholder')}
              value={prompt}
              onChange={(event) => setPrompt(event.currentTarget.value)}
            />
          </LabelledField>
          {fields}
          <ChoiceField
            label={t('size')}
            value={size}
            onValue={setSize}
            choices={[{ value: '', label: t('size-auto') }, ...SIZES.map((one) => ({ value: one, label: one.replace('x', ' × ') }))]}
          />
          <ChoiceField
            label={t('quality')}
            value={quality}
            onValue={setQuality}
            choices={[{ value: '', label: t('quality-auto') }, ...QUALITIES.map((one) => ({ value: one, label: t(`quality-${one}`) }))]}
          />
          <ChoiceField
            label={t('number')}
            value={count}
            onValue={setCount}
            choices={['1', '2', '3', '4'].map((one) => ({ value: one, label: one }))}
          />
        </>
      }
    >
      {(pictures) => (
        <Flex wrap="wrap" gap="4">
          {pictures.map((picture, at) => (
            <PictureView key={at} picture={picture} number={at + 1} />
          ))}
        </Flex>
      )}
    </MediaFrame>
  )
}

function PictureView({ picture, number }: { readonly picture: Picture; readonly number: number }): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <Stack gap="2" maxW="lg" align="flex-start">
      <ResultImage src={picture.source} alt={t('image-result', { number })} maxW="full" borderRadius="control" />
      {picture.prompt === '' ? null : (
        <Text textStyle="xs" color="text.muted">
          {picture.prompt}
        </Text>
      )}
      <Button asChild size="xs" variant="outline">
        <a href={picture.source} download={`image-${number}.png`} target="_blank" rel="noreferrer">
          <Download aria-hidden />
          {t('download')}
        </a>
      </Button>
    </Stack>
  )
}
