import { chakra } from '@chakra-ui/react'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { countText, groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'

/** A count, abbreviated from ten thousand, with the exact number on hover. */
export function CountText({ count }: { count: number }): ReactNode {
  const short = countText(count)
  const exact = groupDigits(count)
  return (
    <chakra.span fontVariantNumeric="tabular-nums" {...(short === exact ? {} : { 'data-hint': exact })}>
      {short}
    </chakra.span>
  )
}

/** A moment; `0` and less say the given word instead ("never"). */
export function TimeText({ time, absent }: { time: UnixSeconds; absent: string }): ReactNode {
  if (time <= 0) return <chakra.span color="text.muted">{absent}</chakra.span>
  return (
    <chakra.time dateTime={new Date(time * 1_000).toISOString()} whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
      {timeText(time)}
    </chakra.time>
  )
}

/** Long text on one line; the whole of it on hover. */
export function CutText({ text, width = '16rem' }: { text: string; width?: string }): ReactNode {
  return (
    <chakra.span
      display="block"
      maxW={`var(--cut-width, ${width})`}
      overflow="hidden"
      textOverflow="ellipsis"
      whiteSpace="nowrap"
      data-hint={text}
    >
      {text}
    </chakra.span>
  )
}
