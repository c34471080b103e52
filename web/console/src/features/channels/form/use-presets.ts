import { useQuery } from '@tanstack/react-query'
import { useStored } from '../../../lib/storage.ts'
import { presetModels } from '../api.ts'
import { findType } from '../channel-display.ts'

/** The preset models of a type: the server's list, the stored copy of it, else the catalogue's (types 2, 5 and 36 are only there). */
export function usePresets(): (type: number) => readonly string[] {
  const stored = useStored('channel_models')
  const { data } = useQuery(presetModels)
  return (type) => (data ?? stored)?.[String(type)] ?? findType(type)?.models ?? []
}
