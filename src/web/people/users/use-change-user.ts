import type { RefObject } from 'react'
import type { SchoolUser, UserChange } from '../../../contract/user.ts'
import { changeUser } from '../../data/users.ts'
import { useEdit } from '../../data/write-queue.ts'
import { toast } from '../../ui/toasts.ts'

/** The user on which the next change from a dialog is based. Each of the dialog's own writes replaces it. */
export type Basis = RefObject<SchoolUser>

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
