import { chakra, List } from '@chakra-ui/react'
import type { EditConflict, SeenRow } from '@tollgate/contracts/values/seen-row'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { conflictsOf } from '../../lib/api-error.ts'
import { ConfirmDialog, type Confirmation } from '../overlay/confirm-dialog.tsx'

type Seen = { readonly was?: SeenRow | undefined }
type Asked = { readonly question: Confirmation; readonly cancel: () => void }

/** Saves an edit, and where another administrator changed the same field meanwhile, shows both and asks whether to save all the same. */
export function useEditConflict(): {
  /** `shown`: the row as the form showed it. */
  readonly saving: <Body extends Seen>(body: Body, shown: NonNullable<SeenRow>, send: (body: Body) => Promise<unknown>) => Promise<void>
  readonly dialog: ReactNode
} {
  const { t } = useTranslation('display')
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const attempt = async <Body extends Seen>(body: Body, send: (body: Body) => Promise<unknown>): Promise<void> => {
    try {
      await send(body)
    } catch (error) {
      const conflicts = conflictsOf(error)
      if (conflicts.length === 0) throw error
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const question: Confirmation = {
        title: t('conflict.title'),
        help: <Conflicts conflicts={conflicts} />,
        confirm: t('conflict.save'),
        isDangerous: false,
        run: () => resolve(attempt(resolved(body, conflicts), send)),
      }
      // After an answer it has no effect.
      setAsked({ question, cancel: () => reject(error as Error) })
      await promise
    }
  }
  const saving = <Body extends Seen>(body: Body, shown: NonNullable<SeenRow>, send: (body: Body) => Promise<unknown>): Promise<void> =>
    attempt({ ...body, was: Object.fromEntries(Object.entries(shown).filter(([field]) => Object.hasOwn(body, field))) }, send)
  const close = (): void => {
    asked?.cancel()
    setAsked(undefined)
  }
  return { saving, dialog: <ConfirmDialog ask={asked?.question} onClose={close} /> }
}

/** The own values, of lists the merged ones, for a row as it is now. */
function resolved<Body extends Seen>(body: Body, conflicts: readonly EditConflict[]): Body {
  const merged = conflicts.flatMap(({ field, merged: list }) => (list === undefined ? [] : [[field, list] as const]))
  const now = conflicts.map(({ field, now: value }) => [field, value] as const)
  return { ...body, ...Object.fromEntries(merged), was: { ...body.was, ...Object.fromEntries(now) } }
}

function Conflicts({ conflicts }: { readonly conflicts: readonly EditConflict[] }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <>
      {t('conflict.help')}
      <List.Root mt="2" ps="5">
        {conflicts.map(({ field, now, yours, merged }) => (
          <List.Item key={field}>
            <chakra.code>{field}</chakra.code>: {t('conflict.now', { value: textOf(now) })}{' '}
            {merged === undefined ? t('conflict.yours', { value: textOf(yours) }) : t('conflict.merged', { value: merged })}
          </List.Item>
        ))}
      </List.Root>
    </>
  )
}

const MAX_SHOWN = 200

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
