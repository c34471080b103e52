import { chakra } from '@chakra-ui/react'
import type { ComponentProps, ReactNode } from 'react'
import { useBlockedHost } from '../../lib/image-hosts.ts'
import { ImageLink } from './remote-image.tsx'

/** An image that a call returned: at once where the page may load it, else a link. */
export function ResultImage({
  src,
  alt,
  ...rest
}: ComponentProps<typeof chakra.img> & { readonly src: string; readonly alt: string }): ReactNode {
  const blocked = useBlockedHost(src)
  if (blocked !== undefined) return <ImageLink src={src} alt={alt} host={blocked} />
  return <chakra.img src={src} alt={alt} referrerPolicy="no-referrer" {...rest} />
}
