import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { type Kind, storePerson } from '../api/people.ts'
import { Stale } from '../api/versions.ts'
import { changedFields } from './changed-fields.ts'
import { nameOf } from './school.tsx'
import { toast } from './toasts.ts'

/** How the service is asked about people of a kind. */
type Requests<Person, Body> = {
  readonly create: (body: Body) => Promise<Person>
  readonly change: (seen: Person, changes: Partial<Body>) => Promise<Person>
}

/** Saves what was changed in the form. Where somebody else was first, the next save changes what they have left. */
export function useSavePerson<K extends Kind, Body extends object>(
  kind: K,
  person: Bootstrap[K][number] | undefined,
  { create, change }: Requests<Bootstrap[K][number], Body>,
  onSaved: (saved: Bootstrap[K][number]) => void,
) {
  const client = useQueryClient()
  const { t } = useTranslation()
  // As the form was opened: what differs from it later, another clerk has changed.
  const [opened] = useState(person)
  const [seen, setSeen] = useState(person)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const save = async (body: Body) => {
    setBusy(true)
    setError(undefined)
    try {
      const saved = seen ? await change(seen, changedFields(body, opened ?? {})) : await create(body)
      await storePerson(client, kind, saved)
      toast({ kind: 'done', text: t('person.saved', { name: nameOf(saved) }) })
      onSaved(saved)
    } catch (failure) {
      setError(failure)
      if (failure instanceof Stale) setSeen(failure.current)
    } finally {
      setBusy(false)
    }
  }

  return { save, error, isBusy }
}
