import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { SchoolUser, UserChange } from '../../../contract/user.ts'
import { changeUser, currentUser } from '../../data/users.ts'
import { useEdit } from '../../data/write-queue.ts'
import { toast } from '../../ui/toasts.ts'

/** The user on which the next change from a dialog is based. Each of the dialog's own writes replaces it. */
export type Basis = RefObject<SchoolUser>

/** Returns a function that replaces the basis after a write that does not return the user. It never rejects. */
export function useReadingAgain(basis: Basis): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const read = await currentUser(client, basis.current.id).catch(() => undefined)
    basis.current = read ?? basis.current
  }
}

/** Changes a user and reports it. After a conflict the next save applies to the current version. */
export function useChangeUser(basis: Basis, wordsFor: (user: SchoolUser) => string, onDone: () => void) {
  const { save, theirs, error, isBusy } = useEdit<SchoolUser, SchoolUser, UserChange>(basis.current, {
    write: (change, seen, writing) => changeUser({ seen, change }, writing),
    onSaved: (changed) => {
      basis.current = changed
      toast({ kind: 'done', text: wordsFor(changed) })
      onDone()
    },
  })
  return { change: (change: UserChange) => save(change, theirs ?? basis.current), error, isBusy }
}
