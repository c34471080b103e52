import { Button, chakra } from '@chakra-ui/react'
import { ImageDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * A picture in a model's answer. One at another host is fetched only after a click: its address could carry what was said in the
 * conversation to a host that the model, or a text that it read, names.
 */
export function RemoteImage({ src, alt = '' }: { readonly src: string; readonly alt?: string }): ReactNode {
  const { t } = useTranslation('display')
  const [isShown, setShown] = useState(false)
  const host = hostOf(src)
  if (host === undefined || isShown) return <chakra.img src={src} alt={alt} display="block" referrerPolicy="no-referrer" />
  return (
    <Button size="sm" variant="outline" maxW="full" title={src} onClick={() => setShown(true)}>
      <ImageDown aria-hidden />
      <chakra.span truncate>{t('markdown.show-image', { name: alt === '' ? t('markdown.image') : alt, host })}</chakra.span>
    </Button>
  )
}

/** The other host that an address names; undefined: the picture is part of the page or from this server. */
function hostOf(src: string): string | undefined {
  const url = URL.parse(src, window.location.href)
  if (url === null || url.protocol === 'data:' || url.protocol === 'blob:') return undefined
  return url.origin === window.location.origin ? undefined : url.host
}
