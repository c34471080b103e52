import { objectOf, textOf } from './setting-text.ts'

export type ScheduleField = 'hours' | 'time_zone'

const scheduleOf = (setting: string): Readonly<Record<string, unknown>> => {
  const { schedule } = objectOf(setting)
  return typeof schedule === 'object' && schedule !== null && !Array.isArray(schedule) ? { ...schedule } : {}
}

/** A field of the channel's schedule, as typed. */
export function scheduleFieldOf(setting: string, name: ScheduleField): string {
  const stored = scheduleOf(setting)[name]
  return typeof stored === 'string' ? stored : ''
}

/** The settings with another field of the schedule; without hours there is no schedule, and an empty zone is removed. */
export function withScheduleField(setting: string, name: ScheduleField, text: string): string {
  const { schedule: _, ...rest } = objectOf(setting)
  const { [name]: __, ...others } = scheduleOf(setting)
  const schedule = text === '' ? others : { ...others, [name]: text }
  return textOf(text === '' && (name === 'hours' || Object.keys(schedule).length === 0) ? rest : { ...rest, schedule })
}
