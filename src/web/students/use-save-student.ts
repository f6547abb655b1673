import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { storePerson } from '../api/people.ts'
import { changeStudent, enrolStudent } from '../api/students.ts'
import { Stale } from '../api/versions.ts'
import { changedFields } from '../ui/changed-fields.ts'
import { nameOf } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { type StudentForm, studentOf } from './student-form.ts'

/** Saves what was changed in the form. Where somebody else was first, the next save changes what they have left. */
export function useSaveStudent(student: Student | undefined, onSaved: (student: Student) => void) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [seen, setSeen] = useState(student)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const save = async (form: StudentForm) => {
    setBusy(true)
    setError(undefined)
    const wanted = studentOf(form)
    try {
      const saved = seen
        ? await changeStudent(seen, changedFields(wanted, student ?? {}))
        : await enrolStudent(wanted)
      await storePerson(client, 'students', saved)
      toast({ kind: 'done', text: t('student.saved', { name: nameOf(saved) }) })
      onSaved(saved)
    } catch (failure) {
      setError(failure)
      if (failure instanceof Stale) setSeen(failure.current as Student)
    } finally {
      setBusy(false)
    }
  }

  return { save, error, isBusy }
}
