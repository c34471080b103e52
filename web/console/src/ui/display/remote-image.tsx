import { Button, chakra } from '@chakra-ui/react'
import { ImageDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { otherHostOf, useBlockedHost } from '../../lib/image-hosts.ts'

/**
 * An image in a model's answer. One at another host is fetched only after a click: its address could carry what was said in the
 * conversation to a host that the model, or a text that it read, names.
 */
export function RemoteImage({ src, alt = '' }: { readonly src: string; readonly alt?: string }): ReactNode {
  const { t } = useTranslation('display')
  const [isShown, setShown] = useState(false)
  const blocked = useBlockedHost(src)
  const host = otherHostOf(src)
  if (blocked !== undefined) return <ImageLink src={src} alt={alt} host={blocked} />
  if (host === undefined || isShown) return <chakra.img src={src} alt={alt} display="block" referrerPolicy="no-referrer" />
  return (
    <Button size="sm" variant="outline" maxW="full" title={src} onClick={() => setShown(true)}>
      <ImageDown aria-hidden />
      <chakra.span truncate>{t('markdown.show-image', { name: alt === '' ? t('markdown.image') : alt, host })}</chakra.span>
    </Button>
  )
}

/** A link to an image that the page may not load. */
export function ImageLink({ src, alt, host }: { readonly src: string; readonly alt: string; readonly host: string }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Button asChild size="sm" variant="outline" maxW="full" h="auto" minH="8" py="1" whiteSpace="normal" title={src}>
      <a href={src} target="_blank" rel="noopener noreferrer">
        <ImageDown aria-hidden />
        <chakra.span overflowWrap="anywhere" minW="0">
          {t('markdown.open-image', { name: alt === '' ? t('markdown.image') : alt, host })}
        </chakra.span>
      </a>
    </Button>
  )
}
