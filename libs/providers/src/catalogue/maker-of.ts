import { makerModels } from './maker-models.gen.ts'

const MAKERS: ReadonlyMap<string, string> = new Map(
  Object.entries(makerModels).flatMap(([maker, models]) => models.map((model): [string, string] => [model, maker])),
)

/** The maker of a model of the catalogue; one that several makers serve belongs to the last of them. */
export const makerOf = (model: string): string | undefined => MAKERS.get(model)
