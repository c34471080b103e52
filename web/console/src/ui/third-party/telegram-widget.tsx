import { chakra, Text } from '@chakra-ui/react'
import type { TelegramQuery } from '@tollgate/contracts/resources/oauth'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'
const FRAME_ORIGIN = 'https://oauth.telegram.org'
const FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash'] as const

type TelegramWidgetProps = {
  /** The bot's name, without @. */
  readonly bot: string
  readonly language: string
  readonly onUser: (user: TelegramQuery) => void
}

/**
 * Telegram's own button. Its frame posts the signed user to this page; the widget's `data-onauth` would do the same through `eval`, which
 * the page's content policy refuses.
 */
export function TelegramWidget({ bot, language, onUser }: TelegramWidgetProps): ReactNode {
  const { t } = useTranslation('third-party')
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>): void => {
      const user = event.origin === FRAME_ORIGIN ? userOf(event.data) : undefined
      if (user !== undefined) onUser(user)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [onUser])
  useEffect(() => {
    const place = box.current
    if (place === null) return undefined
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    for (const [name, value] of Object.entries({ 'telegram-login': bot, size: 'large', radius: '6', lang: language })) {
      script.dataset[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = value
    }
    script.onload = () => setState('shown')
    script.onerror = () => setState('failed')
    place.append(script)
    return () => place.replaceChildren()
  }, [bot, language])
  return (
    <chakra.div minH="10" textAlign="center">
      <div ref={box} data-telegram />
      {state === 'shown' ? null : (
        <Text textStyle="sm" color="text.muted">
          {t(`telegram.${state}`)}
        </Text>
      )}
    </chakra.div>
  )
}

/** The signed fields of the frame's message, as texts. */
function userOf(data: unknown): TelegramQuery | undefined {
  if (typeof data !== 'string') return undefined
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch {
    // A message of another kind.
    return undefined
  }
  if (!isRecord(message) || message['event'] !== 'auth_user' || !isRecord(message['auth_data'])) return undefined
  const user = message['auth_data']
  const fields = FIELDS.flatMap((field) =>
    typeof user[field] === 'string' || typeof user[field] === 'number' ? [[field, String(user[field])]] : [],
  )
  return { id: '', auth_date: '', hash: '', ...Object.fromEntries(fields) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
