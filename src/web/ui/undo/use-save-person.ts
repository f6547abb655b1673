import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Versioned } from '../../data/copies.ts'
import type { Kind } from '../../data/people.ts'
import { type Edit, useEdit, type WriteContext, writeOnce } from '../../data/write-queue.ts'
import { differingFields } from '../changed-fields.ts'
import { nameOf, useSchool } from '../school.tsx'
import { type ShownPage, toast } from '../toasts.ts'
import { type Done, recordStep, type Side, setsOf } from './steps.ts'

type Person = Versioned & { readonly first_name: string; readonly last_name: string }

export type PersonRequests<P extends Person, Body> = {
  readonly kind: Kind
  readonly create: (body: Body, writing: WriteContext) => Promise<P>
  readonly change: (edit: Edit<P, Partial<Body>>, writing: WriteContext) => Promise<P>
}

/** Saves the form's changes. After a conflict the next save applies to the current version. */
export function useSavePerson<P extends Person, Body extends object>(
  person: P | undefined,
  verbs: PersonRequests<P, Body>,
  onSaved: (saved: P) => void,
) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const school = useSchool()
  // The version when the form was opened: later differences are another user's changes.
  const [opened] = useState(person)
  const report = async (saved: P, seen: P | undefined, sets: readonly string[]) => {
    const name = nameOf(saved)
    const label = t(seen ? 'step.changed' : 'step.added', { what: name })
    const on = { undone: seen ? [seen] : [], done: [saved] }
    recordStep(
      { text: t('person.saved', { name }), label },
      await personStep({ client, school, t }, verbs.kind, sets, on),
    )
  }
  return useEdit<P | undefined, P, Body>(person, {
    write: (body, seen, writing) => {
      if (!seen) return verbs.create(body, writing)
      const change = differingFields(body, opened ?? {})
      return writeOnce(change, () => verbs.change({ seen, change }, writing))
    },
    onSaved: (saved, body, seen, sets) => {
      const change = differingFields(body, opened ?? {})
      if (seen && Object.keys(change).length === 0)
        toast({ kind: 'done', text: t('person.saved', { name: nameOf(saved) }) })
      else void report(saved, seen, sets)
      onSaved(saved)
    },
  })
}

/** Returns the step of a person, given as they are when it is undone and when it is done. */
export async function personStep(
  context: Done['context'],
  kind: Kind,
  sets: readonly string[],
  on: Readonly<Record<Side, readonly Versioned[]>>,
): Promise<Done> {
  const [saved] = on.done
  return {
    context,
    sets: await setsOf(sets, context, { kind, on }),
    rows: { kind, on },
    ...(saved && { place: pageOf(kind, saved) }),
  }
}

export function pageOf(kind: Kind, { id }: Pick<Versioned, 'id'>): ShownPage {
  return kind === 'students'
    ? { to: '/students', search: { student: id } }
    : { to: '/instructors', search: { instructor: id } }
}
