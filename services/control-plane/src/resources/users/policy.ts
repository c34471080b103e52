import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'

// Lengths in characters, as people count them.
const lengthOf = (text: string): number => [...text].length

export function checkUsername(username: string): string {
  const trimmed = username.trim()
  if (trimmed === '' || lengthOf(trimmed) > 12) throw new AppError('user.input', { detail: 'username: 1–12' })
  return trimmed
}

export function checkDisplayName(name: string): string {
  const trimmed = name.trim()
  if (lengthOf(trimmed) > 20) throw new AppError('user.input', { detail: 'display_name: ≤ 20' })
  return trimmed
}

export function checkPassword(password: string): string {
  if (lengthOf(password) < 8 || lengthOf(password) > 20) throw new AppError('user.input', { detail: 'password: 8–20' })
  return password
}

type Rank = { readonly role: number }

/** Whether somebody may look at or edit this other account: it must be below, or the caller is root. */
export function mayReach(caller: Rank, target: Rank): boolean {
  return caller.role === Role.root || caller.role > target.role
}
