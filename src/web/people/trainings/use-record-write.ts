import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { followNow } from '../../data/following.ts'
import { ApiProblem } from '../../data/send.ts'
import { recordSet } from '../../data/write-queue.ts'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { recordStep } from '../../ui/undo/steps.ts'
import { pageOf } from '../../ui/undo/use-save-person.ts'

type RecordWrite = {
  readonly send: () => Promise<Response>
  /** The name of what is written, beside the student's. */
  readonly what: string
  readonly message:
    | 'training.begun'
    | 'training.changed'
    | 'training.deleted'
    | 'papers.entered'
    | 'papers.removed'
}

const EXPLAINED = [
  'already_enrolled',
  'template_not_valid',
  'enrolment_ended',
  'from_appointment',
  'in_use',
] as const

/** Writes the records of a student, reports it, and offers an undo of everything that the request has changed. */
export function useRecordWrite(student: Student, onDone?: () => void) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ send }: RecordWrite) => {
      const sets: string[] = []
      recordSet(await send(), { client, sets })
      await followNow(client)
      return sets
    },
    onSuccess: (sets, { what, message }) => {
      const label = `${what}, ${nameOf(student)}`
      const text = t(message, { what: label })
      const rows = { kind: 'students' as const, on: { undone: [student], done: [student] } }
      const place = pageOf(rows.kind, student)
      recordStep({ text, label }, { context: { client, school, t }, sets, rows, place })
      onDone?.()
    },
    onError: () => void followNow(client),
  })
  const known = error instanceof ApiProblem && EXPLAINED.find((code) => error.is(code))
  const isStale = error instanceof ApiProblem && error.is('stale')
  const problem =
    error && (isStale ? t('training.stale') : known ? t(`training.${known}`) : problemMessage(error, t))
  return { write: mutate, problem: problem ?? undefined, isBusy: isPending }
}
