/** A word that the project replaced. Names are matched in code, in file paths and in `code spans`; `prose` in comments, strings and Markdown. */
export type NameRule = {
  /** The word to write instead. */
  readonly use: string
  /** Parts of an identifier in lower case: `lane` matches `runLane`, `LANE_MS` and `choose-lane.ts`, and does not match `plane`. */
  readonly parts?: readonly string[]
  /** Identifiers. */
  readonly names?: RegExp
  /** Paths of files. */
  readonly paths?: RegExp
  /** Words of a sentence. Needs the flag `g`. */
  readonly prose?: RegExp
  /** `parts` are no ordinary words: they are matched in sentences too. */
  readonly everywhere?: boolean
  /** Paths in which the rule holds; everywhere when missing. */
  readonly within?: RegExp
  /** Paths in which it does not hold. */
  readonly outside?: RegExp
  /** Identifiers that contain the part and are right. */
  readonly except?: RegExp
}

const LEDGER = /^(?:libs\/(?:ledger|redis|domain|db|jobs|contracts)|services\/(?:relay|worker)|tests)\//
const PROVIDERS = /^(?:libs\/(?:providers|upstream)|services\/relay)\//
const CONSOLE = /^web\//
const ARTICLE = '(?:a|an|the|this|each|every|its|one|no|own|which|another)'

const noun = (words: string): RegExp => new RegExp(String.raw`(?<!-)\b${ARTICLE} (?:${words})\b(?!-)`, 'gi')

/** The old words. Ordinary English words are matched only in the form that the code used to have. */
export const names: readonly NameRule[] = [
  { use: 'package', parts: ['rooms'], names: /^room$/, prose: /\brooms\b|\b(?:pure|each|every|another|own|which) room\b/gi },
  {
    use: 'RequestContext',
    names: /^visit$|Visit(?![a-z])/,
    prose: /\b(?:a|the|this|each|one|per|its) visit\b/gi,
    outside: /^load-tests\/soak\//,
  },
  { use: 'RouteSpec', parts: ['errand', 'errands'], everywhere: true },
  { use: 'ParsedRequest, ModelRequest, RequestFacts or DecodedRequest', names: /Ask(?:s|$|[A-Z])/ },
  { use: 'request', names: /^asks?$/, within: /^(?:libs\/(?:providers|upstream|testing)|services\/relay)\// },
  { use: 'client-disconnect, upstream-disconnect', names: /(?:client|upstream)[-_]?gone/i },
  { use: 'RelayWatch', names: /owner-?watch/i },
  { use: 'HealthSync', names: /health-?exchange/i },
  {
    use: 'ClientApi',
    parts: ['surface', 'surfaces'],
    prose: /\b(?:a|the|this|each|every|its|client|which) surfaces?\b/gi,
    outside: CONSOLE,
  },
  {
    use: 'ApiFormat or format',
    parts: ['wire', 'wires'],
    prose: /\bwires\b|(?<!\b(?:on|over|off|across) )\b(?:a|the|this|each|every|its|which) wire\b(?! format)/gi,
    except: /^wire_api$/,
  },
  { use: 'ApiFormat or format', parts: ['dialect', 'dialects'], everywhere: true, except: /^Postgres(?:JS)?Dialect$/ },
  { use: 'usage-reader or reader', parts: ['tap', 'taps'], prose: noun('taps?'), outside: CONSOLE },
  { use: 'warning', parts: ['loss', 'losses'], prose: /\blosses\b/gi, except: /^(?:DATA_LOSS|dataLoss|data-loss|packetLoss)$/ },
  { use: 'vendorSpecific', parts: ['foreign'], except: /foreign_?key/i, outside: CONSOLE },
  { use: 'vendor-specific', prose: /\bforeign\b(?! keys?\b)/gi, within: PROVIDERS },
  { use: 'channel-key (a channel and one of its keys), pool key or client', parts: ['lane', 'lanes'], everywhere: true },
  { use: 'AdmissionQueue', parts: ['door', 'doors'], everywhere: true },
  { use: 'Permit, permit.release()', names: /^(?:Place|leavePlace)$/, within: /^services\/relay\// },
  {
    use: 'AbortSignal with a typed reason',
    parts: ['departure', 'departures'],
    everywhere: true,
  },
  { use: 'RuntimeConfig', parts: ['book', 'books'], prose: noun('books?'), outside: CONSOLE },
  {
    use: 'the phases of a request (Held, Delivered) and their Progress',
    parts: ['journal'],
    prose: /\b(?:a|the|this|each|its) journal\b/gi,
    except: /^journalMaxEntries$|^docs\/journal/,
    outside: /^docs\/journal\//,
  },
  { use: 'CostEstimate', names: /^(?:offer|Offer)s?$|[a-z]Offers?$/, within: /^services\/relay\// },
  { use: 'a response outcome: delivered, client-disconnected or no-channel-left', names: /^(?:Delivery|StreamDelivery|toDelivery)$/ },
  { use: 'a response outcome: delivered, client-disconnected or no-channel-left', names: /^(?:Gone|toGone|Exhausted|toExhaustedError)$/ },
  { use: 'heartbeat', parts: ['beat', 'beats'], prose: noun('beats?') },
  { use: 'relay_id', names: /^(?:owner|OWNER|owners|ownerOf)$/, within: /^libs\/(?:ledger|redis)\// },
  { use: 'recovery', parts: ['keeper', 'keepers'], everywhere: true },
  { use: 'fence', parts: ['gate', 'gates'], prose: noun('gates?'), within: LEDGER },
  { use: 'fence', prose: /\bledger(?:'s)? gates?\b|_gate_/gi },
  { use: 'repair', parts: ['mend', 'mends', 'mending'], everywhere: true },
  { use: 'writeTombstones', parts: ['bury', 'buries', 'buried', 'burial'], everywhere: true },
  {
    use: 'pending event, finalize',
    parts: ['draft', 'drafts'],
    prose: /\bdrafts?\b(?![- ]?\d)(?<!(?:IETF|Internet)[- ]draft)/gi,
    within: LEDGER,
  },
  { use: 'ledger-client', names: /^till$|Till$/, prose: /\b(?:a|the) till\b/gi },
  { use: 'hold-codec', names: /hold-?_?line/i, prose: /\bhold lines?\b/gi },
  { use: 'args', names: /(?<!sensitive)-words$/, paths: /(?<!sensitive)-words(?:\.|\/)/ },
  { use: 'LocalizedText', names: /^Words$/ },
  { use: 'args', names: /^(?:callWithWords|numberWord|asciiWord|textWord|windowWords|wordsOf)$/, within: LEDGER },
  { use: 'quota-edit-baseline', names: /shown-?_?quota/i, prose: /\bshown quota\b/gi },
  { use: 'balance correction', parts: ['restate', 'restated', 'restatement', 'restatements'], everywhere: true },
  {
    use: 'rollup',
    parts: ['folds'],
    names: /fold[-_]?usage|^fold(?:Together|Units?)$|^FoldUnit|^onFold$|^openFold$|WholeFold$/i,
    prose: /\broll-ups?\b|\busage folds?\b|\b(?:a|the|each|every|open|marked) folds?\b/gi,
  },
  { use: 'withReadSnapshot', names: /one-?moment/i, prose: /\bin one moment\b/gi },
  { use: 'ttl-map', names: /brief-?map/i, prose: /\bbrief maps?\b/gi },
  { use: 'supervisor', parts: ['crew', 'crews'], everywhere: true },
  { use: 'spawn', parts: ['hire', 'hires', 'hired'], everywhere: true },
  { use: 'stop', parts: ['dismiss', 'dismissed'], within: /^(?:deploy|libs|services|tests)\// },
  { use: 'paths', names: /^(?:place|places|Place|findPlace|makePlace|placeOf)$/, paths: /\/place(?:\.test)?\.ts$/, within: /^deploy\// },
  { use: 'log', names: /^(?:say|Say)$/, paths: /\/say(?:\.test)?\.ts$/ },
  { use: 'fail', parts: ['complain', 'complains'], everywhere: true },
  { use: 'lock', names: /^claim$/, paths: /\/claim(?:\.test)?\.ts$/, within: /^deploy\// },
  { use: 'orphans', parts: ['leftovers'], within: /^deploy\// },
  { use: 'tail', names: /^follow$/, paths: /\/follow(?:\.test)?\.ts$/, within: /^deploy\// },
  { use: 'faults', parts: ['deed', 'deeds'], everywhere: true },
  { use: 'fault-injector', parts: ['trouble', 'troubles'] },
  { use: 'wait-for-idle', names: /^(?:waitForQuiet|isQuiet)$/, paths: /\/quiet\.ts$/, within: /^(?:tests|load-tests)\// },
  { use: 'clients', paths: /\/people(?:-world)?\.ts$/ },
  { use: 'audit', paths: /\/compare(?:\.test)?\.ts$/, within: /^tests\/chaos\// },
  { use: 'test-relay, test-worker, test-ledger, …', parts: ['world', 'worlds'], prose: /\b(?:a|the|this|its|each|test) worlds?\b/gi },
  { use: 'MAX_…', names: /^MOST_|^MOST$|_MOST$|^mostMs$/ },
  { use: 'body-worker', parts: ['shelf', 'shelves'], everywhere: true },
  { use: 'inWorker', parts: ['away'], within: /^services\/relay\/src\/(?:large-bodies|body|transport)/ },
  { use: 'Translator', names: /^(?:Plan|plan|PlanInput|planOf|formPlan|singlePlan|samePlan|translatedPlan)$/, within: PROVIDERS },
  { use: 'operations/, chat/, formats/', paths: /^libs\/providers\/src\/(?:exchange|conversation|dialects)\// },
]

/** Phrases that hide the subject of a sentence or are not English that an engineer writes. */
export const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:nobody|anybody|somebody|everybody)\b(?!@)/gi, 'name the request, process, value or user'],
  [/\bwho(?:so)?ever\b/gi, 'name the request, process, value or user'],
  [/\banew\b/gi, 'again'],
  [/\bfor ever\b/gi, 'indefinitely'],
  [/\bmended\b/gi, 'fixed or repaired'],
  [/\bstands in\b/gi, 'is in'],
  [/\b(?:is|are) no part of\b/gi, 'is excluded from, or is not in'],
  [/\bclothing\b/gi, 'mapped'],
  [/\bcomes? to (?:its|their|an) end\b/gi, 'finishes'],
  [/\b(?:is|are|was|were) told\b/gi, 'say which value is returned, logged or sent'],
  [/\bwhatever it came to\b/gi, 'say which values are possible'],
  [/\bwhat is asked of it\b/gi, 'name the request'],
  [/\bof old\b/gi, 'previous'],
  [/\bno one\b/gi, 'name the request, process, value or user'],
  [/^\W*What is (?!\w+ing\b)[^?]*$/g, 'name the thing: the facts about, the remaining, the fault of'],
]
