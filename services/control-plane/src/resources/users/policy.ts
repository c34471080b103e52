import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'

// Lengths count characters.
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

/** Whether the caller may read or edit this account: it has a lower role, or the caller is root. */
export function mayManage(caller: Rank, target: Rank): boolean {
  return caller.role === Role.root || caller.role > target.role
}
