export const URL = process.env.TOLLGATE_URL
export const KEY = process.env.TOLLGATE_KEY
export const EXPECTED = JSON.parse(process.env.EXPECTED)
export const IMAGE_URL = `data:image/png;base64,${EXPECTED.pixel}`
export const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
export const ASK = {
  chat: 'hello',
  tools: 'What is the weather?',
  schema: 'Give a structured city.',
  image: 'Describe this picture.',
  think: 'Please ponder.',
  again: 'Please ponder once more.',
  bad: 'refuse',
}
export const UNKNOWN = 'no-such-model'

export const weather = ({ city }) => EXPECTED.weather[city]
export const user = (content) => ({ role: 'user', content })

/** The call must fail with an error of which `isExpected` is true. */
export async function mustFail(name, call, isExpected) {
  const error = await call().then(
    (found) => new Error(`${name}: nothing was thrown, but ${String(JSON.stringify(found)).slice(0, 80)} answered`),
    (thrown) =>
      isExpected(thrown)
        ? undefined
        : new Error(`${name}: ${thrown?.constructor?.name} ${thrown?.statusCode ?? thrown?.status}: ${thrown?.message}`),
  )
  if (error !== undefined) throw error
}

/** A bad request, whole and streamed, an unknown model and a wrong key, each with its status. */
export async function checkErrors({ ask, stream, statusOf }) {
  const is = (status) => (error) => statusOf(error) === status
  await mustFail('bad', () => ask({ text: ASK.bad }), is(400))
  if (stream !== undefined) await mustFail('bad stream', () => stream({ text: ASK.bad }), is(400))
  await mustFail('unknown model', () => ask({ text: ASK.chat, model: UNKNOWN }), is(404))
  await mustFail('wrong key', () => ask({ text: ASK.chat, key: 'sk-wrong' }), is(401))
}
