import type { WeightQuestion, WeightShares } from '@tollgate/contracts/resources/channels'
import { findRivals } from '@tollgate/db/queries/channels/rivals'
import { sharesOfWeights } from '@tollgate/domain/channel-choice/weights'
import type { Deps } from '../../deps.ts'

const LISTED = 12

/** Meaning of a weight: the shares of the channels that compete for a model while all of them are healthy. */
export async function weightShares({ db, options }: Pick<Deps, 'db' | 'options'>, asked: WeightQuestion): Promise<WeightShares> {
  const is_exact = await options.get('ExactChannelWeights')
  const { group, model, rivals } = await findRivals(db, asked)
  const all = [{ id: asked.id, name: '', weight: asked.weight }, ...rivals]
  const shares = sharesOfWeights(
    all.map(({ weight }) => weight),
    is_exact,
  )
  const [own, ...others] = all.map((row, at) => ({ ...row, share: shares[at] ?? 0 }))
  const listed = others.toSorted((a, b) => b.share - a.share).slice(0, LISTED)
  return { group, model, is_exact, rows: own === undefined ? listed : [own, ...listed], left_out: others.length - listed.length }
}
