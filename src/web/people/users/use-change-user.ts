import type { SchoolUser, UserChange } from '../../../contract/user.ts'
import { changeUser } from '../../data/users.ts'
import { useEdit } from '../../data/write-queue.ts'
import { toast } from '../../ui/toasts.ts'

/** Changes a user and reports it. After a conflict the next save applies to the current version. */
export function useChangeUser(user: SchoolUser, wordsFor: (user: SchoolUser) => string, onDone: () => void) {
  const { save, error, isBusy } = useEdit<SchoolUser, SchoolUser, UserChange>(user, {
    write: (change, seen, writing) => changeUser({ seen, change }, writing),
    onSaved: (changed) => {
      toast({ kind: 'done', text: wordsFor(changed) })
      onDone()
    },
  })
  return { change: save, error, isBusy }
}
