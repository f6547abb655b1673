import type { UserRole } from '../../../contract/auth.ts'
import type { SchoolUser } from '../../../contract/user.ts'

export type UserForm = {
  readonly name: string
  readonly role: UserRole
  readonly instructor_id: string | null
}

export const NOBODY_YET: UserForm = { name: '', role: 'office', instructor_id: null }

export function userFormOf({ name, role, instructor_id }: SchoolUser): UserForm {
  return { name, role, instructor_id }
}

export function trimmedUser({ name, role, instructor_id }: UserForm): UserForm {
  return { name: name.trim(), role, instructor_id }
}
