import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Edit, Stale, type Writing } from '../api/writes.ts'
import { changedFields } from './changed-fields.ts'
import { nameOf } from './school.tsx'
import { toast } from './toasts.ts'

type Named = { readonly first_name: string; readonly last_name: string }

/** How the service is asked about people of a kind. */
type Verbs<Person, Body> = {
  readonly create: (body: Body, writing: Writing) => Promise<Person>
  readonly change: (edit: Edit<Person, Partial<Body>>, writing: Writing) => Promise<Person>
}

/** Saves what was changed in the form. Where somebody else was first, the next save changes what they have left. */
export function useSavePerson<Person extends Named, Body extends object>(
  person: Person | undefined,
  { create, change }: Verbs<Person, Body>,
  onSaved: (saved: Person) => void,
) {
  const { t } = useTranslation()
  // As the form was opened: what differs from it later, another clerk has changed.
  const [opened] = useState(person)
  const [seen, setSeen] = useState(person)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: Body, writing) =>
      seen ? change({ seen, change: changedFields(body, opened ?? {}) }, writing) : create(body, writing),
    onSuccess: (saved) => {
      toast({ kind: 'done', text: t('person.saved', { name: nameOf(saved) }) })
      onSaved(saved)
    },
    onError: (failure) => {
      if (failure instanceof Stale) setSeen(failure.current)
    },
  })
  return { save: mutate, error, isBusy: isPending }
}
