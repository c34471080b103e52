/** The action of a button, or why its id is not understood. */
export type ButtonAction = { readonly kind: 'action'; readonly action: string } | { readonly kind: 'refused'; readonly description: string }

/** In this order: the more exact words first. */
const VERBS: readonly (readonly [RegExp, string, 'index'?])[] = [
  [/upsample/, 'UPSCALE', 'index'],
  [/^low_variation$/, 'LOW_VARIATION'],
  [/^high_variation$/, 'HIGH_VARIATION'],
  [/^variation$/, 'VARIATION', 'index'],
  [/pan/, 'PAN'],
  [/reroll/, 'REROLL'],
  [/^Outpaint$/, 'ZOOM'],
  [/^CustomZoom$/, 'CUSTOM_ZOOM'],
  [/^Inpaint$/, 'INPAINT'],
]

/** Reads ids of buttons such as `MJ::JOB::upsample::1::<hash>` and `MJ::Outpaint::50::1::<hash>::SOLO`. */
export function actionOfButton(customId: string): ButtonAction {
  const parts = customId.split('::')
  const verb = (parts[1] === 'JOB' ? parts[2] : parts[1]) ?? ''
  const [, action, takesIndex] = VERBS.find(([pattern]) => pattern.test(verb)) ?? []
  if (action === undefined) return { kind: 'refused', description: `unknown_action:${customId}` }
  if (takesIndex === 'index' && !/^\d+$/.test(parts[3] ?? '')) return { kind: 'refused', description: 'index_parse_failed' }
  return { kind: 'action', action }
}

const LETTERS: Readonly<Record<string, string>> = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }

/** Reads `<task id> U2`; undefined: not of this form. */
export function parseSimpleChange(
  content: string,
): { readonly task_id: string; readonly action: string; readonly index: number } | undefined {
  const [, task_id = '', letter = '', digit = ''] = /^\s*(\S+)\s+(?:([uv])([1-4])|r)\s*$/i.exec(content) ?? []
  if (task_id === '') return undefined
  return { task_id, action: LETTERS[letter === '' ? 'R' : letter.toUpperCase()] ?? '', index: Number(digit) }
}

/** The name under which an action is priced. */
export const modelOfAction = (action: string): string => (action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`)
