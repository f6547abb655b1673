import { idIn } from '../ui/id-in.ts'

/** The parameters of the page's address: the user whose form is open, or the form of an invitation. */
export type UsersSearch = { readonly user?: string; readonly add?: true }

/** Reads the address and ignores invalid parts. */
export function usersSearchIn({ user, add }: Readonly<Record<string, unknown>>): UsersSearch {
  return { user: idIn(user), add: add === true || undefined }
}
