import type { UserRole } from '../../../contract/auth.ts'
import type { SchoolUser } from '../../../contract/user.ts'

/** The fields of the form. */
export type UserForm = {
  readonly name: string
  readonly role: UserRole
  readonly instructor_id: string | null
}

export const NOBODY_YET: UserForm = { name: '', role: 'office', instructor_id: null }

/** The form as the user is. */
export function userFormOf({ name, role, instructor_id }: SchoolUser): UserForm {
  return { name, role, instructor_id }
}

/** Returns the request body of the form. */
export function userOf({ name, role, instructor_id }: UserForm): UserForm {
  return { name: name.trim(), role, instructor_id }
}
