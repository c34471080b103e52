import { FORMAT_USAGE, REASONING_SIGNATURE, type FormatCall, type FormatReply } from '@tollgate/testing/format-scripts/script'

/** A picture of one pixel; a vendor that gets these bytes says so. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const TEXT = 'Hello from a vendor of any format.'
const REASONING = 'Six times seven, let me see.'
const FIRST_THOUGHT = 'It is forty-two.'
const SECOND_THOUGHT = 'Still forty-two.'
const WEATHER = { Bonn: 'sunny in Bonn', Kyoto: 'rainy in Kyoto' }
const FORECAST = 'It is sunny in Bonn and rainy in Kyoto.'

/** Questions of the clients and the answers that they must find, as the programs of every language read it. */
export const EXPECTED = {
  text: TEXT,
  input: FORMAT_USAGE.input,
  output: FORMAT_USAGE.output,
  weather: WEATHER,
  forecast: FORECAST,
  pixel: PIXEL,
  picture: 'I see one pixel.',
  reasoning: REASONING,
  thoughts: [FIRST_THOUGHT, SECOND_THOUGHT],
  dimensions: 3,
}

const said = (text: string): FormatReply => ({ kind: 'text', text })
const refused = (message: string): FormatReply => ({ kind: 'error', status: 400, message })

/** Answers only what arrived whole: a lost picture, schema, tool result or earlier turn is an error of the vendor. */
export function answer(call: FormatCall): FormatReply {
  const { text, tools, userText, hasToolResult } = call
  if (hasToolResult) {
    const missing = Object.values(WEATHER).filter((result) => !text.includes(result))
    return missing.length === 0 ? said(FORECAST) : refused(`tool results are missing: ${missing.join(', ')}`)
  }
  if (userText.includes('refuse')) return refused('the vendor refuses')
  if (userText.includes('picture')) return hasPicture(call) ? said(EXPECTED.picture) : refused('no picture arrived')
  if (userText.includes('structured')) return answerStructured(call)
  if (userText.includes('ponder once more')) return ponderAgain(call)
  if (userText.includes('ponder')) return { kind: 'text', text: FIRST_THOUGHT, reasoning: REASONING }
  if (!userText.includes('weather')) return said(TEXT)
  if (!tools.includes('weather')) return refused('no tool arrived')
  return { kind: 'calls', calls: Object.keys(WEATHER).map((city, at) => ({ id: `call_${at}`, name: 'weather', input: { city } })) }
}

/** A client asks for a schema by a response format, or by a tool that it wants called. */
function answerStructured({ text, tools }: FormatCall): FormatReply {
  const input = { city: 'Bonn' }
  // In a prompt the schema's quotes are escaped.
  if (!/\\?"city\\?"/.test(text)) return refused('no schema arrived')
  return tools[0] === undefined ? said(JSON.stringify(input)) : { kind: 'calls', calls: [{ id: 'call_0', name: tools[0], input }] }
}

/** Only Gemini reads the URL-safe alphabet too. */
function hasPicture({ format, text }: FormatCall): boolean {
  return text.includes(PIXEL) || (format === 'gemini' && text.includes(PIXEL.replaceAll('+', '-').replaceAll('/', '_')))
}

function ponderAgain({ format, text }: FormatCall): FormatReply {
  const isKeptByVendor = format === 'responses' && /"previous_response_id":"|"item_reference"/.test(text)
  if (!isKeptByVendor && !text.includes(FIRST_THOUGHT)) return refused('the earlier turn is missing')
  const signatures = format === 'messages' ? [...text.matchAll(/"signature":"([^"]*)"/g)].map(([, found]) => found) : []
  if (signatures.some((signature) => signature !== REASONING_SIGNATURE)) return refused('Invalid `signature` in `thinking` block')
  return { kind: 'text', text: SECOND_THOUGHT, reasoning: REASONING }
}
