import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { changeInstructor, hireInstructor } from '../api/instructors.ts'
import { storePerson } from '../api/people.ts'
import { Stale } from '../api/versions.ts'
import { changedFields } from '../ui/changed-fields.ts'
import { nameOf } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { type InstructorForm, instructorOf } from './instructor-form.ts'

/** Saves what was changed in the form. Where somebody else was first, the next save changes what they have left. */
export function useSaveInstructor(instructor: Instructor | undefined, onSaved: () => void) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [seen, setSeen] = useState(instructor)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const save = async (form: InstructorForm) => {
    setBusy(true)
    setError(undefined)
    const wanted = instructorOf(form)
    try {
      const saved = seen
        ? await changeInstructor(seen, changedFields(wanted, instructor ?? {}))
        : await hireInstructor(wanted)
      await storePerson(client, 'instructors', saved)
      toast({ kind: 'done', text: t('instructor.saved', { name: nameOf(saved) }) })
      onSaved()
    } catch (failure) {
      setError(failure)
      if (failure instanceof Stale) setSeen(failure.current as Instructor)
    } finally {
      setBusy(false)
    }
  }

  return { save, error, isBusy }
}
