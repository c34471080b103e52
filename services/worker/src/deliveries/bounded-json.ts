const MAX_BODY = 256 * 1024
const MAX_TEXT = 4096

/**
 * The JSON text of a body that carries what clients and vendors wrote. One over 256 KB gets its long texts cut; if that is not enough, what
 * is nested becomes null, so that the state still arrives.
 */
export function boundedJson(body: object): string {
  const whole = JSON.stringify(body)
  if (whole.length <= MAX_BODY) return whole
  const cut = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' ? cutText(value) : value))
  if (cut.length <= MAX_BODY) return cut
  return JSON.stringify(body, (key, value: unknown) => {
    if (typeof value === 'string') return cutText(value)
    return key !== '' && typeof value === 'object' ? null : value
  })
}

const cutText = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, '')}…`
