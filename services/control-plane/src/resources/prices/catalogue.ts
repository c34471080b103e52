import { AppError } from '@tollgate/contracts/app-error'
import type { CatalogueView } from '@tollgate/contracts/resources/prices'
import type { HealthParts } from '@tollgate/contracts/resources/health'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { lacksOutputPrice } from '@tollgate/domain/pricing/output-price'
import { fetchFile } from '@tollgate/outbound/fetch-file'
import { MIN_THREAD_BYTES, readInThread } from '@tollgate/outbound/read-in-thread'
import { nowSeconds, type Deps } from '../../deps.ts'
import { catalogueView, type CatalogueTask } from './catalogue-view.ts'
import { retiringUntil } from './retiring.ts'

/** The catalogue of this version. */
export async function builtInView(deps: Deps): Promise<CatalogueView> {
  return await viewOf(deps, { source: 'built-in' })
}

/** Reads the catalogue of another party, through the address guard. Nothing is stored. */
export async function readCatalogueAt(deps: Deps, address: string): Promise<CatalogueView> {
  return await viewOf(deps, { source: address, file: await fetchCatalogue(deps, address) })
}

async function viewOf(deps: Deps, given: Pick<CatalogueTask, 'source' | 'file'>): Promise<CatalogueView> {
  const task = { ...given, served: await listEnabledModels(deps.db), today: utcDay(nowSeconds(deps)) }
  const view = isLarge(task) ? await readLarge(task) : catalogueView(task)
  if (view === 'format') throw new AppError('option.catalogue-format')
  if (view === 'too-large') throw new AppError('option.catalogue-unreachable', { reason: view })
  return view
}

const isLarge = ({ file }: CatalogueTask): boolean => file !== undefined && file.length >= MIN_THREAD_BYTES

async function readLarge(task: CatalogueTask): Promise<CatalogueView | 'format' | 'too-large'> {
  const script = new URL('catalogue-thread.ts', import.meta.url)
  return await readInThread<CatalogueView | 'format'>(script, { name: 'price catalogue', task, moved: task.file })
}

async function fetchCatalogue({ outbound, log }: Deps, address: string): Promise<Uint8Array> {
  const fetched = await fetchFile(outbound, address)
  // A copy has memory of its own, which the thread takes over.
  if ('bytes' in fetched) return new Uint8Array(fetched.bytes)
  const { reason, cause } = fetched
  if (cause !== undefined) log.warn({ err: cause }, 'A price catalogue could not be read')
  throw new AppError('option.catalogue-unreachable', { reason }, cause === undefined ? {} : { cause })
}

/** A model that ends within this time is named on the health page. */
const RETIREMENT_NOTICE_S = 31 * DAY_SECONDS

/** Served models whose answers are charged by a guessed ratio, and those that their maker stops serving soon. */
export async function readSold(deps: Pick<Deps, 'db' | 'options' | 'now'>): Promise<NonNullable<HealthParts['sold']>> {
  const [served, options] = await Promise.all([listEnabledModels(deps.db), deps.options.all()])
  const guessed = served.filter((model) => {
    if (Object.hasOwn(options.ModelPrice, model)) return false
    return lacksOutputPrice(model, {
      ratio: ownValue(options.ModelRatio, model),
      completion_ratio: ownValue(options.CompletionRatio, model),
      image_completion_ratio: ownValue(options.ImageCompletionRatio, model),
      audio_completion_ratio: ownValue(options.AudioCompletionRatio, model),
    })
  })
  const names = new Set(served)
  const retiring = retiringUntil(nowSeconds(deps) + RETIREMENT_NOTICE_S)
    .filter(({ model }) => names.has(model))
    .map(({ successor = '', ...rest }) => ({ ...rest, successor }))
  return { without_output: guessed, retiring: retiring.toSorted((left, right) => (left.retires < right.retires ? -1 : 1)) }
}
