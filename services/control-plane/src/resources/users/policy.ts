import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'

// Lengths count characters.
const lengthOf = (text: string): number => [...text].length

/** Control, zero-width, bidirectional and filler characters, unassigned code points, and runs of blanks: names must not look alike. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{Zs}{2}/u

export function hasInvisible(name: string): boolean {
  return INVISIBLE.test(name)
}

export function checkUsername(username: string): string {
  const trimmed = username.trim()
  if (hasInvisible(trimmed)) throw new AppError('user.name-invisible')
  if (trimmed.includes('@')) throw new AppError('user.name-address')
  if (trimmed === '' || lengthOf(trimmed) > 12) throw new AppError('user.input', { detail: 'username: 1–12' })
  return trimmed
}

/** Control, zero-width and bidirectional characters; a joiner between emoji is none of them. */
const CONFUSING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u

export const hasConfusing = (name: string): boolean => CONFUSING.test(name)

/** A name from elsewhere without the characters that are refused in a display name. */
export const withoutConfusing = (name: string): string => name.replaceAll(new RegExp(CONFUSING, 'gu'), ' ')

export function checkDisplayName(name: string): string {
  const trimmed = name.trim()
  if (hasConfusing(trimmed)) throw new AppError('user.display-name-invisible')
  if (lengthOf(trimmed) > 20) throw new AppError('user.input', { detail: 'display_name: ≤ 20' })
  return trimmed
}

export function checkPassword(password: string): string {
  if (lengthOf(password) < 8 || lengthOf(password) > 20) throw new AppError('user.input', { detail: 'password: 8–20' })
  return password
}

type Rank = { readonly role: number }

/** True if the caller may read or edit this account: it has a lower role, or the caller is root. */
export function mayManage(caller: Rank, target: Rank): boolean {
  return caller.role === Role.root || caller.role > target.role
}
