import { useState, type ClipboardEvent, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'

/** Pixels of the longer side: vendors make larger pictures smaller themselves. */
const MAX_SIDE = 2_048
/** Bytes up to which a picture is sent as it is. */
const MAX_BYTES = 700_000
const MAX_IMAGES = 8

export type Images = {
  readonly images: readonly string[]
  readonly add: (files: Iterable<File>) => void
  readonly remove: (index: number) => void
  readonly clear: () => void
  /** For the area that takes pictures that are dropped or pasted. */
  readonly area: {
    readonly onPaste: (event: ClipboardEvent) => void
    readonly onDrop: (event: DragEvent) => void
    readonly onDragOver: (event: DragEvent) => void
  }
}

/** The pictures that go with the next question. */
export function useImages(): Images {
  const { t } = useTranslation('playground')
  const [images, setImages] = useState<readonly string[]>([])
  const addAll = async (files: Iterable<File>): Promise<void> => {
    const pictures = [...files].filter(({ type }) => type.startsWith('image/'))
    for (const file of pictures) {
      try {
        const address = await toDataAddress(file)
        setImages((before) => (before.length < MAX_IMAGES ? [...before, address] : before))
      } catch {
        toast.error(t('image-unreadable', { name: file.name }))
      }
    }
  }
  const add = (files: Iterable<File>): void => void addAll(files)
  return {
    images,
    add,
    remove: (index) => setImages(images.filter((_, at) => at !== index)),
    clear: () => setImages([]),
    area: {
      onPaste: (event) => {
        if (event.clipboardData.files.length === 0) return
        event.preventDefault()
        add(event.clipboardData.files)
      },
      onDrop: (event) => {
        event.preventDefault()
        add(event.dataTransfer.files)
      },
      onDragOver: (event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      },
    },
  }
}

/** The file as a data address, drawn smaller where it is large. */
async function toDataAddress(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  const side = Math.max(picture.width, picture.height)
  if (file.size <= MAX_BYTES && side <= MAX_SIDE) return await readAsAddress(file)
  const scale = Math.min(1, MAX_SIDE / side)
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return await readAsAddress(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 }))
}

/** `data:…;base64,…` of a file. */
export function readAsAddress(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
  reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
  reader.readAsDataURL(file)
  return promise
}
