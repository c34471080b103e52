import { listed } from '../sdk-calls/listed.ts'
import { answerOf, type Answered } from '../sdk-calls/offered.ts'
import { SDKS, type Sdk } from '../sdk-calls/read-calls.ts'
import { code, page, table } from './markdown.ts'

const NOT_OFFERED = 'not offered'
const ORDER: readonly string[] = ['converts', 'passes', 'answers', NOT_OFFERED]

/** Each call of the official SDKs, and how the gateway answers it. */
export function renderSdkCalls(): string {
  return page({
    title: 'Calls of the official SDKs',
    about:
      'Read from the SDKs by `npm run check:sdks -- --newest --write`. **converts**: any vendor’s channel serves it, one of the same format unchanged; **passes**: only channels whose vendor has this API; **answers**: the gateway itself; **not offered**: refused in the format of the client, with the name of the call.',
    parts: [summary(), ...sdks.flatMap((sdk) => [`## ${SDKS[sdk]} ${listed.versions[sdk]}`, rowsOf(sdk)])],
  })
}

const sdks = Object.keys(SDKS) as Sdk[] // keys of the object

const callsOf = (sdk: Sdk) => listed.calls.filter((call) => call.sdk === sdk).map((call) => ({ ...call, answered: nameOf(answerOf(call)) }))
const nameOf = (answered: Answered | undefined): string => answered ?? NOT_OFFERED

function summary(): string {
  const counts = (sdk: Sdk) => ORDER.map((name) => String(callsOf(sdk).filter(({ answered }) => answered === name).length))
  return table(
    ['SDK', ...ORDER],
    sdks.map((sdk) => [SDKS[sdk], ...counts(sdk)]),
  )
}

function rowsOf(sdk: Sdk): string {
  const rows = callsOf(sdk).toSorted((one, other) => ORDER.indexOf(one.answered) - ORDER.indexOf(other.answered))
  return table(
    ['Call', 'Request', 'This gateway'],
    rows.map(({ call, method, path, answered }) => [code(call), code(`${method} ${path}`), answered]),
  )
}
