import type { InvoiceField, InvoiceMapping } from '@tollgate/contracts/resources/vendor-invoices'

/**
 * Names of columns in the exports and API answers of OpenAI, Anthropic and Google, and common ones of other tables, as `simpleName` writes
 * them. The first list that has a column counts; all columns of that list are added up.
 */
const NAMES: Readonly<Record<InvoiceField, readonly (readonly string[])[]>> = {
  day: [
    ['usage date utc'],
    ['usage start time'],
    ['usage start date'],
    ['starting at'],
    ['start time iso'],
    ['start time'],
    ['usage date'],
    ['day'],
    ['date'],
    ['timestamp'],
  ],
  model: [['model'], ['model version'], ['model name'], ['model id']],
  item: [['line item'], ['sku description'], ['description'], ['item']],
  account: [['workspace id'], ['workspace'], ['project id'], ['project name'], ['account'], ['api key id']],
  requests: [['num model requests'], ['requests'], ['request count'], ['n requests'], ['calls']],
  input: [
    ['uncached input tokens'],
    ['usage input tokens no cache'],
    ['input tokens', 'input audio tokens', 'input image tokens'],
    ['prompt tokens'],
    ['input'],
  ],
  cached: [
    ['input cached tokens'],
    ['cache read input tokens'],
    ['usage input tokens cache read'],
    ['cached input tokens'],
    ['cached tokens'],
    ['cached'],
  ],
  cache_write: [
    ['cache creation ephemeral 1h input tokens', 'cache creation ephemeral 5m input tokens'],
    ['usage input tokens cache write 5m', 'usage input tokens cache write 1h'],
    ['cache creation input tokens'],
    ['cache write tokens'],
  ],
  output: [['output tokens', 'output audio tokens', 'output image tokens'], ['usage output tokens'], ['completion tokens'], ['output']],
  quantity: [['usage amount'], ['quantity']],
  dollars: [
    ['amount value'],
    ['cost usd'],
    ['unrounded cost'],
    ['cost'],
    ['amount usd'],
    ['amount'],
    ['total cost'],
    ['subtotal'],
    ['usd'],
    ['dollars'],
  ],
  currency: [['amount currency'], ['currency']],
}

/** Columns that count tokens make the quantity of an item needless. */
const TOKENS: readonly InvoiceField[] = ['input', 'cached', 'cache_write', 'output']

/** The mapping that the names of the columns suggest. */
export function guessMapping(names: readonly string[]): InvoiceMapping {
  const simple = new Map(names.map((name) => [simpleName(name), name]))
  const find = (field: InvoiceField): string[] => {
    const list = NAMES[field].find((wanted) => wanted.some((name) => simple.has(name))) ?? []
    return list.flatMap((name) => simple.get(name) ?? [])
  }
  const columns = {
    day: find('day'),
    model: find('model'),
    item: find('item'),
    account: find('account'),
    requests: find('requests'),
    input: find('input'),
    cached: find('cached'),
    cache_write: find('cache_write'),
    output: find('output'),
    quantity: find('quantity'),
    dollars: find('dollars'),
    currency: find('currency'),
  }
  const hasTokens = TOKENS.some((field) => columns[field].length > 0)
  const [input = ''] = columns.input
  return {
    columns: { ...columns, quantity: hasTokens ? [] : columns.quantity },
    has_cached_in_input: input !== '' && !/uncached|no[_ ]cache/i.test(input),
    // Anthropic's cost report: https://platform.claude.com/docs/en/api/admin-api/usage-cost/get-cost-report
    amount_unit: simple.has('amount') && simple.has('cost type') && simple.has('token type') && !simple.has('cost usd') ? 'cent' : 'dollar',
  }
}

/** `Cost ($)` and `cost`, `input_cached_tokens` and `Input cached tokens` are the same. */
const simpleName = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** The columns as one text, by which a mapping is remembered. */
export const mappingKey = (names: readonly string[]): string => names.map(simpleName).toSorted().join('\n')
