import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Versioned } from '../../data/copies.ts'
import { type Edit, mergeWrite, useEdit, type WriteContext, writeOnce } from '../../data/write-queue.ts'
import { differingFields } from '../changed-fields.ts'
import { problemMessage } from '../problem-messages.ts'
import { nameOf } from '../school.tsx'
import { type ShownPage, toast } from '../toasts.ts'
import { type Command, recordStep } from './steps.ts'
import { valuesOf } from './values-of.ts'

type Person = Versioned & { readonly first_name: string; readonly last_name: string }

export type SaveContext = { readonly client: QueryClient; readonly t: TFunction }

/** The requests for a kind of people. */
export type PersonRequests<P extends Person, Body> = {
  readonly create: (body: Body, writing: WriteContext) => Promise<P>
  readonly change: (edit: Edit<P, Partial<Body>>, writing: WriteContext) => Promise<P>
  /** Returns the step that undoes the creation. */
  readonly uncreate: (context: SaveContext, created: P) => Command
  readonly placeOf: (person: P) => ShownPage
}

/** Saves the form's changes. After a conflict the next save applies to the current version. */
export function useSavePerson<P extends Person, Body extends object>(
  person: P | undefined,
  verbs: PersonRequests<P, Body>,
  onSaved: (saved: P) => void,
) {
  const { t } = useTranslation()
  const client = useQueryClient()
  // The version when the form was opened: later differences are another user's changes.
  const [opened] = useState(person)
  return useEdit<P | undefined, P, Body>(person, {
    write: (body, seen, writing) => {
      if (!seen) return verbs.create(body, writing)
      const change = differingFields(body, opened ?? {})
      return writeOnce(change, () => verbs.change({ seen, change }, writing))
    },
    onSaved: (saved, body, seen) => {
      const change = differingFields(body, opened ?? {})
      const text = t('person.saved', { name: nameOf(saved) })
      if (seen && Object.keys(change).length === 0) toast({ kind: 'done', text })
      else {
        const context = { client, t }
        const opposite = seen
          ? changingPerson(context, verbs, saved, valuesOf(seen, change))
          : verbs.uncreate(context, saved)
        const label = t(seen ? 'step.changed' : 'step.added', { what: nameOf(saved) })
        recordStep({ text, label }, { opposite, place: verbs.placeOf(saved) })
      }
      onSaved(saved)
    },
  })
}

/** Returns the command that changes a person and merges with others' changes. */
export function changingPerson<P extends Person, Body extends object>(
  context: SaveContext,
  verbs: Pick<PersonRequests<P, Body>, 'change' | 'placeOf'>,
  person: P,
  change: Partial<Body>,
): Command {
  return {
    run: async () => {
      const write = (seen: P) => verbs.change({ seen, change }, context)
      const changed = await mergeWrite(person, { fields: Object.keys(change), change }, write)
      const opposite = changingPerson(context, verbs, changed, valuesOf(person, change))
      return { opposite, place: verbs.placeOf(changed) }
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}
