import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { type DrawnLines, lessonDigestOf, lessonDocumentFor } from '../../domain/signatures.ts'
import { APPOINTMENTS } from '../data/appointments.ts'
import { signaturesOfLesson } from '../data/signatures.ts'
import { lessonFacts, signerOf } from '../signing/lesson-facts.ts'
import { SignDialog } from '../signing/sign-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { recordSignature, useOutbox } from './outbox.ts'
import css from './outcome-buttons.module.css'

/** Lets the student of a completed lesson sign it on the instructor's device. */
export function SignLesson({ lesson }: { lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const student_id = signerOf(lesson)
  const waiting = useOutbox().find(({ seen }) => seen.id === lesson.id)
  const { data: signatures = [] } = useQuery({
    ...signaturesOfLesson(lesson.id),
    enabled: student_id !== undefined,
  })
  const document = student_id && lessonDocumentFor(lesson, student_id, school.tenant.timezone)
  if (!document) return null
  const isWaiting = waiting?.signature !== undefined && !waiting.refused
  const isSigned = signatures.some(({ as, state }) => as === 'student' && state === 'valid')
  if (isWaiting || isSigned)
    return (
      <p className={css.noted} data-status="completed">
        <Icon name="check" /> {t(isWaiting ? 'sign.kept' : 'sign.signed')}
      </p>
    )
  const student = school.student.get(document.student_id)
  const sign = async ({ name, strokes }: { name: string; strokes: DrawnLines | null }) => {
    setOpen(false)
    const digest = await lessonDigestOf(document)
    const body = { as: 'student' as const, digest, name, strokes, student_id: document.student_id }
    const seen = APPOINTMENTS.read(client, lesson.id) ?? lesson
    await recordSignature(seen, { key: crypto.randomUUID(), body })
    await client.invalidateQueries(signaturesOfLesson(lesson.id))
  }
  return (
    <>
      <Button className={css.button} icon="edit" onClick={() => setOpen(true)}>
        {t('sign.sign')}
      </Button>
      {isOpen && (
        <SignDialog
          title={t('sign.lesson')}
          facts={lessonFacts(document, school, t)}
          name={student ? nameOf(student) : ''}
          onSign={(signature) => void sign(signature)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
