import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SchoolUser, UserChange } from '../../contract/user.ts'
import { changeUser } from '../api/users.ts'
import { Stale } from '../api/writes.ts'
import { toast } from '../ui/toasts.ts'

/** Changes a user, says so, and goes on. Where somebody else was first, the next try changes what they have left. */
export function useChangeUser(user: SchoolUser, wordsFor: (user: SchoolUser) => string, onDone: () => void) {
  const [seen, setSeen] = useState(user)
  const isSent = useRef(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (change: UserChange, writing) => changeUser({ seen, change }, writing),
    onSuccess: (changed) => {
      toast({ kind: 'done', text: wordsFor(changed) })
      onDone()
    },
    onError: (failure) => {
      if (failure instanceof Stale) setSeen(failure.current)
    },
    onSettled: () => {
      isSent.current = false
    },
  })
  const change = (wanted: UserChange) => {
    // A second click may be waiting behind the first, before the page has been drawn.
    if (isSent.current) return
    isSent.current = true
    mutate(wanted)
  }
  return { change, error, isBusy: isPending }
}
