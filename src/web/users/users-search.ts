import { idIn } from '../ui/id-in.ts'

/** What the address of the page says: whose form is open, or that somebody is to be invited. */
export type UsersSearch = { readonly user?: string; readonly add?: true }

/** What cannot be read is as if it were not there. */
export function usersSearchIn({ user, add }: Readonly<Record<string, unknown>>): UsersSearch {
  return { user: idIn(user), add: add === true || undefined }
}
