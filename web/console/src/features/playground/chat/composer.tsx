import { Box, Button, chakra, CloseButton, Flex, Image, Textarea } from '@chakra-ui/react'
import { ImagePlus, Send, Square } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import type { Question } from './messages.ts'
import type { Images } from '../media/use-images.ts'

type ComposerProps = {
  readonly isRunning: boolean
  readonly images: Images
  /** Stands below the button for pictures. */
  readonly extra?: ReactNode
  readonly onSend: (question: Question) => void
  readonly onStop: () => void
}

/** Where questions are typed: Enter sends, Shift and Enter begins a line. */
export function Composer({ isRunning, images, extra, onSend, onStop }: ComposerProps): ReactNode {
  const { t } = useTranslation('playground')
  const [draft, setDraft] = useState('')
  const isEmpty = draft.trim() === '' && images.images.length === 0
  const send = (): void => {
    if (isRunning || isEmpty) return
    onSend({ content: draft.trim(), images: images.images })
    setDraft('')
    images.clear()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <chakra.form
      p="3"
      borderTopWidth="1px"
      borderColor="border"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Chosen images={images} />
      <Flex align="flex-end" gap="2">
        <Flex direction="column">
          <ImageButton images={images} />
          {extra}
        </Flex>
        <Textarea
          aria-label={t('message')}
          placeholder={t('placeholder')}
          rows={2}
          maxH="40"
          autoresize
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {isRunning ? (
          <Button type="button" variant="outline" onClick={onStop}>
            <Square aria-hidden />
            {t('stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={isEmpty}>
            <Send aria-hidden />
            {t('send')}
          </Button>
        )}
      </Flex>
    </chakra.form>
  )
}

function ImageButton({ images }: { readonly images: Images }): ReactNode {
  const { t } = useTranslation('playground')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          images.add(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
      <IconButton type="button" size="md" label={t('add-image')} onClick={() => input.current?.click()}>
        <ImagePlus />
      </IconButton>
    </>
  )
}

function Chosen({ images: { images, remove } }: { readonly images: Images }): ReactNode {
  const { t } = useTranslation('playground')
  if (images.length === 0) return null
  return (
    <Flex wrap="wrap" gap="2" mb="2">
      {images.map((source, at) => (
        <Box key={at} position="relative">
          <Image src={source} alt={t('image-number', { number: at + 1 })} boxSize="16" objectFit="cover" borderRadius="control" />
          <CloseButton
            type="button"
            size="2xs"
            variant="solid"
            position="absolute"
            top="1"
            insetEnd="1"
            aria-label={t('remove-image', { number: at + 1 })}
            onClick={() => remove(at)}
          />
        </Box>
      ))}
    </Flex>
  )
}
